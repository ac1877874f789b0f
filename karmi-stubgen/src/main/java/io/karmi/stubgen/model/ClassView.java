package io.karmi.stubgen.model;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One class, as far as the generator needs to see it.
 *
 * <p>Two views are equal when they have the same name and come from the same place.
 */
public interface ClassView {
  /** The most classes and interfaces that one may extend, by way of others. */
  int MAXIMUM_SUPERTYPES = 500;

  /** The binary name: {@code app.Outer$Inner}. */
  String name();

  boolean isInterface();

  /** Whether it has no subclasses. */
  boolean isFinal();

  /** Whether it says which classes may extend or implement it: a stub is none of them. */
  boolean isSealed();

  /** Whether it has no instances of its own. */
  boolean isAbstract();

  /**
   * Whether classes of other packages may name it, as the JVM sees it: protected members count as
   * public.
   */
  boolean isPublic();

  /** The superclass, or null for {@code Object} and for interfaces. */
  @Nullable ClassView superclass();

  /** The interfaces named in the declaration, in that order. */
  List<ClassView> interfaces();

  /** The public methods declared here, in no particular order; nothing that is inherited. */
  List<MethodView> methods();

  /** The descriptors of those fields declared here that are serialized by default. */
  List<String> fieldTypes();

  /** The Signature attribute: its variables and those it gives types to; null if there are none. */
  @Nullable String generics();

  /** Another class, as this one finds it; whether there is one shows when it is looked at. */
  ClassView named(String name);

  /** Where the class was found, for messages. */
  String place();

  /**
   * Whether this is {@code ancestor}, or below it. Each supertype is looked at once: a class file
   * may lead to the same ones by any number of ways.
   *
   * @throws ClassFileException if it has too many
   */
  default boolean isSubtypeOf(String ancestor) {
    Set<String> seen = new HashSet<>();
    Deque<ClassView> open = new ArrayDeque<>();
    open.push(this);
    while (!open.isEmpty()) {
      ClassView next = open.pop();
      if (next.name().equals(ancestor)) {
        return true;
      }
      if (seen.add(next.name())) {
        if (seen.size() > MAXIMUM_SUPERTYPES) {
          throw new ClassFileException(
              name() + " has more than " + MAXIMUM_SUPERTYPES + " supertypes");
        }
        List<ClassView> interfaces = next.interfaces();
        for (int i = interfaces.size() - 1; i >= 0; i--) {
          open.push(interfaces.get(i));
        }
        ClassView superclass = next.superclass();
        if (superclass != null) {
          open.push(superclass);
        }
      }
    }
    return false;
  }
}
