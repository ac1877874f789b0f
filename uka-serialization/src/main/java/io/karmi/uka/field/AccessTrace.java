package io.karmi.uka.field;

import io.karmi.settings.Settings;

/** Trace of the way by which the fields of a class are reached, for {@code uka.trace=access}. */
public final class AccessTrace {
  private AccessTrace() {}

  /** Prints the way that has been found for a class, to standard error. */
  public static void print(Class<?> type, String way) {
    if (Settings.TRACE.is("access")) {
      System.err.println("uka access: " + type.getName() + ": " + way);
    }
  }
}
