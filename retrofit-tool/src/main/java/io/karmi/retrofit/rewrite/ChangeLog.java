package io.karmi.retrofit.rewrite;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Log of the changes of one class, in words, each once. */
final class ChangeLog {
  private final Set<String> changes = new LinkedHashSet<>();

  void add(String change) {
    changes.add(change);
  }

  void replaced(String what, String with) {
    changes.add(what.replace('/', '.') + " -> " + with.replace('/', '.'));
  }

  int size() {
    return changes.size();
  }

  List<String> changes() {
    return List.copyOf(changes);
  }
}
