package io.karmi.benchmarks.measure;

import java.util.List;

/**
 * What one kernel cost on one stack.
 *
 * @param kernel the kernel's name, such as {@code ping(32 int)}
 * @param medianNanos per call
 * @param p99Nanos per call
 * @param allocatedBytes per call, by client and server together
 * @param wireBytes per call, both directions; -1 where the system does not count them
 * @param observation what the program saw: equal on every stack, or the stack is wrong
 */
public record Measurement(
    String kernel,
    double medianNanos,
    double p99Nanos,
    double allocatedBytes,
    double wireBytes,
    String observation) {
  private static final String MARK = "measured";

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
            Double.toString(wireBytes),
            observation));
  }

  /** Is this a line of {@link #toLine}? */
  public static boolean isLine(String line) {
    return line.startsWith(MARK + "\t");
  }

  /**
   * Reads a line of {@link #toLine}.
   *
   * @throws IllegalArgumentException if it is none
   */
  public static Measurement parse(String line) {
    String[] fields = line.split("\t", -1);
    if (!isLine(line) || fields.length != 7) {
      throw new IllegalArgumentException("not a measurement: " + line);
    }
    return new Measurement(
        fields[1],
        Double.parseDouble(fields[2]),
        Double.parseDouble(fields[3]),
        Double.parseDouble(fields[4]),
        Double.parseDouble(fields[5]),
        fields[6]);
  }
}
