package io.karmi.technology;

import java.rmi.ConnectIOException;

/**
 * Failure to reach a node of KaRMI: the peer at the address closed the connection, or answered in
 * another protocol. Nothing was executed; another runtime may be there.
 */
public final class ForeignPeerException extends ConnectIOException {
  private static final long serialVersionUID = 1;

  public ForeignPeerException(String message, Exception cause) {
    super(message, cause);
  }
}
