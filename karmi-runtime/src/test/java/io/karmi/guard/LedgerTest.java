package io.karmi.guard;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.Test;

/** What connections hold: each, those of one host, and all together. */
public class LedgerTest {
  private static final long FREE = 1000;

  private final Ledger ledger = new Ledger("test", 80, Ledger.Weakest.LARGEST);
  private final List<Object> asked = new ArrayList<>();

  private Ledger.Account of(@Nullable Object host) {
    return ledger.open(() -> host, FREE, reason -> false);
  }

  /** An account of a holder that gives way. */
  private Ledger.Account weak(Ledger in, Object host, String name) {
    Ledger.Account[] account = new Ledger.Account[1];
    account[0] =
        in.open(
            () -> host,
            0,
            reason -> {
              asked.add(name);
              account[0].close();
              return true;
            });
    return account[0];
  }

  /** An account of a holder that gives way, though its memory is in use as before. */
  private Ledger.Account stuck(Object host, String name) {
    return ledger.open(
        () -> host,
        0,
        reason -> {
          asked.add(name);
          return true;
        });
  }

  @Test
  public void firstUnitsOfEachAreFree() {
    assertThat(of("a").hold(FREE)).isTrue();
    assertThat(of("a").hold(FREE)).isTrue();
    assertThat(ledger.taken()).isZero();
    assertThat(ledger.hosts()).isZero();
  }

  @Test
  public void oneHostLeavesRoomForOthers() {
    Ledger.Account one = of("a");
    Ledger.Account other = of("a");
    assertThat(one.hold(FREE + 40)).isTrue();
    assertThat(other.hold(FREE + 31)).as("seven eighths are for one host").isFalse();
    assertThat(other.hold(FREE + 30)).as("nothing is held of what was refused").isTrue();
    assertThat(of("b").hold(FREE + 11)).isFalse();
    assertThat(of("b").hold(FREE + 10)).isTrue();
    assertThat(ledger.taken()).isEqualTo(80);
  }

  @Test
  public void networkWithoutHostsHasNoShare() {
    assertThat(of(null).hold(FREE + 80)).isTrue();
  }

  @Test
  public void whatIsGivenBackMakesRoom() {
    Ledger.Account one = of("a");
    assertThat(one.hold(FREE + 70)).isTrue();
    assertThat(one.hold(-FREE)).isTrue();
    assertThat(ledger.taken()).isZero();
    assertThat(of("a").hold(FREE + 70)).isTrue();
  }

  @Test
  public void closedAccountHoldsNothingAnyMore() {
    Ledger.Account one = of("a");
    assertThat(one.hold(FREE + 70)).isTrue();
    one.close();
    assertThat(ledger.taken()).isZero();
    assertThat(ledger.hosts()).isZero();
    assertThat(one.hold(1000)).isTrue();
    assertThat(one.hold(-FREE)).isTrue();
    one.close();
    assertThat(ledger.taken()).isZero();
  }

  @Test
  public void unitsWithoutAccountCountForTheirHost() {
    for (int i = 0; i < 70; i++) {
      assertThat(ledger.take("a", 1)).isEqualTo(Ledger.Outcome.TAKEN);
    }
    assertThat(ledger.take("a", 1)).isEqualTo(Ledger.Outcome.HOST_IS_FULL);
    assertThat(ledger.take("b", 10)).isEqualTo(Ledger.Outcome.TAKEN);
    assertThat(ledger.take("c", 1)).isEqualTo(Ledger.Outcome.ALL_IS_FULL);
    ledger.giveBack("a", 70);
    ledger.giveBack("b", 10);
    assertThat(ledger.hosts()).isZero();
    assertThat(ledger.taken()).isZero();
  }

  @Test
  public void largestOfTheHostThatHoldsMostGivesWay() {
    Ledger.Account small = weak(ledger, "a", "small");
    Ledger.Account large = weak(ledger, "a", "large");
    Ledger.Account other = weak(ledger, "b", "other");
    assertThat(small.hold(10)).isTrue();
    assertThat(large.hold(40)).isTrue();
    assertThat(other.hold(30)).isTrue();
    assertThat(weak(ledger, "c", "newcomer").hold(20)).isTrue();
    assertThat(asked).containsExactly("large");
    assertThat(ledger.takenBy("a")).isEqualTo(10);
  }

  @Test
  public void slowestGivesWayAndNotTheNewcomer() {
    AtomicLong clock = new AtomicLong();
    Ledger slow =
        new Ledger("test", 80, Ledger.shareOfHost(80), Ledger.Weakest.SLOWEST, clock::get);
    assertThat(weak(slow, "a", "slow").hold(30)).isTrue();
    clock.set(TimeUnit.SECONDS.toNanos(1)); // so that it is old
    Ledger.Account fast = weak(slow, "a", "fast");
    assertThat(fast.hold(35)).isTrue();
    assertThat(weak(slow, "a", "newcomer").hold(20)).isTrue();
    assertThat(asked).containsExactly("slow");
  }

