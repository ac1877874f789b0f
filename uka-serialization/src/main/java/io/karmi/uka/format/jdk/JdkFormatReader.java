package io.karmi.uka.format.jdk;

import io.karmi.uka.buffer.InputBuffer;
import io.karmi.uka.format.FormatReader;
import io.karmi.uka.format.FormatWriter;
import io.karmi.uka.format.FrameInput;
import io.karmi.uka.format.ModifiedUtf8;
import io.karmi.uka.format.Token;
import io.karmi.uka.type.ClassDescription;
import io.karmi.uka.type.FieldDescription;
import java.io.DataInput;
import java.io.IOException;
import java.io.InvalidClassException;
import java.io.ObjectStreamConstants;
import java.io.StreamCorruptedException;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reader of the JDK's format; see {@link JdkFormatWriter}. */
public final class JdkFormatReader extends FormatReader {
  /** By type code, from {@code TC_BASE} to {@code TC_MAX}. */
  private static final int[] TOKENS = {
    Token.NULL,
    Token.REFERENCE,
    Token.DESCRIPTION,
    Token.OBJECT,
    Token.STRING,
    Token.ARRAY,
    Token.CLASS,
    Token.BLOCK,
    Token.END_OF_BLOCKS,
    Token.RESET,
    Token.BLOCK,
    Token.EXCEPTION,
    Token.STRING,
    Token.DESCRIPTION,
    Token.ENUM,
  };

  /** Bytes of an object's token and a reference to its class. */
  private static final int BYTES_OF_KNOWN_TYPE = 6;

  private static final int BYTES_OF_REFERENCE = 5;

  /** Bytes before a class's name: tokens of object and class, and the name's length. */
  private static final int BYTES_TO_NAME = 4;

  private static final byte[] JAVA = {'j', 'a', 'v', 'a', '.'};

  private static final String TYPE_CODES = "BCDFIJSZL[";

  /** Smallest size of a field in a description, in bytes. */
  private static final int BYTES_OF_FIELD = 3;

  /** Bytes behind the fields at least: the end of annotations, and a superclass. */
  private static final int BYTES_AFTER_FIELDS = 2;

  /** Longest name of a description that is looked up, in bytes. */
  private static final int MAXIMUM_NAME_BYTES = 1024;

