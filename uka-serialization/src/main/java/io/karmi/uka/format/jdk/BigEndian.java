package io.karmi.uka.format.jdk;

import io.karmi.uka.buffer.InputBuffer;
import io.karmi.uka.buffer.OutputBuffer;
import io.karmi.uka.platform.TypeCode;
import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.lang.reflect.Array;
import java.nio.ByteOrder;

/**
 * Big-endian primitives, and arrays of them, in a buffer. It writes one NaN for all.
 *
 * <p>Arrays move in plain loops over a view of the bytes. Newer JIT compilers make vector code of
 * them; older ones are no faster with the views of {@code java.nio}.
 */
final class BigEndian {
  private static final VarHandle CHARS = view(char[].class);
  private static final VarHandle SHORTS = view(short[].class);
  private static final VarHandle INTS = view(int[].class);
  private static final VarHandle LONGS = view(long[].class);
  private static final VarHandle FLOATS = view(float[].class);
  private static final VarHandle DOUBLES = view(double[].class);

  /** Elements that are moved at a time. */
  private static final int PIECE = 2048;

  private BigEndian() {}

  private static VarHandle view(Class<?> arrayType) {
    return MethodHandles.byteArrayViewVarHandle(arrayType, ByteOrder.BIG_ENDIAN);
  }

  static void putShort(byte[] bytes, int position, int value) {
    SHORTS.set(bytes, position, (short) value);
  }

  static void putInt(byte[] bytes, int position, int value) {
    INTS.set(bytes, position, value);
  }

  static void putLong(byte[] bytes, int position, long value) {
    LONGS.set(bytes, position, value);
  }

  static int getUnsignedShort(byte[] bytes, int position) {
    return (short) SHORTS.get(bytes, position) & 0xFFFF;
  }

  static int getInt(byte[] bytes, int position) {
    return (int) INTS.get(bytes, position);
  }

  static long getLong(byte[] bytes, int position) {
    return (long) LONGS.get(bytes, position);
  }

  static int readUnsignedShort(InputBuffer in) throws IOException {
    in.require(2);
    int value = getUnsignedShort(in.bytes, in.position);
    in.position += 2;
    return value;
  }

  static int readInt(InputBuffer in) throws IOException {
    in.require(4);
    int value = getInt(in.bytes, in.position);
    in.position += 4;
    return value;
  }

  static long readLong(InputBuffer in) throws IOException {
    in.require(8);
    long value = getLong(in.bytes, in.position);
    in.position += 8;
    return value;
  }

  /** Writes all elements of an array of primitives, which have this type code. */
  static void write(OutputBuffer out, Object array, char code) throws IOException {
    int elementBytes = TypeCode.sizeOf(code);
    int length = Array.getLength(array);
    for (int done = 0; done < length; done += PIECE) {
      int step = Math.min(length - done, PIECE);
      if (code == 'B') {
        out.writeBytes((byte[]) array, done, step);
      } else if (code == 'Z') {
        out.writeBooleans((boolean[]) array, done, step);
      } else {
        out.reserve(step * elementBytes);
        put(array, code, done, done + step, out.bytes, out.position);
        out.position += step * elementBytes;
      }
    }
  }

  /** Reads {@code length} elements of an array of primitives, which have this type code. */
  static void read(InputBuffer in, Object array, char code, int offset, int length)
      throws IOException {
    if (code == 'B') {
      in.readBytes((byte[]) array, offset, length);
      return;
    }
    if (code == 'Z') {
      in.readBooleans((boolean[]) array, offset, length);
      return;
    }
    int elementBytes = TypeCode.sizeOf(code);
    int end = offset + length;
    for (int next = offset; next < end; ) {
      int step = arrived(in, end - next, elementBytes);
      get(array, code, next, next + step, in.bytes, in.position);
      in.position += step * elementBytes;
      next += step;
    }
  }

  /* A loop for each type, so that the JIT knows the sizes. */

  private static void put(Object array, char code, int from, int end, byte[] bytes, int position) {
    int at = position;
    switch (code) {
      case 'C' -> {
        char[] values = (char[]) array;
        for (int i = from; i < end; i++, at += 2) {
          CHARS.set(bytes, at, values[i]);
        }
      }
      case 'S' -> {
        short[] values = (short[]) array;
        for (int i = from; i < end; i++, at += 2) {
          SHORTS.set(bytes, at, values[i]);
        }
      }
      case 'I' -> {
        int[] values = (int[]) array;
        for (int i = from; i < end; i++, at += 4) {
          INTS.set(bytes, at, values[i]);
        }
      }
      case 'J' -> {
        long[] values = (long[]) array;
        for (int i = from; i < end; i++, at += 8) {
          LONGS.set(bytes, at, values[i]);
        }
      }
      case 'F' -> {
        float[] values = (float[]) array;
        for (int i = from; i < end; i++, at += 4) {
          INTS.set(bytes, at, Float.floatToIntBits(values[i]));
        }
      }
      case 'D' -> {
        double[] values = (double[]) array;
        for (int i = from; i < end; i++, at += 8) {
          LONGS.set(bytes, at, Double.doubleToLongBits(values[i]));
        }
      }
      default -> throw notNumeric(code);
    }
  }

  private static void get(Object array, char code, int from, int end, byte[] bytes, int position) {
    int at = position;
    switch (code) {
      case 'C' -> {
        char[] values = (char[]) array;
        for (int i = from; i < end; i++, at += 2) {
          values[i] = (char) CHARS.get(bytes, at);
        }
      }
      case 'S' -> {
        short[] values = (short[]) array;
        for (int i = from; i < end; i++, at += 2) {
          values[i] = (short) SHORTS.get(bytes, at);
        }
      }
      case 'I' -> {
        int[] values = (int[]) array;
        for (int i = from; i < end; i++, at += 4) {
          values[i] = (int) INTS.get(bytes, at);
        }
      }
      case 'J' -> {
        long[] values = (long[]) array;
        for (int i = from; i < end; i++, at += 8) {
          values[i] = (long) LONGS.get(bytes, at);
        }
      }
      case 'F' -> {
        float[] values = (float[]) array;
        for (int i = from; i < end; i++, at += 4) {
          values[i] = (float) FLOATS.get(bytes, at);
        }
      }
      case 'D' -> {
        double[] values = (double[]) array;
        for (int i = from; i < end; i++, at += 8) {
          values[i] = (double) DOUBLES.get(bytes, at);
        }
      }
      default -> throw notNumeric(code);
    }
  }

  private static IllegalArgumentException notNumeric(char code) {
    return new IllegalArgumentException("no type code of a number or character: " + code);
  }

  /** How many whole elements, at most {@code wanted}, are in the buffer; waits for one. */
  private static int arrived(InputBuffer in, int wanted, int elementBytes) throws IOException {
    if (in.remaining() < elementBytes) {
      in.require(Math.min(wanted, PIECE) * elementBytes);
    }
    return Math.min(wanted, in.remaining() / elementBytes);
  }
}
