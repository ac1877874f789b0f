package io.karmi.uka.format.jdk;

import io.karmi.uka.buffer.OutputBuffer;
import io.karmi.uka.format.FormatWriter;
import io.karmi.uka.format.ModifiedUtf8;
import io.karmi.uka.format.Token;
import io.karmi.uka.platform.ReplacesItself;
import io.karmi.uka.platform.ShortCopy;
import io.karmi.uka.platform.StringCoder;
import io.karmi.uka.type.ClassDescription;
import java.io.IOException;
import java.io.ObjectStreamConstants;
import java.nio.ByteOrder;

/** Writer of the JDK's format. */
public final class JdkFormatWriter extends FormatWriter {
  /** The stream's magic number and version, with which it begins. */
  public static final int HEADER =
      (ObjectStreamConstants.STREAM_MAGIC & 0xFFFF) << 16 | ObjectStreamConstants.STREAM_VERSION;

  static final int REFERENCE_BYTES = 5;

  private static final int MAXIMUM_SHORT_STRING_BYTES = 0xFFFF;

  /** Characters of a string that is short in any encoding, at most. */
  private static final int SHORT_STRING_CHARS =
      MAXIMUM_SHORT_STRING_BYTES / ModifiedUtf8.MAXIMUM_BYTES;

  public JdkFormatWriter(OutputBuffer out) {
    super(out, ObjectStreamConstants.TC_NULL);
  }

  @Override
  public ReplacesItself.Format kind() {
    return ReplacesItself.Format.OF_JDK;
  }

  @Override
  public int header() {
    return HEADER;
  }

  @Override
  public ByteOrder order() {
    return ByteOrder.BIG_ENDIAN;
  }

  @Override
  public boolean numbersTypesAsObjects() {
    return true;
  }

  @Override
  public void writeToken(int token) throws IOException {
    out.writeByte(
        switch (token) {
          case Token.NULL -> ObjectStreamConstants.TC_NULL;
          case Token.END_OF_BLOCKS -> ObjectStreamConstants.TC_ENDBLOCKDATA;
          case Token.EXCEPTION -> ObjectStreamConstants.TC_EXCEPTION;
          case Token.RESET -> ObjectStreamConstants.TC_RESET;
          default -> throw new IllegalArgumentException("not a token on its own: " + token);
        });
  }

  @Override
  public void writeReference(int handle) throws IOException {
    out.reserve(REFERENCE_BYTES);
    out.position = putReference(out.bytes, out.position, handle);
  }

  /** Stores a reference; returns the index behind it. */
  static int putReference(byte[] bytes, int at, int handle) {
    bytes[at] = ObjectStreamConstants.TC_REFERENCE;
    BigEndian.putInt(bytes, at + 1, ObjectStreamConstants.baseWireHandle + handle);
    return at + REFERENCE_BYTES;
  }

  @Override
  public void writeOpening(int token, int type) throws IOException {
    if (token != Token.DESCRIPTION) {
      out.writeByte(opening(token));
    }
    writeType(type);
  }

  @Override
  public long opening(int token, int type) {
    long handle = Integer.reverseBytes(ObjectStreamConstants.baseWireHandle + type) & 0xFFFFFFFFL;
    return (1L + REFERENCE_BYTES) << LENGTH_SHIFT
        | handle << 2 * Byte.SIZE
        | ObjectStreamConstants.TC_REFERENCE << Byte.SIZE
        | opening(token);
  }

  private static byte opening(int token) {
    return switch (token) {
      case Token.OBJECT -> ObjectStreamConstants.TC_OBJECT;
      case Token.ARRAY -> ObjectStreamConstants.TC_ARRAY;
      case Token.ENUM -> ObjectStreamConstants.TC_ENUM;
      case Token.CLASS -> ObjectStreamConstants.TC_CLASS;
      default -> throw new IllegalArgumentException("not a token with a type: " + token);
    };
  }

