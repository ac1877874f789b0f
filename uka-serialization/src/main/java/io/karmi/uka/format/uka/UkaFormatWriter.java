package io.karmi.uka.format.uka;

import io.karmi.uka.buffer.OutputBuffer;
import io.karmi.uka.format.FormatWriter;
import io.karmi.uka.format.Token;
import io.karmi.uka.platform.BulkCopy;
import io.karmi.uka.platform.ReplacesItself;
import io.karmi.uka.platform.ShortCopy;
import io.karmi.uka.platform.StringCoder;
import io.karmi.uka.platform.TypeCode;
import io.karmi.uka.type.ClassDescription;
import io.karmi.uka.type.FieldDescription;
import java.io.IOException;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/** Writer of the UKA format: small tokens, little-endian primitives of fixed width. */
public final class UkaFormatWriter extends FormatWriter {
  /** Longest array for which no room is prepared, in elements. */
  private static final int SHORT_ARRAY = 64;

  /** Whether tokens have to tell arrays, enum constants and other objects apart. */
  private boolean namesKinds;

  private final PlatformDescriptions platform;

  /**
   * Begins.
   *
   * @param platform classes that have a number
   */
  public UkaFormatWriter(OutputBuffer out, PlatformDescriptions platform) {
    super(out, (byte) UkaTokens.NULL);
    this.platform = platform;
  }

  @Override
  public void nameKinds() {
    namesKinds = true;
  }

  @Override
  public ReplacesItself.Format kind() {
    return ReplacesItself.Format.OF_UKA;
  }

  @Override
  public int header() {
    return UkaTokens.HEADER;
  }

  @Override
  public ByteOrder order() {
    return ByteOrder.LITTLE_ENDIAN;
  }

  @Override
  public boolean numbersTypesAsObjects() {
    return false;
  }

  @Override
  public void writeToken(int token) throws IOException {
    out.writeByte(
        switch (token) {
          case Token.NULL -> UkaTokens.NULL;
          case Token.END_OF_BLOCKS -> UkaTokens.END_OF_BLOCKS;
          case Token.EXCEPTION -> UkaTokens.EXCEPTION;
          case Token.RESET -> UkaTokens.RESET;
          case Token.RESET_OBJECTS -> UkaTokens.RESET_OBJECTS;
          default -> throw new IllegalArgumentException("not a token on its own: " + token);
        });
  }

  @Override
  public void writeReference(int handle) throws IOException {
    if (handle < UkaTokens.SMALL_REFERENCES) {
      out.writeByte(UkaTokens.SMALL_REFERENCE + handle);
    } else {
      out.writeByte(UkaTokens.REFERENCE);
      out.writeVarInt(handle - UkaTokens.SMALL_REFERENCES);
    }
  }

  @Override
  public void writeOpening(int token, int type) throws IOException {
    boolean inToken = type >= 0 && type < UkaTokens.OBJECTS_OF_TYPE && !namesKinds;
    if (inToken && (token == Token.OBJECT || token == Token.ARRAY || token == Token.ENUM)) {
      out.writeByte(UkaTokens.OBJECT_OF_TYPE + type);
      return;
    }
    if (token == Token.OBJECT && type == NEW_NARROW) {
      out.writeByte(UkaTokens.NARROW_OBJECT);
      return;
    }
    out.writeByte(
        switch (token) {
          case Token.OBJECT -> UkaTokens.OBJECT;
          case Token.ARRAY -> UkaTokens.ARRAY;
          case Token.CLASS, Token.DESCRIPTION -> UkaTokens.CLASS;
          case Token.ENUM -> UkaTokens.ENUM;
          default -> throw new IllegalArgumentException("not a token with a type: " + token);
        });
    if (token == Token.DESCRIPTION) {
      writeType(NO_TYPE);
    }
    writeType(type);
  }

