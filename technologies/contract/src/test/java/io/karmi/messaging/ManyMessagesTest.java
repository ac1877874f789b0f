package io.karmi.messaging;

import static org.assertj.core.api.Assertions.assertThat;

import io.karmi.kit.Deadline;
import io.karmi.settings.Settings;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.After;
import org.junit.Test;

/**
 * Numbered messages of all sizes, many nodes, and nodes that open links to each other at once:
 * nothing is lost and nothing comes twice.
 *
 * <p>{@code -Dkarmi.test.messages=10000000} has ten million of them sent, in a few minutes; {@code
 * -Dkarmi.test.rounds=1000} has links opened from both sides a thousand times.
 */
public class ManyMessagesTest {
  private static final int MESSAGES = Integer.getInteger("karmi.test.messages", 100_000);
  private static final int ROUNDS = Integer.getInteger("karmi.test.rounds", 100);
  private static final int PEERS = 300;
  private static final int MOST_LINKS = 100;

  private final List<TestHost> nodes = new ArrayList<>();

  private TestHost node(Map<String, String> properties) {
    TestHost node = new TestHost(properties);
    nodes.add(node);
    return node;
  }

  @After
  public void close() {
    nodes.forEach(each -> each.messaging.close());
  }

  record Numbered(int sender, int number, boolean ordered, byte[] load) implements Serializable {}

  record Hello(int from) implements Serializable {}

  /** What has come of one sender's messages, by number; and how far its ordered ones are. */
  private static final class Arrivals {
    private final AtomicIntegerArray counts;
    private final AtomicLong all = new AtomicLong();
    private final int[] lastOrdered;
    private final AtomicReference<String> wrong = new AtomicReference<>();

    Arrivals(int senders, int each) {
      counts = new AtomicIntegerArray(senders * each);
      lastOrdered = new int[senders];
    }

    void add(Numbered message, int each) {
      counts.incrementAndGet(message.sender() * each + message.number());
      if (message.ordered()) { // by one thread after the other
        if (message.number() < lastOrdered[message.sender()]) {
          wrong.set(message.number() + " after " + lastOrdered[message.sender()]);
        }
        lastOrdered[message.sender()] = message.number();
      }
      all.incrementAndGet();
    }
  }

  @Test
  public void messagesOfOneSenderArriveOnceEachAndOrderedOnesInOrder() throws Exception {
    arriveOnceEach(1);
  }

  @Test
  public void messagesOfFourSendersArriveOnceEachAndOrderedOnesInOrder() throws Exception {
    arriveOnceEach(4);
  }

  @Test
  public void messagesOfSixteenSendersArriveOnceEachAndOrderedOnesInOrder() throws Exception {
    arriveOnceEach(16);
  }

  /** In both directions at once. */
  private void arriveOnceEach(int senders) throws Exception {
    TestHost[] ends = {node(Map.of()), node(Map.of())};
    int each = MESSAGES / senders;
    Arrivals[] arrivals = {new Arrivals(senders, each), new Arrivals(senders, each)};
    for (int end = 0; end < 2; end++) {
      Arrivals here = arrivals[end];
      ends[end].messaging.receive(Numbered.class, (message, from) -> here.add(message, each));
    }
    ExecutorService threads = Executors.newFixedThreadPool(2 * senders);
    try {
      List<Future<?>> done = new ArrayList<>();
      for (int i = 0; i < 2 * senders; i++) {
        int sender = i / 2;
        TestHost from = ends[i % 2];
        Address to = ends[1 - i % 2].messaging.address();
        done.add(threads.submit(() -> send(from, to, sender, each)));
      }
      for (Future<?> each1 : done) {
        each1.get(30, TimeUnit.MINUTES);
      }
    } finally {
      threads.shutdownNow();
    }
    for (Arrivals here : arrivals) {
      Deadline.await("all messages", () -> here.all.get() >= (long) senders * each);
      for (int i = 0; i < senders * each; i++) {
        if (here.counts.get(i) != 1) {
          assertThat(here.counts.get(i)).as("arrivals of message %d", i).isEqualTo(1);
        }
      }
      assertThat(here.wrong.get()).isNull();
    }
  }

