package io.karmi.stubgen.model;

/** Failure to read a class file, or to find it; the message names the class. */
public final class ClassFileException extends RuntimeException {
  private static final long serialVersionUID = 1;

  public ClassFileException(String message) {
    super(message);
  }
}