  @Override
  public void writeType(int type) throws IOException {
    switch (type) {
      case NO_TYPE -> out.writeByte(ObjectStreamConstants.TC_NULL);
      case NEW_TYPE -> out.writeByte(ObjectStreamConstants.TC_CLASSDESC);
      case NEW_PROXY -> out.writeByte(ObjectStreamConstants.TC_PROXYCLASSDESC);
      default -> writeReference(type);
    }
  }

  @Override
  public void writeDescription(ClassDescription description, boolean briefly, TypeNames names)
      throws IOException {
    DescriptionBytes.of(description).write(out, names);
  }

  @Override
  public void writeNew(int token, ClassDescription description, boolean last, TypeNames names)
      throws IOException {
    DescriptionBytes bytes = DescriptionBytes.of(description);
    if (token == NO_TOKEN) {
      bytes.writeSuper(out, last, names);
    } else {
      bytes.writeOpening(out, opening(token), last, names);
    }
  }

  @Override
  public void writeProxyInterfaces(String[] names) throws IOException {
    writeLength(names.length);
    for (String name : names) {
      ModifiedUtf8.writeShort(out, name);
    }
  }

  @Override
  public void writeString(String text) throws IOException {
    if (text.length() <= SHORT_STRING_CHARS) {
      writeShortString(text);
      return;
    }
    long lengthBytes = ModifiedUtf8.lengthBytes(text);
    if (lengthBytes <= MAXIMUM_SHORT_STRING_BYTES) {
      out.reserve(3);
      out.bytes[out.position] = ObjectStreamConstants.TC_STRING;
      BigEndian.putShort(out.bytes, out.position + 1, (int) lengthBytes);
      out.position += 3;
      ModifiedUtf8.write(out, text, lengthBytes);
    } else {
      out.reserve(9);
      out.bytes[out.position] = ObjectStreamConstants.TC_LONGSTRING;
      BigEndian.putLong(out.bytes, out.position + 1, lengthBytes);
      out.position += 9;
      ModifiedUtf8.write(out, text, lengthBytes);
    }
  }

  /** Writes the characters, and then their length in front of them. */
  private void writeShortString(String text) throws IOException {
    int length = text.length();
    out.reserve(3 + length * ModifiedUtf8.MAXIMUM_BYTES);
    int start = out.position + 3;
    byte[] latin1 = StringCoder.latin1(text);
    boolean ascii =
        latin1 != null && length <= ShortCopy.LONGEST
            ? ModifiedUtf8.putIfAscii(out.bytes, start, latin1)
            : StringCoder.isLatin1(text) && ModifiedUtf8.putIfAscii(out.bytes, start, text);
    int end = ascii ? start + length : ModifiedUtf8.put(out.bytes, start, text, 0, length);
    out.bytes[out.position] = ObjectStreamConstants.TC_STRING;
    BigEndian.putShort(out.bytes, out.position + 1, end - start);
    out.position = end;
  }

  @Override
  public void writeLength(int elements) throws IOException {
    out.reserve(4);
    BigEndian.putInt(out.bytes, out.position, elements);
    out.position += 4;
  }

  @Override
  public void writeArray(Object array, char code) throws IOException {
    writeLength(java.lang.reflect.Array.getLength(array));
    BigEndian.write(out, array, code);
  }

  @Override
  public void openBlock(int length) throws IOException {
    out.writeShort(ObjectStreamConstants.TC_BLOCKDATA | length << Byte.SIZE);
  }

  @Override
  public void writeBlock(byte[] bytes, int offset, int length) throws IOException {
    if (length <= 0xFF) {
      openBlock(length);
    } else {
      out.reserve(5);
      out.bytes[out.position] = ObjectStreamConstants.TC_BLOCKDATALONG;
      BigEndian.putInt(out.bytes, out.position + 1, length);
      out.position += 5;
    }
    out.writeBytes(bytes, offset, length);
  }
}
