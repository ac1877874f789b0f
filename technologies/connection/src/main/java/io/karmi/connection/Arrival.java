package io.karmi.connection;

import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import org.jspecify.annotations.Nullable;

/**
 * A connection of another node that has been accepted, and whose ends do not know each other yet.
 */
public interface Arrival extends Closeable {
  /** Where bytes are written to the other end. */
  OutputStream output() throws IOException;

  /**
   * What the connections of one host have in common, to be compared by {@code equals}; null if the
   * network has no hosts.
   */
  default @Nullable Object host() {
    return null;
  }

  /**
   * Whether writing or closing may wait for the other end, although its buffers are empty: for TLS
   * of the program's own, or in other code of its own.
   */
  default boolean mayWait() {
    return false;
  }

  /** Says that nothing more will be sent, and leaves the connection open. */
  void endOutput() throws IOException;
}
