package io.karmi.uka.field;

/** Says by which way the fields of a class are reached, where {@code uka.trace=access}. */
public final class AccessTrace {
  private AccessTrace() {}

  /** Prints the way that has been found for a class, to standard error. */
  public static void print(Class<?> type, String way) {
    if ("access".equals(System.getProperty("uka.trace"))) {
      System.err.println("uka access: " + type.getName() + ": " + way);
    }
  }
}
