package io.karmi.uka.platform;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.nio.ByteOrder;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The elements of an array to bytes and back, all at once (paper 3.6): by {@code sun.misc.Unsafe},
 * where the JDK says nothing about its use. A view of the bytes is as fast for large arrays, but
 * makes two objects; a loop is as fast for small ones.
 *
 * <p>Thread-safe.
 */
public final class BulkCopy {
  /** The number of elements from which on it is faster than a loop. */
  private static final int LEAST_ELEMENTS = 16;

  private BulkCopy() {}

  /** Made for the first array that is long enough. */
  private static final class Memory {
    static final @Nullable MethodHandle COPY =
        Permitted.isNeeded() ? Permitted.get(Memory::copyMemory) : copyMemory();
    static final long BYTES_BASE = base("BYTE");
    static final long CHARS_BASE = base("CHAR");
    static final long SHORTS_BASE = base("SHORT");
    static final long INTS_BASE = base("INT");
    static final long FLOATS_BASE = base("FLOAT");
    static final long LONGS_BASE = base("LONG");
    static final long DOUBLES_BASE = base("DOUBLE");

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

  /** Whether this many elements are copied faster so than by a loop. */
  public static boolean pays(int length) {
    return length >= LEAST_ELEMENTS && Memory.COPY != null;
  }

  /**
   * A new array of {@code length} elements, made of little-endian bytes; null if this is no type
   * whose elements are such bytes as they are.
   *
   * @param code type code of the elements
   * @throws IndexOutOfBoundsException if there are fewer bytes
   */
  public static @Nullable Object toArray(byte[] bytes, int position, char code, int length) {
    switch (code) {
      case 'S':
        short[] shorts = new short[length];
        copy(bytes, position, shorts, Memory.SHORTS_BASE, (long) length * Short.BYTES);
        return shorts;
      case 'I':
        int[] ints = new int[length];
        copy(bytes, position, ints, Memory.INTS_BASE, (long) length * Integer.BYTES);
        return ints;
      case 'F':
        float[] floats = new float[length];
        copy(bytes, position, floats, Memory.FLOATS_BASE, (long) length * Float.BYTES);
        return floats;
      case 'J':
        long[] longs = new long[length];
        copy(bytes, position, longs, Memory.LONGS_BASE, (long) length * Long.BYTES);
        return longs;
      case 'D':
        double[] doubles = new double[length];
        copy(bytes, position, doubles, Memory.DOUBLES_BASE, (long) length * Double.BYTES);
        return doubles;
      default:
        return null;
    }
  }

  /**
   * Stores elements as little-endian bytes.
   *
   * @param code type code of the elements, not of bytes
   * @param offset of the first element
   * @return how many bytes they take
   * @throws IndexOutOfBoundsException if there are fewer elements, or the bytes do not fit
   */
  public static int toBytes(
      Object array, char code, int offset, int length, byte[] bytes, int position) {
    return switch (code) {
      case 'C' ->
          store(
              array,
              ((char[]) array).length,
              Memory.CHARS_BASE,
              1,
              offset,
              length,
              bytes,
              position);
      case 'S' ->
          store(
              array,
              ((short[]) array).length,
              Memory.SHORTS_BASE,
              1,
              offset,
              length,
              bytes,
              position);
      case 'I' ->
          store(
              array, ((int[]) array).length, Memory.INTS_BASE, 2, offset, length, bytes, position);
      case 'F' ->
          store(
              array,
              ((float[]) array).length,
              Memory.FLOATS_BASE,
              2,
              offset,
              length,
              bytes,
              position);
      case 'J' ->
          store(
              array,
              ((long[]) array).length,
              Memory.LONGS_BASE,
              3,
              offset,
              length,
              bytes,
              position);
      case 'D' ->
          store(
              array,
              ((double[]) array).length,
              Memory.DOUBLES_BASE,
              3,
              offset,
              length,
              bytes,
              position);
      default -> throw new IllegalArgumentException("not numbers: " + code);
    };
  }

  private static int store(
      Object from,
      int elements,
      long base,
      int shift,
      int offset,
      int length,
      byte[] to,
      int position) {
    Objects.checkFromIndexSize(offset, length, elements);
    long lengthBytes = (long) length << shift;
    Objects.checkFromIndexSize(position, lengthBytes, to.length);
    move(from, base + ((long) offset << shift), to, Memory.BYTES_BASE + position, lengthBytes);
    return (int) lengthBytes;
  }

  private static void copy(byte[] from, int position, Object to, long base, long lengthBytes) {
    Objects.checkFromIndexSize(position, lengthBytes, from.length);
    move(from, Memory.BYTES_BASE + position, to, base, lengthBytes);
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
