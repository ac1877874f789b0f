package io.karmi.benchmarks.measure;

/** One thing to measure, ready to run. */
public interface Kernel {
  /** The name in the tables, such as {@code ping(int, int)}. */
  String name();

  /** How many remote calls one {@link #run} makes; its cost is divided by them. */
  default int callsPerRun() {
    return 1;
  }

  /** Runs once. */
  void run() throws Exception;

  /** Comes before each {@link #run} and is not timed: waits, for example. */
  default void prepare() throws Exception {}

  /** Begins a series of runs; the kernel of several clients waits here until all of them are in. */
  default void begin() throws Exception {}

  /** Ends what {@link #begin} began. */
  default void end() throws Exception {}

  /** How often it runs at least when it is measured, however long that takes. */
  default int leastRuns() {
    return 1;
  }

  /** Do several clients run it at the same time, in step? */
  default boolean isShared() {
    return false;
  }

  /**
   * Runs a fixed number of times and looks at every result.
   *
   * @return what was observed, the same on every correct stack
   * @throws IllegalStateException if a result is not the expected one
   */
  String check() throws Exception;
}
