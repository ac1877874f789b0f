package io.karmi.uka.codec;

import io.karmi.uka.engine.CompactNumbers;
import io.karmi.uka.engine.read.ReadContext;
import io.karmi.uka.engine.read.ReadType;
import io.karmi.uka.engine.write.ObjectWriter;
import io.karmi.uka.field.ContentHash;
import io.karmi.uka.format.Token;
import io.karmi.uka.format.uka.PlatformDescriptions;
import io.karmi.uka.handle.ReadHandleTable;
import io.karmi.uka.type.LocalClass;
import java.io.IOException;
import java.io.InvalidObjectException;
import java.io.StreamCorruptedException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteOrder;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Codec of {@code BigInteger} and {@code BigDecimal}, by public methods and constructors. */
final class BigNumberCodec extends PlatformCodec {
  private static final String INTEGER = "java.math.BigInteger";

  private static final int NOT_COUNTED = -1;
  private static final int NOT_SEARCHED = -2;

  @Override
  Object marshaler(LocalClass type, PlatformDescriptions table) {
    return type.type == BigInteger.class
        ? new BigNumberMarshaler.OfInteger(type, table)
        : new BigNumberMarshaler.OfDecimal(type, table);
  }

  @Override
  Object reader(ReadType type, LocalClass local, @Nullable ShortForm form) {
    return local.type == BigInteger.class
        ? new BigNumberReader.OfInteger(type, form)
        : new BigNumberReader.OfDecimal(type, form);
  }

  @Override
  void expand(String name, ShortForms into) throws IOException {
    if (name.equals(INTEGER)) {
      super.expand(name, into);
      return;
    }
    long head = into.buffer.readVarLong();
    if ((head & ShortForms.GENERAL) != 0) {
      return;
    }
    into.text.writeInt(scale(head));
    int integer = into.buffer.readVarInt();
    if ((integer & ShortForms.GENERAL) == 0) {
      into.format.writeOpening(Token.OBJECT, into.numberOf(INTEGER));
      if (into.hasShortForm(INTEGER)) {
        into.text.writeVarInt(ShortForms.GENERAL);
      }
      expand(INTEGER, integer, into);
      into.format.writeToken(Token.END_OF_BLOCKS);
    }
  }

  /**
   * Writes fields and magnitude.
   *
   * @param head length of the magnitude above two bits, with the sign in the second
   */
  @Override
  void expand(String name, int head, ShortForms into) throws IOException {
    int length = head >>> 2;
    into.buffer.require(length);
    into.text.writeInt(NOT_COUNTED);
    into.text.writeInt(NOT_COUNTED);
    into.text.writeInt(NOT_SEARCHED);
    into.text.writeInt(NOT_SEARCHED);
    into.text.writeInt(length == 0 ? 0 : (head & 2) == 0 ? 1 : -1);
    into.format.writeOpening(Token.ARRAY, into.numberOf("[B"));
    into.format.writeLength(length);
    into.text.writeBytes(into.buffer.bytes, into.buffer.position, length);
    into.buffer.position += length;
    into.format.writeToken(Token.END_OF_BLOCKS);
  }

  /** The scale in the first number of a decimal. */
  private static int scale(long head) throws StreamCorruptedException {
    long scale = CompactNumbers.unzigzag(head >>> 1);
    if (scale != (int) scale) {
      throw new StreamCorruptedException("BigDecimal: a scale of " + scale);
    }
    return (int) scale;
  }

  abstract static class BigNumberMarshaler extends PlatformMarshaler {
    private BigNumberMarshaler(LocalClass type, PlatformDescriptions table) {
      super(type, table);
    }

    @Override
    public ContentHash content(ByteOrder order) {
      return ValueContent.INSTANCE;
    }

    /** Whether the reader knows the class, and no hook observes its objects. */
    static boolean knows(ObjectWriter out, Class<?> type) throws IOException {
      return !out.isWatched() && out.classes().known(type).hasNumber();
    }

    /** Writes sign and magnitude; the other fields serve old readers. */
    static final class OfInteger extends BigNumberMarshaler {
      OfInteger(LocalClass type, PlatformDescriptions table) {
        super(type, table);
      }

      @Override
      public boolean writeContent(ObjectWriter out, Object object) throws IOException {
        BigInteger number = (BigInteger) object;
        if (isShort(out) && knows(out, byte[].class)) {
          writeMagnitude(out, number);
          return true;
        }
        beginGeneral(out);
        writeFieldInt(out, NOT_COUNTED);
        writeFieldInt(out, NOT_COUNTED);
        writeFieldInt(out, NOT_SEARCHED);
        writeFieldInt(out, NOT_SEARCHED);
        writeFieldInt(out, number.signum());
        out.writeFresh(magnitude(number));
        end(out);
        return true;
      }

