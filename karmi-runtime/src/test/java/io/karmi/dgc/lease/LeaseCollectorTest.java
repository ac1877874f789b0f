package io.karmi.dgc.lease;

import static io.karmi.dgc.Await.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.karmi.dgc.ExportedObjects;
import io.karmi.dgc.Messenger;
import io.karmi.dgc.Sender;
import io.karmi.id.NodeId;
import io.karmi.id.ObjectId;
import io.karmi.id.TechnologyId;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.After;
import org.junit.Test;

/**
 * Two collectors that talk through memory, over a way that can be cut, and the messages of a third
 * node by hand.
 */
public class LeaseCollectorTest {
  private static final long LONG_LEASE = 600_000;
  private static final long OBJECT = 77L << 32;

  private final NodeId ownerNode = NodeId.random();
  private final NodeId holderNode = NodeId.random();
  private final ObjectId object =
      new ObjectId(ownerNode, OBJECT, new TechnologyId("memory", "owner"));
  private final Exported exported = new Exported();
  private final AtomicInteger messages = new AtomicInteger();
  private final List<LeaseCollector> opened = new ArrayList<>();
  private volatile boolean cut;

  @After
  public void close() {
    cut = true;
    opened.forEach(LeaseCollector::close);
  }

  private LeaseCollector owner(long leaseMillis) {
    return open((Way) (to, message) -> 0, leaseMillis);
  }

  private LeaseCollector holder(LeaseCollector owner) {
    return open(
        (Way)
            (to, message) -> {
              if (cut) {
                throw new IOException("the way is cut");
              }
              messages.incrementAndGet();
              return owner.receive(from(holderNode), message);
            },
        LONG_LEASE);
  }

  private LeaseCollector open(Messenger messenger, long leaseMillis) {
    LeaseCollector collector =
        new LeaseCollector(messenger, exported, LeaseCollectorTest::start, leaseMillis);
    opened.add(collector);
    return collector;
  }

  private static List<Object> arrived(LeaseCollector holder, ObjectId... references) {
    return holder.arrived(List.of(references), new long[references.length]);
  }

  private static Sender from(NodeId node) {
    return new Sender() {
      @Override
      public NodeId node() {
        return node;
      }

      @Override
      public void whenGone(Runnable action) {}
    };
  }

  private static void start(String name, Runnable work) {
    Thread thread = new Thread(work, name);
    thread.setDaemon(true);
    thread.start();
  }

  private static long[] dirty(long sequence, long... numbers) {
    return message(LeaseMessage.DIRTY, sequence, numbers);
  }

  private static long[] clean(long sequence, long... numbers) {
    return message(LeaseMessage.CLEAN, sequence, numbers);
  }

  private static long[] message(long kind, long sequence, long... numbers) {
    List<Long> all = new ArrayList<>();
    for (long number : numbers) {
      all.add(number);
    }
    return LeaseMessage.of(kind, sequence, LONG_LEASE, all);
  }

  @Test
  public void ownerKnowsWhenArrivedReturns() {
    LeaseCollector holder = holder(owner(LONG_LEASE));
    List<Object> tokens = arrived(holder, object, object);
    assertThat(exported.held).containsExactly(OBJECT);
    assertThat(tokens).hasSize(2);
    assertThat(messages).hasValue(1);
    assertThat(arrived(holder, object)).as("the same token").contains(tokens.get(0));
    assertThat(messages).as("the owner knows already").hasValue(1);
  }

  @Test
  public void unreachableTokensAreCleaned() throws Exception {
    LeaseCollector owner = owner(LONG_LEASE);
    LeaseCollector holder = holder(owner);
    arrived(holder, object);
    await("the object is let go", exported.held::isEmpty);
    assertThat(exported.letGo).containsExactly(OBJECT);
    assertThat(owner.heldObjects()).isZero();
    Object token = arrived(holder, object).get(0);
    assertThat(exported.held).as("held again").containsExactly(OBJECT);
    assertThat(token).isNotNull();
  }

  @Test
  public void everyHolderCounts() {
    LeaseCollector owner = owner(LONG_LEASE);
    NodeId other = NodeId.random();
    owner.receive(from(holderNode), dirty(1, OBJECT));
    owner.receive(from(other), dirty(1, OBJECT));
    owner.receive(from(holderNode), clean(2, OBJECT));
    assertThat(exported.held).containsExactly(OBJECT);
    owner.receive(from(other), clean(2, OBJECT));
    assertThat(exported.held).isEmpty();
  }

  @Test
  public void doubledMessagesCountOnce() {
    LeaseCollector owner = owner(LONG_LEASE);
    owner.receive(from(holderNode), dirty(1, OBJECT));
    owner.receive(from(holderNode), dirty(1, OBJECT));
    owner.receive(from(holderNode), clean(2, OBJECT));
    owner.receive(from(holderNode), clean(2, OBJECT));
    assertThat(exported.held).isEmpty();
    assertThat(exported.letGo).containsExactly(OBJECT);
  }

  @Test
  public void cleanThatIsOvertakenByALaterDirtyIsIgnored() {
    LeaseCollector owner = owner(LONG_LEASE);
    owner.receive(from(holderNode), dirty(1, OBJECT));
    owner.receive(from(holderNode), dirty(3, OBJECT));
    owner.receive(from(holderNode), clean(2, OBJECT));
    assertThat(exported.held).containsExactly(OBJECT);
  }