  @Override
  public void writeType(int type) throws IOException {
    out.writeVarInt(
        switch (type) {
          case NO_TYPE -> UkaTokens.NO_TYPE;
          case NEW_TYPE -> UkaTokens.NEW_TYPE;
          case NEW_PROXY -> UkaTokens.NEW_PROXY;
          case NEW_SLIM -> UkaTokens.NEW_SLIM;
          default -> UkaTokens.FIRST_TYPE + type;
        });
  }

  @Override
  public void writeDescription(ClassDescription description, boolean briefly, TypeNames names)
      throws IOException {
    UkaDescription.write(description, briefly, out, platform);
  }

  @Override
  public boolean compactsNumbers() {
    return platform.areNumbersUsual;
  }

  @Override
  public boolean narrowsNumbers(int type) {
    return type + 2 < UkaTokens.OBJECTS_OF_TYPE;
  }

  @Override
  public boolean abbreviates(ClassDescription description) {
    return platform.find(description) >= 0;
  }

  /** Writes a description part by part. */
  void encode(ClassDescription description) throws IOException {
    boolean hasUid = description.serialVersionUid != UkaDescription.arrayUid(description.name);
    boolean hasFields = description.fields.length > 0;
    out.writeByte(
        description.flags
            | (hasUid ? UkaTokens.HAS_UID : 0)
            | (hasFields ? UkaTokens.HAS_FIELDS : 0));
    writeText(description.name);
    if (hasUid) {
      out.writeLong(description.serialVersionUid);
    }
    if (hasFields) {
      out.writeVarInt(description.fields.length);
      for (FieldDescription field : description.fields) {
        writeField(field);
      }
    }
  }

  private void writeField(FieldDescription field) throws IOException {
    switch (field.signature()) {
      case UkaTokens.STRING_SIGNATURE -> out.writeByte(UkaTokens.STRING_FIELD);
      case UkaTokens.OBJECT_SIGNATURE -> out.writeByte(UkaTokens.OBJECT_FIELD);
      default -> {
        out.writeByte(field.code());
        if (!field.isPrimitive()) {
          writeText(field.signature());
        }
      }
    }
    writeText(field.name());
  }

  @Override
  public boolean hasSlimTypes() {
    return true;
  }

  @Override
  public void writeSlim(String name, long fingerprint) throws IOException {
    writeText(name);
    out.writeLong(fingerprint);
  }

  @Override
  public void writeProxyInterfaces(String[] names) throws IOException {
    out.writeVarInt(names.length);
    for (String name : names) {
      writeText(name);
    }
  }

  @Override
  public void writeString(String text) throws IOException {
    byte[] latin1 = StringCoder.latin1(text);
    if (latin1 != null && latin1.length < UkaTokens.SHORT_STRINGS) {
      writeShort(latin1);
      return;
    }
    int length = text.length();
    if (!StringCoder.isLatin1(text)) {
      out.writeByte(UkaTokens.UTF16_STRING);
      out.writeVarInt(length);
      writeUtf16(text);
    } else if (length < UkaTokens.SHORT_STRINGS) {
      writeShort(text, length);
    } else {
      out.writeByte(UkaTokens.LATIN1_STRING);
      out.writeVarInt(length);
      out.writeLatin1(text);
    }
  }

  @Override
  public int shortTexts() {
    return UkaTokens.SHORT_STRINGS;
  }

  @Override
  public int firstOfText() {
    return UkaTokens.SHORT_STRING;
  }

  private void writeShort(byte[] latin1) throws IOException {
    int length = latin1.length;
    out.reserve(1 + length);
    byte[] to = out.bytes;
    int at = out.position;
    to[at] = (byte) (UkaTokens.SHORT_STRING + length);
    ShortCopy.copy(latin1, to, at + 1);
    out.position = at + 1 + length;
  }

  @SuppressWarnings("deprecation") // the one method that copies into an array that is there
  private void writeShort(String text, int length) throws IOException {
    out.reserve(1 + length);
    byte[] to = out.bytes;
    int at = out.position;
    to[at] = (byte) (UkaTokens.SHORT_STRING + length);
    text.getBytes(0, length, to, at + 1);
    out.position = at + 1 + length;
  }

