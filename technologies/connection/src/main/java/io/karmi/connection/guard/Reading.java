package io.karmi.connection.guard;

/** Counters of the thread that reads a connection, for timers; may be read by any thread. */
public interface Reading {
  /** The number of reads that have begun and ended; odd while one is waiting for the peer. */
  int progress();

  /** Odd inside a message, another number for each message; asked for after {@link #progress}. */
  int phase();

  /** The number of bytes that have come so far; asked for after {@link #progress}. */
  long receivedBytes();

  /** Changes whenever the thread takes bytes of the message that it reads. */
  int position();
}
