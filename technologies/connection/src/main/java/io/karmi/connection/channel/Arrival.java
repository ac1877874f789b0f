package io.karmi.connection.channel;

import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import org.jspecify.annotations.Nullable;

/** A connection that has been accepted, before its ends have introduced themselves. */
public interface Arrival extends Closeable {
  /** The stream to the other end. */
  OutputStream output() throws IOException;

  /** Tells the other end, which has said nothing so far, why it is refused. */
  default void refuse(Introducer introducer, String reason) throws IOException {
    introducer.refuse(output(), reason);
  }

  /** The other end's host, compared by {@code equals}; null if the network has no hosts. */
  default @Nullable Object host() {
    return null;
  }

  /**
   * Whether writing or closing may wait for the other end, although its buffers are empty, as with
   * TLS or other code of the program's own.
   */
  default boolean mayWait() {
    return false;
  }

  /**
   * Lets a thread that waits for bytes from the other end go on, as at their end. The connection
   * stays open, unless {@linkplain #mayWait its socket has other code}.
   */
  void endInput() throws IOException;

  /** Tells the other end that nothing more will be sent. The connection stays open. */
  void endOutput() throws IOException;
}
