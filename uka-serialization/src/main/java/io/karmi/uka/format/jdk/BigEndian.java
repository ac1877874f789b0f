package io.karmi.uka.format.jdk;

import io.karmi.uka.buffer.InputBuffer;
import io.karmi.uka.buffer.OutputBuffer;
import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Primitives with their highest byte first, in a buffer.
 *
 * <p>Arrays are swapped element by element in plain loops over an array view: newer JIT compilers
 * make vector code of them, which reaches the speed of a memory copy, and older ones do no better
 * with the views of {@code java.nio}.
 */
final class BigEndian {
  private static final VarHandle CHARS = view(char[].class);
  private static final VarHandle SHORTS = view(short[].class);
  private static final VarHandle INTS = view(int[].class);
  private static final VarHandle LONGS = view(long[].class);
  private static final VarHandle FLOATS = view(float[].class);
  private static final VarHandle DOUBLES = view(double[].class);

  /** Elements that are moved between two looks at the buffer. */
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

  static void write(OutputBuffer out, Object array, char code) throws IOException {
    switch (code) {
      case 'B' -> {
        byte[] values = (byte[]) array;
        for (int done = 0; done < values.length; done += PIECE) {
          out.writeBytes(values, done, Math.min(values.length - done, PIECE));
        }
      }
      case 'Z' -> {
        boolean[] values = (boolean[]) array;
        for (int done = 0; done < values.length; done += PIECE) {
          out.writeBooleans(values, done, Math.min(values.length - done, PIECE));
        }
      }
      case 'C' -> write(out, (char[]) array);
      case 'S' -> write(out, (short[]) array);
      case 'I' -> write(out, (int[]) array);
      case 'J' -> write(out, (long[]) array);
      case 'F' -> write(out, (float[]) array);
      case 'D' -> write(out, (double[]) array);
      default -> throw notPrimitive(code);
    }
  }

  static void read(InputBuffer in, Object array, char code, int offset, int length)
      throws IOException {
    switch (code) {
      case 'B' -> in.readBytes((byte[]) array, offset, length);
      case 'Z' -> in.readBooleans((boolean[]) array, offset, length);
      case 'C' -> read(in, (char[]) array, offset, length);
      case 'S' -> read(in, (short[]) array, offset, length);
      case 'I' -> read(in, (int[]) array, offset, length);
      case 'J' -> read(in, (long[]) array, offset, length);
      case 'F' -> read(in, (float[]) array, offset, length);
      case 'D' -> read(in, (double[]) array, offset, length);
      default -> throw notPrimitive(code);
    }
  }

  private static IllegalArgumentException notPrimitive(char code) {
    return new IllegalArgumentException("not the type code of a primitive: " + code);
  }

  private static void write(OutputBuffer out, char[] values) throws IOException {
    for (int done = 0; done < values.length; done += PIECE) {
      int end = Math.min(values.length, done + PIECE);
      out.reserve(2 * (end - done));
      byte[] bytes = out.bytes;
      int position = out.position;
      for (int i = done; i < end; i++, position += 2) {
        CHARS.set(bytes, position, values[i]);
      }
      out.position = position;
    }
  }

  private static void read(InputBuffer in, char[] values, int offset, int length)
      throws IOException {
    int end = offset + length;
    for (int done = offset; done < end; ) {
      int next = done + arrived(in, end - done, 2);
      byte[] bytes = in.bytes;
      int position = in.position;
      for (int i = done; i < next; i++, position += 2) {
        values[i] = (char) CHARS.get(bytes, position);
      }
      in.position = position;
      done = next;
    }
  }

  private static void write(OutputBuffer out, short[] values) throws IOException {
    for (int done = 0; done < values.length; done += PIECE) {
      int end = Math.min(values.length, done + PIECE);
      out.reserve(2 * (end - done));
      byte[] bytes = out.bytes;
      int position = out.position;
      for (int i = done; i < end; i++, position += 2) {
        SHORTS.set(bytes, position, values[i]);
      }
      out.position = position;
    }
  }

