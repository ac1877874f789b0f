package io.karmi.marshal;

import java.io.IOException;
import java.security.AccessController;
import java.security.PrivilegedActionException;
import java.security.PrivilegedExceptionAction;

/**
 * Opening of a call's object streams. Under a security manager (JDKs before 24) it uses the
 * runtime's permissions to extend streams and replace objects, for any caller.
 */
interface StreamOpening<S> extends PrivilegedExceptionAction<S> {
  @Override
  S run() throws IOException;

  @SuppressWarnings("removal")
  static <S> S open(StreamOpening<S> opening) throws IOException {
    if (System.getSecurityManager() == null) {
      return opening.run();
    }
    try {
      return AccessController.doPrivileged(opening);
    } catch (PrivilegedActionException e) {
      throw (IOException) e.getException();
    }
  }
}
