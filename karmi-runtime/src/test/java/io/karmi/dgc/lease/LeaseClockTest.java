package io.karmi.dgc.lease;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.karmi.dgc.Background;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.Test;

/** When leases end, by a clock and rounds of the test's own. */
public class LeaseClockTest extends LeaseFixture {
  private static final long LEASE = 1000;
  private static final long ROUND = LEASE / 4;

  private final ByHand checker = new ByHand();
  private long nanos = Long.MAX_VALUE - 12_345; // a clock of System.nanoTime() may overflow

  private final LeaseCollector owner =
      open((Way) (to, message) -> 0, checker, LEASE, ROOM_BYTES, () -> nanos);

  /** Lets time pass, and then one round of the checker run. */
  private void round(long millis) throws Exception {
    nanos += TimeUnit.MILLISECONDS.toNanos(millis);
    checker.round();
  }

  @Test
  public void leaseLastsAsLongAsItWasGrantedFor() throws Exception {
    owner.receive(from(holderNode), dirty(1, OBJECT));
    for (int i = 0; i < LEASE / ROUND; i++) {
      round(ROUND);
    }
    assertThat(exported.held).containsExactly(OBJECT);
    round(1);
    assertThat(exported.held).isEmpty();
  }

  @Test
  public void timeForWhichTheJvmWasStoppedDoesNotCount() throws Exception {
    owner.receive(from(holderNode), dirty(1, OBJECT));
    round(60_000);
    assertThat(exported.held).containsExactly(OBJECT);
    for (int i = 0; i < LEASE / ROUND; i++) {
      round(ROUND);
    }
    assertThat(exported.held).isEmpty();
  }

  @Test
  public void roundThatFailsCountsNoTimeTwice() throws Exception {
    owner.receive(from(holderNode), dirty(1, OBJECT));
    owner.receive(from(holderNode), dirty(2, OBJECT + 1));
    for (int i = 0; i < LEASE / ROUND; i++) {
      round(ROUND);
    }
    exported.failures.set(6);
    for (int i = 0; i < 6; i++) {
      assertThatThrownBy(() -> round(ROUND)).isInstanceOf(OutOfMemoryError.class);
    }
    owner.receive(from(holderNode), dirty(3, OBJECT + 2));
    round(ROUND);
    assertThat(exported.held).as("the leases that had ended").containsExactly(OBJECT + 2);
    for (int i = 1; i < LEASE / ROUND; i++) {
      round(ROUND);
    }
    assertThat(exported.held).containsExactly(OBJECT + 2);
    round(1);
    assertThat(exported.held).isEmpty();
  }

  @Test
  public void pauseBeforeARoundThatFailsCountsOnce() throws Exception {
    owner.receive(from(holderNode), dirty(1, OBJECT));
    round(ROUND);
    owner.receive(from(holderNode), dirty(2, OBJECT + 1));
    for (int i = 0; i < 3; i++) {
      round(ROUND);
    }
    exported.failures.set(3);
    assertThatThrownBy(() -> round(3 * ROUND)).isInstanceOf(OutOfMemoryError.class);
    assertThatThrownBy(() -> round(3 * ROUND)).isInstanceOf(OutOfMemoryError.class);
    assertThatThrownBy(() -> round(3 * ROUND)).isInstanceOf(OutOfMemoryError.class);
    round(1);
    assertThat(exported.held).isEmpty();
  }

  /** Runs rounds when the test says so. */
  private static final class ByHand implements Background {
    private final AtomicInteger asked = new AtomicInteger();
    private Round checks = () -> false;

    void round() throws Exception {
      assertThat(asked).as("the checker was started").hasPositiveValue();
      checks.run();
    }

    @Override
    public Service service(String name, Waiting waiting, Round round) {
      if (name.contains("Checker")) {
        checks = round;
      }
      return new Service() {
        @Override
        public void ensureRunning() {
          asked.incrementAndGet();
        }

        @Override
        public void stop() {}
      };
    }

    @Override
    public Executor workers(String name, int most) {
      return Runnable::run;
    }
  }
}
