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