      /**
       * Writes length, sign and magnitude, which takes a handle as its array in the general form.
       */
      static void writeMagnitude(ObjectWriter out, BigInteger number) throws IOException {
        int sign = number.signum() < 0 ? 2 : 0;
        if (number.bitLength() < Long.SIZE) {
          /* As an unsigned number, also that of the smallest number. */
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

    /** Writes scale and unscaled value. */
    static final class OfDecimal extends BigNumberMarshaler {
      OfDecimal(LocalClass type, PlatformDescriptions table) {
        super(type, table);
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
        writeFieldInt(out, number.scale());
        if (isKept(number, unscaled)) {
          out.writeReference(unscaled);
        } else {
          out.writeFresh(unscaled);
        }
        end(out);
        return true;
      }

      /** Whether a decimal keeps its unscaled number; a small one makes it anew each time. */
      private static boolean isKept(BigDecimal number, BigInteger unscaled) {
        return unscaled == number.unscaledValue();
      }

      /** Gives the unscaled number a handle; false if it has one. */
      private static boolean assignsHandle(
          ObjectWriter out, BigDecimal number, BigInteger unscaled) {
        if (isKept(number, unscaled)) {
          return out.findOrAssign(unscaled) < 0;
        }
        out.skipHandle();
        return true;
      }
    }
  }

  /**
   * Reader of big numbers, which are made of their parts. Until then the handle has no object,
   * which only a forged stream can notice.
   */
  abstract static class BigNumberReader extends PlatformReader {
    /** In the place of a number: the general form follows. */
    private static final Object GENERAL_FOLLOWS = new Object();

    private BigNumberReader(ReadType type, @Nullable ShortForm form) {
      super(type, form);
    }

    @Override
    public final @Nullable Object read(ReadContext in, boolean unshared) throws IOException {
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

    /** Reads the short form; null if a class of a part is missing. */
    abstract @Nullable Object readShort(ReadContext in, int handle) throws IOException;

    /** Reads the general form; null if a class of a part is missing. */
    abstract @Nullable Object readNumber(ReadContext in, int handle) throws IOException;

    /**
     * Reads a magnitude, which takes a handle as its array in the general form.
     *
     * @param head its length above two bits, with the sign in the second
     */
    static BigInteger readMagnitude(ReadContext in, int head) throws IOException {
      int length = head >>> 2;
      in.buffer.require(length);
      int sign = length == 0 ? 0 : (head & 2) == 0 ? 1 : -1;
      BigInteger number = OfInteger.makeAny(sign, in.buffer.bytes, in.buffer.position, length);
      in.buffer.position += length;
      in.handles().assignSettled(ReadHandleTable.UNSHARED);
      return number;
    }

    static final class OfInteger extends BigNumberReader {
      /** {@code BigInteger.valueOf} returns the same objects for numbers near zero. */
      private static final int LARGEST_SHARED = 1 << Byte.SIZE;

      private static final int IGNORED_BYTES = 4 * Integer.BYTES;

      OfInteger(ReadType type, @Nullable ShortForm form) {
        super(type, form);
      }

      @Override
      public @Nullable Object readNumber(ReadContext in, int handle) throws IOException {
        in.buffer().require(IGNORED_BYTES);
        in.buffer().position += IGNORED_BYTES;
        int sign = readFieldInt(in);
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
        in.contentCost().add(magnitude);
        return make(sign, magnitude, 0, magnitude.length);
      }

      @Override
      public @Nullable Object readShort(ReadContext in, int handle) throws IOException {
        int head = in.buffer.readVarInt();
        return (head & ShortForms.GENERAL) == 0 ? readMagnitude(in, head) : GENERAL_FOLLOWS;
      }

      /** A new number; {@code valueOf} makes small ones faster, where it does not share them. */
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
      OfDecimal(ReadType type, @Nullable ShortForm form) {
        super(type, form);
      }

      @Override
      public @Nullable Object readNumber(ReadContext in, int handle) throws IOException {
        return readUnscaled(in, handle, readFieldInt(in));
      }

      @Override
      public @Nullable Object readShort(ReadContext in, int handle) throws IOException {
        long head = in.buffer.readVarLong();
        if ((head & ShortForms.GENERAL) != 0) {
          return GENERAL_FOLLOWS;
        }
        int scale = scale(head);
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

      private static @Nullable Object readUnscaled(ReadContext in, int handle, int scale)
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
        /* A subclass could be mutable. */
        return new BigDecimal(
            unscaled.getClass() == BigInteger.class
                ? unscaled
                : new BigInteger(unscaled.toByteArray()),
            scale);
      }
    }
  }
}
