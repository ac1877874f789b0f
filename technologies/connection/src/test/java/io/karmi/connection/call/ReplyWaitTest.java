package io.karmi.connection.call;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.Test;

/** A caller that is interrupted at the moment at which its reply comes. */
public class ReplyWaitTest {
  private static final int ROUNDS = 20_000;

  @Test
  public void callIsEitherGivenUpOrEnded() throws Exception {
    CyclicBarrier together = new CyclicBarrier(2);
    boolean[] givenUp = new boolean[ROUNDS];
    boolean[] ended = new boolean[ROUNDS];
    ReplyWait[] waits = new ReplyWait[ROUNDS];
    for (int i = 0; i < ROUNDS; i++) {
      waits[i] = new ReplyWait(true);
    }
    Callable<Void> watchdog =
        () -> {
          for (int i = 0; i < ROUNDS; i++) {
            together.await(60, TimeUnit.SECONDS);
            givenUp[i] = waits[i].isToBeGivenUp();
          }
          return null;
        };
    Callable<Void> caller =
        () -> {
          for (int i = 0; i < ROUNDS; i++) {
            waits[i].begin();
            together.await(60, TimeUnit.SECONDS);
            Thread.currentThread().interrupt();
            ended[i] = waits[i].end();
            Thread.interrupted();
          }
          return null;
        };
    ExecutorService both = Executors.newFixedThreadPool(2);
    try {
      Future<Void> first = both.submit(watchdog);
      Future<Void> second = both.submit(caller);
      first.get(120, TimeUnit.SECONDS);
      second.get(120, TimeUnit.SECONDS);
    } finally {
      both.shutdownNow();
    }
    for (int i = 0; i < ROUNDS; i++) {
      assertThat(ended[i]).as("round %d: the caller has its reply", i).isEqualTo(!givenUp[i]);
      assertThat(waits[i].isGivenUp()).as("round %d", i).isEqualTo(givenUp[i]);
    }
  }

  @Test
  public void callerThatIsNotInterruptedIsNotGivenUp() {
    ReplyWait wait = new ReplyWait(true);
    wait.begin();
    assertThat(wait.isToBeGivenUp()).isFalse();
    assertThat(wait.end()).isTrue();
    assertThat(wait.isToBeGivenUp()).as("no thread waits").isFalse();
  }
}