  private static Void send(TestHost from, Address to, int sender, int each) throws Exception {
    for (int i = 0; i < each; i++) {
      boolean ordered = i % 3 == 0;
      Numbered message = new Numbered(sender, i, ordered, new byte[size(i)]);
      if (ordered) {
        from.messaging.sendOrdered(message, to);
      } else {
        from.messaging.send(message, to);
      }
    }
    return null;
  }

  /** Mostly small; some larger than a frame, a few than the ring, one in fifty thousand 64 MB. */
  private static int size(int number) {
    if (number % 50_000 == 49_999) {
      return 64 << 20;
    }
    if (number % 5_000 == 777) {
      return 3 << 20;
    }
    return number % 500 == 99 ? 100_000 : number % 7 * number % 300;
  }

  @Test
  public void nodesThatOpenToEachOtherAtOnceLoseAndDoubleNothing() throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(2);
    try {
      for (int round = 0; round < ROUNDS; round++) {
        TestHost left = new TestHost(Map.of());
        TestHost right = new TestHost(Map.of());
        AtomicLong arrived = new AtomicLong();
        left.messaging.receive(Hello.class, (message, from) -> arrived.incrementAndGet());
        right.messaging.receive(Hello.class, (message, from) -> arrived.incrementAndGet());
        Future<?> one = threads.submit(() -> hello(left, right, 3));
        Future<?> other = threads.submit(() -> hello(right, left, 3));
        one.get(60, TimeUnit.SECONDS);
        other.get(60, TimeUnit.SECONDS);
        Deadline.await("6 messages of round " + round, () -> arrived.get() >= 6);
        left.messaging.close();
        right.messaging.close();
        assertThat(arrived.get()).isEqualTo(6);
      }
    } finally {
      threads.shutdownNow();
    }
  }

  private static Void hello(TestHost from, TestHost to, int times) throws Exception {
    for (int i = 0; i < times; i++) {
      from.messaging.send(new Hello(i), to.messaging.address());
    }
    return null;
  }

  @Test
  public void peersBeyondTheNumberOfLinksAreServedNevertheless() throws Exception {
    TestHost center =
        node(
            Map.of(
                Settings.MAX_LINKS.name(), Integer.toString(MOST_LINKS),
                Settings.MAX_ACCEPTED_LINKS.name(), Integer.toString(2 * PEERS)));
    int mostOpened = 0;
    AtomicIntegerArray arrived = new AtomicIntegerArray(PEERS);
    AtomicIntegerArray answered = new AtomicIntegerArray(PEERS);
    center.messaging.receive(Hello.class, (hello, from) -> arrived.incrementAndGet(hello.from()));
    List<TestHost> peers = new ArrayList<>();
    for (int i = 0; i < PEERS; i++) {
      int number = i;
      TestHost peer = node(Map.of());
      peer.messaging.receive(Hello.class, (hello, from) -> answered.incrementAndGet(number));
      peers.add(peer);
    }
    /* On a slow machine peers close links of their own accord before the limit is reached. */
    int rounds = 0;
    for (; rounds < 3 || mostOpened < MOST_LINKS / 2 && rounds < 20; rounds++) {
      for (int i = 0; i < PEERS; i++) {
        center.messaging.send(new Hello(i), peers.get(i).messaging.address());
        mostOpened = Math.max(mostOpened, center.messaging.openedLinks());
        peers.get(i).messaging.send(new Hello(i), center.messaging.address());
      }
    }
    int all = rounds;
    for (int i = 0; i < PEERS; i++) {
      int number = i;
      Deadline.await(all + " messages from peer " + i, () -> arrived.get(number) == all);
      Deadline.await(all + " messages to peer " + i, () -> answered.get(number) == all);
    }
    assertThat(mostOpened).isBetween(MOST_LINKS / 2, MOST_LINKS);
    Deadline.await("at most 100 links", () -> center.openLinks() <= MOST_LINKS);
    assertThat(center.messaging.counters()).containsEntry("linksLost", 0L);
  }
}
