package io.karmi.retrofit.rewrite;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Result of the rewriting of one class file.
 *
 * @param bytes the new class file, or null if the old one stays
 * @param changes the changes, in words; empty if there are none
 * @param note why a class, or a part of it, stays as it is although it may need a change; or null
 */
public record Outcome(byte @Nullable [] bytes, List<String> changes, @Nullable String note) {
  private static final Outcome UNCHANGED = new Outcome(null, List.of(), null);

  /** Nothing to do. */
  public static Outcome unchanged() {
    return UNCHANGED;
  }

  static Outcome leftAlone(String note) {
    return new Outcome(null, List.of(), note);
  }

  /** The note as a sentence of its own; null if there is none. */
  public @Nullable String remark() {
    if (note == null) {
      return null;
    }
    return (isChanged() ? "nothing more is done: " : "left as it is: ").concat(note);
  }

  /** Whether there is a new class file. */
  public boolean isChanged() {
    return bytes != null;
  }
}
