package io.karmi.technology;

import io.karmi.settings.Settings;
import java.security.AccessController;
import java.security.PrivilegedAction;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Semaphore;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** Threads that wait for the replies to pending calls, one for each call. */
final class PendingCalls {
  static final int MAXIMUM = maximum();

  private static final long KEPT_SECONDS = 5;

  private static final Semaphore FREE = new Semaphore(MAXIMUM);
  private static final ExecutorService THREADS =
      new ThreadPoolExecutor(
          0,
          Integer.MAX_VALUE,
          KEPT_SECONDS,
          TimeUnit.SECONDS,
          new SynchronousQueue<>(),
          work -> RuntimeThreads.make("KaRMI Pending Call", work, true));

  private PendingCalls() {}

  /* Privileged, since a program under a security manager may lack the permission to read it. */
  @SuppressWarnings("removal")
  private static int maximum() {
    return AccessController.doPrivileged(
        (PrivilegedAction<Integer>) () -> Settings.MAX_PENDING_CALLS.getInt(Settings.SYSTEM));
  }

  /** Counts one more pending call; false if there are too many. {@link #leave} must follow. */
  static boolean enter() {
    return FREE.tryAcquire();
  }

  static void leave() {
    FREE.release();
  }

  /** Waits for the reply in a thread. */
  static void await(FutureCall call) {
    THREADS.execute(call);
  }
}
