package io.karmi.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.karmi.id.ObjectId;
import io.karmi.kit.Deadline;
import io.karmi.technology.Technology;
import io.karmi.technology.UpCall;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.Test;

/** Contract on spinning: threads look for bytes for {@code karmi.spinMicros} before they sleep. */
public abstract class SpinningContract {
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  /** A thread that sleeps takes less, and one that spins takes more in a call of a second. */
  private static final long SPUN_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

  private static final int CALLERS = 16;
  private static final int CALLS = 250;
  private static final int ROUNDS = 6;

  /** Opens one more instance of the technology, with these settings. */
  protected abstract Technology open(UpCall upCall, String... settings) throws IOException;

  @Test
  public void aCallerSpinsWhereThatIsSet() throws Exception {
    long caller = Thread.currentThread().getId();
    AtomicBoolean spun = new AtomicBoolean();
    Callee node =
        Nodes.successorAfter(
            () -> {
              TimeUnit.MILLISECONDS.sleep(50); // until the caller surely waits
              long before = THREADS.getThreadCpuTime(caller);
              TimeUnit.MILLISECONDS.sleep(200);
              spun.set(THREADS.getThreadCpuTime(caller) - before > SPUN_NANOS);
            });
    try (Technology server = open(node);
        Technology client = open(Nodes.caller(), "karmi.spinMicros", "1000000")) {
      ObjectId target = Nodes.object(node, server.listen(0));
      Deadline.await( // a call during which this process stands still has no time left to spin
          "a caller takes processor time while it waits",
          () -> Nodes.next(client, target, 1) == 2 && spun.get());
    }
  }

  @Test
  public void aCallerThatWaitsForLongSleepsWhereNothingIsSet() throws Exception {
    long caller = Thread.currentThread().getId();
    long[] taken = new long[1];
    boolean[] slow = new boolean[1];
    Callee node =
        Nodes.successorAfter(
            () -> {
              if (slow[0]) {
                TimeUnit.MILLISECONDS.sleep(100); // until the caller surely waits
                long waiting = THREADS.getThreadCpuTime(caller);
                TimeUnit.MILLISECONDS.sleep(1000);
                taken[0] = THREADS.getThreadCpuTime(caller) - waiting;
              }
            });
    try (Technology server = open(node);
        Technology client = open(Nodes.caller())) {
      ObjectId target = Nodes.object(node, server.listen(0));
      Nodes.next(client, target, 1);
      slow[0] = true;
      Nodes.next(client, target, 1);
      assertThat(taken[0]).as("nanoseconds of processor time").isLessThan(SPUN_NANOS);
    }
  }

  @Test
  public void aCallThatSpinsEndsWithItsConnection() throws Exception {
    Callee node = Nodes.successor();
    Technology server = open(node);
    try (Technology client = open(Nodes.caller(), "karmi.spinMicros", "1000000")) {
      ObjectId target = Nodes.object(node, server.listen(0));
      assertThat(Nodes.next(client, target, 1)).isEqualTo(2);
      server.close();
      assertThatThrownBy(() -> Nodes.next(client, target, 1)).isInstanceOf(IOException.class);
    }
  }

  @Test
  public void manyThreadsThatMaySpinGetOnAsThoseThatSleep() throws Exception {
    Callee node = Nodes.successor();
    try (Technology server = open(node);
        Technology spinningServer = open(node, "karmi.spinMicros", "50");
        Technology sleeping = open(Nodes.caller());
        Technology spinning = open(Nodes.caller(), "karmi.spinMicros", "50")) {
      ObjectId target = Nodes.object(node, server.listen(0));
      ObjectId spinningTarget = Nodes.object(node, spinningServer.listen(0));
      long asleep = Long.MAX_VALUE;
      long spun = Long.MAX_VALUE;
      ExecutorService threads = Executors.newFixedThreadPool(CALLERS);
      try {
        for (int round = 0; round < ROUNDS; round++) {
          asleep = Math.min(asleep, nanos(threads, sleeping, target));
          spun = Math.min(spun, nanos(threads, spinning, spinningTarget));
        }
      } finally {
        threads.shutdownNow();
      }
      assertThat(spun).as("nanoseconds of the best round").isLessThan(3 * asleep);
    }
  }

  private static long nanos(ExecutorService threads, Technology client, ObjectId target)
      throws Exception {
    long begun = System.nanoTime();
    List<Future<?>> all = new ArrayList<>();
    for (int i = 0; i < CALLERS; i++) {
      all.add(
          threads.submit(
              () -> {
                for (int call = 0; call < CALLS; call++) {
                  assertThat(Nodes.next(client, target, call)).isEqualTo(call + 1);
                }
                return null;
              }));
    }
    for (Future<?> each : all) {
      each.get(2, TimeUnit.MINUTES);
    }
    return System.nanoTime() - begun;
  }
}
