package io.karmi.connection.call;

import java.io.IOException;

/**
 * Failure of the network, in contrast to an object that cannot be marshalled; never leaves a
 * technology.
 */
public final class ConnectionLostException extends IOException {
  private static final long serialVersionUID = 1;

  private final IOException reason;

  /** Wraps the exception of the channel. */
  public ConnectionLostException(IOException reason) {
    super(reason.getMessage(), reason);
    this.reason = reason;
  }

  /** The exception of the socket. */
  public IOException reason() {
    return reason;
  }
}
