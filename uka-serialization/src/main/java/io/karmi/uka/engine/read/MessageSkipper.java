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
 * Passes over a message of which an object could not be read, and learns the types that it
 * describes, as messages behind it refer to these.
 *
 * <p>No class is looked for, no filter asked and no object made: what the stream says about its
 * classes is enough to find the end of each value. The types are {@linkplain ReadType#postpone
 * postponed}: each finds its class when a message that can be read uses it.
 *
 * <p>A class that writes data of its own is taken to have written its fields first, as Java's
 * specification asks and as any reader without the class assumes. What cannot be passed over at all
 * is a slim type and an externalizable class without blocks.
 *
 * <p>What is still to be passed over lies in arrays and not on the thread's stack: messages may be
 * nested as deep as their sender likes.
 */
public final class MessageSkipper {
  /** Things to be passed over at a time: a bound for what a forged message makes this hold. */
  private static final int MOST_PENDING = 1 << 20;

  /** As for descriptions that are read. */
  private static final int MAXIMUM_NESTING = 300;

  private static final int CHARACTERS = 1024;

  /** Type codes of elements that have a size each, but for characters. */
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

  /** What is to be passed over, the next thing last: a type for its objects' data, or a mark. */
  private Object[] pending = new Object[16];

  /** How many values are left; of a type, the index of the level that comes next. */
  private int[] counts = new int[16];

  private int height;
  private int nesting;
  private char @Nullable [] characters;

  /** The levels of a type that take bytes, topmost first. */
  private final Map<ReadType, ReadType[]> levels = new HashMap<>();

  /**
   * For one message.
   *
   * @param in knows the types of messages before
   */
  public MessageSkipper(ObjectReader in, ReadStrategies strategies) {
    this.in = in;
    this.strategies = strategies;
    buffer = in.buffer;
    format = in.format();
    table = in.typeTable();
  }

  /**
   * Passes over everything up to the buffer's limit.
   *
   * @throws IOException if that cannot be told from the bytes
   */
  public void skipAll() throws IOException {
    while (buffer.remaining() > 0 && in.passResets() != Token.END_OF_STREAM) {
      push(VALUES, 1);
      passPending(0);
    }
  }

  private void push(Object what, int count) throws IOException {
    if (height == pending.length) {
      if (height == MOST_PENDING) {
        throw new StreamCorruptedException("nested too deep to be passed over");
      }
      pending = Arrays.copyOf(pending, 2 * height);
      counts = Arrays.copyOf(counts, 2 * height);
    }
    pending[height] = what;
    counts[height++] = count;
  }

  private void passPending(int base) throws IOException {
    while (height > base) {
      int top = height - 1;
      Object what = pending[top];
      if (what == VALUES) {
        if (counts[top]-- == 0) {
          height--;
        } else {
          passValue();
        }
      } else if (what == CUSTOM_DATA) {
        passCustomData();
      } else {
        passLevel((ReadType) what, top);
      }
    }
  }

  private void passCustomData() throws IOException {
    int token = format.peek();
    if (token == Token.END_OF_BLOCKS) {
      format.skipToken();
      height--;
    } else if (token == Token.BLOCK) {
      passBytes(format.readBlockLength());
    } else {
      passValue();
    }
  }

  private void passLevel(ReadType type, int top) throws IOException {
    ReadType[] all = levelsOf(type);
    int index = counts[top]++;
    if (index == all.length) {
      height--;
      return;
    }
    ClassDescription level = Objects.requireNonNull(all[index].description());
    passBytes(primitiveBytes(level, type.width()));
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

  private void passBytes(long count) throws IOException {
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

  private void passValue() throws IOException {
    int token = format.peek();
    switch (token) {
      case Token.NULL -> format.skipToken();
      case Token.REFERENCE -> format.readHandle();
      case Token.STRING -> format.readString();
      case Token.OBJECT -> passObject();
      case Token.ARRAY -> {
        format.skipToken();
        passArray(requiredType());
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

  private void passObject() throws IOException {
    format.skipToken();
    boolean ofAnyKind = format.isOfAnyKind();
    ReadType type = requiredType();
    if (ofAnyKind && type.kind() == Token.ARRAY) {
      passArray(type);
    } else if (ofAnyKind && type.kind() == Token.ENUM) {
      format.readConstant(type.constants().names());
    } else {
      passData(type);
    }
  }

  private void passData(ReadType type) throws IOException {
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

  private void passArray(ReadType type) throws IOException {
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
      passCharacters(length);
    } else if (PRIMITIVES.indexOf(code) >= 0) {
      passBytes((long) length * TypeCode.sizeOf(code));
    } else {
      throw new StreamCorruptedException("an array of " + name);
    }
  }

  private void passCharacters(int length) throws IOException {
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
    passAnnotation();
    type.bind(description, null, null, readType());
  }

  private void readProxy(ReadType type) throws IOException {
    type.setInterfaces(format.readProxyInterfaces());
    passAnnotation();
    type.bindProxy(null, null, readType());
  }

  private void passAnnotation() throws IOException {
    int base = height;
    push(CUSTOM_DATA, 0);
    passPending(base);
  }
}
