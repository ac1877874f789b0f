package io.karmi.guard;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.security.AccessController;
import java.security.PrivilegedAction;
import org.jspecify.annotations.Nullable;

/**
 * Bytes that the current thread has allocated since its start. The JVM counts them anyway; reading
 * the count takes some 25 ns.
 */
public final class AllocatedBytes {
  /** The count where the JVM does not count, or not for this kind of thread. */
  public static final long UNKNOWN = -1;

  /** Null without the module {@code jdk.management}, and on JVMs that do not count. */
  private static final @Nullable ThreadMXBean THREADS = find();

  private AllocatedBytes() {}

  public static long ofCurrentThread() {
    ThreadMXBean threads = THREADS;
    return threads == null ? UNKNOWN : threads.getCurrentThreadAllocatedBytes();
  }

  /** The same of another thread. */
  public static long ofThread(long id) {
    ThreadMXBean threads = THREADS;
    return threads == null ? UNKNOWN : threads.getThreadAllocatedBytes(id);
  }

  /**
   * Bytes that the current thread has allocated for a message; where the JVM does not count, twice
   * those of the message.
   *
   * @param before the thread's count when it has begun to read the message
   */
  public static long since(long before, long messageBytes) {
    long now = ofCurrentThread();
    return now == UNKNOWN ? 2 * messageBytes : now - before;
  }

  @SuppressWarnings("removal") // a program under a security manager need not have the permission
  private static @Nullable ThreadMXBean find() {
    try {
      java.lang.management.ThreadMXBean found =
          AccessController.doPrivileged(
              (PrivilegedAction<java.lang.management.ThreadMXBean>)
                  ManagementFactory::getThreadMXBean);
      return found instanceof ThreadMXBean counting && counting.isThreadAllocatedMemorySupported()
          ? counting
          : null;
    } catch (RuntimeException | LinkageError e) {
      return null;
    }
  }
}
