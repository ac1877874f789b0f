package io.karmi.uka.engine.read;

import java.io.InvalidObjectException;

/** Errors of the VM that bytes have caused, as the exceptions that a reader of bytes expects. */
public final class VmErrors {
  private VmErrors() {}

  /** For an error that a class of the JDK's has met in what was sent. */
  public static InvalidObjectException refused(Class<?> type, VirtualMachineError error) {
    InvalidObjectException refused =
        new InvalidObjectException(type.getName() + ": cannot be made of what was sent: " + error);
    refused.initCause(error);
    return refused;
  }

  /**
   * What an enemy may do to a collection of the JDK's: put it into itself, so that its hash has no
   * end, or nest it deeper than the stack.
   *
   * @param overflow thrown again if a program made it itself
   */
  public static InvalidObjectException endless(Class<?> type, StackOverflowError overflow) {
    if (overflow.getMessage() != null) {
      throw overflow;
    }
    InvalidObjectException refused =
        new InvalidObjectException(
            type.getName()
                + ": contains itself where it is hashed or compared, or is nested too deep");
    refused.initCause(overflow);
    return refused;
  }
}
