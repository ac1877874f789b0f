package io.karmi.technology;

import io.karmi.events.Recorder;
import java.security.AccessController;
import java.security.PrivilegedAction;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A service of the runtime: a thread that executes rounds, and does not end with one that fails.
 *
 * <p>A round waits for work and then does it. Whatever it throws ends that round alone, an {@link
 * OutOfMemoryError}, a {@link StackOverflowError} and an interruption from outside included; after
 * a pause, which is longer after each further failure and for which nothing is allocated, the next
 * one begins. Neither waiting nor work may take place in code of the program. What may wait for a
 * peer without a limit goes to {@link Workers}.
 *
 * <p>Where a thread cannot be started it is owed, and started after the next round of any other
 * service, or when the service is asked for again. No two rounds of a service overlap. {@link
 * #states} tells how all services are.
 *
 * <p>Thread-safe.
 */
public final class ServiceThread {
  private static final System.Logger LOG = System.getLogger(ServiceThread.class.getName());
  private static final long FIRST_PAUSE_NANOS = 10_000_000;
  private static final long LONGEST_PAUSE_NANOS = 1_000_000_000;
  private static final int MAXIMUM_DOUBLINGS = 7;

  /**
   * Free heap, in bytes, without which failures are not logged yet: a log message needs as much.
   */
  private static final int REPORT_BYTES = 1 << 18;

  private static final Waiting NOT = () -> {};
  private static final ThreadMaker MAKER = RuntimeThreads::make;

  /** Guards {@link #first} and {@link #next}; taken inside the lock of a service, never around. */
  private static final Object LIST = new Object();

  /** All services that should run. A list of their own fields, so that entering needs no memory. */
  private static @Nullable ServiceThread first;

  /** Whether some thread could not be started. */
  private static volatile boolean anyOwed;

  /** Holds what {@link #isMemoryLeft} asks for, so that it is really allocated. */
  private static volatile byte @Nullable [] reserve;

  static {
    rehearse();
  }

  /** The part of a round that waits. */
  @FunctionalInterface
  public interface Waiting {
    /** Waits until there may be something to do. */
    void await() throws Exception;
  }

  /** The part of a round that works. */
  @FunctionalInterface
  public interface Round {
    /**
     * Does the work.
     *
     * @return false if the thread may end, because nothing will have to be done until {@link
     *     #ensureRunning} is called again
     */
    boolean run() throws Exception;
  }

  /** Makes threads that are yet to be started. */
  interface ThreadMaker {
    /** Makes a thread. */
    Thread make(String name, Runnable work, boolean daemon);
  }

  private final String name;
  private final boolean daemon;
  private final Waiting waiting;
  private final Round round;
  private final ThreadMaker maker;
  private final long firstPauseNanos;
  private @Nullable ServiceThread next;
  private boolean listed;
  private @Nullable Thread thread;

  /** Whether {@link #ensureRunning} was called since the last round began. */
  private boolean asked;

  private volatile boolean owed;

  /** Number of rounds that have ended. Its lock is held by the round that runs. */
  private final AtomicLong rounds = new AtomicLong();

  private final AtomicLong failures = new AtomicLong();
  private volatile @Nullable String lastFailure;

  /** When the work of this round began, or 0 while it waits. */
  private volatile long workingSinceNanos;

  private final AtomicInteger failedInARow = new AtomicInteger();

  /** Failures that could not be logged, or were left out. */
  private final AtomicLong unreported = new AtomicLong();

  /**
   * Makes a service, which does not run yet.
   *
   * @param name of its thread
   * @param daemon false if the JVM must live as long as the service runs
   */
  public ServiceThread(String name, boolean daemon, Waiting waiting, Round round) {
    this(name, daemon, waiting, round, MAKER, FIRST_PAUSE_NANOS);
  }

  /** Makes a service whose rounds wait by themselves, not for long. */
  public ServiceThread(String name, boolean daemon, Round round) {
    this(name, daemon, NOT, round);
  }

  ServiceThread(String name, boolean daemon, Waiting waiting, Round round, ThreadMaker maker) {
    this(name, daemon, waiting, round, maker, FIRST_PAUSE_NANOS);
  }

  private ServiceThread(
      String name,
      boolean daemon,
      Waiting waiting,
      Round round,
      ThreadMaker maker,
      long firstPauseNanos) {
    this.name = name;
    this.daemon = daemon;
    this.waiting = waiting;
    this.round = round;
    this.maker = maker;
    this.firstPauseNanos = firstPauseNanos;
  }

  /**
   * Handles one failure for want of memory and one for want of stack, without a pause. The JVM
   * allocates in the heap when a string constant, a class, a type to catch or a call is reached for
   * the first time; after this that does not happen while there is no memory.
   */
  private static void rehearse() {
    boolean interrupted = Thread.interrupted();
    ServiceThread rehearsed = new ServiceThread("rehearsal", true, NOT, () -> false, MAKER, 0);
    rehearsed.thread = Thread.currentThread();
    Error[] problems = {new OutOfMemoryError("made"), new StackOverflowError()};
    for (Error problem : problems) {
      try {
        throw problem;
      } catch (Throwable e) {
        rehearsed.pauseAfter(e);
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /**
   * Starts the thread unless it runs; a round begins after this was called in any case.
   *
   * @return false if the thread cannot be started now; it will be, as soon as that is possible
   */
  public synchronized boolean ensureRunning() {
    asked = true;
    enlist();
    return thread != null || start();
  }

  private boolean start() {
    try {
      Thread made = maker.make(name, this::run, daemon);
      thread = made;
      made.start();
      owed = false;
      return true;
    } catch (Throwable e) {
      thread = null;
      owed = true;
      anyOwed = true;
      failed(e, "its thread cannot be started now");
      return false;
    }
  }

  /** Ends the service, interrupting what it waits for; {@link #ensureRunning} starts it again. */
  @SuppressWarnings("removal") // the thread is the runtime's own, whatever the caller is permitted
  public synchronized void stop() {
    Thread running = thread;
    leave();
    if (running != null && running != Thread.currentThread()) {
      AccessController.doPrivileged(
          (PrivilegedAction<@Nullable Void>)
              () -> {
                running.interrupt();
                return null;
              });
    }
  }

  private void leave() {
    thread = null;
    asked = false;
    owed = false;
    delist();
  }

  private void run() {
    try {
      while (isCurrent() && takeTurn()) {
        // goes on
      }
    } finally {
      ended();
    }
  }

  /**
   * Executes a round and deals with its failure. Nothing is thrown.
   *
   * @return false if the thread may end
   */
  private boolean takeTurn() {
    try {
      try {
        boolean more = executeRound();
        report();
        if (!more && mayEnd()) {
          return false;
        }
      } catch (Throwable e) {
        pauseAfter(e);
      }
      startOwed();
    } catch (Throwable e) {
      LockSupport.parkNanos(firstPauseNanos); // there was not even what it takes to note a failure
    }
    return true;
  }

  /** Starts another thread if this one was killed. */
  private synchronized void ended() {
    if (isCurrent()) {
      thread = null;
      owed = true;
      anyOwed = true;
    }
  }

  private synchronized boolean isCurrent() {
    return thread == Thread.currentThread();
  }

  private synchronized boolean mayEnd() {
    if (isCurrent() && !asked) {
      leave();
    }
    return !isCurrent();
  }

  private boolean executeRound() throws Exception {
    synchronized (this) {
      asked = false;
    }
    synchronized (rounds) { // the thread that was stopped last may still be in its round
      waiting.await();
      workingSinceNanos = System.nanoTime() | 1;
      try {
        return round.run();
      } finally {
        workingSinceNanos = 0;
        rounds.incrementAndGet();
      }
    }
  }

  private void pauseAfter(Throwable problem) {
    if (isCurrent()) {
      int before = failed(problem, "a round failed");
      LockSupport.parkNanos(
          Math.min(LONGEST_PAUSE_NANOS, firstPauseNanos << Math.min(before, MAXIMUM_DOUBLINGS)));
    }
    Thread.interrupted(); // an interruption that is not from stop() means nothing
  }

  /**
   * Takes note of a failure. Where memory or stack is short nothing is done for it that takes any,
   * and no class is used for the first time: one whose initialiser fails is lost to the whole JVM.
   *
   * @return how many failures there have been since a round succeeded, without this one
   */
  private int failed(Throwable problem, String what) {
    int before = failedInARow.getAndIncrement();
    failures.incrementAndGet();
    unreported.incrementAndGet();
    if (problem instanceof OutOfMemoryError && !isForThread(problem)) {
      lastFailure = "java.lang.OutOfMemoryError";
    } else if (problem instanceof StackOverflowError) {
      lastFailure = "java.lang.StackOverflowError";
    } else {
      tell(before, problem, what);
    }
    return before;
  }

  /** Whether a thread could not be started: that takes no memory of the heap. */
  private static boolean isForThread(Throwable problem) {
    String message = problem.getMessage();
    return message != null && message.contains("native thread");
  }

  private void tell(int before, Throwable problem, String what) {
    try {
      lastFailure = problem.toString();
      Recorder.instance().serviceFailed(name, String.valueOf(lastFailure));
      if ((before & (before + 1)) == 0) { // the first, second, fourth, eighth … in a row
        LOG.log(System.Logger.Level.WARNING, name + ": " + what + "; it goes on", problem);
        unreported.set(0);
      }
    } catch (Throwable e) {
      // is told when a round succeeds; the counters have it already
    }
  }

  /**
   * Tells of failures that could not be told when they happened, once there is memory for it again.
   */
  private void report() {
    failedInARow.set(0);
    if (unreported.get() == 0 || !isMemoryLeft()) {
      return;
    }
    long untold = unreported.getAndSet(0);
    String last = String.valueOf(lastFailure);
    try {
      Recorder.instance().serviceFailed(name, last);
      LOG.log(
          System.Logger.Level.WARNING,
          "{0}: works again after {1} failures that were not logged; the last was {2}",
          name,
          untold,
          last);
    } catch (Throwable e) {
      // the round has succeeded, and the counters have its failures: a log is the program's own
    }
  }

  /**
   * Whether a log may be written to. The first message initialises classes of the JDK's logging; a
   * class that finds no memory then is lost to the whole JVM.
   */
  private static boolean isMemoryLeft() {
    try {
      reserve = new byte[REPORT_BYTES];
      return true;
    } catch (OutOfMemoryError e) {
      return false;
    } finally {
      reserve = null;
    }
  }

  /**
   * Starts those threads that could not be started before. Called after each round of each service;
   * others may call it where they notice that threads can be started again.
   */
  public static void startOwed() {
    if (!anyOwed) {
      return;
    }
    anyOwed = false;
    ServiceThread each = firstOwed(null);
    while (each != null) {
      synchronized (each) {
        if (each.owed && each.thread == null && !each.start()) {
          return;
        }
      }
      each = firstOwed(each);
    }
  }

  /** The first service that is owed, except for one; null if there is none. */
  private static @Nullable ServiceThread firstOwed(@Nullable ServiceThread but) {
    synchronized (LIST) {
      for (ServiceThread each = first; each != null; each = each.next) {
        if (each.owed && each != but) {
          return each;
        }
      }
      return null;
    }
  }

  private void enlist() {
    synchronized (LIST) {
      if (!listed) {
        listed = true;
        next = first;
        first = this;
      }
    }
  }

  private void delist() {
    synchronized (LIST) {
      if (!listed) {
        return;
      }
      listed = false;
      if (first == this) {
        first = next;
      } else {
        for (ServiceThread each = first; each != null; each = each.next) {
          if (each.next == this) {
            each.next = next;
          }
        }
      }
      next = null;
    }
  }

  /** How the services are that should run now. */
  public static List<ServiceState> states() {
    List<ServiceState> states = new ArrayList<>();
    synchronized (LIST) {
      for (ServiceThread each = first; each != null; each = each.next) {
        states.add(each.state());
      }
    }
    return states;
  }

  /** Looks at fields of which each is right by itself, and takes no lock that a service has. */
  private ServiceState state() {
    long since = workingSinceNanos;
    long workingMillis = since == 0 ? 0 : (System.nanoTime() - since) / 1_000_000;
    return new ServiceState(name, !owed, rounds.get(), failures.get(), lastFailure, workingMillis);
  }
}
