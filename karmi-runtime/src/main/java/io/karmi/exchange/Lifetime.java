package io.karmi.exchange;

/** How long a group lives that was written to a stream (ZCOT, 3.3). */
public enum Lifetime {
  /** Until it has been read as often as was said when it was written, or its owner ends. */
  UNTIL_READ,

  /**
   * Until an operator drops it: its file is forced to {@code karmi.exchange.store}, and outlives
   * all processes.
   */
  STORED
}
