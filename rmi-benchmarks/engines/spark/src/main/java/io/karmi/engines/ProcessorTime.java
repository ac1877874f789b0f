package io.karmi.engines;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;

/** Clocks that stand still while others have the processor. */
public final class ProcessorTime {
  private ProcessorTime() {}

  /** Nanoseconds of all threads, those of the compiler and the collector among them. */
  public static long ofProcess() {
    return ((OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
        .getProcessCpuTime();
  }

  /** Nanoseconds of the thread that asks. */
  public static long ofThread() {
    return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
  }
}
