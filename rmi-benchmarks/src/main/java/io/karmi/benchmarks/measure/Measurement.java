package io.karmi.benchmarks.measure;

import java.util.List;

/**
 * What one kernel cost on one stack, in one round.
 *
 * @param kernel the kernel's name, such as {@code ping(32 int)}; {@code ping() x4} is run by four
 *     threads at once
 * @param times of a call
 * @param allocatedBytes per call, by client and servers together; {@link #UNCOUNTED} if the task
 *     did not ask for it
 * @param cpuNanos processor time per call, of client and servers together, likewise
 * @param sentBytes per call, by the client; {@link #UNCOUNTED} if the task did not ask for it, or
 *     the system does not count them
 * @param receivedBytes per call, by the client, likewise
 * @param observation what the program saw: equal on every stack, or the stack is wrong
 */
public record Measurement(
    String kernel,
    Percentiles times,
    double allocatedBytes,
    double cpuNanos,
    double sentBytes,
    double receivedBytes,
    String observation) {
  /** Stands where nothing was counted. */
  public static final double UNCOUNTED = -1;

  /** First word of a line of {@link #toLine}. */
  public static final String MARK = "measured";

  private static final int FIELDS = 8;

  /** The same without what was counted. */
  public Measurement withTimes(Percentiles others) {
    return new Measurement(kernel, others, UNCOUNTED, UNCOUNTED, UNCOUNTED, UNCOUNTED, observation);
  }

  /** The same with what {@code other} has counted, where this has not. */
  public Measurement withCountsOf(Measurement other) {
    return new Measurement(
        kernel,
        times,
        allocatedBytes < 0 ? other.allocatedBytes : allocatedBytes,
        cpuNanos < 0 ? other.cpuNanos : cpuNanos,
        sentBytes < 0 ? other.sentBytes : sentBytes,
        receivedBytes < 0 ? other.receivedBytes : receivedBytes,
        observation);
  }

  /** One line, for {@link #parse}. */
  public String toLine() {
    return String.join(
        "\t",
        List.of(
            MARK,
            kernel,
            times.toWords(),
            Double.toString(allocatedBytes),
            Double.toString(cpuNanos),
            Double.toString(sentBytes),
            Double.toString(receivedBytes),
            observation));
  }

  /**
   * Reads a line of {@link #toLine}.
   *
   * @throws IllegalArgumentException if it is none
   */
  public static Measurement parse(String line) {
    String[] fields = line.split("\t", -1);
    if (fields.length != FIELDS || !fields[0].equals(MARK)) {
      throw new IllegalArgumentException("not a measurement: " + line);
    }
    return new Measurement(
        fields[1],
        Percentiles.parse(fields[2].split(" "), 0),
        Double.parseDouble(fields[3]),
        Double.parseDouble(fields[4]),
        Double.parseDouble(fields[5]),
        Double.parseDouble(fields[6]),
        fields[7]);
  }
}
