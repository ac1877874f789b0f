package io.karmi.benchmarks.measure;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What this JVM has allocated and moved so far: counters of the JVM and of the kernel, the same for
 * every stack.
 *
 * <p>Thread-safe.
 */
public final class ProcessCounters {
  private static final Path IO = Path.of("/proc/self/io");
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
  private static final @Nullable Method ALLOCATED = method("getThreadAllocatedBytes", long[].class);

  /** JDK 21 was the first to have it. */
  private static final @Nullable Method TOTAL_ALLOCATED = method("getTotalThreadAllocatedBytes");

  private static final CpuTime CPU = new CpuTime(ProcessHandle.current());

  private ProcessCounters() {}

  /** Bytes allocated by all Java threads; before JDK 21 by those that are alive. */
  public static long allocatedBytes() {
    try {
      if (TOTAL_ALLOCATED != null) {
        return (Long) TOTAL_ALLOCATED.invoke(THREADS);
      }
      Method ofThreads = Objects.requireNonNull(ALLOCATED, "this JVM counts no allocated bytes");
      long sum = 0;
      for (long bytes : (long[]) ofThreads.invoke(THREADS, (Object) THREADS.getAllThreadIds())) {
        sum += Math.max(0, bytes);
      }
      return sum;
    } catch (IllegalAccessException | InvocationTargetException e) {
      throw new IllegalStateException("this JVM does not count allocated bytes", e);
    }
  }

  /** Processor time that this process has used, as {@link CpuTime} counts it. */
  public static long cpuNanos() {
    return CPU.nanos();
  }

  /**
   * Bytes that this process has written, as Linux counts them at the system calls. On a quiet JVM
   * they are those of its sockets.
   *
   * @return -1 where the system does not say
   */
  public static long sentBytes() {
    return transferred("wchar: ");
  }

  /** Bytes that this process has read, as {@link #sentBytes} are counted. */
  public static long receivedBytes() {
    return transferred("rchar: ");
  }

  private static long transferred(String counter) {
    if (!Files.isReadable(IO)) {
      return -1;
    }
    try {
      for (String line : Files.readAllLines(IO)) {
        if (line.startsWith(counter)) {
          return Long.parseLong(line.substring(counter.length()));
        }
      }
    } catch (IOException e) {
      /* It does not say. */
    }
    return -1;
  }

  /* The counters are in com.sun.management, and the program imports java.* only. */
  private static @Nullable Method method(String name, Class<?>... parameters) {
    try {
      return Class.forName("com.sun.management.ThreadMXBean").getMethod(name, parameters);
    } catch (ReflectiveOperationException e) {
      return null;
    }
  }
}