  public JdkFormatReader(InputBuffer in) {
    super(in);
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
  public int peek() throws IOException {
    if (in.remaining() == 0 && !in.comes(1)) {
      return Token.END_OF_STREAM;
    }
    int token = in.bytes[in.position] - ObjectStreamConstants.TC_BASE;
    if (token < 0 || token >= TOKENS.length) {
      if (in.bytes[in.position] == FrameInput.SEAM) {
        return Token.SEAM;
      }
      throw invalidTypeCode(in.bytes[in.position]);
    }
    return TOKENS[token];
  }

  @Override
  public boolean takeSeam() throws IOException {
    return ((FrameInput) in).takeSeam();
  }

  @Override
  public int takeObject() {
    int start = in.position;
    if (start < in.limit && in.bytes[start] == ObjectStreamConstants.TC_NULL) {
      in.position = start + 1;
      return NULL_TAKEN;
    }
    int handle = peekObject();
    if (handle >= 0) {
      in.position = start + BYTES_OF_KNOWN_TYPE;
    }
    return handle;
  }

  @Override
  public int peekObject() {
    int start = in.position;
    return in.limit - start >= BYTES_OF_KNOWN_TYPE
            && in.bytes[start] == ObjectStreamConstants.TC_OBJECT
            && in.bytes[start + 1] == ObjectStreamConstants.TC_REFERENCE
        ? Math.max(handleAt(start + 2), NOTHING_TAKEN)
        : NOTHING_TAKEN;
  }

  @Override
  public boolean takesObject(int number) {
    if (number < 0 || peekObject() != number) {
      return false;
    }
    in.position += BYTES_OF_KNOWN_TYPE;
    return true;
  }

  @Override
  public int peekHandle() {
    int start = in.position;
    return in.limit - start >= BYTES_OF_REFERENCE
            && in.bytes[start] == ObjectStreamConstants.TC_REFERENCE
        ? Math.max(handleAt(start + 1), NOTHING_TAKEN)
        : NOTHING_TAKEN;
  }

  private int handleAt(int position) {
    return BigEndian.getInt(in.bytes, position) - ObjectStreamConstants.baseWireHandle;
  }

  @Override
  public boolean announcesClass() throws IOException {
    byte type = in.comes(2) ? in.bytes[in.position + 1] : ObjectStreamConstants.TC_NULL;
    if (type != ObjectStreamConstants.TC_CLASSDESC) {
      return type == ObjectStreamConstants.TC_PROXYCLASSDESC;
    }
    /* A description has more bytes in any case. */
    if (!in.comes(BYTES_TO_NAME + 2 + JAVA.length)) {
      return true;
    }
    int name = in.position + BYTES_TO_NAME;
    if (in.bytes[in.position] == ObjectStreamConstants.TC_ARRAY) {
      if (in.bytes[name + 1] != 'L') {
        return false;
      }
      name += 2;
    }
    return !Arrays.equals(in.bytes, name, name + JAVA.length, JAVA, 0, JAVA.length);
  }

  @Override
  public void skipToken() throws IOException {
    in.require(1);
    byte code = in.bytes[in.position];
    /* A description has no token of its own. */
    if (code != ObjectStreamConstants.TC_CLASSDESC
        && code != ObjectStreamConstants.TC_PROXYCLASSDESC) {
      in.position++;
    }
  }

  @Override
  public int readType() throws IOException {
    in.require(1);
    byte code = in.bytes[in.position];
    switch (code) {
      case ObjectStreamConstants.TC_NULL -> in.position++;
      case ObjectStreamConstants.TC_CLASSDESC -> in.position++;
      case ObjectStreamConstants.TC_PROXYCLASSDESC -> in.position++;
      case ObjectStreamConstants.TC_REFERENCE -> {
        return readHandle();
      }
      default -> throw invalidTypeCode(code);
    }
    return code == ObjectStreamConstants.TC_NULL
        ? FormatWriter.NO_TYPE
        : code == ObjectStreamConstants.TC_CLASSDESC
            ? FormatWriter.NEW_TYPE
            : FormatWriter.NEW_PROXY;
  }

  @Override
  public int readHandle() throws IOException {
    in.require(5);
    in.position++;
    int handle = BigEndian.readInt(in) - ObjectStreamConstants.baseWireHandle;
    if (handle < 0) {
      throw invalidHandle(handle);
    }
    return handle;
  }

  @Override
  public StreamCorruptedException invalidHandle(int handle) {
    return super.invalidHandle(handle + ObjectStreamConstants.baseWireHandle);
  }

  @Override
  public ClassDescription readDescription(TypeNames names) throws IOException {
    int following = in.following;
    in.following = following + KnownDescription.BYTES_AFTER_NAME + BYTES_AFTER_FIELDS;
    in.require(2);
    in.following = following + BYTES_AFTER_FIELDS;
    ClassDescription description = readBeforeOthers(names);
    in.following = following;
    return description;
  }

  @Override
  public ClassDescription readDescription(TypeNames names, DataInput stream) throws IOException {
    String name = stream.readUTF();
    long uid = stream.readLong();
    int flags = stream.readByte() & 0xFF;
    int count = stream.readShort();
    ClassDescription head = head(name, uid, flags, count);
    /* Grows as fields arrive. */
    List<FieldDescription> fields = new ArrayList<>();
    while (fields.size() < count) {
      fields.add(readField(name, (char) stream.readByte(), stream.readUTF(), names));
    }
    return whole(head, fields.toArray(new FieldDescription[0]));
  }

  private ClassDescription readBeforeOthers(TypeNames names) throws IOException {
    int nameBytes = BigEndian.getUnsignedShort(in.bytes, in.position);
    int headBytes = 2 + nameBytes + KnownDescription.BYTES_AFTER_NAME;
    if (nameBytes > MAXIMUM_NAME_BYTES || !in.comes(headBytes)) {
      /* Reports the first mistake first. */
      return readUnknown(names);
    }
    int start = in.position;
    KnownDescription known = KnownDescription.find(in.bytes, start, start + headBytes);
    if (known != null) {
      in.position += headBytes;
      return readExpectedFields(known, names);
    }
    byte[] head = Arrays.copyOfRange(in.bytes, start, start + headBytes);
    ClassDescription description = readUnknown(names);
    KnownDescription.remember(description, head);
    return description;
  }

  private ClassDescription readUnknown(TypeNames names) throws IOException {
    String name = readUtf();
    long uid = BigEndian.readLong(in);
    int flags = in.readByte() & 0xFF;
    /* Signed, as the JDK reads it. */
    int count = (short) BigEndian.readUnsignedShort(in);
    ClassDescription head = head(name, uid, flags, count);
    return whole(head, readFields(name, count, new ArrayList<>(), names));
  }

  private static ClassDescription head(String name, long uid, int flags, int count)
      throws InvalidClassException {
    ClassDescription head = new ClassDescription(name, uid, flags, new FieldDescription[0]);
    if (head.isEnum() && count != 0) {
      throw new InvalidClassException(name, "enum descriptor has non-zero field count: " + count);
    }
    return head;
  }

  private static ClassDescription whole(ClassDescription head, FieldDescription[] fields)
      throws InvalidClassException {
    return fields.length == 0
        ? head
        : new ClassDescription(head.name, head.serialVersionUid, head.flags, fields);
  }

  /** Reads the fields of a description whose head is known; the fields may differ. */
  private ClassDescription readExpectedFields(KnownDescription known, TypeNames names)
      throws IOException {
    ClassDescription description = known.description;
    int following = in.following;
    int first = known.takePrimitives(in) ? description.firstReference() : 0;
    for (int i = first; i < description.fields.length; i++) {
      FieldDescription field = description.fields[i];
      in.following = following + BYTES_OF_FIELD * (description.fields.length - 1 - i);
      boolean same = known.takeField(in, i);
      String signature = field.signature();
      if (same && !field.isPrimitive()) {
        signature = takeName(signature) ? names.addName(signature) : names.readName();
      }
      if (!same || !field.signature().equals(signature)) {
        in.following = following;
        List<FieldDescription> fields =
            new ArrayList<>(Arrays.asList(description.fields).subList(0, i));
        if (same) {
          fields.add(field(description.name, field.name(), signature));
        }
        return new ClassDescription(
            description.name,
            description.serialVersionUid,
            description.flags,
            readFields(description.name, description.fields.length, fields, names));
      }
    }
    return description;
  }

  /** Takes a string of ASCII characters that has not been in the stream, if it comes next. */
  private boolean takeName(String expected) {
    int length = expected.length();
    int start = in.position;
    if (in.limit - start < 3 + length
        || in.bytes[start] != ObjectStreamConstants.TC_STRING
        || BigEndian.getUnsignedShort(in.bytes, start + 1) != length) {
      return false;
    }
    for (int i = 0; i < length; i++) {
      char c = expected.charAt(i);
      if (c == 0 || c >= 0x80 || in.bytes[start + 3 + i] != (byte) c) {
        return false;
      }
    }
    in.position = start + 3 + length;
    return true;
  }

  /** Reads fields until there are {@code count}. The list grows as they arrive. */
  private FieldDescription[] readFields(
      String className, int count, List<FieldDescription> fields, TypeNames names)
      throws IOException {
    int following = in.following;
    while (fields.size() < count) {
      in.following = following + BYTES_OF_FIELD * (count - 1 - fields.size());
      fields.add(readField(className, (char) in.readByte(), readUtf(), names));
    }
    return fields.toArray(new FieldDescription[0]);
  }

  /** Reads what follows a field's type code and name. */
  private static FieldDescription readField(
      String className, char code, String name, TypeNames names) throws IOException {
    String signature = code == 'L' || code == '[' ? names.readName() : String.valueOf(code);
    return field(className, name, signature);
  }

  /** The description of a field. The JDK goes by the signature, where there is one. */
  private static FieldDescription field(String className, String name, @Nullable String signature)
      throws InvalidClassException {
    if (signature == null || signature.isEmpty() || TYPE_CODES.indexOf(signature.charAt(0)) < 0) {
      InvalidClassException exception =
          new InvalidClassException(className, "invalid descriptor for field " + name);
      exception.initCause(new IllegalArgumentException("illegal signature"));
      throw exception;
    }
    return new FieldDescription(signature.charAt(0), name, signature);
  }

  @Override
  public String[] readProxyInterfaces() throws IOException {
    int count = BigEndian.readInt(in);
    checkInterfaceCount(count);
    List<String> names = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      names.add(readUtf());
    }
    return names.toArray(new String[0]);
  }

