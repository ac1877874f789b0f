package io.karmi.dgc.lease;

import static io.karmi.kit.Deadline.awaitCollecting;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.karmi.id.NodeId;
import io.karmi.id.ObjectId;
import io.karmi.id.TechnologyId;
import java.io.EOFException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.SocketTimeoutException;
import java.rmi.UnmarshalException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.Test;

/** Leases are taken, renewed and given back, also without messages, threads or memory. */
public class LeaseCollectorTest extends LeaseFixture {
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
    awaitCollecting("the object is let go", exported.held::isEmpty);
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
    awaitCollecting("the lease expires", exported.held::isEmpty);
    assertThat(exported.letGo).containsExactly(OBJECT);
  }

  @Test
  public void ownerThatCannotBeReachedIsToldLater() throws Exception {
    LeaseCollector holder = holder(owner(LONG_LEASE));
    cut = true;
    Object token = arrived(holder, object).get(0);
    assertThat(exported.held).isEmpty();
    cut = false;
    awaitCollecting("the owner is told", () -> !exported.held.isEmpty());
    java.lang.ref.Reference.reachabilityFence(token);
  }

  @Test
  public void ownerIsToldAgainAtOnceWhereTheConnectionWasLost() {
    LeaseCollector owner = owner(LONG_LEASE);
    AtomicInteger attempts = new AtomicInteger();
    LeaseCollector holder =
        open(
            (Way)
                (to, message) -> {
                  if (attempts.incrementAndGet() == 1) {
                    throw new UnmarshalException("lost", new EOFException());
                  }
                  return owner.receive(from(holderNode), message);
                },
            LONG_LEASE);
    Object token = arrived(holder, object).get(0);
    assertThat(exported.held).containsExactly(OBJECT);
    java.lang.ref.Reference.reachabilityFence(token);
  }

  @Test
  public void ownerThatDoesNotAnswerInTimeIsNotToldAgainAtOnce() throws Exception {
    List<Long> attemptsAtNanos = new CopyOnWriteArrayList<>();
    LeaseCollector holder =
        open(
            (Way)
                (to, message) -> {
                  attemptsAtNanos.add(System.nanoTime());
                  throw new UnmarshalException("given up", new SocketTimeoutException());
                },
            LONG_LEASE);
    Object token = arrived(holder, object).get(0);
    awaitCollecting("the owner is told again", () -> attemptsAtNanos.size() > 1);
    assertThat(attemptsAtNanos.get(1) - attemptsAtNanos.get(0))
        .as("half of the time to the first repetition, and more")
        .isGreaterThan(500_000_000);
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
      awaitCollecting("a message that is not answered", () -> toStalled.get() > 1);
      int before = messages.get();
      awaitCollecting("renewals all the same", () -> messages.get() > before + 3);
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
    awaitCollecting(
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
  public void ownersThatNeverAnsweredAreForgottenWithTheirReferences() throws Exception {
    Set<NodeId> cleaned = ConcurrentHashMap.newKeySet();
    LeaseCollector holder =
        open(
            (Way)
                (to, message) -> {
                  if (message[0] == LeaseMessage.CLEAN) {
                    cleaned.add(to.node());
                  }
                  throw new IOException("nothing listens there");
                },
            LONG_LEASE);
    for (int i = 0; i < 2_000; i++) {
      arrived(holder, objectOf(NodeId.random()));
    }
    awaitCollecting("they are forgotten", () -> holder.owners() == 0);
    assertThat(cleaned).as("nothing was granted that could be given back").isEmpty();
  }

  @Test
  public void ownersThatAnswerNoMoreAreRememberedInABoundedNumber() throws Exception {
    LeaseCollector holder =
        open(
            (Way)
                (to, message) -> {
                  if (cut) {
                    throw new InterruptedIOException("no answer");
                  }
                  return LONG_LEASE;
                },
            LONG_LEASE);
    List<Object> tokens = new ArrayList<>();
    for (int i = 0; i < 5_000; i++) {
      tokens.addAll(arrived(holder, objectOf(NodeId.random())));
    }
    assertThat(holder.owners()).isEqualTo(5_000);
    cut = true;
    tokens.clear();
    awaitCollecting("no more than the bound", () -> holder.owners() <= 1_000);
  }

  private static ObjectId objectOf(NodeId node) {
    return new ObjectId(node, OBJECT, new TechnologyId("memory", "owner"));
  }

  @Test
  public void closingGivesEverythingBack() {
    LeaseCollector holder = holder(owner(LONG_LEASE));
    Object token = arrived(holder, object).get(0);
    holder.close();
    assertThat(exported.held).isEmpty();
    java.lang.ref.Reference.reachabilityFence(token);
  }

  @Test
  public void ownersThatDoNotAnswerTakeABoundedNumberOfThreadsAndCostNoOtherItsLease()
      throws Exception {
    CountDownLatch stalled = new CountDownLatch(1);
    LeaseCollector owner = owner(2000);
    Set<NodeId> met = ConcurrentHashMap.newKeySet();
    LeaseCollector holder =
        open(
            (Way)
                (to, message) -> {
                  if (to.node().equals(ownerNode)) {
                    messages.incrementAndGet();
                    return owner.receive(from(holderNode), message);
                  }
                  if (!met.add(to.node())) {
                    awaitQuietly(stalled);
                  }
                  throw new IOException("made-up owner");
                },
            LONG_LEASE);
    List<Object> tokens = new ArrayList<>(arrived(holder, object));
    try {
      for (int i = 0; i < 3000; i++) {
        tokens.addAll(
            arrived(
                holder,
                new ObjectId(NodeId.random(), OBJECT, new TechnologyId("memory", "made-up"))));
      }
      awaitCollecting("messages that are not answered", () -> threads("Lease Messages") >= 8);
      int before = messages.get();
      awaitCollecting("renewals all the same", () -> messages.get() > before + 5);
      assertThat(exported.letGo).isEmpty();
      assertThat(threads("Lease Messages")).isLessThanOrEqualTo(32);
    } finally {
      stalled.countDown();
    }
    java.lang.ref.Reference.reachabilityFence(tokens);
  }

  private static long threads(String kind) {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().contains(kind))
        .count();
  }

  @Test
  public void leaseWithoutEndDoesNotEndAtOnce() throws Exception {
    LeaseCollector owner = owner(Long.MAX_VALUE);
    assertThat(owner.receive(from(holderNode), dirty(1, OBJECT))).isPositive();
    owner.receive(
        from(NodeId.random()),
        LeaseMessage.of(
            LeaseMessage.DIRTY, 1, Long.MAX_VALUE, List.of(new LeaseMessage.Held(OBJECT, KEY))));
    LeaseCollector shortLived = owner(50);
    shortLived.receive(from(holderNode), dirty(1, OBJECT + 1));
    awaitCollecting(
        "a lease that was granted later ends", () -> !exported.held.contains(OBJECT + 1));
    assertThat(exported.held).containsExactly(OBJECT);
  }

  @Test
  public void objectIsLetGoThoughMemoryOrThreadsWereShortWhenItsLeaseEnded() throws Exception {
    LeaseCollector owner = owner(50);
    exported.failures.set(3);
    owner.receive(from(holderNode), dirty(1, OBJECT, OBJECT + 1));
    awaitCollecting("both leases expire", exported.held::isEmpty);
    assertThat(exported.failures).hasValueLessThanOrEqualTo(0);
    assertThat(owner.heldObjects()).isZero();
  }
}
