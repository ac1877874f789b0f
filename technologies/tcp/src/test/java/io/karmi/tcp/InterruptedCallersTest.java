package io.karmi.tcp;

import static org.assertj.core.api.Assertions.assertThat;

import io.karmi.contract.Callee;
import io.karmi.contract.Nodes;
import io.karmi.id.ObjectId;
import java.io.InterruptedIOException;
import java.rmi.RemoteException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.Test;

/**
 * Callers that are interrupted while their replies come, beside others that use their connections.
 */
public class InterruptedCallersTest {
  private static final int INTERRUPTED = 2;
  private static final int OTHERS = 3;
  private static final long NANOS = TimeUnit.MILLISECONDS.toNanos(2_500);

  /** Several times as long as a call takes. */
  private static final int MOST_DELAY_NANOS = 1_000_000;

  private final AtomicInteger values = new AtomicInteger();
  private final AtomicInteger answered = new AtomicInteger();
  private final AtomicInteger givenUp = new AtomicInteger();
  private final long end = System.nanoTime() + NANOS;

  /**
   * A caller at which the watchdog takes long to look: its reply comes, and its connection is used
   * by others, between the look and what the watchdog does then.
   */
  private final class Caller extends Thread {
    Caller(Runnable calls) {
      super(calls);
    }

    @Override
    public boolean isInterrupted() {
      boolean is = super.isInterrupted();
      if (is && Thread.currentThread() != this) {
        spin(ThreadLocalRandom.current().nextInt(MOST_DELAY_NANOS));
      }
      return is;
    }
  }

  private static void spin(long nanos) {
    long until = System.nanoTime() + nanos;
    while (System.nanoTime() - until < 0) {
      Thread.onSpinWait();
    }
  }

  /** Whether one of the two outcomes has not occurred yet, for some time at most. */
  private boolean isStillToCome() {
    return (answered.get() == 0 || givenUp.get() == 0)
        && System.nanoTime() - end < TimeUnit.SECONDS.toNanos(30);
  }

  private Void call(TcpTechnology client, ObjectId target, boolean interrupted) throws Exception {
    while (System.nanoTime() - end < 0 || isStillToCome()) {
      int value = values.incrementAndGet();
      if (interrupted) {
        Thread.currentThread().interrupt(); // its call may be given up at any moment
      }
      try {
        assertThat(Nodes.next(client, target, value)).isEqualTo(value + 1);
        if (interrupted) {
          answered.incrementAndGet();
          spin(MOST_DELAY_NANOS / 2); // others take its connection
        }
      } catch (RemoteException e) {
        if (!interrupted) {
          throw new AssertionError("a caller that was not interrupted", e);
        }
        assertThat(e).hasCauseInstanceOf(InterruptedIOException.class);
        givenUp.incrementAndGet();
      }
    }
    return null;
  }

  @Test
  public void othersGetTheirOwnReplies() throws Exception {
    Callee node = Nodes.successor();
    try (TcpTechnology server = Wire.open(node);
        TcpTechnology client = Wire.open(Nodes.caller(), "karmi.interruptible", "true")) {
      ObjectId target = Nodes.object(node, server.listen(0));
      List<FutureTask<Void>> all = new ArrayList<>();
      for (int i = 0; i < INTERRUPTED + OTHERS; i++) {
        boolean interrupted = i < INTERRUPTED;
        FutureTask<Void> calls = new FutureTask<>(() -> call(client, target, interrupted));
        all.add(calls);
        new Caller(calls).start();
      }
      for (FutureTask<Void> each : all) {
        each.get(60, TimeUnit.SECONDS);
      }
    }
    assertThat(answered.get()).as("calls of interrupted callers that were answered").isPositive();
    assertThat(givenUp.get()).as("calls that were given up").isPositive();
  }
}