  @Test
  public void whoWantsMoreThanHalfOfAHostsShareGetsNoRoomOfOthers() {
    assertThat(weak(ledger, "a", "other").hold(50)).isTrue();
    assertThat(weak(ledger, "a", "greedy").hold(36)).isFalse();
    assertThat(asked).isEmpty();
  }

  @Test
  public void holderThatCannotGiveWayKeepsWhatItHolds() {
    Ledger.Account one = of("a");
    assertThat(one.hold(FREE + 60)).isTrue();
    assertThat(of("a").hold(FREE + 20)).isFalse();
    assertThat(ledger.takenBy("a")).isEqualTo(60);
  }

  @Test
  public void holderThatCannotGiveWayIsPassedOver() {
    assertThat(weak(ledger, "a", "idle").hold(30)).isTrue();
    assertThat(of("a").hold(FREE + 39)).isTrue();
    assertThat(weak(ledger, "b", "asking").hold(20)).isTrue();
    assertThat(asked).containsExactly("idle");
  }

  @Test
  public void ofEqualOnesTheOneThatHasHeldLongestGivesWay() {
    assertThat(weak(ledger, "a", "first").hold(20)).isTrue();
    assertThat(weak(ledger, "a", "second").hold(20)).isTrue();
    assertThat(weak(ledger, "a", "third").hold(20)).isTrue();
    assertThat(weak(ledger, "a", "asking").hold(19)).isTrue();
    assertThat(asked).containsExactly("first");
  }

  @Test
  public void whatIsStillInUseCountsThoughItsHolderHasGivenWay() {
    Ledger.Account stuck = stuck("a", "stuck");
    assertThat(stuck.hold(40)).isTrue();
    assertThat(weak(ledger, "a", "weak").hold(25)).isTrue();
    assertThat(weak(ledger, "a", "newcomer").hold(20)).isTrue();
    assertThat(asked).as("the stuck one had time").containsExactly("stuck", "weak");
    assertThat(stuck.isClosed()).isTrue();
    assertThat(ledger.takenBy("a")).isEqualTo(60);
    assertThat(stuck.hold(-40)).isTrue();
    assertThat(ledger.takenBy("a")).isEqualTo(20);
    assertThat(stuck.hold(40)).as("of what is given up soon").isTrue();
    assertThat(ledger.takenBy("a")).isEqualTo(20);
  }

  @Test
  public void retiredAccountCountsUntilAllIsGivenBack() {
    Ledger.Account one = stuck("a", "one");
    assertThat(one.hold(40)).isTrue();
    one.retire();
    assertThat(one.isClosed()).isTrue();
    assertThat(one.hold(-15)).isTrue();
    assertThat(ledger.taken()).isEqualTo(25);
    assertThat(one.hold(-25)).isTrue();
    assertThat(ledger.taken()).isZero();
    assertThat(ledger.hosts()).isZero();
    Ledger.Account other = stuck("a", "other");
    other.retire();
    assertThat(ledger.hosts()).isZero();
  }

  @Test
  public void whatIsInUseAlreadyIsKeptBeyondTheShare() {
    Ledger.Account one = stuck("a", "one");
    one.keep(100);
    assertThat(ledger.taken()).isEqualTo(100);
    assertThat(ledger.take("b", 1)).isEqualTo(Ledger.Outcome.ALL_IS_FULL);
    assertThat(one.hold(-100)).isTrue();
    assertThat(ledger.take("b", 1)).isEqualTo(Ledger.Outcome.TAKEN);
  }

  @Test
  public void accountThatForgoesWhatItHoldsMakesRoomAndGoesOn() {
    Ledger.Account[] executing = new Ledger.Account[1];
    executing[0] =
        ledger.open(
            () -> "a",
            0,
            reason -> {
              executing[0].forgo();
              return true;
            });
    assertThat(executing[0].hold(60)).isTrue();
    assertThat(weak(ledger, "a", "newcomer").hold(30)).isTrue();
    assertThat(ledger.taken()).isEqualTo(30);
    assertThat(executing[0].isClosed()).isFalse();
    assertThat(executing[0].hold(-60)).as("what it has forgone").isTrue();
    assertThat(ledger.taken()).isEqualTo(30);
    assertThat(executing[0].hold(20)).isTrue();
    assertThat(ledger.taken()).isEqualTo(50);
  }
}
