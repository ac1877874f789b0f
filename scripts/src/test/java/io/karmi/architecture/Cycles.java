package io.karmi.architecture;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Cycles of classes inside packages: sets of classes each of which needs each other, directly or
 * not. Nested classes count as the one around them.
 */
final class Cycles {
  /** Of each class, by its name, those of its package that it needs. */
  private final Map<String, Set<String>> needs = new TreeMap<>();

  private final Map<String, Integer> order = new HashMap<>();
  private final Map<String, Integer> earliest = new HashMap<>();
  private final Deque<String> path = new ArrayDeque<>();
  private Set<String> largest = Set.of();

  private Cycles() {}

  /** The largest cycle of each package; one class alone where there is none. */
  static Map<String, Set<String>> largestByPackage(Iterable<JavaClass> code) {
    Map<String, Cycles> packages = new TreeMap<>();
    for (JavaClass type : code) {
      packages.computeIfAbsent(type.getPackageName(), name -> new Cycles()).add(type);
    }
    Map<String, Set<String>> largest = new TreeMap<>();
    packages.forEach((name, cycles) -> largest.put(name, cycles.largest()));
    return largest;
  }

  private void add(JavaClass type) {
    Set<String> needed = needs.computeIfAbsent(outermost(type), name -> new TreeSet<>());
    for (Dependency dependency : type.getDirectDependenciesFromSelf()) {
      JavaClass target = dependency.getTargetClass().getBaseComponentType();
      if (target.getPackageName().equals(type.getPackageName())) {
        needed.add(outermost(target));
      }
    }
  }

  private static String outermost(JavaClass type) {
    JavaClass outer = type;
    while (outer.getEnclosingClass().isPresent()) {
      outer = outer.getEnclosingClass().get();
    }
    return outer.getSimpleName();
  }

  private Set<String> largest() {
    for (String name : needs.keySet()) {
      if (!order.containsKey(name)) {
        visit(name);
      }
    }
    return largest;
  }

  /**
   * Tarjan's algorithm: the classes from one on form a cycle if none of them leads further back.
   */
  private void visit(String name) {
    order.put(name, order.size());
    earliest.put(name, order.get(name));
    path.push(name);
    for (String next : needs.getOrDefault(name, Set.of())) {
      if (!order.containsKey(next)) {
        visit(next);
        earliest.merge(name, earliest.get(next), Math::min);
      } else if (path.contains(next)) {
        earliest.merge(name, order.get(next), Math::min);
      }
    }
    if (earliest.get(name).equals(order.get(name))) {
      Set<String> cycle = new TreeSet<>();
      String member;
      do {
        member = path.pop();
        cycle.add(member);
      } while (!member.equals(name));
      if (cycle.size() > largest.size()) {
        largest = cycle;
      }
    }
  }
}
