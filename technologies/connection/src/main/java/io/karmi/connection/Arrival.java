package io.karmi.connection;

import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;

/**
 * A connection of another node that has been accepted, and whose ends do not know each other yet.
 */
public interface Arrival extends Closeable {
  /** Where bytes are written to the other end. */
  OutputStream output() throws IOException;

  /** Says that nothing more will be sent, and leaves the connection open. */
  void endOutput() throws IOException;
}
