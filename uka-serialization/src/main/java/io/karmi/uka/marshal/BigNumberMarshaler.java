package io.karmi.uka.marshal;

import io.karmi.uka.type.LocalClass;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Arrays;

/** Big numbers, by public methods; {@link BigNumberReader} is the counterpart. */
abstract class BigNumberMarshaler extends PlatformMarshaler {
  private BigNumberMarshaler(LocalClass type) {
    super(type);
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
    boolean writeContent(ObjectWriter out, Object object) throws IOException {
      BigInteger number = (BigInteger) object;
      writeInt(out, NOT_COUNTED);
      writeInt(out, NOT_COUNTED);
      writeInt(out, NOT_SEARCHED);
      writeInt(out, NOT_SEARCHED);
      writeInt(out, number.signum());
      out.writeFresh(magnitude(number));
      end(out);
      return true;
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
    boolean writeContent(ObjectWriter out, Object object) throws IOException {
      BigDecimal number = (BigDecimal) object;
      writeInt(out, number.scale());
      BigInteger unscaled = number.unscaledValue();
      if (unscaled == number.unscaledValue()) {
        out.writeReference(unscaled);
      } else {
        /* A number that fits into a long makes another one each time. */
        out.writeFresh(unscaled);
      }
      end(out);
      return true;
    }
  }
}
