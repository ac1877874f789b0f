package io.karmi.technology;

import io.karmi.guard.StuckThreads;
import java.rmi.MarshalException;
import java.rmi.RemoteException;
import java.rmi.UnmarshalException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The reading of a reply in a thread of its own, for a call with a deadline whose result is an
 * object: code of its class may not come back, and no interrupt or closed connection ends that.
 * Then the caller goes on, and the thread is {@linkplain StuckThreads written off}.
 *
 * <p>Handing over takes some microseconds. Calls without a deadline, or with results that run no
 * code of others, are read by their callers.
 */
final class TimedReading implements Runnable {
  /**
   * Time after the deadline in which the connection, closed by then, may tell what has happened.
   */
  private static final long GRACE_NANOS = 200_000_000;

  private static final long KEPT_SECONDS = 5;

  private static final ExecutorService THREADS =
      new ThreadPoolExecutor(
          0,
          Integer.MAX_VALUE,
          KEPT_SECONDS,
          TimeUnit.SECONDS,
          new SynchronousQueue<>(),
          work -> RuntimeThreads.make("KaRMI Reading", work, true));

  /** Reads a reply and gives its memory back. */
  @FunctionalInterface
  interface Reading {
    /** Reads. */
    @Nullable Object read() throws RemoteException;
  }

  private enum State {
    READING,
    DONE,
    LEFT
  }

  private final Reading reading;
  private final Thread caller = Thread.currentThread();
  private final ClassLoader context = caller.getContextClassLoader();
  private final CallDeadline deadline;
  private final AtomicReference<State> state = new AtomicReference<>(State.READING);
  private @Nullable Object result;
  private @Nullable Throwable problem;
  private volatile StuckThreads.@Nullable Entry entry;

  private TimedReading(CallDeadline deadline, Reading reading) {
    this.deadline = deadline;
    this.reading = reading;
  }

  /**
   * Refuses a call with a deadline while too many threads are stuck.
   *
   * @throws MarshalException if they are; the call has not been sent
   */
  static void check(WatchedCall call) throws MarshalException {
    if (StuckThreads.areTooMany()) {
      throw new MarshalException(
          "call of "
              + call
              + " is not sent: "
              + StuckThreads.count()
              + " threads have not come back from reading what others have sent, see a thread dump");
    }
  }

  /**
   * Reads a reply in time.
   *
   * @throws RemoteException what the reading throws, or if the deadline has passed
   */
  static @Nullable Object read(WatchedCall call, CallDeadline deadline, Reading reading)
      throws RemoteException {
    TimedReading task = new TimedReading(deadline, reading);
    try {
      THREADS.execute(task);
    } catch (OutOfMemoryError | RejectedExecutionException e) {
      return reading.read(); // there is no thread
    }
    if (!task.await() && task.state.compareAndSet(State.READING, State.LEFT)) {
      task.leave(call);
      throw deadline.passed(
          String.valueOf(call),
          new UnmarshalException("its reply has come, and code that reads it does not come back"));
    }
    return task.outcome(call);
  }

  private void leave(WatchedCall call) {
    StuckThreads.Entry left = StuckThreads.writeOff(null, "reads the reply to a call of " + call);
    if (left != null) {
      entry = left;
      if (state.get() == State.DONE) {
        StuckThreads.back(left);
      }
    }
  }

  private boolean await() {
    boolean interrupted = false;
    long grace = 0;
    while (state.get() == State.READING) {
      long left = TimeUnit.MILLISECONDS.toNanos(deadline.leftMillis());
      if (left == 0) {
        long now = System.nanoTime();
        grace = grace == 0 ? now + GRACE_NANOS | 1 : grace;
        left = grace - now;
        if (left <= 0) {
          break;
        }
      }
      LockSupport.parkNanos(this, left);
      interrupted |= Thread.interrupted();
    }
    if (interrupted) {
      caller.interrupt();
    }
    return state.get() == State.DONE;
  }

  private @Nullable Object outcome(WatchedCall call) throws RemoteException {
    Throwable thrown = problem;
    if (thrown instanceof RemoteException) {
      RemoteException reason = (RemoteException) thrown;
      throw deadline.hasPassed() ? deadline.passed(String.valueOf(call), reason) : reason;
    }
    if (thrown instanceof RuntimeException) {
      throw (RuntimeException) thrown;
    }
    if (thrown != null) {
      throw (Error) thrown;
    }
    return result;
  }

  @Override
  public void run() {
    Thread.currentThread().setContextClassLoader(context);
    CallDeadline outer = CallDeadline.enter(deadline); // what is asked meanwhile ends with it
    try {
      result = reading.read();
    } catch (RemoteException | RuntimeException | Error e) {
      problem = e;
    } finally {
      CallDeadline.leave(outer);
      Thread.currentThread().setContextClassLoader(ClassLoader.getSystemClassLoader());
      if (state.getAndSet(State.DONE) == State.LEFT) {
        StuckThreads.Entry mine = entry;
        if (mine != null) {
          StuckThreads.back(mine);
        }
      } else {
        LockSupport.unpark(caller);
      }
    }
  }
}
