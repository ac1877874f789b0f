package io.karmi.benchmarks.measure;

/**
 * The time left, as a command says it from time to time. Where it has grown, the command says that,
 * too: the machine has become busier, or the work is longer than was planned. Not thread-safe.
 */
public final class Remaining {
  private long said = Long.MAX_VALUE;

  /** Such as {@code about 2:19 min left}. */
  public String text(long nanos) {
    long seconds = Pace.seconds(nanos);
    boolean grown = seconds > said;
    said = seconds;
    return "about " + Pace.minutes(nanos) + " left" + (grown ? ", more than was said before" : "");
  }
}
