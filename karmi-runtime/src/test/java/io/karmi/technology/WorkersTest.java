package io.karmi.technology;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.Test;

/** Threads for what may take long. */
public class WorkersTest {
  private static final long PATIENCE_SECONDS = 60;

  private static void await(CountDownLatch latch) {
    try {
      if (!latch.await(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
        throw new IllegalStateException(latch.getCount() + " are missing");
      }
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  public void tasksRunAtOnceUpToTheBound() {
    Workers workers = new Workers("WorkersTest at once", 3);
    CountDownLatch allThere = new CountDownLatch(3);
    CountDownLatch done = new CountDownLatch(3);
    for (int i = 0; i < 3; i++) {
      workers.execute(
          () -> {
            allThere.countDown();
            await(allThere);
            done.countDown();
          });
    }
    await(done);
  }

  @Test
  public void tasksBeyondTheBoundWaitAndAreExecutedInTurn() {
    Workers workers = new Workers("WorkersTest in turn", 2);
    CountDownLatch held = new CountDownLatch(1);
    CountDownLatch begun = new CountDownLatch(2);
    CountDownLatch done = new CountDownLatch(100);
    AtomicInteger now = new AtomicInteger();
    AtomicInteger most = new AtomicInteger();
    Set<String> threads = ConcurrentHashMap.newKeySet();
    for (int i = 0; i < 100; i++) {
      workers.execute(
          () -> {
            threads.add(Thread.currentThread().getName());
            most.accumulateAndGet(now.incrementAndGet(), Math::max);
            begun.countDown();
            await(held);
            now.decrementAndGet();
            done.countDown();
          });
    }
    await(begun);
    assertThat(workers.waitingTasks()).isEqualTo(98);
    held.countDown();
    await(done);
    assertThat(most).hasValue(2);
    assertThat(threads).allMatch(name -> name.startsWith("WorkersTest in turn"));
    assertThat(workers.waitingTasks()).isZero();
  }

  @Test
  public void taskWakesOneIdleThread() {
    int count = 4;
    String name = "WorkersTest idle";
    Workers workers = new Workers(name, count);
    CountDownLatch allThere = new CountDownLatch(count);
    for (int i = 0; i < count; i++) {
      workers.execute(
          () -> {
            allThere.countDown();
            await(allThere);
          });
    }
    long before = waitsOfIdle(name, count);
    for (int i = 0; i < 10; i++) {
      CountDownLatch done = new CountDownLatch(1);
      workers.execute(done::countDown);
      await(done);
      waitsOfIdle(name, count);
    }
    assertThat(waitsOfIdle(name, count) - before)
        .as("threads that were woken and wait again; a few more wait for the lock between")
        .isLessThan(25);
  }

  /** How often the threads of this name have waited, once all of them do. */
  private static long waitsOfIdle(String name, int count) {
    ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
    while (System.nanoTime() - end < 0) {
      List<ThreadInfo> idle =
          Stream.of(threads.getThreadInfo(threads.getAllThreadIds()))
              .filter(each -> each != null && each.getThreadName().startsWith(name))
              .filter(each -> each.getThreadState() == Thread.State.TIMED_WAITING)
              .toList();
      if (idle.size() == count) {
        return idle.stream().mapToLong(ThreadInfo::getWaitedCount).sum();
      }
      Thread.yield();
    }
    throw new IllegalStateException("not all threads are idle");
  }

  @Test
  public void taskThatFailsEndsItselfAlone() {
    Workers workers = new Workers("WorkersTest failing", 1);
    CountDownLatch done = new CountDownLatch(1);
    workers.execute(
        () -> {
          throw new IllegalStateException("meant to fail");
        });
    workers.execute(done::countDown);
    await(done);
  }

  @Test
  public void nothingOfATaskIsLeftToTheNextOne() {
    Workers workers = new Workers("WorkersTest loader", 1);
    AtomicReference<ClassLoader> seen = new AtomicReference<>();
    AtomicReference<Thread> first = new AtomicReference<>();
    AtomicReference<Thread> second = new AtomicReference<>();
    CountDownLatch bothThere = new CountDownLatch(1);
    CountDownLatch done = new CountDownLatch(1);
    workers.execute(
        () -> {
          await(bothThere);
          first.set(Thread.currentThread());
          Thread.currentThread().setContextClassLoader(null);
        });
    workers.execute(
        () -> {
          second.set(Thread.currentThread());
          seen.set(Thread.currentThread().getContextClassLoader());
          done.countDown();
        });
    bothThere.countDown();
    await(done);
    assertThat(second).hasValue(first.get());
    assertThat(seen).hasValue(ClassLoader.getSystemClassLoader());
    assertThat(first.get().isDaemon()).as("does not keep the JVM alive").isTrue();
  }
}
