package io.karmi.connection;

import java.io.IOException;

/** A channel has failed before the last bytes of a message were handed over: it cannot be read. */
public final class NothingSentException extends IOException {
  private static final long serialVersionUID = 1;

  /** Made of what the network says. */
  public NothingSentException(IOException cause) {
    super(cause.getMessage(), cause);
  }
}