  private static void read(InputBuffer in, short[] values, int offset, int length)
      throws IOException {
    int end = offset + length;
    for (int done = offset; done < end; ) {
      int next = done + arrived(in, end - done, 2);
      byte[] bytes = in.bytes;
      int position = in.position;
      for (int i = done; i < next; i++, position += 2) {
        values[i] = (short) SHORTS.get(bytes, position);
      }
      in.position = position;
      done = next;
    }
  }

  private static void write(OutputBuffer out, int[] values) throws IOException {
    for (int done = 0; done < values.length; done += PIECE) {
      int end = Math.min(values.length, done + PIECE);
      out.reserve(4 * (end - done));
      byte[] bytes = out.bytes;
      int position = out.position;
      for (int i = done; i < end; i++, position += 4) {
        INTS.set(bytes, position, values[i]);
      }
      out.position = position;
    }
  }

  private static void read(InputBuffer in, int[] values, int offset, int length)
      throws IOException {
    int end = offset + length;
    for (int done = offset; done < end; ) {
      int next = done + arrived(in, end - done, 4);
      byte[] bytes = in.bytes;
      int position = in.position;
      for (int i = done; i < next; i++, position += 4) {
        values[i] = (int) INTS.get(bytes, position);
      }
      in.position = position;
      done = next;
    }
  }

  private static void write(OutputBuffer out, long[] values) throws IOException {
    for (int done = 0; done < values.length; done += PIECE) {
      int end = Math.min(values.length, done + PIECE);
      out.reserve(8 * (end - done));
      byte[] bytes = out.bytes;
      int position = out.position;
      for (int i = done; i < end; i++, position += 8) {
        LONGS.set(bytes, position, values[i]);
      }
      out.position = position;
    }
  }

  private static void read(InputBuffer in, long[] values, int offset, int length)
      throws IOException {
    int end = offset + length;
    for (int done = offset; done < end; ) {
      int next = done + arrived(in, end - done, 8);
      byte[] bytes = in.bytes;
      int position = in.position;
      for (int i = done; i < next; i++, position += 8) {
        values[i] = (long) LONGS.get(bytes, position);
      }
      in.position = position;
      done = next;
    }
  }

  private static void write(OutputBuffer out, float[] values) throws IOException {
    for (int done = 0; done < values.length; done += PIECE) {
      int end = Math.min(values.length, done + PIECE);
      out.reserve(4 * (end - done));
      byte[] bytes = out.bytes;
      int position = out.position;
      for (int i = done; i < end; i++, position += 4) {
        FLOATS.set(bytes, position, values[i]);
      }
      out.position = position;
    }
  }

  private static void read(InputBuffer in, float[] values, int offset, int length)
      throws IOException {
    int end = offset + length;
    for (int done = offset; done < end; ) {
      int next = done + arrived(in, end - done, 4);
      byte[] bytes = in.bytes;
      int position = in.position;
      for (int i = done; i < next; i++, position += 4) {
        values[i] = (float) FLOATS.get(bytes, position);
      }
      in.position = position;
      done = next;
    }
  }

  private static void write(OutputBuffer out, double[] values) throws IOException {
    for (int done = 0; done < values.length; done += PIECE) {
      int end = Math.min(values.length, done + PIECE);
      out.reserve(8 * (end - done));
      byte[] bytes = out.bytes;
      int position = out.position;
      for (int i = done; i < end; i++, position += 8) {
        DOUBLES.set(bytes, position, values[i]);
      }
      out.position = position;
    }
  }

  private static void read(InputBuffer in, double[] values, int offset, int length)
      throws IOException {
    int end = offset + length;
    for (int done = offset; done < end; ) {
      int next = done + arrived(in, end - done, 8);
      byte[] bytes = in.bytes;
      int position = in.position;
      for (int i = done; i < next; i++, position += 8) {
        values[i] = (double) DOUBLES.get(bytes, position);
      }
      in.position = position;
      done = next;
    }
  }

  /** How many whole elements of at most {@code wanted} are in the buffer; at least one. */
  private static int arrived(InputBuffer in, int wanted, int elementBytes) throws IOException {
    if (in.remaining() < elementBytes) {
      in.require(Math.min(wanted, PIECE) * elementBytes);
    }
    return Math.min(wanted, in.remaining() / elementBytes);
  }
}
