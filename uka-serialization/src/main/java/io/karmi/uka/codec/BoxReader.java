package io.karmi.uka.codec;

import io.karmi.uka.buffer.InputBuffer;
import io.karmi.uka.engine.CompactNumbers;
import io.karmi.uka.engine.read.LeafReader;
import io.karmi.uka.engine.read.ObjectReader;
import io.karmi.uka.engine.read.ReadType;
import io.karmi.uka.engine.read.Unmarshaler;
import java.io.IOException;
import java.io.InvalidClassException;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Boxes and the like, made by public constructors: the counterpart of {@link BoxMarshaler}.
 *
 * <p>Each one is a new object, as the JDK's streams make it. What {@code valueOf} would return is
 * shared with the rest of the program, which can tell.
 */
@SuppressWarnings({"removal", "BoxedPrimitiveConstructor"}) // the only way to a new object
public abstract class BoxReader extends LeafReader {
  private BoxReader(ReadType type, int runWidth) {
    super(type, runWidth);
  }

  /** Whether a short form is that of a box: one number. */
  static boolean isCompact(String form) {
    return form.equals("java.lang.Integer") || form.equals("java.lang.Long");
  }

  /**
   * The one for a type whose objects are in the short form of a class, whatever became of that
   * here; null if it is none of boxes.
   */
  static @Nullable Unmarshaler ofCompact(ReadType type, String form) {
    return switch (form) {
      case "java.lang.Integer" ->
          type.type() == Integer.class ? new OfCompactInteger(type) : new OfOther(type);
      case "java.lang.Long" ->
          type.type() == Long.class ? new OfCompactLong(type) : new OfOther(type);
      default -> null;
    };
  }

  @Override
  public final Object unmarshal(ObjectReader in, boolean unshared) throws IOException {
    Object box = read(in.buffer(), in.isLittleEndian());
    in.begin(box, type, unshared);
    return box;
  }

  @Override
  public Object readShared(ObjectReader in) throws IOException {
    Object box = read(in.buffer(), in.isLittleEndian());
    in.addLeaf(box);
    return box;
  }

  @Override
  public int readRun(ObjectReader in, int number, Object[] elements, int from, int to)
      throws IOException {
    int next = from;
    while (next < to && in.takesNext(number)) {
      elements[next++] = readShared(in);
    }
    return next;
  }

  @Override
  public void readAll(ObjectReader in, @Nullable Object[] into, int from, int to)
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

  static final class OfInteger extends BoxReader {
    OfInteger(ReadType type) {
      super(type, Integer.BYTES);
    }

    @Override
    public Object read(InputBuffer in, boolean little) throws IOException {
      return new Integer(readInt(in, little));
    }
  }

  /** The most frequent one: no call in its loop is virtual. */
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
    public void readAll(ObjectReader in, @Nullable Object[] into, int from, int to)
        throws IOException {
      for (int i = from; i < to; i++) {
        into[i] = CompactNumbers.nextInteger(in.buffer);
      }
    }

    @Override
    public Object readShared(ObjectReader in) throws IOException {
      Integer box = CompactNumbers.nextInteger(in.buffer);
      in.addLeaf(box);
      return box;
    }

    @Override
    public int readRun(ObjectReader in, int number, Object[] elements, int from, int to)
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
    public void readAll(ObjectReader in, @Nullable Object[] into, int from, int to)
        throws IOException {
      for (int i = from; i < to; i++) {
        into[i] = CompactNumbers.nextLong(in.buffer);
      }
    }

    @Override
    public Object readShared(ObjectReader in) throws IOException {
      Long box = CompactNumbers.nextLong(in.buffer);
      in.addLeaf(box);
      return box;
    }

    @Override
    public int readRun(ObjectReader in, int number, Object[] elements, int from, int to)
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

  static final class OfLong extends BoxReader {
    OfLong(ReadType type) {
      super(type, Long.BYTES);
    }

    @Override
    public Object read(InputBuffer in, boolean little) throws IOException {
      return new Long(readLong(in, little));
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
    public void readAll(ObjectReader in, @Nullable Object[] into, int from, int to)
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

  static final class OfFloat extends BoxReader {
    OfFloat(ReadType type) {
      super(type, Float.BYTES);
    }

    @Override
    public Object read(InputBuffer in, boolean little) throws IOException {
      return new Float(Float.intBitsToFloat(readInt(in, little)));
    }
  }

  static final class OfShort extends BoxReader {
    OfShort(ReadType type) {
      super(type, Short.BYTES);
    }

    @Override
    public Object read(InputBuffer in, boolean little) throws IOException {
      return new Short(readShort(in, little));
    }
  }

  static final class OfByte extends BoxReader {
    OfByte(ReadType type) {
      super(type, 1);
    }

    @Override
    public Object read(InputBuffer in, boolean little) throws IOException {
      return new Byte(in.readByte());
    }
  }

  static final class OfCharacter extends BoxReader {
    OfCharacter(ReadType type) {
      super(type, Character.BYTES);
    }

    @Override
    public Object read(InputBuffer in, boolean little) throws IOException {
      return new Character((char) readShort(in, little));
    }
  }

  static final class OfBoolean extends BoxReader {
    OfBoolean(ReadType type) {
      super(type, 1);
    }

    @Override
    public Object read(InputBuffer in, boolean little) throws IOException {
      return new Boolean(in.readBoolean());
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

  /** A program has put another class, or none, in the place of the platform's. */
  static final class OfOther extends Unmarshaler {
    OfOther(ReadType type) {
      super(type);
    }

    @Override
    public @Nullable Object unmarshal(ObjectReader in, boolean unshared) throws IOException {
      in.buffer().readVarLong();
      if (type.type() != null) {
        throw new InvalidClassException(
            type.type().getName(), "stands for a box whose value is in the short form");
      }
      in.begin(null, type, unshared);
      return null;
    }
  }
}
