package io.karmi.retrofit.rewrite;

import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Superclasses, read from class files. */
final class Hierarchy {
  private final ClassFiles files;

  Hierarchy(ClassFiles files) {
    this.files = files;
  }

  /** Whether {@code name} is {@code ancestor} or extends it, as far as class files can be found. */
  boolean descends(String name, String ancestor) {
    Set<String> seen = new HashSet<>(); // a broken class file may extend itself
    @Nullable String current = name;
    while (current != null && seen.add(current)) {
      if (current.equals(ancestor)) {
        return true;
      }
      current = superOf(current);
    }
    return false;
  }

  private @Nullable String superOf(String name) {
    byte[] classFile = files.find(name);
    return classFile == null ? null : ClassVersions.reader(classFile).getSuperName();
  }
}
