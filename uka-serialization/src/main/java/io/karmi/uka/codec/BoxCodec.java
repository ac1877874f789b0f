package io.karmi.uka.codec;

import io.karmi.uka.buffer.InputBuffer;
import io.karmi.uka.buffer.OutputBuffer;
import io.karmi.uka.engine.CompactNumbers;
import io.karmi.uka.engine.read.LeafReader;
import io.karmi.uka.engine.read.ReadContext;
import io.karmi.uka.engine.read.ReadType;
import io.karmi.uka.engine.read.Unmarshaler;
import io.karmi.uka.engine.write.ObjectMarshaler;
import io.karmi.uka.engine.write.ObjectWriter;
import io.karmi.uka.field.NumberWidth;
import io.karmi.uka.format.uka.PlatformDescriptions;
import io.karmi.uka.platform.TypeCode;
import io.karmi.uka.type.LocalClass;
import java.io.IOException;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Codec of boxes and {@code UUID}, by public methods and constructors. */
final class BoxCodec extends PlatformCodec {
  /* Codes of data, besides those of primitives. */
  private static final char TWO_LONGS = 'U';
  private static final char COMPACT_INT = 'i';
  private static final char COMPACT_LONG = 'j';

  @Override
  Object marshaler(LocalClass type, PlatformDescriptions table) {
    return new BoxMarshaler(type, codeOf(type.name));
  }

  @Override
  Object reader(ReadType type, LocalClass local, @Nullable ShortForm form) {
    return new BoxReader(type, codeOf(local.name));
  }

  /** The code of what a box holds. */
  private char codeOf(String name) {
    return switch (name) {
      case "java.lang.Integer" -> 'I';
      case "java.lang.Long" -> 'J';
      case "java.lang.Double" -> 'D';
      case "java.lang.Float" -> 'F';
      case "java.lang.Short" -> 'S';
      case "java.lang.Byte" -> 'B';
      case "java.lang.Character" -> 'C';
      case "java.lang.Boolean" -> 'Z';
      case "java.util.UUID" -> TWO_LONGS;
      default -> throw unknown(name);
    };
  }

  @Override
  boolean expands() {
    return false;
  }

  @Override
  @Nullable Object readerOfShortForm(ReadType type, String form) {
    if (type.type() == null) {
      return new OfNone(type);
    }
    return switch (form) {
      case "java.lang.Integer" ->
          type.type() == Integer.class ? new BoxReader(type, COMPACT_INT) : null;
      case "java.lang.Long" -> type.type() == Long.class ? new BoxReader(type, COMPACT_LONG) : null;
      default -> throw unknown(form);
    };
  }

  /** Expands the form for a class of the program in the place of the platform's. */
  @Override
  void expand(String name, ShortForms into) throws IOException {
    long value = CompactNumbers.unzigzag(into.buffer.readVarLong());
    if (name.equals("java.lang.Integer")) {
      into.text.writeInt((int) value);
    } else {
      into.text.writeLong(value);
    }
  }

  private static int sizeOf(char code) {
    return switch (code) {
      case COMPACT_INT, COMPACT_LONG -> 0;
      case TWO_LONGS -> 2 * Long.BYTES;
      default -> TypeCode.sizeOf(code);
    };
  }

  /** Writer of boxes, by their code. */
  static final class BoxMarshaler extends ObjectMarshaler {
    /** Boxes for which room is reserved at a time. */
    private static final int PART = 64;

    private final char code;
    private final int runWidth;

    BoxMarshaler(LocalClass type, char code) {
      super(type, false);
      this.code = code;
      runWidth = NumberWidth.isNumber(code) ? 0 : sizeOf(code);
    }

    @Override
    public int runWidth() {
      return runWidth;
    }

    @Override
    public void marshal(ObjectWriter out, Object object) throws IOException {
      OutputBuffer to = out.buffer;
      boolean little = out.isLittleEndian();
      if (runWidth == 0 && out.isCompact()) {
        CompactNumbers.writeLong(to, ((Number) object).longValue());
        return;
      }
      switch (code) {
        case 'I' -> writeInt(to, (Integer) object, little);
        case 'J' -> writeLong(to, (Long) object, little);
        case 'D' -> writeDouble(to, (Double) object, little);
        case 'F' -> writeFloat(to, (Float) object, little);
        case 'S' -> writeShort(to, (Short) object, little);
        case 'C' -> writeShort(to, (Character) object, little);
        case 'B' -> to.writeByte((Byte) object);
        case 'Z' -> to.writeBoolean((Boolean) object);
        default -> {
          writeLong(to, ((UUID) object).getLeastSignificantBits(), little);
          writeLong(to, ((UUID) object).getMostSignificantBits(), little);
        }
      }
    }

    @Override
    public void writeAllData(ObjectWriter out, @Nullable Object[] boxes, int from, int to)
        throws IOException {
      if (runWidth == 0) {
        writeNumbers(out.buffer, boxes, from, to);
      } else if (code == 'D') {
        writeDoubles(out.buffer, boxes, from, to);
      } else {
        for (int i = from; i < to; i++) {
          marshal(out, boxes[i]);
        }
      }
    }

    private static void writeDoubles(OutputBuffer out, @Nullable Object[] boxes, int from, int to)
        throws IOException {
      for (int i = from; i < to; i++) {
        writeDouble(out, (Double) boxes[i], true);
      }
    }

