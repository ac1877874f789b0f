package io.karmi.technology;

import static org.assertj.core.api.Assertions.assertThat;

import io.karmi.kit.Deadline;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.logging.Filter;
import java.util.logging.Logger;
import jdk.jfr.consumer.RecordingStream;
import org.junit.After;
import org.junit.Test;

/** Services whose rounds fail in every way, and threads that cannot be started. */
public class ServiceThreadTest {
  private static final long DEADLINE_NANOS = TimeUnit.SECONDS.toNanos(20);

  private final List<ServiceThread> made = new ArrayList<>();
  private final AtomicInteger rounds = new AtomicInteger();

  @After
  public void stopAll() {
    made.forEach(ServiceThread::stop);
  }

  private ServiceThread service(String name, ServiceThread.Round round) {
    return keep(new ServiceThread(name, true, round));
  }

  private ServiceThread keep(ServiceThread service) {
    made.add(service);
    return service;
  }

  private static ServiceState state(String name) {
    return ServiceThread.states().stream()
        .filter(state -> state.name().equals(name))
        .findAny()
        .orElseThrow(() -> new AssertionError("no service " + name));
  }

  private static boolean isListed(String name) {
    return ServiceThread.states().stream().anyMatch(state -> state.name().equals(name));
  }

  @Test
  public void whateverARoundThrowsTheNextOneFollowsInTheSameThread() throws Exception {
    List<Throwable> failures =
        List.of(
            new OutOfMemoryError("made"),
            new StackOverflowError("made"),
            new LinkageError("made"),
            new IllegalStateException("made"),
            new IOException("made"),
            new InterruptedException("made"));
    Set<Thread> threads = ConcurrentHashMap.newKeySet();
    ServiceThread service =
        service(
            "Failing",
            () -> {
              threads.add(Thread.currentThread());
              int round = rounds.getAndIncrement();
              if (round < failures.size()) {
                ServiceThreadTest.<RuntimeException>raise(failures.get(round));
              }
              Thread.sleep(1);
              return true;
            });
    assertThat(service.ensureRunning()).isTrue();
    Deadline.await("rounds after the failures", () -> rounds.get() > failures.size() + 1);
    assertThat(threads).hasSize(1);
    ServiceState state = state("Failing");
    assertThat(state.isAlive()).isTrue();
    assertThat(state.failures()).isEqualTo(failures.size());
    assertThat(state.lastFailure()).contains("InterruptedException");
    assertThat(state.rounds()).isGreaterThan(failures.size());
  }

  @SuppressWarnings("unchecked")
  private static <T extends Throwable> void raise(Throwable problem) throws T {
    throw (T) problem;
  }

  @Test
  public void aRoundThatFailsIsAnEventOfTheFlightRecorder() throws Exception {
    AtomicReference<String> problem = new AtomicReference<>();
    try (RecordingStream events = new RecordingStream()) {
      events.enable("io.karmi.ServiceFailure");
      events.onEvent(
          "io.karmi.ServiceFailure",
          event -> {
            if ("Recorded".equals(event.getString("service"))) {
              problem.set(event.getString("problem"));
            }
          });
      events.startAsync();
      ServiceThread service =
          service(
              "Recorded",
              () -> {
                if (rounds.getAndIncrement() == 0) {
                  throw new IOException("made");
                }
                Thread.sleep(1);
                return true;
              });
      service.ensureRunning();
      Deadline.await("the event", () -> problem.get() != null);
    }
    assertThat(problem.get()).contains("IOException").contains("made");
  }

  @Test
  public void failureThatCannotBeNotedEndsTheRoundAlone() throws Exception {
    Set<Thread> threads = ConcurrentHashMap.newKeySet();
    service(
            "Unnoted",
            () -> {
              threads.add(Thread.currentThread());
              if (rounds.getAndIncrement() < 2) {
                throw new OutOfMemoryError("made") {
                  @Override
                  public String getMessage() {
                    throw new OutOfMemoryError("made while the failure was noted");
                  }
                };
              }
              Thread.sleep(1);
              return true;
            })
        .ensureRunning();
    Deadline.await("rounds after the failures", () -> rounds.get() > 3);
    assertThat(threads).hasSize(1);
  }

  @Test
  public void logThatFailsIsNoFailureOfTheRound() throws Exception {
    Logger log = Logger.getLogger(ServiceThread.class.getName());
    AtomicInteger logged = new AtomicInteger();
    Filter failing =
        message -> {
          logged.incrementAndGet();
          throw new NoClassDefFoundError("made");
        };
    log.setFilter(failing);
    try {
      service(
              "Unlogged",
              () -> {
                if (rounds.getAndIncrement() == 0) {
                  throw new OutOfMemoryError("made");
                }
                Thread.sleep(1);
                return true;
              })
          .ensureRunning();
      Deadline.await("rounds after the failure", () -> logged.get() > 0 && rounds.get() > 10);
      assertThat(state("Unlogged").failures()).isEqualTo(1);
    } finally {
      log.setFilter(null);
    }
  }

