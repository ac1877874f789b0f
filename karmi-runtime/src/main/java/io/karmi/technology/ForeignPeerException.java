package io.karmi.technology;

import java.rmi.ConnectIOException;

/**
 * The peer at the address closed the connection, or answered, without speaking KaRMI's protocol.
 * Nothing was executed; another runtime may be there.
 */
public final class ForeignPeerException extends ConnectIOException {
  private static final long serialVersionUID = 1;

  public ForeignPeerException(String message) {
    super(message);
  }

  public ForeignPeerException(String message, Exception cause) {
    super(message, cause);
  }
}
