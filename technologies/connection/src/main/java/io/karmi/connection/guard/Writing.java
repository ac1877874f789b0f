package io.karmi.connection.guard;

/** Counters of the thread that writes to a connection, for timers; may be read by any thread. */
public interface Writing {
  /** The number of slices that were begun and handed over; odd while one waits for room. */
  int progress();

  /** True while a call is being executed and nothing is being sent. */
  boolean isExecuting();
}
