package io.karmi.benchmarks.stacks;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.util.List;

/**
 * The memory for the JVMs that live at the same time. It depends on the machine alone, and not on
 * what other programs take now: a run that was stopped is divided into the same units when it goes
 * on.
 *
 * @param memoryBytes of the machine, or of the container
 */
public record MemoryForJvms(long memoryBytes) {
  private static final long MIB = 1L << 20;

  /** The largest heap of a JVM that shares the machine with many, in MiB. */
  private static final int HEAP_MIB = 192;

  /** Memory of such a JVM beside its heap, in MiB: classes, code, threads and buffers. */
  private static final int BESIDE_HEAP_MIB = 128;

  /** The JVMs' part of the memory, in percent. */
  private static final int USABLE_PERCENT = 75;

  /** JVMs of one stack that keep the JDK's own heap: one server and one client. */
  private static final int A_PAIR = 2;

  /** All of it. */
  public static MemoryForJvms ofThisMachine() {
    return new MemoryForJvms(
        ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getTotalMemorySize());
  }

  /** How many stacks may live at the same time, if each needs this many JVMs; at least one. */
  int stacks(int jvmsOfEach) {
    long jvms = memoryBytes / 100 * USABLE_PERCENT / ((HEAP_MIB + BESIDE_HEAP_MIB) * MIB);
    return (int) Math.max(1, jvms / jvmsOfEach);
  }

  /** Options of each JVM of this kernel: the same on every stack, before those of the user. */
  static List<String> jvmOptions(KernelName kernel) {
    return kernel.servers() + kernel.clients() > A_PAIR
        ? List.of("-Xmx" + HEAP_MIB + "m")
        : List.of();
  }
}
