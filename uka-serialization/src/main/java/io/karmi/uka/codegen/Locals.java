package io.karmi.uka.codegen;

/** Local variables of one method, allocated behind its parameters. */
public final class Locals {
  private int next;

  /**
   * Begins to allocate.
   *
   * @param first the number behind the last parameter's
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
