package io.karmi.benchmarks.measure;

import java.util.List;

/**
 * What one kernel cost on one stack.
 *
 * @param kernel the kernel's name, such as {@code ping(32 int)}; {@code ping() x4} is run by four
 *     threads at once
 * @param medianNanos per call
 * @param p99Nanos per call
 * @param allocatedBytes per call, by client and server together; {@link #UNCOUNTED} if the task did
 *     not ask for it
 * @param sentBytes per call, by the client; {@link #UNCOUNTED} if the task did not ask for it, or
 *     the system does not count them
 * @param receivedBytes per call, by the client, likewise
 * @param observation what the program saw: equal on every stack, or the stack is wrong
 */
public record Measurement(
    String kernel,
    double medianNanos,
    double p99Nanos,
    double allocatedBytes,
    double sentBytes,
    double receivedBytes,
    String observation) {
  /** Stands where nothing was counted. */
  public static final double UNCOUNTED = -1;

  /** What a line of {@link #toLine} begins with. */
  public static final String MARK = "measured";

  /** What a call puts on the wire in both directions, or {@link #UNCOUNTED}. */
  public double wireBytes() {
    return sentBytes < 0 ? UNCOUNTED : sentBytes + receivedBytes;
  }

  /** One line, for {@link #parse}. */
  public String toLine() {
    return String.join(
        "\t",
        List.of(
            MARK,
            kernel,
            Double.toString(medianNanos),
            Double.toString(p99Nanos),
            Double.toString(allocatedBytes),
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
    if (fields.length != 8 || !fields[0].equals(MARK)) {
      throw new IllegalArgumentException("not a measurement: " + line);
    }
    return new Measurement(
        fields[1],
        Double.parseDouble(fields[2]),
        Double.parseDouble(fields[3]),
        Double.parseDouble(fields[4]),
        Double.parseDouble(fields[5]),
        Double.parseDouble(fields[6]),
        fields[7]);
  }
}
