package io.karmi.benchmarks.peers;

import java.io.Closeable;
import java.io.IOException;

/** Carries messages of known lengths between two JVMs, and does nothing else. */
interface Link extends Closeable {
  /** Sends all of {@code message}. */
  void send(byte[] message) throws IOException;

  /** Fills {@code message} with the next one; an {@link IOException} when the peer is gone. */
  void receive(byte[] message) throws IOException;

  /** A series of messages follows a pause of any length. */
  default void begin() throws IOException {}
}
