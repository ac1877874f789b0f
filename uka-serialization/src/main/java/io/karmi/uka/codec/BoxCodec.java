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
  @Override
  Object marshaler(LocalClass type, PlatformDescriptions table) {
    return switch (type.name) {
      case "java.lang.Double" -> new BoxMarshaler.OfDouble(type);
      case "java.util.UUID" -> new BoxMarshaler.OfUuid(type);
      default -> new BoxMarshaler.OfPrimitive(type, codeOf(type.name));
    };
  }

  @Override
  Object reader(ReadType type, LocalClass local, @Nullable ShortForm form) {
    return switch (local.name) {
      case "java.lang.Double" -> new BoxReader.OfDouble(type);
      case "java.util.UUID" -> new BoxReader.OfUuid(type);
      default -> new BoxReader.OfPrimitive(type, codeOf(local.name));
    };
  }

  /** The type code of what a box holds. */
  private char codeOf(String name) {
    return switch (name) {
      case "java.lang.Integer" -> 'I';
      case "java.lang.Long" -> 'J';
      case "java.lang.Float" -> 'F';
      case "java.lang.Short" -> 'S';
      case "java.lang.Byte" -> 'B';
      case "java.lang.Character" -> 'C';
      case "java.lang.Boolean" -> 'Z';
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
      return new BoxReader.OfNone(type);
    }
    return switch (form) {
      case "java.lang.Integer" ->
          type.type() == Integer.class ? new BoxReader.OfCompactInteger(type) : null;
      case "java.lang.Long" -> type.type() == Long.class ? new BoxReader.OfCompactLong(type) : null;
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

  abstract static class BoxMarshaler extends ObjectMarshaler {
    /** Boxes for which room is reserved at a time. */
    private static final int PART = 64;

    private final int runWidth;

    private BoxMarshaler(LocalClass type, int runWidth) {
      super(type, false);
      this.runWidth = runWidth;
    }

    @Override
    public final int runWidth() {
      return runWidth;
    }

    @Override
    public void marshal(ObjectWriter out, Object object) throws IOException {
      write(out.buffer, object, out.isLittleEndian());
    }

    abstract void write(OutputBuffer out, Object object, boolean little) throws IOException;

    @Override
    public final void writeAllData(ObjectWriter out, @Nullable Object[] boxes, int from, int to)
        throws IOException {
      if (runWidth == 0) {
        writeNumbers(out.buffer, boxes, from, to);
        return;
      }
      for (int i = from; i < to; i++) {
        marshal(out, boxes[i]);
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

    static final class OfDouble extends BoxMarshaler {
      OfDouble(LocalClass type) {
        super(type, Double.BYTES);
      }

      @Override
      public void write(OutputBuffer out, Object object, boolean little) throws IOException {
        double value = (Double) object;
        writeLong(
            out,
            little ? Double.doubleToRawLongBits(value) : Double.doubleToLongBits(value),
            little);
      }
    }

    /** All other boxes, each by the type code of what it holds. */
    static final class OfPrimitive extends BoxMarshaler {
      private final char code;

      OfPrimitive(LocalClass type, char code) {
        super(type, NumberWidth.isNumber(code) ? 0 : TypeCode.sizeOf(code));
        this.code = code;
      }

      @Override
      public void marshal(ObjectWriter out, Object object) throws IOException {
        if (out.isCompact() && runWidth() == 0) {
          CompactNumbers.writeLong(out.buffer, ((Number) object).longValue());
        } else {
          super.marshal(out, object);
        }
      }

      @Override
      public void write(OutputBuffer out, Object object, boolean little) throws IOException {
        switch (code) {
          case 'I' -> writeInt(out, (Integer) object, little);
          case 'J' -> writeLong(out, (Long) object, little);
          case 'F' -> writeFloat(out, (Float) object, little);
          case 'S' -> writeShort(out, (Short) object, little);
          case 'C' -> writeShort(out, (Character) object, little);
          case 'B' -> out.writeByte((Byte) object);
          default -> out.writeBoolean((Boolean) object);
        }
      }

      private static void writeFloat(OutputBuffer out, float value, boolean little)
          throws IOException {
        writeInt(
            out, little ? Float.floatToRawIntBits(value) : Float.floatToIntBits(value), little);
      }
    }

    static final class OfUuid extends BoxMarshaler {
      OfUuid(LocalClass type) {
        super(type, 2 * Long.BYTES);
      }

      @Override
      public void write(OutputBuffer out, Object object, boolean little) throws IOException {
        UUID uuid = (UUID) object;
        writeLong(out, uuid.getLeastSignificantBits(), little);
        writeLong(out, uuid.getMostSignificantBits(), little);
      }
    }
  }

  /**
   * Reader of boxes by public constructors. Each box is a new object, as in the JDK's streams;
   * {@code valueOf} would return one that the program shares.
   */
  @SuppressWarnings({"removal", "BoxedPrimitiveConstructor"}) // the only way to a new object
  abstract static class BoxReader extends LeafReader {
    private BoxReader(ReadType type, int runWidth) {
      super(type, runWidth);
    }

    @Override
    public final Object unmarshal(ReadContext in, boolean unshared) throws IOException {
      Object box = read(in.buffer(), in.isLittleEndian());
      in.begin(box, type, unshared);
      return box;
    }

    @Override
    public Object readShared(ReadContext in) throws IOException {
      Object box = read(in.buffer(), in.isLittleEndian());
      in.addLeaf(box);
      return box;
    }

    @Override
    public int readRun(ReadContext in, int number, Object[] elements, int from, int to)
        throws IOException {
      int next = from;
      while (next < to && in.takesNext(number)) {
        elements[next++] = readShared(in);
      }
      return next;
    }

    @Override
    public void readAll(ReadContext in, @Nullable Object[] into, int from, int to)
        throws IOException {
      for (int i = from; i < to; i++) {
        into[i] = read(in.buffer, in.isLittleEndian());
      }
    }

    abstract Object read(InputBuffer in, boolean little) throws IOException;

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

    /** Reader of the most frequent boxes; no call in its loop is virtual. */
    static final class OfCompactInteger extends BoxReader {
      OfCompactInteger(ReadType type) {
        super(type, 0);
      }

      @Override
      public Kind kind() {
        return Kind.INTEGER;
      }

      @Override
      public Object read(InputBuffer in, boolean little) throws IOException {
        return CompactNumbers.nextInteger(in);
      }

      @Override
      public void readAll(ReadContext in, @Nullable Object[] into, int from, int to)
          throws IOException {
        for (int i = from; i < to; i++) {
          into[i] = CompactNumbers.nextInteger(in.buffer);
        }
      }

      @Override
      public Object readShared(ReadContext in) throws IOException {
        Integer box = CompactNumbers.nextInteger(in.buffer);
        in.addLeaf(box);
        return box;
      }

      @Override
      public int readRun(ReadContext in, int number, Object[] elements, int from, int to)
          throws IOException {
        int next = from;
        while (next < to && in.takesNext(number)) {
          Integer box = CompactNumbers.nextInteger(in.buffer);
          in.addLeaf(box);
          elements[next++] = box;
        }
        return next;
      }
    }

    static final class OfCompactLong extends BoxReader {
      OfCompactLong(ReadType type) {
        super(type, 0);
      }

      @Override
      public Kind kind() {
        return Kind.LONG;
      }

      @Override
      public Object read(InputBuffer in, boolean little) throws IOException {
        return CompactNumbers.nextLong(in);
      }

      @Override
      public void readAll(ReadContext in, @Nullable Object[] into, int from, int to)
          throws IOException {
        for (int i = from; i < to; i++) {
          into[i] = CompactNumbers.nextLong(in.buffer);
        }
      }

      @Override
      public Object readShared(ReadContext in) throws IOException {
        Long box = CompactNumbers.nextLong(in.buffer);
        in.addLeaf(box);
        return box;
      }

      @Override
      public int readRun(ReadContext in, int number, Object[] elements, int from, int to)
          throws IOException {
        int next = from;
        while (next < to && in.takesNext(number)) {
          Long box = CompactNumbers.nextLong(in.buffer);
          in.addLeaf(box);
          elements[next++] = box;
        }
        return next;
      }
    }

    static final class OfDouble extends BoxReader {
      OfDouble(ReadType type) {
        super(type, Double.BYTES);
      }

      @Override
      public Kind kind() {
        return Kind.DOUBLE;
      }

      @Override
      public void readAll(ReadContext in, @Nullable Object[] into, int from, int to)
          throws IOException {
        for (int i = from; i < to; i++) {
          into[i] = CompactNumbers.nextDouble(in.buffer, in.isLittleEndian());
        }
      }

      @Override
      public Object read(InputBuffer in, boolean little) throws IOException {
        return CompactNumbers.nextDouble(in, little);
      }
    }

    /** Reader of boxes of fixed width, each by its type code. */
    static final class OfPrimitive extends BoxReader {
      private final char code;

      OfPrimitive(ReadType type, char code) {
        super(type, TypeCode.sizeOf(code));
        this.code = code;
      }

      @Override
      public Object read(InputBuffer in, boolean little) throws IOException {
        return switch (code) {
          case 'I' -> new Integer(readInt(in, little));
          case 'J' -> new Long(readLong(in, little));
          case 'F' -> new Float(Float.intBitsToFloat(readInt(in, little)));
          case 'S' -> new Short(readShort(in, little));
          case 'C' -> new Character((char) readShort(in, little));
          case 'B' -> new Byte(in.readByte());
          default -> new Boolean(in.readBoolean());
        };
      }
    }

    static final class OfUuid extends BoxReader {
      OfUuid(ReadType type) {
        super(type, 2 * Long.BYTES);
      }

      @Override
      public Object read(InputBuffer in, boolean little) throws IOException {
        long least = readLong(in, little);
        return new UUID(readLong(in, little), least);
      }
    }

    /** Reader for a missing class. */
    static final class OfNone extends Unmarshaler {
      OfNone(ReadType type) {
        super(type);
      }

      @Override
      public @Nullable Object unmarshal(ReadContext in, boolean unshared) throws IOException {
        in.buffer().readVarLong();
        in.begin(null, type, unshared);
        return null;
      }
    }
  }
}
