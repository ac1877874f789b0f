package io.karmi.uka.marshal;

import io.karmi.uka.buffer.InputBuffer;
import io.karmi.uka.type.LocalClass;
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
abstract class BoxReader extends DirectReader {
  private final int runWidth;

  /**
   * @param runWidth as {@link Marshaler#runWidth}
   */
  private BoxReader(ReadType type, int runWidth) {
    super(type);
    this.runWidth = runWidth;
  }

  /** As {@link Marshaler#runWidth}, of what is read here. */
  final int runWidth() {
    return runWidth;
  }

  /** The one for this type, whose description equals the local class's; null if it is none. */
  static @Nullable Unmarshaler of(ReadType type, LocalClass local) {
    return (Unmarshaler) chosen(type, local);
  }

  /* Any object to the verifier, which would load all these classes to see what else they are. */
  private static @Nullable Object chosen(ReadType type, LocalClass local) {
    return switch (local.name) {
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
  final Object unmarshal(ObjectReader in, boolean unshared) throws IOException {
    Object box = read(in.buffer(), in.isLittleEndian());
    in.begin(box, type, unshared);
    return box;
  }

  @Override
  Object readShared(ObjectReader in) throws IOException {
    Object box = read(in.buffer(), in.isLittleEndian());
    in.addLeaf(box);
    return box;
  }

  @Override
  int readRun(ObjectReader in, int number, Object[] elements, int from, int to) throws IOException {
    int next = from;
    while (next < to && in.takesNext(number)) {
      elements[next++] = readShared(in);
    }
    return next;
  }

  /** Reads the data of boxes that are written together. */
  void readAll(ObjectReader in, @Nullable Object[] into, int from, int to) throws IOException {
    for (int i = from; i < to; i++) {
      into[i] = read(in.buffer, in.isLittleEndian());
    }
  }

  abstract Object read(InputBuffer in, boolean little) throws IOException;

  /** Reads what {@link BoxMarshaler#writeCompactInt} has written. */
  static Integer nextInteger(InputBuffer in) throws IOException {
    int value = in.readVarInt();
    return new Integer(value >>> 1 ^ -(value & 1));
  }

  /** The same for a number of 64 bits. */
  static Long nextLong(InputBuffer in) throws IOException {
    return new Long(ShortForms.unzigzag(in.readVarLong()));
  }

  static Double nextDouble(InputBuffer in, boolean little) throws IOException {
    return new Double(Double.longBitsToDouble(readLong(in, little)));
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

  private static final class OfInteger extends BoxReader {
    OfInteger(ReadType type) {
      super(type, Integer.BYTES);
    }

    @Override
    Object read(InputBuffer in, boolean little) throws IOException {
      return new Integer(readInt(in, little));
    }
  }

  /** The most frequent one: no call in its loop is virtual. */
  static final class OfCompactInteger extends BoxReader {
    OfCompactInteger(ReadType type) {
      super(type, 0);
    }

    @Override
    Object read(InputBuffer in, boolean little) throws IOException {
      return nextInteger(in);
    }

    @Override
    void readAll(ObjectReader in, @Nullable Object[] into, int from, int to) throws IOException {
      for (int i = from; i < to; i++) {
        into[i] = nextInteger(in.buffer);
      }
    }

    @Override
    Object readShared(ObjectReader in) throws IOException {
      Integer box = nextInteger(in.buffer);
      in.addLeaf(box);
      return box;
    }

    @Override
    int readRun(ObjectReader in, int number, Object[] elements, int from, int to)
        throws IOException {
      int next = from;
      while (next < to && in.takesNext(number)) {
        Integer box = nextInteger(in.buffer);
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
    Object read(InputBuffer in, boolean little) throws IOException {
      return nextLong(in);
    }

    @Override
    void readAll(ObjectReader in, @Nullable Object[] into, int from, int to) throws IOException {
      for (int i = from; i < to; i++) {
        into[i] = nextLong(in.buffer);
      }
    }

    @Override
    Object readShared(ObjectReader in) throws IOException {
      Long box = nextLong(in.buffer);
      in.addLeaf(box);
      return box;
    }

    @Override
    int readRun(ObjectReader in, int number, Object[] elements, int from, int to)
        throws IOException {
      int next = from;
      while (next < to && in.takesNext(number)) {
        Long box = nextLong(in.buffer);
        in.addLeaf(box);
        elements[next++] = box;
      }
      return next;
    }
  }

  private static final class OfLong extends BoxReader {
    OfLong(ReadType type) {
      super(type, Long.BYTES);
    }

    @Override
    Object read(InputBuffer in, boolean little) throws IOException {
      return new Long(readLong(in, little));
    }
  }

  static final class OfDouble extends BoxReader {
    OfDouble(ReadType type) {
      super(type, Double.BYTES);
    }

    @Override
    void readAll(ObjectReader in, @Nullable Object[] into, int from, int to) throws IOException {
      for (int i = from; i < to; i++) {
        into[i] = nextDouble(in.buffer, in.isLittleEndian());
      }
    }

    @Override
    Object read(InputBuffer in, boolean little) throws IOException {
      return nextDouble(in, little);
    }
  }

  private static final class OfFloat extends BoxReader {
    OfFloat(ReadType type) {
      super(type, Float.BYTES);
    }

    @Override
    Object read(InputBuffer in, boolean little) throws IOException {
      return new Float(Float.intBitsToFloat(readInt(in, little)));
    }
  }

  private static final class OfShort extends BoxReader {
    OfShort(ReadType type) {
      super(type, Short.BYTES);
    }

    @Override
    Object read(InputBuffer in, boolean little) throws IOException {
      return new Short(readShort(in, little));
    }
  }

  private static final class OfByte extends BoxReader {
    OfByte(ReadType type) {
      super(type, 1);
    }

    @Override
    Object read(InputBuffer in, boolean little) throws IOException {
      return new Byte(in.readByte());
    }
  }

  private static final class OfCharacter extends BoxReader {
    OfCharacter(ReadType type) {
      super(type, Character.BYTES);
    }

    @Override
    Object read(InputBuffer in, boolean little) throws IOException {
      return new Character((char) readShort(in, little));
    }
  }

  private static final class OfBoolean extends BoxReader {
    OfBoolean(ReadType type) {
      super(type, 1);
    }

    @Override
    Object read(InputBuffer in, boolean little) throws IOException {
      return new Boolean(in.readBoolean());
    }
  }

  private static final class OfUuid extends BoxReader {
    OfUuid(ReadType type) {
      super(type, 2 * Long.BYTES);
    }

    @Override
    Object read(InputBuffer in, boolean little) throws IOException {
      long least = readLong(in, little);
      return new UUID(readLong(in, little), least);
    }
  }

  /** A program has put another class, or none, in the place of the platform's. */
  private static final class OfOther extends Unmarshaler {
    OfOther(ReadType type) {
      super(type);
    }

    @Override
    @Nullable Object unmarshal(ObjectReader in, boolean unshared) throws IOException {
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
