package io.karmi.uka.format;

import java.util.concurrent.atomic.LongAdder;

/**
 * Counter of the streams that a program opens, by format, and of what filters refuse, for the
 * summary at its end. Counts nothing before {@link #begin}. Thread-safe.
 */
public final class StreamTally {
  /** Plain: set before the program runs, and read by each stream that is opened. */
  private static boolean counts;

  private StreamTally() {}

  /** The counters, of a class of their own: most programs are not counted. */
  private static final class Counters {
    static final LongAdder WRITTEN_JDK = new LongAdder();
    static final LongAdder WRITTEN_UKA = new LongAdder();
    static final LongAdder READ_JDK = new LongAdder();
    static final LongAdder READ_UKA = new LongAdder();
    static final LongAdder REFUSED = new LongAdder();
  }

  /** Counts from now on. */
  public static void begin() {
    counts = true;
  }

  /** A stream to which the program writes was opened. */
  public static void written(boolean jdk) {
    if (counts) {
      (jdk ? Counters.WRITTEN_JDK : Counters.WRITTEN_UKA).increment();
    }
  }

  /** A stream from which the program reads was opened. */
  public static void read(boolean jdk) {
    if (counts) {
      (jdk ? Counters.READ_JDK : Counters.READ_UKA).increment();
    }
  }

  /** A filter has refused an object, of a stream or of a call. */
  public static void refused() {
    if (counts) {
      Counters.REFUSED.increment();
    }
  }

  /** The number of objects that filters have refused. */
  public static long refusedObjects() {
    return Counters.REFUSED.sum();
  }

  /** The number of streams that were opened to write. */
  public static long writtenStreams(boolean jdk) {
    return (jdk ? Counters.WRITTEN_JDK : Counters.WRITTEN_UKA).sum();
  }

  /** The number of streams that were opened to read. */
  public static long readStreams(boolean jdk) {
    return (jdk ? Counters.READ_JDK : Counters.READ_UKA).sum();
  }
}
