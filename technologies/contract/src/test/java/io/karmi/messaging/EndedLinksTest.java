package io.karmi.messaging;

import static org.assertj.core.api.Assertions.assertThat;

import io.karmi.guard.StuckThreads;
import io.karmi.kit.Deadline;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.Serializable;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.After;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.Timeout;

/** Messages that have arrived before their link has ended: none of them is lost. */
public class EndedLinksTest {
  private static final int BEHIND = 20;
  private static final int LARGE = 200_000;

  @Rule public final Timeout limit = Timeout.seconds(120);

  private final TestHost a = new TestHost(Map.of());
  private final TestHost b = new TestHost(Map.of());
  private final Queue<Integer> received = new ConcurrentLinkedQueue<>();

  @After
  public void close() {
    a.messaging.close();
    b.messaging.close();
  }

  record Numbered(int number, byte[] content) implements Serializable {}

  record Slow(int number) implements Serializable {}

  /** Is read for as long as the test wants, as on a machine without a free processor. */
  static final class SlowToRead implements Serializable {
    private static final long serialVersionUID = 1;
    static final CountDownLatch BEGUN = new CountDownLatch(1);
    static final CountDownLatch GO = new CountDownLatch(1);

    private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
      in.defaultReadObject();
      BEGUN.countDown();
      try {
        GO.await();
      } catch (InterruptedException e) {
        throw new IOException(e);
      }
    }
  }

  private void sendBehind(int bytes) throws Exception {
    for (int i = 0; i < BEHIND; i++) {
      a.messaging.sendOrdered(new Numbered(i, new byte[bytes]), b.messaging.address());
    }
  }

  private void endLink() throws InterruptedException {
    Deadline.await("all is sent", a.messaging::hasSentAll);
    Deadline.await("all bytes", () -> count(b, "bytesReceived") >= count(a, "bytesSent"));
    b.breakPipes();
    Deadline.await("the end of the link", () -> b.openLinks() == 0);
  }

  private static long count(TestHost host, String counter) {
    return host.messaging.counters().get(counter);
  }

  private void checkAllAreReceived() throws InterruptedException {
    Deadline.await("all messages", () -> received.size() == BEHIND);
    assertThat(received).containsExactlyElementsOf(IntStream.range(0, BEHIND).boxed().toList());
  }

  @Test
  public void messagesBehindOneThatIsReadForLongAreHandled() throws Exception {
    b.messaging.receive(SlowToRead.class, (slow, from) -> {});
    b.messaging.receive(Numbered.class, (message, from) -> received.add(message.number()));
    a.messaging.sendOrdered(new SlowToRead(), b.messaging.address());
    sendBehind(10);
    assertThat(SlowToRead.BEGUN.await(30, TimeUnit.SECONDS)).as("it is being read").isTrue();
    endLink();
    Deadline.await("the thread counts as stuck", () -> StuckThreads.count() > 0);
    SlowToRead.GO.countDown();
    checkAllAreReceived();
    Deadline.await("the thread has come back", () -> StuckThreads.count() == 0);
  }

  @Test
  public void messagesInPartsBehindOneThatIsHandledForLongAreHandled() throws Exception {
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch go = new CountDownLatch(1);
    b.messaging.receive(
        Slow.class,
        (slow, from) -> {
          begun.countDown();
          go.await();
        });
    b.messaging.receive(Numbered.class, (message, from) -> received.add(message.content().length));
    a.messaging.sendOrdered(new Slow(0), b.messaging.address());
    begun.await();
    a.messaging.sendOrdered(new Numbered(1, new byte[LARGE]), b.messaging.address());
    a.messaging.sendOrdered(new Numbered(2, new byte[LARGE]), b.messaging.address());
    endLink();
    go.countDown();
    Deadline.await("both messages", () -> received.size() == 2);
    assertThat(received).containsExactly(LARGE, LARGE);
  }
}
