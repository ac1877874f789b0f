package io.karmi.uka.engine.read;

import io.karmi.uka.buffer.InputBuffer;
import io.karmi.uka.field.NumberWidth;
import io.karmi.uka.format.FormatReader;
import io.karmi.uka.format.FormatWriter;
import io.karmi.uka.format.Token;
import io.karmi.uka.platform.TypeCode;
import io.karmi.uka.type.ClassDescription;
import io.karmi.uka.type.FieldDescription;
import java.io.IOException;
import java.io.InvalidClassException;
import java.io.StreamCorruptedException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Reader that skips a message of which an object could not be read, and learns the types that it
 * describes, as later messages refer to these.
 *
 * <p>No class is looked for, no filter asked and no object made: the descriptions are enough to
 * find the end of each value. The types are {@linkplain ReadType#postpone postponed}: each finds
 * its class when a later message uses it. A class that writes data of its own is assumed to have
 * written its fields first, as Java's specification asks. A slim type and an externalizable class
 * without blocks cannot be skipped.
 *
 * <p>Pending values are in arrays, not on the thread's stack, so that nesting is not limited by it.
 */
public final class MessageSkipper {
  /** Upper bound of pending entries, against forged messages. */
  private static final int MAXIMUM_PENDING = 1 << 20;

  /** Upper bound of descriptions within each other, as in {@link TypeReader}. */
  private static final int MAXIMUM_NESTING = 300;

  private static final int CHARACTERS = 1024;

  /** Type codes of elements of fixed size. */
  private static final String PRIMITIVES = "ZBSIFJD";

  /** In the place of a type: blocks and values up to their end. */
  private static final Object CUSTOM_DATA = new Object();

  /** In the place of a type: as many values as the count says. */
  private static final Object VALUES = new Object();

  private final ObjectReader in;
  private final InputBuffer buffer;
  private final FormatReader format;
  private final ReadTypeTable table;
  private final ReadStrategies strategies;

  /** Pending entries, the next one last: a type, for the data of an object, or a mark. */
  private Object[] pending = new Object[16];

  /** Per entry: values left, or the index of the type's next level. */
  private int[] counts = new int[16];

  private int height;
  private int nesting;
  private char @Nullable [] characters;

  /** The levels of a type that have data, topmost first. */
  private final Map<ReadType, ReadType[]> levels = new HashMap<>();

  /**
   * Skipper of one message.
   *
   * @param in knows the types of earlier messages
   */
  public MessageSkipper(ObjectReader in, ReadStrategies strategies) {
    this.in = in;
    this.strategies = strategies;
    buffer = in.buffer;
    format = in.format();
    table = in.typeTable();
  }

  /**
   * Skips everything up to the buffer's limit.
   *
   * @throws IOException if the bytes do not tell where values end
   */
  public void skipAll() throws IOException {
    while (buffer.remaining() > 0 && in.passResets() != Token.END_OF_STREAM) {
      push(VALUES, 1);
      skipPending(0);
    }
  }

  private void push(Object what, int count) throws IOException {
    if (height == pending.length) {
      if (height == MAXIMUM_PENDING) {
        throw new StreamCorruptedException("nested too deep to be skipped");
      }
      pending = Arrays.copyOf(pending, 2 * height);
      counts = Arrays.copyOf(counts, 2 * height);
    }
    pending[height] = what;
    counts[height++] = count;
  }

  private void skipPending(int base) throws IOException {
    while (height > base) {
      int top = height - 1;
      Object what = pending[top];
      if (what == VALUES) {
        if (counts[top]-- == 0) {
          height--;
        } else {
          skipValue();
        }
      } else if (what == CUSTOM_DATA) {
        skipCustomData();
      } else {
        skipLevel((ReadType) what, top);
      }
    }
  }

  private void skipCustomData() throws IOException {
    int token = format.peek();
    if (token == Token.END_OF_BLOCKS) {
      format.skipToken();
      height--;
    } else if (token == Token.BLOCK) {
      skipBytes(format.readBlockLength());
    } else {
      skipValue();
    }
  }

  private void skipLevel(ReadType type, int top) throws IOException {
    ReadType[] all = levelsOf(type);
    int index = counts[top]++;
    if (index == all.length) {
      height--;
      return;
    }
    ClassDescription level = Objects.requireNonNull(all[index].description());
    skipBytes(primitiveBytes(level, type.width()));
    if (level.hasWriteMethod()) {
      push(CUSTOM_DATA, 0);
    }
    if (level.references > 0) {
      push(VALUES, level.references);
    }
  }

  private static long primitiveBytes(ClassDescription level, NumberWidth width) {
    if (width == NumberWidth.FULL) {
      return level.primitiveBytes;
    }
    long bytes = 0;
    for (FieldDescription field : level.fields) {
      bytes += field.isPrimitive() ? width.sizeOf(field.code()) : 0;
    }
    return bytes;
  }

  private ReadType[] levelsOf(ReadType type) {
    return levels.computeIfAbsent(type, MessageSkipper::levelsWithData);
  }

  private static ReadType[] levelsWithData(ReadType type) {
    List<ReadType> found = new ArrayList<>();
    for (ReadType level = type; level != null; level = level.superclass()) {
      ClassDescription known = level.description();
      if (known != null && (known.fields.length > 0 || known.hasWriteMethod())) {
        found.add(0, level);
      }
    }
    return found.toArray(new ReadType[0]);
  }

  private void skipBytes(long count) throws IOException {
    if (count < 0) {
      throw new StreamCorruptedException("a length of " + count);
    }
    for (long left = count; left > 0; ) {
      int step = (int) Math.min(left, CHARACTERS);
      buffer.require(step);
      buffer.position += step;
      left -= step;
    }
  }

  private void skipValue() throws IOException {
    int token = format.peek();
    switch (token) {
      case Token.NULL -> format.skipToken();
      case Token.REFERENCE -> format.readHandle();
      case Token.STRING -> format.readString();
      case Token.OBJECT -> skipObject();
      case Token.ARRAY -> {
        format.skipToken();
        skipArray(requiredType());
      }
      case Token.ENUM -> {
        format.skipToken();
        format.readConstant(requiredType().constants().names());
      }
      case Token.CLASS -> {
        format.skipToken();
        requiredType();
      }
      case Token.DESCRIPTION -> {
        format.skipToken();
        readType();
      }
      default -> throw format.misplacedToken();
    }
  }

  private void skipObject() throws IOException {
    format.skipToken();
    boolean ofAnyKind = format.isOfAnyKind();
    ReadType type = requiredType();
    if (ofAnyKind && type.kind() == Token.ARRAY) {
      skipArray(type);
    } else if (ofAnyKind && type.kind() == Token.ENUM) {
      format.readConstant(type.constants().names());
    } else {
      skipData(type);
    }
  }

  private void skipData(ReadType type) throws IOException {
    String form = type.shortForm();
    if (form != null && strategies.skipShortForm(in, form)) {
      return;
    }
    ClassDescription description = type.description();
    if (description != null && description.isExternalizable()) {
      if (!description.hasBlockData()) {
        throw new InvalidClassException(
            description.name, "only the class itself knows where its data ends");
      }
      push(CUSTOM_DATA, 0);
    } else if (levelsOf(type).length > 0) {
      push(type, 0);
    }
  }

  private void skipArray(ReadType type) throws IOException {
    String name = type.description() == null ? "" : type.description().name;
    if (name.length() < 2 || name.charAt(0) != '[') {
      throw new StreamCorruptedException("an array of " + name);
    }
    char code = name.charAt(1);
    int length = format.readLength(code);
    if (length < 0) {
      throw new StreamCorruptedException("an array of " + length + " elements");
    }
    if (code == 'L' || code == '[') {
      push(VALUES, length);
    } else if (code == 'C') {
      skipCharacters(length);
    } else if (PRIMITIVES.indexOf(code) >= 0) {
      skipBytes((long) length * TypeCode.sizeOf(code));
    } else {
      throw new StreamCorruptedException("an array of " + name);
    }
  }

  private void skipCharacters(int length) throws IOException {
    if (characters == null) {
      characters = new char[CHARACTERS];
    }
    for (int left = length; left > 0; ) {
      int step = Math.min(left, CHARACTERS);
      format.readElements(characters, 'C', 0, step);
      left -= step;
    }
  }

  private ReadType requiredType() throws IOException {
    ReadType type = readType();
    if (type == null) {
      throw new StreamCorruptedException("an object without a class");
    }
    return type;
  }

  private @Nullable ReadType readType() throws IOException {
    int number = format.readType();
    if (number == FormatWriter.NO_TYPE) {
      return null;
    }
    if (number >= 0) {
      ReadType known = table.get(number);
      known.checkBound();
      return known;
    }
    if (nesting == MAXIMUM_NESTING) {
      throw new StreamCorruptedException(
          "more than " + MAXIMUM_NESTING + " class descriptions within each other");
    }
    nesting++;
    ReadType type = new ReadType();
    table.assign(type, false);
    switch (number) {
      case FormatWriter.NEW_PROXY -> readProxy(type);
      case FormatWriter.NEW_SLIM ->
          throw new InvalidClassException(format.readSlimName(), "its type is slim");
      default -> readClass(type, number == FormatWriter.NEW_NARROW);
    }
    type.postpone();
    nesting--;
    return type;
  }

  private void readClass(ReadType type, boolean narrows) throws IOException {
    if (narrows) {
      table.assignNarrow(type, false);
    }
    ClassDescription description = format.readDescription(in.specials());
    type.setSaid(description);
    if (format.hasShortForm(description)) {
      type.setShortForm(description.name);
    }
    skipAnnotation();
    type.bind(description, null, null, readType());
  }

  private void readProxy(ReadType type) throws IOException {
    type.setInterfaces(format.readProxyInterfaces());
    skipAnnotation();
    type.bindProxy(null, null, readType());
  }

  private void skipAnnotation() throws IOException {
    int base = height;
    push(CUSTOM_DATA, 0);
    skipPending(base);
  }
}
