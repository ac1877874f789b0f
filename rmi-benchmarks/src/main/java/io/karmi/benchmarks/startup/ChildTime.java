package io.karmi.benchmarks.startup;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The processor time of all processes that this JVM has started and that have ended. */
final class ChildTime {
  /** Milliseconds of a step in which Linux counts it. */
  private static final double STEP_MILLIS = 10;

  /** Words of the line behind the name of the program, which is in brackets, before the time. */
  private static final int BEFORE = 13;

  private ChildTime() {}

  /** In milliseconds, user and system; 0 on systems that do not tell. */
  static double millis() {
    try {
      String line = Files.readString(Path.of("/proc/self/stat"));
      String[] words = line.substring(line.lastIndexOf(')') + 1).strip().split(" ");
      return (Long.parseLong(words[BEFORE]) + Long.parseLong(words[BEFORE + 1])) * STEP_MILLIS;
    } catch (IOException e) {
      return 0;
    }
  }
}
