package io.karmi.reference;

import java.rmi.RemoteException;

/** A call is not executed, and nothing of its arguments is read: its caller gets the reason. */
final class RefusedCallException extends Exception {
  private static final long serialVersionUID = 1;
  final transient RemoteException reason;

  RefusedCallException(RemoteException reason) {
    super("refused", null, false, false);
    this.reason = reason;
  }
}
