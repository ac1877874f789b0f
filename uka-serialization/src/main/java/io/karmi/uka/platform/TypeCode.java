package io.karmi.uka.platform;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Type codes of fields and array elements: the first letters of descriptors. */
public final class TypeCode {
  /** All primitive types, and {@code void}. */
  private static final List<Class<?>> PRIMITIVES =
      List.of(
          boolean.class,
          byte.class,
          char.class,
          short.class,
          int.class,
          long.class,
          float.class,
          double.class,
          void.class);

  private TypeCode() {}

  /** The primitive type with this name, or null; {@code void} is one. */
  public static @Nullable Class<?> primitive(String name) {
    for (Class<?> type : PRIMITIVES) {
      if (type.getName().equals(name)) {
        return type;
      }
    }
    return null;
  }

  /** The type code of a class; arrays are references like others. */
  public static char of(Class<?> type) {
    char code = type.descriptorString().charAt(0);
    return code == '[' ? 'L' : code;
  }

  /** Whether values of this type code are primitive. */
  public static boolean isPrimitive(char code) {
    return code != 'L' && code != '[';
  }

  /** Size of a primitive in memory, in bytes. */
  public static int sizeOf(char code) {
    return switch (code) {
      case 'Z', 'B' -> 1;
      case 'C', 'S' -> 2;
      case 'I', 'F' -> 4;
      case 'J', 'D' -> 8;
      default -> throw new IllegalArgumentException("not the type code of a primitive: " + code);
    };
  }

  /** A new array of primitives with this type code. */
  public static Object newArray(char code, int length) {
    return switch (code) {
      case 'Z' -> new boolean[length];
      case 'B' -> new byte[length];
      case 'C' -> new char[length];
      case 'S' -> new short[length];
      case 'I' -> new int[length];
      case 'F' -> new float[length];
      case 'J' -> new long[length];
      default -> new double[length];
    };
  }
}