  @Test
  public void dirtyThatComesAfterItsCleanRevivesNothing() {
    LeaseCollector owner = owner(LONG_LEASE);
    owner.receive(from(holderNode), dirty(1, OBJECT));
    owner.receive(from(holderNode), clean(3, OBJECT));
    owner.receive(from(holderNode), dirty(2, OBJECT));
    assertThat(exported.held).isEmpty();
  }

  @Test
  public void holderThatFallsSilentIsForgotten() throws Exception {
    LeaseCollector owner = owner(50);
    assertThat(owner.receive(from(holderNode), dirty(1, OBJECT))).as("granted").isEqualTo(50);
    await("the lease expires", exported.held::isEmpty);
    assertThat(exported.letGo).containsExactly(OBJECT);
  }

  @Test
  public void heldReferencesAreRenewed() throws Exception {
    LeaseCollector holder = holder(owner(1000));
    Object token = arrived(holder, object).get(0);
    await("some renewals", () -> messages.get() > 3);
    assertThat(exported.letGo).isEmpty();
    cut = true;
    await("expires once renewals stop", exported.held::isEmpty);
    cut = false;
    await("comes back with the next renewal", () -> !exported.held.isEmpty());
    java.lang.ref.Reference.reachabilityFence(token);
  }

  @Test
  public void ownerThatCannotBeReachedIsToldLater() throws Exception {
    LeaseCollector holder = holder(owner(LONG_LEASE));
    cut = true;
    Object token = arrived(holder, object).get(0);
    assertThat(exported.held).isEmpty();
    cut = false;
    await("the owner is told", () -> !exported.held.isEmpty());
    java.lang.ref.Reference.reachabilityFence(token);
  }

  @Test
  public void ownerThatDoesNotAnswerCostsNoOtherItsLease() throws Exception {
    CountDownLatch stalled = new CountDownLatch(1);
    NodeId stalledNode = NodeId.random();
    LeaseCollector owner = owner(1000);
    AtomicInteger toStalled = new AtomicInteger();
    LeaseCollector holder =
        open(
            (Way)
                (to, message) -> {
                  if (to.node().equals(stalledNode) && toStalled.incrementAndGet() > 1) {
                    awaitQuietly(stalled);
                  } else if (to.node().equals(ownerNode)) {
                    messages.incrementAndGet();
                    owner.receive(from(holderNode), message);
                  }
                  return 1000;
                },
            LONG_LEASE);
    ObjectId there = new ObjectId(stalledNode, OBJECT, new TechnologyId("memory", "stalled"));
    List<Object> tokens = arrived(holder, object, there);
    try {
      await("a message that is not answered", () -> toStalled.get() > 1);
      int before = messages.get();
      await("renewals all the same", () -> messages.get() > before + 3);
      assertThat(exported.letGo).isEmpty();
    } finally {
      stalled.countDown();
    }
    java.lang.ref.Reference.reachabilityFence(tokens);
  }

  private static void awaitQuietly(CountDownLatch latch) throws IOException {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IOException(e);
    }
  }

  @Test
  public void objectWhoseCleanGotLostIsForgottenThoughItsHolderRenewsAnother() throws Exception {
    LeaseCollector owner = owner(1000);
    owner.receive(from(holderNode), dirty(1, OBJECT, OBJECT + 1));
    AtomicInteger sequence = new AtomicInteger(1);
    await(
        "its own lease ends",
        () -> {
          owner.receive(from(holderNode), dirty(sequence.incrementAndGet(), OBJECT + 1));
          return !exported.held.contains(OBJECT);
        });
    assertThat(exported.held).containsExactly(OBJECT + 1);
  }

  @Test
  public void nothingIsRememberedOfNumbersThatAreMadeUp() {
    LeaseCollector owner = owner(LONG_LEASE);
    exported.exists = false;
    owner.receive(from(holderNode), clean(5, OBJECT));
    exported.exists = true;
    owner.receive(from(holderNode), dirty(1, OBJECT));
    assertThat(exported.held).containsExactly(OBJECT);
  }

  @Test
  public void unknownObjectsAreNotHeld() {
    LeaseCollector owner = owner(LONG_LEASE);
    exported.exists = false;
    owner.receive(from(holderNode), dirty(1, OBJECT));
    assertThat(owner.heldObjects()).isZero();
  }

  @Test
  public void messagesWithoutSenseAreRefused() {
    LeaseCollector owner = owner(LONG_LEASE);
    assertThatThrownBy(() -> owner.receive(from(holderNode), new long[] {1, 1}))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> owner.receive(from(holderNode), new long[] {9, 1, 1}))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  public void closingGivesEverythingBack() {
    LeaseCollector holder = holder(owner(LONG_LEASE));
    Object token = arrived(holder, object).get(0);
    holder.close();
    assertThat(exported.held).isEmpty();
    java.lang.ref.Reference.reachabilityFence(token);
  }

  /** Leases need no lines. */
  private interface Way extends Messenger {
    @Override
    default Closeable openLine(ObjectId anyObject, long[] message) throws IOException {
      throw new IOException("no lines here");
    }
  }

  private static final class Exported implements ExportedObjects {
    final Set<Long> held = ConcurrentHashMap.newKeySet();
    final List<Long> letGo = new ArrayList<>();
    volatile boolean exists = true;

    @Override
    public boolean isExported(long number) {
      return exists;
    }

    @Override
    public boolean hold(long number) {
      if (exists) {
        held.add(number);
      }
      return exists;
    }

    @Override
    public synchronized void letGo(long number) {
      held.remove(number);
      letGo.add(number);
    }
  }
}
