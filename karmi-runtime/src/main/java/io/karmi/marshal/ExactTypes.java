package io.karmi.marshal;

import java.util.Set;

/**
 * The types of which a parameter or result takes values of exactly that class: strings, boxes and
 * arrays of primitives. Nothing else is even begun where one of them is declared, so that a method
 * of such types needs no filter (stock RMI has it so for strings).
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
