package io.karmi.uka.codec;

import io.karmi.uka.engine.read.ObjectReader;
import io.karmi.uka.engine.read.ReadType;
import io.karmi.uka.handle.ReadHandleTable;
import java.io.IOException;
import java.io.InvalidObjectException;
import java.io.StreamCorruptedException;
import java.math.BigDecimal;
import java.math.BigInteger;
import org.jspecify.annotations.Nullable;

/**
 * Big numbers, by public constructors: the counterpart of {@link BigNumberMarshaler}.
 *
 * <p>A number is made when its parts are there. Until then its handle is nobody's, which only a
 * forged stream can notice.
 */
public abstract class BigNumberReader extends PlatformReader {
  /** Where there could be a short form. */
  private static final Object GENERAL_FOLLOWS = new Object();

  private BigNumberReader(ReadType type) {
    super(type);
  }

  @Override
  public final @Nullable Object read(ObjectReader in, boolean unshared) throws IOException {
    if (hasShortForm() && in.isWatched()) {
      expand(in);
    }
    in.begin(null, type, unshared);
    int handle = in.currentHandle();
    Object number = hasShortForm() && !in.isWatched() ? readShort(in, handle) : GENERAL_FOLLOWS;
    if (number == GENERAL_FOLLOWS) {
      number = readNumber(in, handle);
      in.setCurrentHandle(handle);
      end(in);
    }
    in.complete(number, unshared);
    return number;
  }

  /** Reads the short form; null if a part is missing. */
  abstract @Nullable Object readShort(ObjectReader in, int handle) throws IOException;

  /** Null if a part is missing. */
  abstract @Nullable Object readNumber(ObjectReader in, int handle) throws IOException;

  /**
   * Reads a magnitude, which takes the handle that its array has in the general form.
   *
   * @param head its length, two bits to the left, and the sign in the second
   */
  static BigInteger readMagnitude(ObjectReader in, int head) throws IOException {
    int length = head >>> 2;
    in.buffer.require(length);
    int sign = length == 0 ? 0 : (head & 2) == 0 ? 1 : -1;
    BigInteger number = OfInteger.makeAny(sign, in.buffer.bytes, in.buffer.position, length);
    in.buffer.position += length;
    in.handles().assignSettled(ReadHandleTable.UNSHARED);
    return number;
  }

  private static int readInt(ObjectReader in) throws IOException {
    int value = in.buffer().readInt();
    return in.isLittleEndian() ? value : Integer.reverseBytes(value);
  }

  static final class OfInteger extends BigNumberReader {
    /** {@code BigInteger.valueOf} returns the same objects for numbers near zero. */
    private static final int LARGEST_SHARED = 1 << Byte.SIZE;

    private static final int IGNORED_BYTES = 4 * Integer.BYTES;

    OfInteger(ReadType type) {
      super(type);
    }

    @Override
    public @Nullable Object readNumber(ObjectReader in, int handle) throws IOException {
      in.buffer().require(IGNORED_BYTES);
      in.buffer().position += IGNORED_BYTES;
      int sign = readInt(in);
      Object part = in.readReference(handle);
      if (in.isMarked()) {
        return null;
      }
      if (sign < -1 || sign > 1) {
        throw new StreamCorruptedException("BigInteger: Invalid signum value");
      }
      if (!(part instanceof byte[] magnitude)) {
        throw new InvalidObjectException("BigInteger: its magnitude is no array of bytes");
      }
      return make(sign, magnitude, 0, magnitude.length);
    }

    @Override
    public @Nullable Object readShort(ObjectReader in, int handle) throws IOException {
      int head = in.buffer.readVarInt();
      return (head & ShortForms.GENERAL) == 0 ? readMagnitude(in, head) : GENERAL_FOLLOWS;
    }

    /**
     * The platform makes a number of at most eight bytes faster, if it is not one that it shares.
     */
    private static BigInteger makeAny(int sign, byte[] bytes, int offset, int length)
        throws StreamCorruptedException {
      long magnitude = 0;
      for (int i = 0; i < length && length <= Long.BYTES; i++) {
        magnitude = magnitude << Byte.SIZE | bytes[offset + i] & 0xFF;
      }
      return magnitude > LARGEST_SHARED
          ? BigInteger.valueOf(sign * magnitude)
          : make(sign, bytes, offset, length);
    }

    static BigInteger make(int sign, byte[] bytes, int offset, int length)
        throws StreamCorruptedException {
      BigInteger number;
      try {
        number = new BigInteger(sign == 0 ? 1 : sign, bytes, offset, length);
      } catch (ArithmeticException e) {
        throw new StreamCorruptedException("BigInteger: Out of the supported range");
      }
      if ((number.signum() == 0) != (sign == 0)) {
        throw new StreamCorruptedException("BigInteger: signum-magnitude mismatch");
      }
      return number;
    }
  }

  static final class OfDecimal extends BigNumberReader {
    OfDecimal(ReadType type) {
      super(type);
    }

    @Override
    public @Nullable Object readNumber(ObjectReader in, int handle) throws IOException {
      return readUnscaled(in, handle, readInt(in));
    }

    @Override
    public @Nullable Object readShort(ObjectReader in, int handle) throws IOException {
      long head = in.buffer.readVarLong();
      if ((head & ShortForms.GENERAL) != 0) {
        return GENERAL_FOLLOWS;
      }
      int scale = ShortForms.scale(head);
      int integer = in.buffer.readVarInt();
      if ((integer & ShortForms.GENERAL) != 0) {
        Object number = readUnscaled(in, handle, scale);
        in.setCurrentHandle(handle);
        end(in);
        return number;
      }
      int unscaled = in.handles().assignSettled(ReadHandleTable.UNSHARED);
      BigInteger number = readMagnitude(in, integer);
      in.handles().set(unscaled, number);
      return new BigDecimal(number, scale);
    }

    private static @Nullable Object readUnscaled(ObjectReader in, int handle, int scale)
        throws IOException {
      Object part = in.readReference(handle);
      if (in.isMarked()) {
        return null;
      }
      if (part == null) {
        throw new StreamCorruptedException("Null or missing intVal in BigDecimal stream");
      }
      if (!(part instanceof BigInteger unscaled)) {
        throw new InvalidObjectException("BigDecimal: its unscaled value is no BigInteger");
      }
      /* A subclass could change its mind. */
      return new BigDecimal(
          unscaled.getClass() == BigInteger.class
              ? unscaled
              : new BigInteger(unscaled.toByteArray()),
          scale);
    }
  }
}