  @Test
  public void waitingThatFailsEndsNoServiceEither() throws Exception {
    keep(new ServiceThread(
            "Waiting",
            true,
            () -> {
              if (rounds.getAndIncrement() < 3) {
                throw new StackOverflowError("made");
              }
              Thread.sleep(1);
            },
            () -> true))
        .ensureRunning();
    Deadline.await("rounds after the failures", () -> rounds.get() > 5);
  }

  @Test
  public void interruptionFromOutsideEndsNothing() throws Exception {
    Thread[] own = new Thread[1];
    service(
            "Interrupted",
            () -> {
              own[0] = Thread.currentThread();
              rounds.incrementAndGet();
              Thread.sleep(60_000);
              return true;
            })
        .ensureRunning();
    Deadline.await("the first round", () -> rounds.get() == 1);
    own[0].interrupt();
    Deadline.await("the second round", () -> rounds.get() == 2);
    assertThat(own[0].isAlive()).isTrue();
  }

  @Test
  public void stopInterruptsAndEnds() throws Exception {
    Thread[] own = new Thread[1];
    ServiceThread service =
        service(
            "Stopped",
            () -> {
              own[0] = Thread.currentThread();
              rounds.incrementAndGet();
              Thread.sleep(600_000);
              return true;
            });
    service.ensureRunning();
    Deadline.await("the first round", () -> rounds.get() == 1);
    service.stop();
    own[0].join(30_000);
    assertThat(own[0].isAlive()).isFalse();
    assertThat(isListed("Stopped")).isFalse();
    service.ensureRunning();
    Deadline.await("a round of the new thread", () -> rounds.get() == 2);
  }

  @Test
  public void whatIsAskedForWhileTheThreadEndsIsDone() throws Exception {
    AtomicInteger asked = new AtomicInteger();
    AtomicInteger seen = new AtomicInteger();
    ServiceThread service =
        service(
            "Ending",
            () -> {
              seen.set(asked.get());
              return false;
            });
    for (int i = 1; i <= 3000; i++) {
      asked.set(i);
      service.ensureRunning();
      if (i % 3 == 0) {
        long begin = System.nanoTime();
        while (seen.get() < i) {
          assertThat(System.nanoTime() - begin).as("round " + i).isLessThan(DEADLINE_NANOS);
          Thread.yield();
        }
      }
    }
    Deadline.await("the thread ends", () -> !isListed("Ending"));
  }

  @Test
  public void threadThatCannotBeStartedIsStartedByAnotherService() throws Exception {
    AtomicBoolean starved = new AtomicBoolean(true);
    ServiceThread owed =
        keep(
            new ServiceThread(
                "Owed",
                true,
                () -> Thread.sleep(1),
                () -> rounds.incrementAndGet() > 0,
                (name, work, daemon) -> startable(starved, name, work)));
    assertThat(owed.ensureRunning()).isFalse();
    assertThat(state("Owed").isAlive()).isFalse();
    assertThat(state("Owed").lastFailure()).contains("native thread");
    service(
            "Other",
            () -> {
              Thread.sleep(1);
              return true;
            })
        .ensureRunning();
    starved.set(false);
    Deadline.await("the thread that was owed", () -> rounds.get() > 0);
    assertThat(state("Owed").isAlive()).isTrue();
  }

  private static Thread startable(AtomicBoolean starved, String name, Runnable work) {
    Thread thread =
        new Thread(work, name) {
          @Override
          public synchronized void start() {
            if (starved.get()) {
              throw new OutOfMemoryError("unable to create native thread (made)");
            }
            super.start();
          }
        };
    thread.setDaemon(true);
    return thread;
  }

  @Test
  public void stateShowsHowLongARoundHasBeenWorking() throws Exception {
    CountDownLatch release = new CountDownLatch(1);
    service(
            "Working",
            () -> {
              release.await();
              return true;
            })
        .ensureRunning();
    Deadline.await("time of the round", () -> state("Working").workingMillis() > 20);
    release.countDown();
  }

  @Test
  public void workersExecuteAllTasksInNoMoreThreadsThanTheyMayHave() throws Exception {
    Workers workers = new Workers("Work", 4);
    AtomicInteger running = new AtomicInteger();
    AtomicInteger most = new AtomicInteger();
    for (int i = 0; i < 2000; i++) {
      boolean fails = i % 500 == 7;
      workers.execute(
          () -> {
            most.accumulateAndGet(running.incrementAndGet(), Math::max);
            Thread.yield();
            running.decrementAndGet();
            rounds.incrementAndGet();
            if (fails) {
              throw new StackOverflowError("made");
            }
          });
    }
    Deadline.await("all tasks", () -> rounds.get() == 2000);
    assertThat(most.get()).isBetween(1, 4);
    Deadline.await("the threads end", () -> !isListed("Work"));
    workers.execute(rounds::incrementAndGet);
    Deadline.await("a task after the threads have ended", () -> rounds.get() == 2001);
  }
}
