package io.karmi.uka.platform;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Array;
import java.nio.ByteOrder;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Memory copies between arrays of numbers and bytes (paper 3.6), by {@code sun.misc.Unsafe} where
 * the JDK does not warn of it. A view of the bytes is as fast for large arrays, but makes two
 * objects; a loop is as fast for small ones.
 *
 * <p>Thread-safe.
 */
public final class BulkCopy {
  /** Elements from which on a copy is faster than a loop. */
  private static final int MINIMUM_ELEMENTS = 16;

  private BulkCopy() {}

  /**
   * The arrays of one type.
   *
   * @param base offset of the first element, in bytes
   */
  private record Elements(Class<?> type, long base) {}

  /** Made for the first array that is long enough. */
  private static final class Memory {
    static final @Nullable MethodHandle COPY =
        Permitted.isNeeded() ? Permitted.get(Memory::copyMemory) : copyMemory();
    static final long BYTES_BASE = base("BYTE");
    static final Elements CHARS = new Elements(char[].class, base("CHAR"));
    static final Elements SHORTS = new Elements(short[].class, base("SHORT"));
    static final Elements INTS = new Elements(int[].class, base("INT"));
    static final Elements FLOATS = new Elements(float[].class, base("FLOAT"));
    static final Elements LONGS = new Elements(long[].class, base("LONG"));
    static final Elements DOUBLES = new Elements(double[].class, base("DOUBLE"));

    private static @Nullable MethodHandle copyMemory() {
      if (!SunUnsafe.isSilent() || ByteOrder.nativeOrder() != ByteOrder.LITTLE_ENDIAN) {
        return null;
      }
      MethodType type =
          MethodType.methodType(
              void.class, Object.class, long.class, Object.class, long.class, long.class);
      try {
        return MethodHandles.publicLookup()
            .findVirtual(SunUnsafe.INSTANCE.getClass(), "copyMemory", type)
            .bindTo(SunUnsafe.INSTANCE);
      } catch (ReflectiveOperationException e) {
        return null;
      }
    }

    private static long base(String elements) {
      if (COPY == null) {
        return 0;
      }
      return Permitted.isNeeded()
          ? Permitted.get(() -> SunUnsafe.arrayBaseOffset(elements))
          : SunUnsafe.arrayBaseOffset(elements);
    }
  }

  /** Whether a copy of this many elements is faster than a loop. */
  public static boolean pays(int length) {
    return length >= MINIMUM_ELEMENTS && Memory.COPY != null;
  }

  /**
   * A new array of {@code length} elements, made of little-endian bytes; null if elements of this
   * type are not copied.
   *
   * @param code type code of the elements
   * @throws IndexOutOfBoundsException if there are fewer bytes
   */
  public static @Nullable Object toArray(byte[] bytes, int position, char code, int length) {
    Elements elements = code == 'C' ? null : elements(code);
    if (elements == null) {
      return null;
    }
    long lengthBytes = (long) length * TypeCode.sizeOf(code);
    Objects.checkFromIndexSize(position, lengthBytes, bytes.length);
    Object array = TypeCode.newArray(code, length);
    move(bytes, Memory.BYTES_BASE + position, array, elements.base, lengthBytes);
    return array;
  }

  /**
   * Stores elements as little-endian bytes.
   *
   * @param code type code of the elements, which are wider than a byte
   * @param offset of the first element
   * @return how many bytes they take
   * @throws IndexOutOfBoundsException if there are fewer elements, or the bytes do not fit
   */
  public static int toBytes(
      Object array, char code, int offset, int length, byte[] bytes, int position) {
    Elements elements = elements(code);
    if (elements == null || elements.type != array.getClass()) {
      throw new IllegalArgumentException(code + " is no type code of elements of " + array);
    }
    Objects.checkFromIndexSize(offset, length, Array.getLength(array));
    int elementBytes = TypeCode.sizeOf(code);
    long lengthBytes = (long) length * elementBytes;
    Objects.checkFromIndexSize(position, lengthBytes, bytes.length);
    long start = elements.base + (long) offset * elementBytes;
    move(array, start, bytes, Memory.BYTES_BASE + position, lengthBytes);
    return (int) lengthBytes;
  }

  /** The arrays whose elements have this type code; null for elements of a byte. */
  private static @Nullable Elements elements(char code) {
    return switch (code) {
      case 'C' -> Memory.CHARS;
      case 'S' -> Memory.SHORTS;
      case 'I' -> Memory.INTS;
      case 'F' -> Memory.FLOATS;
      case 'J' -> Memory.LONGS;
      case 'D' -> Memory.DOUBLES;
      default -> null;
    };
  }

  @SuppressWarnings("NullAway") // only called where it pays, for which there is a COPY
  private static void move(
      Object from, long fromOffset, Object to, long toOffset, long lengthBytes) {
    try {
      Memory.COPY.invokeExact(from, fromOffset, to, toOffset, lengthBytes);
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException("cannot copy " + lengthBytes + " bytes", e);
    }
  }
}
