package io.karmi.uka.marshal.access;

import java.security.AccessController;
import java.security.PrivilegedAction;

/**
 * Where a security manager is (JDKs before 24), the library must be permitted to reflect on
 * classes, but the program that called it need not be: so it is with java.io's streams. None of a
 * program's methods may run inside.
 */
public final class Permitted {
  private Permitted() {}

  /** Does what the library is permitted to do, whoever called it. */
  @SuppressWarnings("removal")
  public static <T> T get(PrivilegedAction<T> action) {
    return System.getSecurityManager() == null
        ? action.run()
        : AccessController.doPrivileged(action);
  }
}
