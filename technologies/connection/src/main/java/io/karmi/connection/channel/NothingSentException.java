package io.karmi.connection.channel;

import java.io.IOException;

/**
 * Failure of a channel before the last bytes of a message were handed over, so that the other end
 * cannot read the message.
 */
public final class NothingSentException extends IOException {
  private static final long serialVersionUID = 1;

  /** Wraps the network's exception. */
  public NothingSentException(IOException cause) {
    super(cause.getMessage(), cause);
  }
}
