package io.karmi.retrofit.rewrite;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Log of the changes of one class, in words, each once. */
final class ChangeLog {
  private final Set<String> changes = new LinkedHashSet<>();
  private @Nullable String note;

  void add(String change) {
    changes.add(change);
  }

  void replaced(String what, String with) {
    changes.add(what.replace('/', '.') + " -> " + with.replace('/', '.'));
  }

  /** Notes why a part of the class stays as it is; of several reasons the first is kept. */
  void leave(String why) {
    if (note == null) {
      note = why;
    }
  }

  @Nullable String note() {
    return note;
  }

  int size() {
    return changes.size();
  }

  List<String> changes() {
    return List.copyOf(changes);
  }
}
