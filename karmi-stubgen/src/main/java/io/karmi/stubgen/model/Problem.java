package io.karmi.stubgen.model;

import org.jspecify.annotations.Nullable;

/**
 * Problem of an interface: it prevents remote calls, or may do so.
 *
 * @param isError whether no stub can be made
 * @param file where the class was found
 * @param member the method as in a program, or null where the class itself is meant
 */
public record Problem(boolean isError, String file, @Nullable String member, String reason) {
  /** One line: file, member, reason. */
  @Override
  public String toString() {
    String about = member == null ? file : file + ": " + member;
    return about + ": " + (isError ? "" : "warning: ") + reason;
  }
}
