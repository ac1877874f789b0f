package io.karmi.connection.pool;

import static org.assertj.core.api.Assertions.assertThat;

import io.karmi.guard.Ledgers;
import java.lang.ref.WeakReference;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.Test;

public class UnconfirmedRepliesTest {
  private static final String HOST = "host of this test";

  private final UnconfirmedReplies replies = new UnconfirmedReplies(10_000);

  private static long later(long millis) {
    return System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
  }

  private WeakReference<Object> keepOne() {
    Object referenced = new Object();
    replies.keep(List.of(referenced), 100, HOST);
    return new WeakReference<>(referenced);
  }

  @Test
  public void whatTheyReferToIsKeptForAWhileAndCounts() {
    WeakReference<Object> kept = keepOne();
    replies.round(System.nanoTime());
    System.gc();
    assertThat(kept.get()).isNotNull();
    assertThat(Ledgers.leases().takenBy(HOST)).isPositive();
    replies.round(later(10_001));
    assertThat(Ledgers.leases().takenBy(HOST)).isZero();
  }

  @Test
  public void hostThatTakesTooMuchIsRefused() {
    List<Object> many = Collections.nCopies(100_000, new Object());
    long before = -1;
    while (Ledgers.leases().takenBy(HOST) > before) {
      before = Ledgers.leases().takenBy(HOST);
      replies.keep(many, 1_000_000, HOST);
    }
    assertThat(before).isBetween(1L, Ledgers.leases().most());
    replies.close();
    assertThat(Ledgers.leases().takenBy(HOST)).isZero();
    replies.keep(many, 1_000_000, HOST);
    assertThat(Ledgers.leases().takenBy(HOST)).as("after the end").isZero();
  }
}
