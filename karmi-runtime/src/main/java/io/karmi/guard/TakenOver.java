package io.karmi.guard;

/** A connection that one part of the runtime has accepted, and another one serves. Thread-safe. */
public interface TakenOver {
  /** For how long its opener has kept this JVM waiting, in nanoseconds; 0 if it does not. */
  long waitedNanos(long now);

  /** Closes it. */
  void close();
}
