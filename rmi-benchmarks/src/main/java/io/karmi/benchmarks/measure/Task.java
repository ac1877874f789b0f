package io.karmi.benchmarks.measure;

/**
 * What a client's JVM is asked to measure.
 *
 * @param kernel the kernel's name, such as {@code ping(32 int)}
 * @param warmUpMillis how long to run it before anything is measured
 * @param measureMillis how long to measure; 0 for the times of the warm-up
 * @param thorough warm up until times are stable, and also count what a call allocates and sends,
 *     which takes some 1,000 calls more
 */
public record Task(String kernel, long warmUpMillis, long measureMillis, boolean thorough) {
  private static final String MARK = "measure";

  /** One line, for {@link #parse}. */
  public String toLine() {
    return MARK + '\t' + kernel + '\t' + warmUpMillis + '\t' + measureMillis + '\t' + thorough;
  }

  /**
   * Reads a line of {@link #toLine}.
   *
   * @throws IllegalArgumentException if it is none
   */
  public static Task parse(String line) {
    String[] fields = line.split("\t", -1);
    if (fields.length != 5 || !fields[0].equals(MARK)) {
      throw new IllegalArgumentException("not a task: " + line);
    }
    return new Task(
        fields[1],
        Long.parseLong(fields[2]),
        Long.parseLong(fields[3]),
        Boolean.parseBoolean(fields[4]));
  }

  /** How long it takes at least, without what it counts. */
  public long millis() {
    return warmUpMillis + measureMillis;
  }
}
