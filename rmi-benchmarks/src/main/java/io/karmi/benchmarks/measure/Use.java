package io.karmi.benchmarks.measure;

import java.io.Serializable;

/**
 * What a JVM has used up since its start.
 *
 * @param allocatedBytes by all Java threads; before JDK 21 by those that are alive
 * @param cpuNanos processor time of the whole process, JIT and collector included
 */
public record Use(long allocatedBytes, long cpuNanos) implements Serializable {
  /** What this JVM has used. */
  public static Use ofThisJvm() {
    return new Use(ProcessCounters.allocatedBytes(), ProcessCounters.cpuNanos());
  }

  /** Both together. */
  public Use plus(Use other) {
    return new Use(allocatedBytes + other.allocatedBytes, cpuNanos + other.cpuNanos);
  }
}
