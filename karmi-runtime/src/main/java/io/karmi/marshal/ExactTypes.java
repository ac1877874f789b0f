package io.karmi.marshal;

import java.util.Set;

/**
 * Types of which a parameter or result takes values of exactly the declared class: strings, boxes
 * and arrays of primitives. Where one of them is declared no other object is read or created, so a
 * method of such types needs no filter. Stock RMI does the same for strings.
 */
public final class ExactTypes {
  private static final Set<Class<?>> ALL =
      Set.of(
          String.class,
          Boolean.class,
          Byte.class,
          Character.class,
          Short.class,
          Integer.class,
          Long.class,
          Float.class,
          Double.class,
          boolean[].class,
          byte[].class,
          char[].class,
          short[].class,
          int[].class,
          long[].class,
          float[].class,
          double[].class);

  private ExactTypes() {}

  /** Whether a declared type is one of them. */
  public static boolean contains(Class<?> declared) {
    return ALL.contains(declared);
  }
}
