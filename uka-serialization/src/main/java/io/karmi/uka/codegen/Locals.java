package io.karmi.uka.codegen;

/** Allocator of the local variables of one method. */
public final class Locals {
  private int next;

  /**
   * Allocator of one method.
   *
   * @param first number of the first variable behind the parameters
   */
  public Locals(int first) {
    next = first;
  }

  /** A variable for a reference, or a number of up to four bytes. */
  int single() {
    return next++;
  }

  /** A variable for a {@code long} or {@code double}. */
  int wide() {
    next += 2;
    return next - 2;
  }
}
