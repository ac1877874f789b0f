package io.karmi.uka.codec;

import io.karmi.uka.engine.CompactNumbers;
import io.karmi.uka.engine.write.ObjectWriter;
import io.karmi.uka.type.LocalClass;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Arrays;

/** Big numbers, by public methods; {@link BigNumberReader} is the counterpart. */
public abstract class BigNumberMarshaler extends PlatformMarshaler {
  private BigNumberMarshaler(LocalClass type) {
    super(type);
  }

  /** Whether the reader knows the class, and nobody has to see its objects. */
  static boolean knows(ObjectWriter out, Class<?> type) throws IOException {
    return !out.isWatched() && out.types().known(type).hasNumber();
  }

  private static void writeInt(ObjectWriter out, int value) throws IOException {
    out.buffer.writeInt(out.isLittleEndian() ? value : Integer.reverseBytes(value));
  }

  /** Sign and magnitude; what else there is serves readers of long ago. */
  static final class OfInteger extends BigNumberMarshaler {
    private static final int NOT_COUNTED = -1;
    private static final int NOT_SEARCHED = -2;

    OfInteger(LocalClass type) {
      super(type);
    }

    @Override
    public boolean writeContent(ObjectWriter out, Object object) throws IOException {
      BigInteger number = (BigInteger) object;
      if (isShort(out) && knows(out, byte[].class)) {
        writeMagnitude(out, number);
        return true;
      }
      beginGeneral(out);
      writeInt(out, NOT_COUNTED);
      writeInt(out, NOT_COUNTED);
      writeInt(out, NOT_SEARCHED);
      writeInt(out, NOT_SEARCHED);
      writeInt(out, number.signum());
      out.writeFresh(magnitude(number));
      end(out);
      return true;
    }

    /** Writes length, sign and magnitude, which is an array with a handle in the general form. */
    static void writeMagnitude(ObjectWriter out, BigInteger number) throws IOException {
      int sign = number.signum() < 0 ? 2 : 0;
      if (number.bitLength() < Long.SIZE) {
        /* Unsigned: of the smallest number, too, it is the magnitude. */
        long magnitude = Math.abs(number.longValue());
        int length = Long.BYTES - Long.numberOfLeadingZeros(magnitude) / Byte.SIZE;
        out.buffer.writeVarInt(length << 2 | sign);
        long highestFirst = magnitude << (Long.BYTES - length) * Byte.SIZE;
        out.buffer.writeLow(Long.reverseBytes(highestFirst), length);
      } else {
        byte[] bytes = number.abs().toByteArray();
        int zeros = bytes[0] == 0 ? 1 : 0;
        int length = bytes.length - zeros;
        out.buffer.writeVarInt(length << 2 | sign);
        out.buffer.writeBytes(bytes, zeros, length);
      }
      out.skipHandle();
    }

    private static byte[] magnitude(BigInteger number) {
      byte[] bytes = number.abs().toByteArray();
      return bytes[0] == 0 ? Arrays.copyOfRange(bytes, 1, bytes.length) : bytes;
    }
  }

  /** Scale and unscaled value. */
  static final class OfDecimal extends BigNumberMarshaler {
    OfDecimal(LocalClass type) {
      super(type);
    }

    @Override
    public boolean writeContent(ObjectWriter out, Object object) throws IOException {
      BigDecimal number = (BigDecimal) object;
      BigInteger unscaled = number.unscaledValue();
      if (isShort(out)
          && unscaled.getClass() == BigInteger.class
          && knows(out, byte[].class)
          && knows(out, BigInteger.class)) {
        out.buffer.writeVarLong(CompactNumbers.zigzag(number.scale()) << 1);
        if (assignsHandle(out, number, unscaled)) {
          OfInteger.writeMagnitude(out, unscaled);
          return true;
        }
        out.buffer.writeVarInt(ShortForms.GENERAL);
        out.writeReference(unscaled);
        end(out);
        return true;
      }
      beginGeneral(out);
      writeInt(out, number.scale());
      if (isKept(number, unscaled)) {
        out.writeReference(unscaled);
      } else {
        out.writeFresh(unscaled);
      }
      end(out);
      return true;
    }

    /** A decimal number that fits into a long makes another unscaled one each time. */
    private static boolean isKept(BigDecimal number, BigInteger unscaled) {
      return unscaled == number.unscaledValue();
    }

    /** Whether the unscaled number has no handle yet; then it has got one. */
    private static boolean assignsHandle(ObjectWriter out, BigDecimal number, BigInteger unscaled) {
      if (isKept(number, unscaled)) {
        return out.findOrAssign(unscaled) < 0;
      }
      out.skipHandle();
      return true;
    }
  }
}
