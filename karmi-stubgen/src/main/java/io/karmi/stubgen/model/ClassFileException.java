package io.karmi.stubgen.model;

/** A class file that is not there, or that cannot be read; the message names the class. */
public final class ClassFileException extends RuntimeException {
  private static final long serialVersionUID = 1;

  public ClassFileException(String message) {
    super(message);
  }
}
