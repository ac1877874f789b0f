package io.karmi.benchmarks.messaging;

import java.io.IOException;

/** A way to send, a column of the table. Thread-safe where a kernel has several threads. */
interface MessageSender {
  /**
   * Sends a message that is not answered.
   *
   * @param bytes its size; 0 for an object of four ints
   */
  void send(int bytes) throws IOException;

  /** Sends what has been kept back. */
  default void flush() throws IOException {}

  /** Sends a message and waits for an answer of the same size. */
  void request(int bytes) throws IOException;

  /** How many messages have arrived there in all. */
  long arrived() throws IOException;

  /** Sends 64 bytes at once, with the time at which they were to be sent. */
  default void sendDue(long dueNanos) throws IOException {
    throw new UnsupportedOperationException();
  }

  /** What {@link Delays#rank} says of these at the receiver. */
  default long delayNanos(int perMille) throws IOException {
    throw new UnsupportedOperationException();
  }

  /** Whether this kernel makes sense here. */
  default boolean runs(MessageKernel kernel) {
    return true;
  }
}
