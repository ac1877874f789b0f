package io.karmi.uka.field;

/** Trace of the way by which the fields of a class are reached, for {@code uka.trace=access}. */
public final class AccessTrace {
  private AccessTrace() {}

  /** Prints the way that has been found for a class, to standard error. */
  public static void print(Class<?> type, String way) {
    if ("access".equals(System.getProperty("uka.trace"))) {
      System.err.println("uka access: " + type.getName() + ": " + way);
    }
  }
}
