package io.karmi.technology;

import io.karmi.id.TechnologyId;
import java.rmi.RemoteException;
import org.jspecify.annotations.Nullable;

/**
 * Thrown by a technology that has no connection to a node and has opened none. Nothing was sent, so
 * another technology may carry the call. It never leaves {@link ApplicationCalls}.
 */
public final class NotConnectedException extends RemoteException {
  private static final long serialVersionUID = 1;

  private final transient TechnologyId way;
  private final transient @Nullable RemoteException reason;

  /**
   * For a call that is to go another way.
   *
   * @param way where the technology would connect to
   * @param reason why it could not; null if it was not to try
   */
  public NotConnectedException(TechnologyId way, @Nullable RemoteException reason) {
    super("no connection to " + way);
    this.way = way;
    this.reason = reason;
  }

  /** Where the technology would connect to. */
  public TechnologyId way() {
    return way;
  }

  /** Why it could not; null if it was not to try. */
  public @Nullable RemoteException reason() {
    return reason;
  }

  /** Needs no frames: it is caught where the call begins. */
  @Override
  public synchronized Throwable fillInStackTrace() {
    return this;
  }
}
