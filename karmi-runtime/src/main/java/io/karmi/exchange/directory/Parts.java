package io.karmi.exchange.directory;

import java.util.Objects;

/** Checks of what another process has sent, when the record that has it is made. */
final class Parts {
  private Parts() {}

  /**
   * The same array.
   *
   * @throws NullPointerException if it, or an element of it, is missing; names it
   */
  static <T> T[] present(T[] parts, String what) {
    Objects.requireNonNull(parts, what);
    for (T each : parts) {
      Objects.requireNonNull(each, what);
    }
    return parts;
  }
}
