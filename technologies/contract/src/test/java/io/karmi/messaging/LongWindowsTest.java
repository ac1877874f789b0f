package io.karmi.messaging;

import static org.assertj.core.api.Assertions.assertThat;

import io.karmi.guard.Ledgers;
import io.karmi.id.NodeId;
import io.karmi.id.ObjectId;
import io.karmi.id.TechnologyId;
import io.karmi.kit.Deadline;
import io.karmi.marshal.UkaFormat;
import io.karmi.messaging.link.MemoryPipe;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.junit.After;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.Timeout;

/** Windows that get longer while large messages come, and are given back. */
public class LongWindowsTest {
  private static final String HOST = "memory";
  private static final int LARGE_MESSAGES = 16;

  @Rule public final Timeout limit = Timeout.seconds(120);

  private final TestHost a = new TestHost(Map.of());
  private final TestHost b = new TestHost(Map.of());
  private final ExecutorService threads = Executors.newCachedThreadPool();

  /** All links of this JVM share a ledger, and some may just have been closed. */
  @Before
  public void awaitEndOfOthers() throws Exception {
    Deadline.await("windows of other tests are given back", () -> longer() == 0);
  }

  @After
  public void close() {
    threads.shutdownNow();
    a.messaging.close();
    b.messaging.close();
  }

  private static long longer() {
    return Ledgers.windows().takenBy(HOST);
  }

  /** The most that was taken for windows meanwhile: a link that rests gives its own back. */
  private long longestWhileLargeMessagesAreSent() throws Exception {
    long longest = 0;
    for (int i = 0; i < LARGE_MESSAGES; i++) {
      a.messaging.send(new byte[1_000_000], b.messaging.address());
      longest = Math.max(longest, longer());
    }
    return longest;
  }

  @Test
  public void linkWithLargeMessagesGetsALongWindowAndGivesItBackWhenTheyCease() throws Exception {
    AtomicInteger received = new AtomicInteger();
    b.messaging.receive(byte[].class, (message, from) -> received.incrementAndGet());
    assertThat(longestWhileLargeMessagesAreSent())
        .as("charged to the sender's host")
        .isGreaterThan(0);
    Deadline.await("all messages", () -> received.get() == LARGE_MESSAGES);
    Deadline.await("what is given back", () -> longer() == 0);
    a.messaging.send(new byte[1_000_000], b.messaging.address());
    Deadline.await("one more", () -> received.get() == LARGE_MESSAGES + 1);
    assertThat(b.messaging.counters()).containsEntry("linksLost", 0L);
  }

  @Test
  public void smallMessagesLeaveTheWindowAsItIs() throws Exception {
    AtomicInteger received = new AtomicInteger();
    b.messaging.receive(byte[].class, (message, from) -> received.incrementAndGet());
    for (int i = 0; i < 3_000; i++) {
      a.messaging.send(new byte[1_000], b.messaging.address());
      assertThat(longer()).isZero();
    }
    Deadline.await("all messages", () -> received.get() == 3_000);
  }

  @Test
  public void windowsOfLostLinksAreGivenBack() throws Exception {
    b.messaging.receive(byte[].class, (message, from) -> {});
    assertThat(longestWhileLargeMessagesAreSent()).isGreaterThan(0);
    b.breakPipes();
    Deadline.await("what is given back", () -> longer() == 0);
  }

  private Link link(MemoryPipe pipe) {
    Link made =
        new Link(
            b.messaging,
            pipe,
            new Address(new ObjectId(NodeId.random(), 1)),
            new TechnologyId("memory", "1"),
            null);
    made.input.start();
    return made;
  }

  @Test
  public void messagesArriveOnceWhileWindowsGrowAndAreGivenBack() throws Exception {
    int senders = 3;
    int messages = 150;
    AtomicIntegerArray received = new AtomicIntegerArray(senders * messages);
    b.messaging.receive(int[].class, (message, from) -> received.incrementAndGet(message[0]));
    MemoryPipe[] ends = MemoryPipe.open(NodeId.random(), NodeId.random(), new UkaFormat(), 0);
    Link from = link(ends[0]);
    Link to = link(ends[1]);
    AtomicBoolean over = new AtomicBoolean();
    Future<Integer> calm = threads.submit(() -> giveBackUntil(over, from));
    List<Future<?>> sent = new ArrayList<>();
    for (int i = 0; i < senders; i++) {
      int first = i * messages;
      sent.add(threads.submit(() -> sendFrom(first, messages, from)));
    }
    for (Future<?> each : sent) {
      each.get(60, TimeUnit.SECONDS);
    }
    Deadline.await("all messages", () -> sum(received) == senders * messages);
    Deadline.await("the last window", () -> !from.output.hasLongWindow() && longer() == 0);
    over.set(true);
    assertThat(calm.get(60, TimeUnit.SECONDS)).as("times it was given back").isGreaterThan(0);
    assertThat(from.isLost() || to.isLost()).isFalse();
    for (int i = 0; i < received.length(); i++) {
      assertThat(received.get(i)).isEqualTo(1);
    }
    from.end(new IOException("the test is over"));
    to.end(new IOException("the test is over"));
  }

  /** Of each sender most messages are large, and some come in one piece. */
  private static Void sendFrom(int first, int count, Link link) throws IOException {
    for (int number = first; number < first + count; number++) {
      int[] message = new int[number % 4 == 0 ? 1_000 : 20_000 * (1 + number % 5)];
      message[0] = number;
      link.sender.send(message, 0, 0, true);
    }
    return null;
  }

  private static int giveBackUntil(AtomicBoolean over, Link link) {
    int count = 0;
    while (!over.get()) {
      boolean before = link.output.hasLongWindow();
      link.giveBackWindow(System.nanoTime(), Long.MIN_VALUE);
      count += before && !link.output.hasLongWindow() ? 1 : 0;
      Thread.yield();
    }
    return count;
  }

  private static int sum(AtomicIntegerArray numbers) {
    int sum = 0;
    for (int i = 0; i < numbers.length(); i++) {
      sum += numbers.get(i);
    }
    return sum;
  }
}
