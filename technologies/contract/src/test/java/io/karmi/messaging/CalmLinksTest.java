package io.karmi.messaging;

import static org.assertj.core.api.Assertions.assertThat;

import io.karmi.kit.Deadline;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.After;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.Timeout;

/** Links that are idle or calm are read by one thread; what waits within one holds up no other. */
public class CalmLinksTest {
  private static final int NODES = 12;
  private static final String OWN_THREAD = "KaRMI Messages from memory";

  @Rule public final Timeout limit = Timeout.seconds(240);

  private final MemoryNetwork network = new MemoryNetwork();
  private final List<Messaging> nodes = new ArrayList<>();
  private final AtomicInteger received = new AtomicInteger();

  record Load(byte[] bytes) implements Serializable {}

  record Wait() implements Serializable {}

  @Before
  public void open() {
    for (int i = 0; i < NODES; i++) {
      Messaging node = network.newNode();
      nodes.add(node);
      node.receive(Load.class, (load, from) -> received.incrementAndGet());
    }
  }

  @After
  public void close() {
    nodes.forEach(Messaging::close);
  }

  private Address address(int node) {
    return nodes.get(node % NODES).address();
  }

  private void sendFromEachToAll() throws Exception {
    for (int i = 0; i < NODES; i++) {
      for (int k = 1; k < NODES; k++) {
        nodes.get(i).send(new Load(new byte[100]), address(i + k));
      }
    }
  }

  private static boolean isThereAThreadOfOneLink() {
    return Thread.getAllStackTraces().keySet().stream()
        .anyMatch(thread -> thread.getName().equals(OWN_THREAD));
  }

  @Test
  public void linksThatAreCalmHaveNoThreads() throws Exception {
    for (int round = 1; round <= 3; round++) {
      int all = round * NODES * (NODES - 1);
      sendFromEachToAll();
      Deadline.await("round " + round, () -> received.get() == all);
      Deadline.await("no thread of one link", () -> openLinks() > 0 && !isThereAThreadOfOneLink());
    }
  }

  private int openLinks() {
    return nodes.stream().mapToInt(node -> ((NodeMessaging) node).openLinks()).sum();
  }

  @Test
  public void linkThatIsBusyHasAThreadOfItsOwn() throws Exception {
    int sent = 0;
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(100);
    while (!isThereAThreadOfOneLink() && System.nanoTime() - deadline < 0) {
      for (int i = 0; i < 5_000; i++) {
        nodes.get(0).send(new Load(new byte[10]), address(1));
      }
      sent += 5_000;
    }
    assertThat(System.nanoTime() - deadline).as("no thread of its own").isNegative();
    int all = sent;
    Deadline.await("all messages", () -> received.get() == all);
    Deadline.await("the end of the thread", () -> !isThereAThreadOfOneLink());
    nodes.get(0).send(new Load(new byte[10]), address(1));
    Deadline.await("one more", () -> received.get() == all + 1);
  }

  @Test
  public void handlersThatWaitHoldUpNoOtherLink() throws Exception {
    int count = NODES / 2;
    CountDownLatch waiting = new CountDownLatch(count);
    CountDownLatch end = new CountDownLatch(1);
    CountDownLatch ended = new CountDownLatch(count);
    for (int i = 0; i < count; i++) {
      nodes
          .get(i)
          .receive(
              Wait.class,
              (message, from) -> {
                waiting.countDown();
                await(end);
                ended.countDown();
              });
      nodes.get(NODES - 1).send(new Wait(), address(i));
    }
    await(waiting);
    sendFromEachToAll();
    Deadline.await("messages of all nodes", () -> received.get() == NODES * (NODES - 1));
    end.countDown();
    await(ended);
  }

  @Test
  public void handlersMayAskOneAfterTheOther() throws Exception {
    for (int i = 0; i < NODES; i++) {
      int next = i + 1;
      Messaging node = nodes.get(i);
      node.answer(
          Integer.class,
          (depth, from) ->
              depth == 0
                  ? "end"
                  : node.request(depth - 1, address(next)).get(100, TimeUnit.SECONDS));
    }
    for (int i = 0; i < 20; i++) {
      assertThat(nodes.get(i % NODES).request(NODES - 2, address(i + 1)).get(100, TimeUnit.SECONDS))
          .isEqualTo("end");
    }
  }

  @Test
  public void handlersMaySendMoreThanAWindow() throws Exception {
    int most = 3_000;
    for (int i = 0; i < 4; i++) {
      int to = NODES - 1 - i;
      Messaging node = nodes.get(i);
      node.receive(
          Wait.class,
          (message, from) -> {
            for (int k = 0; k < most; k++) {
              send(node, to);
            }
          });
    }
    for (int i = 0; i < 4; i++) {
      nodes.get(NODES / 2).send(new Wait(), address(i));
    }
    Deadline.await("all messages", () -> received.get() == 4 * most);
  }

  @Test
  public void linkThatRestsHoldsNoBuffer() throws Exception {
    try (NodeMessaging here = (NodeMessaging) network.newNode()) {
      here.receive(Wait.class, (message, from) -> received.incrementAndGet());
      for (int round = 1; round <= 2; round++) {
        int number = round;
        nodes.get(0).send(new Wait(), here.address());
        Deadline.await("message " + round, () -> received.get() == number);
        Deadline.await("no memory", () -> here.openLinks() > 0 && here.heldBytes() == 0);
      }
    }
  }

  private static void send(Messaging node, Address to) {
    try {
      node.send(new Load(new byte[1_000]), to);
    } catch (java.rmi.RemoteException e) {
      throw new AssertionError(e);
    }
  }

  private void send(Messaging node, int to) {
    send(node, address(to));
  }

  private static void await(CountDownLatch latch) {
    try {
      assertThat(latch.await(100, TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
