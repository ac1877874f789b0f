package io.karmi.messaging.link;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.karmi.guard.Ledger;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.junit.Test;

/** What answers that wait count. */
public class OwedAnswersTest {
  private static final long MOST = 10_000;
  private static final long BESIDE = 256;

  private final Ledger ledger = new Ledger("test", MOST, Ledger.Weakest.NONE);
  private final Ledger.Account account = ledger.open(() -> "host", 0, reason -> false);
  private final OwedAnswers owed = new OwedAnswers("peer", () -> true, account, problem -> {});
  private final CountDownLatch taken = new CountDownLatch(1);

  private void send() {
    try {
      taken.await();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private long inMemory(long bytes, long counted) {
    assertThat(account.held()).isEqualTo(counted);
    return bytes;
  }

  @Test
  public void whatWasAllocatedCountsUntilTheMemoryIsKnown() {
    assertThat(owed.add(this::send, 5_000, () -> inMemory(1_000, 5_000 + BESIDE), true)).isTrue();
    assertThat(account.held()).isEqualTo(1_000 + BESIDE);
    assertThat(owed.add(this::send, 0, () -> 2_000, false)).isTrue();
    assertThat(account.held()).isEqualTo(3_000 + 2 * BESIDE);
    taken.countDown();
  }

  @Test
  public void memoryIsNotLookedForWhereThereIsNoRoomForWhatWasAllocated() {
    owed.add(this::send, 0, () -> 0, true); // one is being sent, and others are behind it
    assertThat(owed.add(this::send, MOST, () -> inMemory(1, -1), true)).isTrue();
    assertThat(account.held()).isEqualTo(MOST + 2 * BESIDE);
    assertThat(owed.holdsBack(() -> {})).isTrue();
    assertThat(owed.add(this::send, 0, () -> inMemory(1, -1), false)).isFalse();
    assertThat(account.held()).isEqualTo(MOST + 2 * BESIDE);
    taken.countDown();
  }

  @Test
  public void nothingIsHeldOfAnAnswerWhoseMemoryCannotBeFoundOut() {
    LongSupplier failing =
        () -> {
          throw new OutOfMemoryError("as while the heap is full");
        };
    assertThatThrownBy(() -> owed.add(this::send, 5_000, failing, true))
        .isInstanceOf(OutOfMemoryError.class);
    assertThat(account.held()).isZero();
  }

  @Test
  public void anAnswerWithoutRoomCountsAsFarAsItIsKnown() {
    assertThat(owed.add(this::send, 10, () -> MOST, true)).isTrue();
    assertThat(account.held()).isEqualTo(10 + BESIDE);
    assertThat(owed.add(this::send, 10, () -> MOST, false)).isFalse();
    assertThat(account.held()).isEqualTo(10 + BESIDE);
    taken.countDown();
  }

  @Test
  public void allIsGivenBackWhenItIsSent() throws Exception {
    CountDownLatch over = new CountDownLatch(1);
    owed.add(this::send, 3_000, () -> 4_000, true);
    owed.add(this::send, MOST, () -> 1, true);
    assertThat(owed.holdsBack(over::countDown)).isTrue();
    taken.countDown();
    assertThat(over.await(60, TimeUnit.SECONDS)).as("goes on").isTrue();
    owed.add(over::countDown, 0, () -> 0, true);
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    while (account.held() > 0 && System.nanoTime() - end < 0) {
      TimeUnit.MILLISECONDS.sleep(1);
    }
    assertThat(account.held()).isZero();
  }
}