  private void writeUtf16(String text) throws IOException {
    byte[] value = StringCoder.utf16(text);
    if (value == null) {
      out.writeUtf16(text);
    } else if (value.length <= ShortCopy.LONGEST) {
      out.reserve(value.length);
      ShortCopy.copy(value, out.bytes, out.position);
      out.position += value.length;
    } else {
      out.writeBytes(value, 0, value.length);
    }
  }

  /** A name: its length and encoding in one number, then the characters. */
  private void writeText(String text) throws IOException {
    boolean latin1 = StringCoder.isLatin1(text);
    out.writeVarInt(text.length() << 1 | (latin1 ? 0 : 1));
    if (latin1) {
      out.writeLatin1(text);
    } else {
      writeUtf16(text);
    }
  }

  @Override
  public boolean numbersConstants() {
    return true;
  }

  @Override
  public void writeConstant(int number, @Nullable String name) throws IOException {
    out.writeVarInt(number << 1 | (name == null ? 0 : 1));
    if (name != null) {
      writeText(name);
    }
  }

  @Override
  public void openRun(int head) throws IOException {
    out.writeByte(UkaTokens.RUN);
    out.writeVarInt(head);
  }

  @Override
  public void writeLength(int elements) throws IOException {
    out.writeVarInt(elements);
  }

  @Override
  public void writeArray(Object array, char code) throws IOException {
    int length = java.lang.reflect.Array.getLength(array);
    if (code != 'C') {
      writeLength(length);
    } else if (length <= SHORT_ARRAY && isLatin1((char[]) array)) {
      writeNarrow((char[]) array);
      return;
    } else {
      out.writeVarInt(length << 1 | 1);
    }
    if (length > SHORT_ARRAY) {
      out.expect((long) length * TypeCode.sizeOf(code));
    }
    if (code != 'B' && code != 'Z' && BulkCopy.pays(length)) {
      copyElements(array, code, length);
    } else {
      writeElements(array, code, length);
    }
  }

  private void copyElements(Object array, char code, int length) throws IOException {
    int elementBytes = TypeCode.sizeOf(code);
    for (int done = 0; done < length; ) {
      int step = out.stepElements(length - done, elementBytes);
      out.position += BulkCopy.toBytes(array, code, done, step, out.bytes, out.position);
      done += step;
    }
  }

  private static boolean isLatin1(char[] characters) {
    int all = 0;
    for (char c : characters) {
      all |= c;
    }
    return all < 0x100;
  }

  private void writeNarrow(char[] characters) throws IOException {
    out.writeVarInt(characters.length << 1);
    out.reserve(characters.length);
    byte[] to = out.bytes;
    int at = out.position;
    for (char c : characters) {
      to[at++] = (byte) c;
    }
    out.position = at;
  }

  private void writeElements(Object array, char code, int length) throws IOException {
    switch (code) {
      case 'B' -> out.writeBytes((byte[]) array, 0, length);
      case 'Z' -> out.writeBooleans((boolean[]) array, 0, length);
      case 'C' -> out.writeChars((char[]) array, 0, length);
      case 'S' -> out.writeShorts((short[]) array, 0, length);
      case 'I' -> out.writeInts((int[]) array, 0, length);
      case 'F' -> out.writeFloats((float[]) array, 0, length);
      case 'J' -> out.writeLongs((long[]) array, 0, length);
      case 'D' -> out.writeDoubles((double[]) array, 0, length);
      default -> throw new IllegalArgumentException("not the type code of a primitive: " + code);
    }
  }

  @Override
  public void openBlock(int length) throws IOException {
    out.writeShort(UkaTokens.BLOCK | length << Byte.SIZE);
  }

  @Override
  public void writeBlock(byte[] bytes, int offset, int length) throws IOException {
    if (length <= 0xFF) {
      openBlock(length);
    } else {
      out.writeByte(UkaTokens.LONG_BLOCK);
      out.writeVarInt(length);
    }
    out.writeBytes(bytes, offset, length);
  }
}
