package io.karmi.stubgen.model;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The instance methods of some interfaces, inherited ones included, one per signature.
 *
 * <p>A redeclaration replaces what it overrides. Where unrelated interfaces declare the same
 * signature, a class that implements both may throw only what both allow, and so does a stub.
 */
final class MethodCollector {
  private final Map<String, MethodView> bySignature = new LinkedHashMap<>();

  /** Those that were added: several may extend the same one. */
  private final Set<ClassView> added = new HashSet<>();

  /** Adds an interface and all it extends. */
  void add(ClassView type) {
    if (!added.add(type)) {
      return;
    }
    for (MethodView method : type.methods()) {
      if (!method.isStatic()) {
        bySignature.merge(method.signature(), method, MethodCollector::merge);
      }
    }
    for (ClassView parent : type.interfaces()) {
      add(parent);
    }
  }

  Collection<MethodView> methods() {
    return bySignature.values();
  }

  private static MethodView merge(MethodView a, MethodView b) {
    if (a.declarer().isSubtypeOf(b.declarer().name())) {
      return a;
    }
    if (b.declarer().isSubtypeOf(a.declarer().name())) {
      return b;
    }
    List<ClassView> common = new ArrayList<>();
    addAllowed(a.exceptions(), b.exceptions(), common);
    addAllowed(b.exceptions(), a.exceptions(), common);
    return new MethodView(
        a.declarer(), a.name(), a.descriptor(), false, a.isBridge(), a.generics(), common);
  }

  /** Adds those exceptions that the other declaration allows too. */
  private static void addAllowed(
      List<ClassView> exceptions, List<ClassView> other, List<ClassView> common) {
    for (ClassView exception : exceptions) {
      for (ClassView allowed : other) {
        if (exception.isSubtypeOf(allowed.name()) && !common.contains(exception)) {
          common.add(exception);
        }
      }
    }
  }
}
