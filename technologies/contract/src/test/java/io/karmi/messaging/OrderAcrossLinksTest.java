package io.karmi.messaging;

import static org.assertj.core.api.Assertions.assertThat;

import io.karmi.kit.Deadline;
import java.io.Serializable;
import java.rmi.RemoteException;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import org.junit.After;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.Timeout;

/** Ordered messages of which the first is still handled when its link is closed. */
public class OrderAcrossLinksTest {
  @Rule public final Timeout limit = Timeout.seconds(120);

  private final TestHost a = new TestHost(Map.of("karmi.internal.messagingMaxLinks", "2"));
  private final TestHost b = new TestHost(Map.of());
  private final TestHost c = new TestHost(Map.of());
  private final TestHost d = new TestHost(Map.of());
  private final CountDownLatch begun = new CountDownLatch(1);
  private final CountDownLatch go = new CountDownLatch(1);
  private final Queue<Integer> handled = new ConcurrentLinkedQueue<>();

  record Numbered(int number) implements Serializable {}

  @Before
  public void sendTheFirst() throws Exception {
    b.messaging.receive(
        Numbered.class,
        (message, from) -> {
          if (message.number() == 0) {
            begun.countDown();
            go.await();
          }
          handled.add(message.number());
        });
    a.messaging.sendOrdered(new Numbered(0), b.messaging.address());
    begun.await();
    Deadline.await("all is sent", a.messaging::hasSentAll);
  }

  @After
  public void close() {
    go.countDown();
    for (TestHost each : new TestHost[] {a, b, c, d}) {
      each.messaging.close();
    }
  }

  private void checkTheNextOneWaits() throws Exception {
    Thread sender =
        new Thread(
            () -> {
              try {
                a.messaging.sendOrdered(new Numbered(1), b.messaging.address());
              } catch (RemoteException e) {
                handled.add(-1);
              }
            });
    sender.start();
    Deadline.await(
        "a sender that waits",
        () -> !handled.isEmpty() || sender.getState() == Thread.State.WAITING);
    go.countDown();
    Deadline.await("both messages", () -> handled.size() == 2);
    assertThat(handled).containsExactly(0, 1);
  }

  @Test
  public void theNextOneWaitsWhereTheSenderHasClosedTheLink() throws Exception {
    a.messaging.send("to have two links", c.messaging.address());
    Deadline.await("all is sent", a.messaging::hasSentAll);
    assertThat(a.messaging.trySend("closes the older one", d.messaging.address())).isFalse();
    checkTheNextOneWaits();
  }

  @Test
  public void theNextOneWaitsWhereTheReceiverHasClosedTheLink() throws Exception {
    b.drain();
    while (b.openLinks() < 2) {
      a.messaging.send("in any order", b.messaging.address()); // waits for none
    }
    checkTheNextOneWaits();
  }
}
