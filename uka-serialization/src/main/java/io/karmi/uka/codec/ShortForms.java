package io.karmi.uka.codec;

import io.karmi.uka.buffer.InputBuffer;
import io.karmi.uka.buffer.OutputBuffer;
import io.karmi.uka.engine.CompactNumbers;
import io.karmi.uka.engine.read.ObjectReader;
import io.karmi.uka.engine.read.ReadType;
import io.karmi.uka.engine.read.Unmarshaler;
import io.karmi.uka.format.Token;
import io.karmi.uka.format.uka.UkaFormatWriter;
import java.io.IOException;
import java.io.StreamCorruptedException;
import org.jspecify.annotations.Nullable;

/**
 * Puts the general form of an object's data in the place of the short form that some classes of the
 * platform have in the UKA format, so that it can be read as any other.
 *
 * <p>For readers that know nothing about the class, or that have to show somebody each step.
 */
public final class ShortForms {
  /** In the place of a short form, or the lowest bit of one: the general form follows. */
  static final int GENERAL = 1;

  private static final float LOAD_FACTOR = 0.75f;
  private static final int NOT_KNOWN = -1;
  private static final int NOT_SEARCHED = -2;
  private static final int TAG_BITS = 3;

  private final ObjectReader in;
  private final InputBuffer buffer;
  private final OutputBuffer text = new OutputBuffer(64);
  private final UkaFormatWriter format = new UkaFormatWriter(text);

  ShortForms(ObjectReader in) {
    this.in = in;
    buffer = in.buffer;
  }

  /** Of a small number and a length. */
  static int taggedLength(int length, int tag) {
    return (length << TAG_BITS | tag) << 1;
  }

  /** Whether {@link #taggedLength} can hold a length. */
  static boolean hasRoomFor(int length) {
    return length < 1 << Integer.SIZE - TAG_BITS - 2;
  }

  /** The length in what {@link #taggedLength} has returned. */
  static int length(int taggedLength) {
    return taggedLength >>> TAG_BITS + 1;
  }

  /** The small number in what {@link #taggedLength} has returned. */
  static int tag(int taggedLength) {
    return taggedLength >>> 1 & (1 << TAG_BITS) - 1;
  }

  /**
   * Reads the short form that comes next, and unreads the general one.
   *
   * @param name of the class that the stream has described
   */
  void expand(String name) throws IOException {
    text.position = 0;
    switch (name) {
      case "java.util.Date" -> expandDate();
      case "java.math.BigDecimal" -> expandDecimal();
      case "java.time.Ser" -> TimeForms.expand(buffer, text);
      default -> {
        int head = buffer.readVarInt();
        if ((head & GENERAL) == 0) {
          expand(name, head);
        }
      }
    }
    if (text.position > 0) {
      buffer.unread(text.bytes, text.position);
    }
  }

  private void expand(String name, int head) throws IOException {
    int size = head >>> 1;
    switch (name) {
      case "java.util.ArrayList" -> {
        text.writeInt(size);
        writeBlock(size);
      }
      case "java.util.LinkedList", "java.util.ArrayDeque" -> writeBlock(size);
      case "java.util.TreeMap", "java.util.TreeSet" -> {
        format.writeToken(Token.NULL);
        writeBlock(size);
      }
      case "java.util.HashMap", "java.util.LinkedHashMap" -> {
        text.writeFloat(LOAD_FACTOR);
        text.writeInt(0);
        writeBlock(capacity(size), size);
      }
      case "java.util.HashSet", "java.util.LinkedHashSet" ->
          writeBlock(capacity(size), Float.floatToIntBits(LOAD_FACTOR), size);
      case "java.util.CollSer" -> {
        text.writeInt(tag(head));
        writeBlock(length(head));
      }
      case "java.math.BigInteger" -> {
        writeInteger(head);
        format.writeToken(Token.END_OF_BLOCKS);
      }
      case "java.util.concurrent.ConcurrentHashMap" -> Segments.writeFields(format, text, this);
      default -> throw new IllegalArgumentException("no short form: " + name);
    }
  }

  private static int capacity(int size) {
    return Math.max(16, size);
  }

  private void writeBlock(int... values) throws IOException {
    format.openBlock(values.length * Integer.BYTES);
    for (int value : values) {
      text.writeInt(Integer.reverseBytes(value));
    }
  }

  private void expandDate() throws IOException {
    long time = buffer.readVarLong();
    if (time != 0) {
      format.openBlock(Long.BYTES);
      text.writeLong(Long.reverseBytes(CompactNumbers.unzigzag(time - 1)));
      format.writeToken(Token.END_OF_BLOCKS);
    }
  }

  /**
   * Writes fields and magnitude.
   *
   * @param head the length of the magnitude, two bits to the left, and the sign in the second
   */
  private void writeInteger(int head) throws IOException {
    int length = head >>> 2;
    buffer.require(length);
    text.writeInt(NOT_KNOWN);
    text.writeInt(NOT_KNOWN);
    text.writeInt(NOT_SEARCHED);
    text.writeInt(NOT_SEARCHED);
    text.writeInt(length == 0 ? 0 : (head & 2) == 0 ? 1 : -1);
    format.writeOpening(Token.ARRAY, numberOf("[B"));
    format.writeLength(length);
    text.writeBytes(buffer.bytes, buffer.position, length);
    buffer.position += length;
  }

  private void expandDecimal() throws IOException {
    long head = buffer.readVarLong();
    if ((head & GENERAL) != 0) {
      return;
    }
    text.writeInt(scale(head));
    int integer = buffer.readVarInt();
    if ((integer & GENERAL) == 0) {
      format.writeOpening(Token.OBJECT, numberOf("java.math.BigInteger"));
      if (in.typeTable().get(numberOf("java.math.BigInteger")).shortForm() != null) {
        text.writeVarInt(GENERAL);
      }
      writeInteger(integer);
      format.writeToken(Token.END_OF_BLOCKS);
      format.writeToken(Token.END_OF_BLOCKS);
    }
  }

  /** The scale of a decimal number in what it begins with. */
  static int scale(long head) throws StreamCorruptedException {
    long scale = CompactNumbers.unzigzag(head >>> 1);
    if (scale != (int) scale) {
      throw new StreamCorruptedException("BigDecimal: a scale of " + scale);
    }
    return (int) scale;
  }

  /** The number of the type that the stream has described by this name. */
  int numberOf(String name) throws IOException {
    int number = in.typeTable().find(name);
    if (number < 0) {
      throw new StreamCorruptedException(
          "a short form that needs " + name + ", which the stream has not described");
    }
    return number;
  }

  /** Reads objects whose data is in the short form by their general one. */
  static final class Reader extends Unmarshaler {
    private final String form;
    private final Unmarshaler general;
    private @Nullable ShortForms forms;

    /**
     * @param form name of the class that has it
     */
    Reader(ReadType type, String form, Unmarshaler general) {
      super(type);
      this.form = form;
      this.general = general;
    }

    /** What reads the general form. */
    Unmarshaler general() {
      return general;
    }

    @Override
    public @Nullable Object unmarshal(ObjectReader in, boolean unshared) throws IOException {
      expand(in);
      return general.unmarshal(in, unshared);
    }

    /** Puts the general form in the place of the short one that comes next. */
    void expand(ObjectReader in) throws IOException {
      if (forms == null) {
        forms = new ShortForms(in);
      }
      forms.expand(form);
    }
  }
}
