package io.karmi.uka.marshal;

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
abstract class BigNumberReader extends PlatformReader {
  private BigNumberReader(ReadType type) {
    super(type);
  }

  @Override
  final @Nullable Object read(ObjectReader in, boolean unshared) throws IOException {
    in.begin(null, type, unshared);
    int handle = in.currentHandle();
    Object number = readNumber(in, handle);
    in.setCurrentHandle(handle);
    end(in);
    in.complete(number, unshared);
    return number;
  }

  /** Null if a part is missing. */
  abstract @Nullable Object readNumber(ObjectReader in, int handle) throws IOException;

  private static int readInt(ObjectReader in) throws IOException {
    int value = in.buffer().readInt();
    return in.isLittleEndian() ? value : Integer.reverseBytes(value);
  }

  static final class OfInteger extends BigNumberReader {
    private static final int IGNORED_BYTES = 4 * Integer.BYTES;

    OfInteger(ReadType type) {
      super(type);
    }

    @Override
    @Nullable Object readNumber(ObjectReader in, int handle) throws IOException {
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
      return make(sign, magnitude);
    }

    private static BigInteger make(int sign, byte[] magnitude) throws StreamCorruptedException {
      BigInteger number;
      try {
        number = new BigInteger(sign == 0 ? 1 : sign, magnitude);
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
    @Nullable Object readNumber(ObjectReader in, int handle) throws IOException {
      int scale = readInt(in);
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
