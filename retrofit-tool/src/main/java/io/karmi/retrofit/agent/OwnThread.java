package io.karmi.retrofit.agent;

import io.karmi.retrofit.rewrite.ClassFiles;
import io.karmi.retrofit.rewrite.Outcome;
import io.karmi.retrofit.rewrite.Transformer;
import java.security.AccessController;
import java.security.PrivilegedAction;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Thread that rewrites one class on a stack of its own, while the thread that loads the class
 * waits.
 *
 * <p>The waiting thread holds locks of its loader, and perhaps of the program. So this thread asks
 * only loaders of the JDK for other class files, as they need none of these. A class of another
 * loader that has superclasses of its own is not woven here. The wait has a time limit.
 */
final class OwnThread extends Thread {
  private static final long STACK_BYTES = 2 << 20;
  private static final long PATIENCE_MILLIS = 10_000;
  private static final int MOST_ATTEMPTS = 20;
  private static final long BETWEEN_MILLIS = 50;

  private final Transformer transformer;
  private final byte[] classFile;
  private final ClassFiles files;
  private volatile @Nullable Outcome outcome;
  private volatile @Nullable Throwable failure;

  private OwnThread(
      ThreadGroup group, Transformer transformer, byte[] classFile, ClassFiles files) {
    super(group, null, "KaRMI Rewriting", STACK_BYTES, false);
    this.transformer = transformer;
    this.classFile = classFile;
    this.files = files;
    setDaemon(true);
  }

  /**
   * Rewrites a class.
   *
   * @throws VirtualMachineError if there is neither memory nor a thread for it, for a second
   * @throws LinkageError if it takes too long
   */
  static Outcome transform(
      ThreadGroup group, Transformer transformer, byte[] classFile, ClassFiles files) {
    VirtualMachineError last = null;
    boolean interrupted = false;
    try {
      for (int i = 0; i < MOST_ATTEMPTS; i++) {
        try {
          OwnThread thread = begun(group, transformer, classFile, files);
          interrupted |= thread.await();
          return thread.result();
        } catch (VirtualMachineError e) {
          last = e;
          interrupted |= pause();
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
    throw last == null ? new InternalError() : last;
  }

  /**
   * Privileged, since the program that loads the class may lack the permission to start threads.
   */
  @SuppressWarnings("removal")
  private static OwnThread begun(
      ThreadGroup group, Transformer transformer, byte[] classFile, ClassFiles files) {
    return AccessController.doPrivileged(
        new PrivilegedAction<OwnThread>() {
          @Override
          public OwnThread run() {
            OwnThread thread = new OwnThread(group, transformer, classFile, files);
            thread.start();
            return thread;
          }
        });
  }

  @Override
  public void run() {
    try {
      outcome = transformer.transform(classFile, files);
    } catch (Throwable e) {
      failure = e;
    }
  }

  /** Waits for this thread to end; true if the waiting thread was interrupted meanwhile. */
  private boolean await() {
    boolean interrupted = false;
    long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(PATIENCE_MILLIS);
    while (isAlive()) {
      long left = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
      if (left <= 0) {
        break;
      }
      try {
        join(left);
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    return interrupted;
  }

  private Outcome result() {
    Outcome done = outcome;
    if (done != null) {
      return done;
    }
    Throwable why = failure;
    if (why instanceof Error) {
      throw (Error) why;
    }
    if (why instanceof RuntimeException) {
      throw (RuntimeException) why;
    }
    throw new LinkageError("not done within " + PATIENCE_MILLIS + " ms");
  }

  private static boolean pause() {
    try {
      Thread.sleep(BETWEEN_MILLIS);
      return false;
    } catch (InterruptedException e) {
      return true;
    }
  }
}
