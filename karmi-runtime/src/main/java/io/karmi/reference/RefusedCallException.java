package io.karmi.reference;

import java.rmi.RemoteException;

/** Refusal of a call before its arguments are read. The caller gets the reason. */
final class RefusedCallException extends Exception {
  private static final long serialVersionUID = 1;
  final transient RemoteException reason;

  RefusedCallException(RemoteException reason) {
    super("refused", null, false, false);
    this.reason = reason;
  }
}