    /** Keeps array and position in local variables, so that they stay in registers. */
    private static void writeNumbers(OutputBuffer out, @Nullable Object[] boxes, int from, int to)
        throws IOException {
      for (int start = from; start < to; start += PART) {
        int end = Math.min(start + PART, to);
        out.reserve((end - start) * OutputBuffer.LONGEST_VAR);
        byte[] bytes = out.bytes;
        int at = out.position;
        for (int i = start; i < end; i++) {
          long value = boxes[i] instanceof Integer number ? number : (Long) boxes[i];
          at = OutputBuffer.putVar(bytes, at, CompactNumbers.zigzag(value));
        }
        out.position = at;
      }
    }

    private static void writeInt(OutputBuffer out, int value, boolean little) throws IOException {
      out.writeInt(little ? value : Integer.reverseBytes(value));
    }

    private static void writeLong(OutputBuffer out, long value, boolean little) throws IOException {
      out.writeLong(little ? value : Long.reverseBytes(value));
    }

    private static void writeShort(OutputBuffer out, int value, boolean little) throws IOException {
      out.writeShort(little ? value : Short.reverseBytes((short) value));
    }

    private static void writeDouble(OutputBuffer out, double value, boolean little)
        throws IOException {
      writeLong(
          out, little ? Double.doubleToRawLongBits(value) : Double.doubleToLongBits(value), little);
    }

    private static void writeFloat(OutputBuffer out, float value, boolean little)
        throws IOException {
      writeInt(out, little ? Float.floatToRawIntBits(value) : Float.floatToIntBits(value), little);
    }
  }

  /**
   * Reader of boxes by public constructors, by their code. Each box is a new object, as in the
   * JDK's streams; {@code valueOf} would return one that the program shares.
   */
  @SuppressWarnings({"removal", "BoxedPrimitiveConstructor"}) // the only way to a new object
  static final class BoxReader extends LeafReader {
    private final char code;

    private BoxReader(ReadType type, char code) {
      super(type, sizeOf(code));
      this.code = code;
    }

    @Override
    public Kind kind() {
      return switch (code) {
        case COMPACT_INT -> Kind.INTEGER;
        case COMPACT_LONG -> Kind.LONG;
        case 'D' -> Kind.DOUBLE;
        default -> Kind.OTHER;
      };
    }

    @Override
    public Object unmarshal(ReadContext in, boolean unshared) throws IOException {
      Object box = read(in.buffer, in.isLittleEndian());
      in.begin(box, type, unshared);
      return box;
    }

    @Override
    public Object readShared(ReadContext in) throws IOException {
      Object box = read(in.buffer, in.isLittleEndian());
      in.addLeaf(box);
      return box;
    }

    /** Each of the frequent boxes has a loop that is compiled by itself. */
    @Override
    public void readAll(ReadContext in, @Nullable Object[] into, int from, int to)
        throws IOException {
      switch (code) {
        case COMPACT_INT -> readIntegers(in.buffer, into, from, to);
        case COMPACT_LONG -> readLongs(in.buffer, into, from, to);
        case 'D' -> readDoubles(in.buffer, into, from, to);
        default -> {
          for (int i = from; i < to; i++) {
            into[i] = read(in.buffer, true);
          }
        }
      }
    }

    private static void readIntegers(InputBuffer in, @Nullable Object[] into, int from, int to)
        throws IOException {
      for (int i = from; i < to; i++) {
        into[i] = CompactNumbers.nextInteger(in);
      }
    }

    private static void readLongs(InputBuffer in, @Nullable Object[] into, int from, int to)
        throws IOException {
      for (int i = from; i < to; i++) {
        into[i] = CompactNumbers.nextLong(in);
      }
    }

    private static void readDoubles(InputBuffer in, @Nullable Object[] into, int from, int to)
        throws IOException {
      for (int i = from; i < to; i++) {
        into[i] = CompactNumbers.nextDouble(in, true);
      }
    }

    private Object read(InputBuffer in, boolean little) throws IOException {
      return switch (code) {
        case COMPACT_INT -> CompactNumbers.nextInteger(in);
        case COMPACT_LONG -> CompactNumbers.nextLong(in);
        case 'D' -> CompactNumbers.nextDouble(in, little);
        case 'I' -> new Integer(readInt(in, little));
        case 'J' -> new Long(readLong(in, little));
        case 'F' -> new Float(Float.intBitsToFloat(readInt(in, little)));
        case 'S' -> new Short(readShort(in, little));
        case 'C' -> new Character((char) readShort(in, little));
        case 'B' -> new Byte(in.readByte());
        case 'Z' -> new Boolean(in.readBoolean());
        default -> {
          long least = readLong(in, little);
          yield new UUID(readLong(in, little), least);
        }
      };
    }

    private static int readInt(InputBuffer in, boolean little) throws IOException {
      int value = in.readInt();
      return little ? value : Integer.reverseBytes(value);
    }

    private static long readLong(InputBuffer in, boolean little) throws IOException {
      long value = in.readLong();
      return little ? value : Long.reverseBytes(value);
    }

    private static short readShort(InputBuffer in, boolean little) throws IOException {
      short value = in.readShort();
      return little ? value : Short.reverseBytes(value);
    }
  }

  /** Reader for a missing class. */
  static final class OfNone extends Unmarshaler {
    OfNone(ReadType type) {
      super(type);
    }

    @Override
    public @Nullable Object unmarshal(ReadContext in, boolean unshared) throws IOException {
      in.buffer.readVarLong();
      in.begin(null, type, unshared);
      return null;
    }
  }
}
