package io.karmi.dgc.lease;

import static io.karmi.kit.Deadline.awaitCollecting;
import static org.assertj.core.api.Assertions.assertThat;

import io.karmi.id.NodeId;
import io.karmi.id.ObjectId;
import io.karmi.id.TechnologyId;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.Test;

/** When leases are renewed; a class of its own, since its tests wait for seconds. */
public class LeaseRenewalsTest extends LeaseFixture {
  @Test
  public void heldReferencesAreRenewed() throws Exception {
    LeaseCollector holder = holder(owner(1000));
    Object token = arrived(holder, object).get(0);
    awaitCollecting("some renewals", () -> messages.get() > 3);
    assertThat(exported.letGo).isEmpty();
    cut = true;
    awaitCollecting("expires once renewals stop", exported.held::isEmpty);
    cut = false;
    awaitCollecting("comes back with the next renewal", () -> !exported.held.isEmpty());
    java.lang.ref.Reference.reachabilityFence(token);
  }

  @Test
  public void ownerThatGrantsNextToNothingIsToldNoMoreOftenThanTenTimesASecond() throws Exception {
    LeaseCollector holder =
        open(
            (Way)
                (to, message) -> {
                  messages.incrementAndGet();
                  return 1;
                },
            LONG_LEASE);
    long begun = System.nanoTime();
    Object token = arrived(holder, object).get(0);
    awaitCollecting("some renewals", () -> messages.get() > 5);
    TimeUnit.SECONDS.sleep(2);
    int sent = messages.get(); // before the time is taken: others are sent meanwhile
    long tenths = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begun) / 100;
    assertThat(sent).isLessThanOrEqualTo((int) tenths + 2);
    java.lang.ref.Reference.reachabilityFence(token);
  }

  @Test
  public void shortLeaseIsRenewedThoughTheRenewerSleepsForALongOne() throws Exception {
    AtomicInteger toShort = new AtomicInteger();
    NodeId shortNode = NodeId.random();
    LeaseCollector holder =
        open(
            (Way)
                (to, message) -> {
                  if (to.node().equals(shortNode)) {
                    toShort.incrementAndGet();
                    return 1000;
                  }
                  return LONG_LEASE;
                },
            LONG_LEASE);
    List<Object> tokens = new ArrayList<>(arrived(holder, object));
    TimeUnit.MILLISECONDS.sleep(500);
    tokens.addAll(
        arrived(holder, new ObjectId(shortNode, OBJECT, new TechnologyId("memory", "short"))));
    awaitCollecting("renewals", () -> toShort.get() > 3);
    java.lang.ref.Reference.reachabilityFence(tokens);
  }

  @Test
  public void renewalsAndCleansOutliveAMomentWithoutMemory() throws Exception {
    LeaseCollector owner = owner(8000);
    AtomicInteger failures = new AtomicInteger();
    LeaseCollector holder =
        open(
            (Way)
                (to, message) -> {
                  if (failures.getAndDecrement() > 0) {
                    throw new OutOfMemoryError("made");
                  }
                  messages.incrementAndGet();
                  return owner.receive(from(holderNode), message);
                },
            LONG_LEASE);
    Object token = arrived(holder, object).get(0);
    failures.set(2);
    int before = messages.get();
    awaitCollecting("a renewal after two that failed", () -> messages.get() > before);
    assertThat(exported.letGo).isEmpty();
    java.lang.ref.Reference.reachabilityFence(token);
    failures.set(2);
    token = null;
    awaitCollecting("a clean after two that failed", () -> exported.letGo.contains(OBJECT));
    assertThat(owner.heldObjects()).isZero();
  }
}
