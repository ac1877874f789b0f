package io.karmi.operations;

/** Thrown, but declared nowhere. */
public final class Unmentioned extends RuntimeException {
  private static final long serialVersionUID = 1;
}
