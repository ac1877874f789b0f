package io.karmi.connection;

import java.io.IOException;

/**
 * Failure of the network, in contrast to an object that cannot be marshalled; never leaves this
 * package.
 */
final class ConnectionLostException extends IOException {
  private static final long serialVersionUID = 1;

  private final IOException reason;

  ConnectionLostException(IOException reason) {
    super(reason.getMessage(), reason);
    this.reason = reason;
  }

  /** The exception of the socket. */
  IOException reason() {
    return reason;
  }
}
