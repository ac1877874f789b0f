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
final class AllocatedBytes {
  /** The count where the JVM does not count, or not for this kind of thread. */
  static final long UNKNOWN = -1;

  /** Null without the module {@code jdk.management}, and on JVMs that do not count. */
  private static final @Nullable ThreadMXBean THREADS = find();

  private AllocatedBytes() {}

  static long ofCurrentThread() {
    ThreadMXBean threads = THREADS;
    return threads == null ? UNKNOWN : threads.getCurrentThreadAllocatedBytes();
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
