package io.karmi.technology;

import java.rmi.ConnectIOException;

/**
 * Failure to reach a node of KaRMI: the peer at the address closed the connection, or answered in
 * another protocol. Nothing was executed; another runtime may be there.
 *
 * <p>A program may store it, or hand it on to a program without KaRMI: in object streams a {@link
 * ConnectIOException} takes its place.
 */
public final class ForeignPeerException extends ConnectIOException {
  private static final long serialVersionUID = 1;

  /** Without the cause, which {@link #getMessage} appends. */
  private final transient String text;

  public ForeignPeerException(String text, Exception cause) {
    super(text, cause);
    this.text = text;
  }

  private Object writeReplace() {
    ConnectIOException plain = new ConnectIOException(text, (Exception) getCause());
    plain.setStackTrace(getStackTrace());
    for (Throwable each : getSuppressed()) {
      plain.addSuppressed(each);
    }
    return plain;
  }
}