  @Override
  public String readString() throws IOException {
    in.require(1);
    return in.bytes[in.position++] == ObjectStreamConstants.TC_STRING
        ? readUtf()
        : ModifiedUtf8.read(in, BigEndian.readLong(in));
  }

  @Override
  public @Nullable String takeString() throws IOException {
    int start = in.position;
    if (in.limit - start < 3 || in.bytes[start] != ObjectStreamConstants.TC_STRING) {
      return null;
    }
    int lengthBytes = BigEndian.getUnsignedShort(in.bytes, start + 1);
    if (in.limit - start - 3 < lengthBytes) {
      return null;
    }
    in.position = start + 3;
    return ModifiedUtf8.read(in, lengthBytes);
  }

  private String readUtf() throws IOException {
    return ModifiedUtf8.read(in, BigEndian.readUnsignedShort(in));
  }

  @Override
  public int readLength(char code) throws IOException {
    return BigEndian.readInt(in);
  }

  @Override
  public void readElements(Object array, char code, int offset, int length) throws IOException {
    BigEndian.read(in, array, code, offset, length);
  }

  @Override
  public boolean hasArrivedToBlock() throws IOException {
    int atHand = in.available();
    if (atHand <= 0 || !in.comes(1)) {
      return false;
    }
    /* By what the source has said once, as the JDK's: there are sources that always say 1. */
    return switch (in.bytes[in.position]) {
      case ObjectStreamConstants.TC_BLOCKDATA -> atHand >= 2;
      case ObjectStreamConstants.TC_BLOCKDATALONG -> atHand >= 5;
      case FrameInput.SEAM -> in.hasArrived(4);
      default -> true;
    };
  }

  @Override
  public boolean takeBlock(int length) {
    return takeBlock(ObjectStreamConstants.TC_BLOCKDATA, length);
  }

  @Override
  public boolean takeEnd() {
    return takeByte(ObjectStreamConstants.TC_ENDBLOCKDATA);
  }

  @Override
  public int readBlockLength() throws IOException {
    in.require(2);
    if (in.bytes[in.position++] == ObjectStreamConstants.TC_BLOCKDATA) {
      return in.bytes[in.position++] & 0xFF;
    }
    int length = BigEndian.readInt(in);
    if (length < 0) {
      throw new StreamCorruptedException("illegal block data header length: " + length);
    }
    return length;
  }
}
