package io.karmi.uka.engine.read;

import java.io.InvalidObjectException;

/** Exceptions in place of VM errors that the bytes of a message have caused. */
public final class VmErrors {
  private VmErrors() {}

  /** The exception for an error in a method of a class of the JDK. */
  public static InvalidObjectException refused(Class<?> type, VirtualMachineError error) {
    InvalidObjectException refused =
        new InvalidObjectException(type.getName() + ": cannot be made of what was sent: " + error);
    refused.initCause(error);
    return refused;
  }

  /**
   * The exception for a collection of the JDK that a message has put into itself, so that its hash
   * has no end, or nested deeper than the stack.
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
