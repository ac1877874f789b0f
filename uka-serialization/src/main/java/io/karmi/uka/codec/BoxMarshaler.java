package io.karmi.uka.codec;

import io.karmi.uka.buffer.OutputBuffer;
import io.karmi.uka.engine.CompactNumbers;
import io.karmi.uka.engine.write.ObjectMarshaler;
import io.karmi.uka.engine.write.ObjectWriter;
import io.karmi.uka.type.LocalClass;
import java.io.IOException;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Boxes and the like, whose fields public methods tell: no access to private fields is needed,
 * whatever the JDK. {@link BoxReader} is the counterpart.
 */
public abstract class BoxMarshaler extends ObjectMarshaler {
  /** Room is made for so many at a time. */
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

  static final class OfInteger extends BoxMarshaler {
    OfInteger(LocalClass type) {
      super(type, 0);
    }

    @Override
    public void marshal(ObjectWriter out, Object object) throws IOException {
      if (out.isCompact()) {
        CompactNumbers.writeInt(out.buffer, (Integer) object);
      } else {
        super.marshal(out, object);
      }
    }

    @Override
    public void write(OutputBuffer out, Object object, boolean little) throws IOException {
      writeInt(out, (Integer) object, little);
    }
  }

  static final class OfLong extends BoxMarshaler {
    OfLong(LocalClass type) {
      super(type, 0);
    }

    @Override
    public void marshal(ObjectWriter out, Object object) throws IOException {
      if (out.isCompact()) {
        CompactNumbers.writeLong(out.buffer, (Long) object);
      } else {
        super.marshal(out, object);
      }
    }

    @Override
    public void write(OutputBuffer out, Object object, boolean little) throws IOException {
      writeLong(out, (Long) object, little);
    }
  }

  static final class OfDouble extends BoxMarshaler {
    OfDouble(LocalClass type) {
      super(type, Double.BYTES);
    }

    @Override
    public void write(OutputBuffer out, Object object, boolean little) throws IOException {
      double value = (Double) object;
      writeLong(
          out, little ? Double.doubleToRawLongBits(value) : Double.doubleToLongBits(value), little);
    }
  }

  static final class OfFloat extends BoxMarshaler {
    OfFloat(LocalClass type) {
      super(type, Float.BYTES);
    }

    @Override
    public void write(OutputBuffer out, Object object, boolean little) throws IOException {
      float value = (Float) object;
      writeInt(out, little ? Float.floatToRawIntBits(value) : Float.floatToIntBits(value), little);
    }
  }

  static final class OfShort extends BoxMarshaler {
    OfShort(LocalClass type) {
      super(type, Short.BYTES);
    }

    @Override
    public void write(OutputBuffer out, Object object, boolean little) throws IOException {
      writeShort(out, (Short) object, little);
    }
  }

  static final class OfByte extends BoxMarshaler {
    OfByte(LocalClass type) {
      super(type, 1);
    }

    @Override
    public void write(OutputBuffer out, Object object, boolean little) throws IOException {
      out.writeByte((Byte) object);
    }
  }

  static final class OfCharacter extends BoxMarshaler {
    OfCharacter(LocalClass type) {
      super(type, Character.BYTES);
    }

    @Override
    public void write(OutputBuffer out, Object object, boolean little) throws IOException {
      writeShort(out, (Character) object, little);
    }
  }

  static final class OfBoolean extends BoxMarshaler {
    OfBoolean(LocalClass type) {
      super(type, 1);
    }

    @Override
    public void write(OutputBuffer out, Object object, boolean little) throws IOException {
      out.writeBoolean((Boolean) object);
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
