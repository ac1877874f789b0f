package io.karmi.uka.engine;

import io.karmi.uka.buffer.InputBuffer;
import io.karmi.uka.buffer.OutputBuffer;
import java.io.IOException;

/**
 * Whole numbers of variable length, with the sign in the lowest bit (zigzag), so that numbers near
 * zero take one byte.
 */
@SuppressWarnings({"removal", "BoxedPrimitiveConstructor"}) // the only way to a new object
public final class CompactNumbers {
  private CompactNumbers() {}

  /** A number with its sign in the lowest bit. */
  public static long zigzag(long value) {
    return value << 1 ^ value >> 63;
  }

  /** The counterpart of {@link #zigzag}. */
  public static long unzigzag(long value) {
    return value >>> 1 ^ -(value & 1);
  }

  /** Writes a number of 64 bits. */
  public static void writeLong(OutputBuffer out, long value) throws IOException {
    out.writeVarLong(zigzag(value));
  }

  /** Reads a number of 32 bits, as {@link #writeLong} writes it, to a new object. */
  public static Integer nextInteger(InputBuffer in) throws IOException {
    int value = in.readVarInt();
    return new Integer(value >>> 1 ^ -(value & 1));
  }

  /** Reads what {@link #writeLong} has written, to a new object. */
  public static Long nextLong(InputBuffer in) throws IOException {
    return new Long(unzigzag(in.readVarLong()));
  }

  /** Reads a {@code double} as it is in memory, to a new object. */
  public static Double nextDouble(InputBuffer in, boolean little) throws IOException {
    long bits = in.readLong();
    return new Double(Double.longBitsToDouble(little ? bits : Long.reverseBytes(bits)));
  }
}
