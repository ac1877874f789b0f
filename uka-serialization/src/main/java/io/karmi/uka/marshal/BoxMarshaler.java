package io.karmi.uka.marshal;

import io.karmi.uka.buffer.OutputBuffer;
import io.karmi.uka.type.LocalClass;
import java.io.IOException;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Boxes and the like, whose fields public methods tell: no access to private fields is needed,
 * whatever the JDK. {@link BoxReader} is the counterpart.
 */
abstract class BoxMarshaler extends ObjectMarshaler {
  /** Room is made for so many at a time. */
  private static final int PART = 64;

  private final int runWidth;

  private BoxMarshaler(LocalClass type, int runWidth) {
    super(type, false);
    this.runWidth = runWidth;
  }

  @Override
  final int runWidth() {
    return runWidth;
  }

  /** The one for this class; null if it is none of these. */
  static @Nullable ObjectMarshaler of(LocalClass type) {
    return (ObjectMarshaler) chosen(type);
  }

  /* Any object to the verifier, which would load all these classes to see what else they are. */
  private static @Nullable Object chosen(LocalClass type) {
    return switch (type.name) {
      case "java.lang.Integer" -> new OfInteger(type);
      case "java.lang.Long" -> new OfLong(type);
      case "java.lang.Double" -> new OfDouble(type);
      case "java.lang.Float" -> new OfFloat(type);
      case "java.lang.Short" -> new OfShort(type);
      case "java.lang.Byte" -> new OfByte(type);
      case "java.lang.Character" -> new OfCharacter(type);
      case "java.lang.Boolean" -> new OfBoolean(type);
      case "java.util.UUID" -> new OfUuid(type);
      default -> null;
    };
  }

  @Override
  protected void marshal(ObjectWriter out, Object object) throws IOException {
    write(out.buffer, object, out.isLittleEndian());
  }

  abstract void write(OutputBuffer out, Object object, boolean little) throws IOException;

  /** Writes the data of boxes, where numbers are compact. */
  final void writeAll(ObjectWriter out, @Nullable Object[] boxes, int from, int to)
      throws IOException {
    if (runWidth == 0) {
      writeNumbers(out.buffer, boxes, from, to);
      return;
    }
    for (int i = from; i < to; i++) {
      marshal(out, boxes[i]);
    }
  }

  /** In local variables: no other object shares them, so that they stay in registers. */
  private static void writeNumbers(OutputBuffer out, @Nullable Object[] boxes, int from, int to)
      throws IOException {
    for (int start = from; start < to; start += PART) {
      int end = Math.min(start + PART, to);
      out.reserve((end - start) * OutputBuffer.LONGEST_VAR);
      byte[] bytes = out.bytes;
      int at = out.position;
      for (int i = start; i < end; i++) {
        long value = boxes[i] instanceof Integer number ? number : (Long) boxes[i];
        at = OutputBuffer.putVar(bytes, at, ShortForms.zigzag(value));
      }
      out.position = at;
    }
  }

  /** Writes a number with the fewest bytes: near zero it takes one. */
  static void writeCompactInt(OutputBuffer out, int value) throws IOException {
    out.writeVarInt(value << 1 ^ value >> 31);
  }

  /** The same for a number of 64 bits. */
  static void writeCompactLong(OutputBuffer out, long value) throws IOException {
    out.writeVarLong(ShortForms.zigzag(value));
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

  private static final class OfInteger extends BoxMarshaler {
    OfInteger(LocalClass type) {
      super(type, 0);
    }

    @Override
    protected void marshal(ObjectWriter out, Object object) throws IOException {
      if (out.isCompact()) {
        writeCompactInt(out.buffer, (Integer) object);
      } else {
        super.marshal(out, object);
      }
    }

    @Override
    void write(OutputBuffer out, Object object, boolean little) throws IOException {
      writeInt(out, (Integer) object, little);
    }
  }

  private static final class OfLong extends BoxMarshaler {
    OfLong(LocalClass type) {
      super(type, 0);
    }

    @Override
    protected void marshal(ObjectWriter out, Object object) throws IOException {
      if (out.isCompact()) {
        writeCompactLong(out.buffer, (Long) object);
      } else {
        super.marshal(out, object);
      }
    }

    @Override
    void write(OutputBuffer out, Object object, boolean little) throws IOException {
      writeLong(out, (Long) object, little);
    }
  }

  private static final class OfDouble extends BoxMarshaler {
    OfDouble(LocalClass type) {
      super(type, Double.BYTES);
    }

    @Override
    void write(OutputBuffer out, Object object, boolean little) throws IOException {
      double value = (Double) object;
      writeLong(
          out, little ? Double.doubleToRawLongBits(value) : Double.doubleToLongBits(value), little);
    }
  }

  private static final class OfFloat extends BoxMarshaler {
    OfFloat(LocalClass type) {
      super(type, Float.BYTES);
    }

    @Override
    void write(OutputBuffer out, Object object, boolean little) throws IOException {
      float value = (Float) object;
      writeInt(out, little ? Float.floatToRawIntBits(value) : Float.floatToIntBits(value), little);
    }
  }

  private static final class OfShort extends BoxMarshaler {
    OfShort(LocalClass type) {
      super(type, Short.BYTES);
    }

    @Override
    void write(OutputBuffer out, Object object, boolean little) throws IOException {
      writeShort(out, (Short) object, little);
    }
  }

  private static final class OfByte extends BoxMarshaler {
    OfByte(LocalClass type) {
      super(type, 1);
    }

    @Override
    void write(OutputBuffer out, Object object, boolean little) throws IOException {
      out.writeByte((Byte) object);
    }
  }

  private static final class OfCharacter extends BoxMarshaler {
    OfCharacter(LocalClass type) {
      super(type, Character.BYTES);
    }

    @Override
    void write(OutputBuffer out, Object object, boolean little) throws IOException {
      writeShort(out, (Character) object, little);
    }
  }

  private static final class OfBoolean extends BoxMarshaler {
    OfBoolean(LocalClass type) {
      super(type, 1);
    }

    @Override
    void write(OutputBuffer out, Object object, boolean little) throws IOException {
      out.writeBoolean((Boolean) object);
    }
  }

  private static final class OfUuid extends BoxMarshaler {
    OfUuid(LocalClass type) {
      super(type, 2 * Long.BYTES);
    }

    @Override
    void write(OutputBuffer out, Object object, boolean little) throws IOException {
      UUID uuid = (UUID) object;
      writeLong(out, uuid.getLeastSignificantBits(), little);
      writeLong(out, uuid.getMostSignificantBits(), little);
    }
  }
}
