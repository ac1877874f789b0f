package io.karmi.stubgen.model;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One class, as far as the generator needs to see it.
 *
 * <p>Two views are equal when they have the same name and come from the same place.
 */
public interface ClassView {
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

  /** Whether this is {@code ancestor}, or below it. */
  default boolean isSubtypeOf(String ancestor) {
    if (name().equals(ancestor)) {
      return true;
    }
    ClassView superclass = superclass();
    if (superclass != null && superclass.isSubtypeOf(ancestor)) {
      return true;
    }
    for (ClassView parent : interfaces()) {
      if (parent.isSubtypeOf(ancestor)) {
        return true;
      }
    }
    return false;
  }
}
