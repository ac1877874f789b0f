package io.karmi.retrofit.rewrite;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** What visitors did to one class, in words, each once. */
final class ChangeLog {
  private final Set<String> changes = new LinkedHashSet<>();
  private String note;

  void add(String change) {
    changes.add(change);
  }

  void replaced(String what, String with) {
    changes.add(what.replace('/', '.') + " -> " + with.replace('/', '.'));
  }

  /** Says why the class stays as it is although a rule is about it. */
  void leaveAlone(String why) {
    note = why;
  }

  /** Null if nothing is to be said. */
  String note() {
    return note;
  }

  boolean isEmpty() {
    return changes.isEmpty();
  }

  List<String> changes() {
    return List.copyOf(changes);
  }
}
