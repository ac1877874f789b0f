package io.karmi.connection;

import java.io.IOException;

/**
 * The network failed, in contrast to an object that cannot be marshalled; never leaves this
 * package.
 */
final class ConnectionLostException extends IOException {
  private static final long serialVersionUID = 1;

  private final IOException reason;

  ConnectionLostException(IOException reason) {
    super(reason.getMessage(), reason);
    this.reason = reason;
  }

  /** What the socket said. */
  IOException reason() {
    return reason;
  }
}
