package io.karmi.guard;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.Test;

/** What hosts may do in a second. */
public class HostRatesTest {
  private static final int AT_ONCE = 20;

  private long now = Long.MAX_VALUE - 5; // it runs over
  private final HostRates rates = new HostRates(1, AT_ONCE, () -> now);

  private void takeAll(Object host) {
    for (int i = 0; i < AT_ONCE; i++) {
      assertThat(rates.tryTake(host, 1)).isTrue();
    }
    assertThat(rates.tryTake(host, 1)).isFalse();
  }

  @Test
  public void burstIsFollowedByOneASecond() {
    takeAll("here");
    assertThat(rates.tryTake("elsewhere", 1)).isTrue();
    now += TimeUnit.MILLISECONDS.toNanos(1001);
    assertThat(rates.tryTake("here", 1)).isTrue();
    assertThat(rates.tryTake("here", 1)).isFalse();
    now += TimeUnit.SECONDS.toNanos(100);
    takeAll("here");
  }

  @Test
  public void whatIsGivenBackIsNotLimited() {
    for (int i = 0; i < 1000; i++) {
      assertThat(rates.tryTake("here", 1)).isTrue();
      rates.giveBack("here", 1);
    }
  }

  @Test
  public void whoGivesUpHasTakenNothing() {
    takeAll("here");
    assertThat(rates.await("here", 1, () -> true)).isFalse();
    now += TimeUnit.MILLISECONDS.toNanos(1001);
    assertThat(rates.await("here", 1, () -> true)).isTrue();
  }

  @Test
  public void thoseWhoseHostIsNotKnownShareNoLimit() {
    for (int i = 0; i <= AT_ONCE; i++) {
      assertThat(rates.await(null, 1, () -> true)).isTrue();
    }
  }

  @Test
  public void whoWaitsGoesOnWhenSomethingIsLeft() {
    takeAll("here");
    boolean taken =
        rates.await(
            "here",
            1,
            () -> {
              now += TimeUnit.MILLISECONDS.toNanos(1001);
              return false;
            });
    assertThat(taken).isTrue();
  }

  @Test
  public void hostsAreForgotten() {
    for (int i = 0; i < 100_000; i++) {
      rates.tryTake("host " + i, 1);
      now += TimeUnit.MILLISECONDS.toNanos(10);
    }
    assertThat(rates.hosts()).isLessThan(2200);
  }

  @Test
  public void hostThatComesAgainHasNoFreshBurst() {
    HostRates.HostRate rate = rates.enter("here");
    rate.take(AT_ONCE, () -> true);
    rates.leave("here");
    assertThat(rates.tryTake("here", 1)).isFalse();
    now += TimeUnit.SECONDS.toNanos(AT_ONCE + 1);
    rates.enter("here");
    rates.leave("here");
    assertThat(rates.hosts()).isZero();
  }
}
