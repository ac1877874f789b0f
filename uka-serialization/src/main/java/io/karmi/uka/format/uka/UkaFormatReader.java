package io.karmi.uka.format.uka;

import io.karmi.uka.buffer.InputBuffer;
import io.karmi.uka.format.FormatReader;
import io.karmi.uka.format.FormatWriter;
import io.karmi.uka.format.Runs;
import io.karmi.uka.format.Token;
import io.karmi.uka.platform.TypeCode;
import io.karmi.uka.type.ClassDescription;
import io.karmi.uka.type.FieldDescription;
import java.io.IOException;
import java.io.InvalidClassException;
import java.io.StreamCorruptedException;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reader of the UKA format; see {@link UkaFormatWriter}. */
public final class UkaFormatReader extends FormatReader {
  private static final byte[] TOKENS = new byte[UkaTokens.SHORT_STRING];

  static {
    TOKENS[UkaTokens.NULL] = Token.NULL;
    TOKENS[UkaTokens.REFERENCE] = Token.REFERENCE;
    TOKENS[UkaTokens.OBJECT] = Token.OBJECT;
    TOKENS[UkaTokens.LATIN1_STRING] = Token.STRING;
    TOKENS[UkaTokens.UTF16_STRING] = Token.STRING;
    TOKENS[UkaTokens.ARRAY] = Token.ARRAY;
    TOKENS[UkaTokens.ENUM] = Token.ENUM;
    TOKENS[UkaTokens.BLOCK] = Token.BLOCK;
    TOKENS[UkaTokens.LONG_BLOCK] = Token.BLOCK;
    TOKENS[UkaTokens.END_OF_BLOCKS] = Token.END_OF_BLOCKS;
    TOKENS[UkaTokens.EXCEPTION] = Token.EXCEPTION;
    TOKENS[UkaTokens.RESET] = Token.RESET;
    TOKENS[UkaTokens.RESET_OBJECTS] = Token.RESET_OBJECTS;
    TOKENS[UkaTokens.NARROW_OBJECT] = Token.OBJECT;
  }

  private static final int NO_TYPE_IN_TOKEN = -1;
  private static final char[] NO_CHARACTERS = {};

  /** The type that was part of the last token: a number, or that of a narrow object. */
  private int typeInToken = NO_TYPE_IN_TOKEN;

  /** Whether the characters of the array whose length was read last take a byte each. */
  private boolean narrow;

  /** Temporary room for the characters of a string. */
  private char[] characters = NO_CHARACTERS;

  private final PlatformDescriptions platform;
  private @Nullable UkaRuns runs;
  private Types types;

  /**
   * Begins.
   *
   * @param platform classes that have a number
   */
  public UkaFormatReader(InputBuffer in, PlatformDescriptions platform) {
    super(in);
    this.platform = platform;
  }

  @Override
  public void setTypes(Types types) {
    this.types = types;
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
  public int peek() throws IOException {
    if (in.remaining() == 0 && !in.requireSome(1)) {
      return Token.END_OF_STREAM;
    }
    int first = in.bytes[in.position];
    if (first < 0) {
      return Token.OBJECT;
    }
    if (first >= UkaTokens.SMALL_REFERENCE) {
      return Token.REFERENCE;
    }
    if (first >= UkaTokens.SHORT_STRING) {
      return Token.STRING;
    }
    return switch (first) {
      case UkaTokens.RUN -> peekRun();
      case UkaTokens.CLASS -> isDescription() ? Token.DESCRIPTION : Token.CLASS;
      default -> TOKENS[first];
    };
  }

  /** Whether what begins as a class is a description. */
  private boolean isDescription() throws IOException {
    in.require(2);
    return in.bytes[in.position + 1] == UkaTokens.NO_TYPE;
  }

  private int peekRun() throws IOException {
    beginRun().expand(0);
    return peek();
  }

  @Override
  public boolean comesRun() {
    return in.position < in.limit && in.bytes[in.position] == UkaTokens.RUN;
  }

  @Override
  public Runs beginRun() throws IOException {
    if (runs == null) {
      runs = new UkaRuns(in, types);
    }
    runs.begin();
    return runs;
  }

  @Override
  public int takeObject() {
    if (in.position < in.limit) {
      int first = in.bytes[in.position];
      if (first < 0) {
        in.position++;
        return first + UkaTokens.OBJECTS_OF_TYPE;
      }
      if (first == UkaTokens.NULL) {
        in.position++;
        return NULL_TAKEN;
      }
    }
    return NOTHING_TAKEN;
  }

  @Override
  public boolean announcesClass() {
    if (in.remaining() < 3) {
      return false;
    }
    int token = in.bytes[in.position];
    int type = in.bytes[in.position + 1];
    if (token == UkaTokens.NARROW_OBJECT) {
      return type >= 0;
    }
    boolean described = type == UkaTokens.NEW_TYPE && in.bytes[in.position + 2] >= 0;
    return (token == UkaTokens.OBJECT || token == UkaTokens.ARRAY)
        && (described || type == UkaTokens.NEW_SLIM);
  }

  @Override
  public int peekObject() {
    return in.position < in.limit && in.bytes[in.position] < 0
        ? in.bytes[in.position] + UkaTokens.OBJECTS_OF_TYPE
        : NOTHING_TAKEN;
  }

  @Override
  public int runToken(int number) {
    return number < UkaTokens.OBJECTS_OF_TYPE ? number - UkaTokens.OBJECTS_OF_TYPE : 0;
  }

  @Override
  public boolean takesObject(int number) {
    int start = in.position;
    if (start >= in.limit) {
      return false;
    }
    int first = in.bytes[start];
    if (first >= 0 || first + UkaTokens.OBJECTS_OF_TYPE != number) {
      return false;
    }
    in.position = start + 1;
    return true;
  }

  @Override
  public void skipToken() throws IOException {
    int first = in.readByte();
    if (first < 0) {
      typeInToken = first + UkaTokens.OBJECTS_OF_TYPE;
    } else {
      typeInToken = first == UkaTokens.NARROW_OBJECT ? FormatWriter.NEW_NARROW : NO_TYPE_IN_TOKEN;
      if (first == UkaTokens.CLASS && in.bytes[in.position] == UkaTokens.NO_TYPE) {
        /* The token has been shown, so both are here. */
        in.position++;
      }
    }
  }

  @Override
  public int peekHandle() {
    int start = in.position;
    if (start >= in.limit) {
      return NOTHING_TAKEN;
    }
    int first = in.bytes[start];
    if (first >= UkaTokens.SMALL_REFERENCE) {
      return first - UkaTokens.SMALL_REFERENCE;
    }
    boolean isShort =
        first == UkaTokens.REFERENCE && in.limit - start > 1 && in.bytes[start + 1] >= 0;
    return isShort ? in.bytes[start + 1] + UkaTokens.SMALL_REFERENCES : NOTHING_TAKEN;
  }

  @Override
  public int readHandle() throws IOException {
    int first = in.readByte();
    return first >= UkaTokens.SMALL_REFERENCE
        ? first - UkaTokens.SMALL_REFERENCE
        : in.readVarInt() + UkaTokens.SMALL_REFERENCES;
  }

  @Override
  public int readType() throws IOException {
    int type = typeInToken;
    if (type != NO_TYPE_IN_TOKEN) {
      typeInToken = NO_TYPE_IN_TOKEN;
      return type;
    }
    type = in.readVarInt();
    return switch (type) {
      case UkaTokens.NO_TYPE -> FormatWriter.NO_TYPE;
      case UkaTokens.NEW_TYPE -> FormatWriter.NEW_TYPE;
      case UkaTokens.NEW_PROXY -> FormatWriter.NEW_PROXY;
      case UkaTokens.NEW_SLIM -> FormatWriter.NEW_SLIM;
      default -> {
        if (type < 0) {
          throw new StreamCorruptedException("invalid type number: " + type);
        }
        yield type - UkaTokens.FIRST_TYPE;
      }
    };
  }

  @Override
  public ClassDescription readDescription(TypeNames names) throws IOException {
    ClassDescription description = readDescription();
    keptFields(description.fields.length);
    return description;
  }

  private ClassDescription readDescription() throws IOException {
    in.require(1);
    int first = in.bytes[in.position];
    if (first < 0) {
      return readPlatform();
    }
    ClassDescription known = UkaDescription.take(in);
    if (known != null) {
      return known;
    }
    ClassDescription description = UkaDescription.read(in);
    keepNames(description);
    UkaDescription.remember(description, platform);
    return description;
  }

  private void keepNames(ClassDescription description) {
    keptName(description.name);
    for (FieldDescription field : description.fields) {
      keptName(field.name());
      keptName(field.signature());
    }
  }

  private ClassDescription readPlatform() throws IOException {
    int number = in.readByte() & ~UkaTokens.PLATFORM & 0xFF;
    if (number >= platform.size()) {
      throw new StreamCorruptedException(
          "no class of the platform has number "
              + number
              + " of "
              + platform.size()
              + "; the writer is newer");
    }
    return platform.get(number);
  }

  @Override
  public boolean takesAnyKind() {
    return true;
  }

  @Override
  public boolean isOfAnyKind() {
    return typeInToken >= 0;
  }

  @Override
  public boolean hasShortForm(ClassDescription description) {
    return platform.holds(description) && platform.hasShortForm(description);
  }

  @Override
  public String readSlimName() throws IOException {
    String name = UkaText.read(in);
    if (name.isEmpty()) {
      throw new StreamCorruptedException("a class without a name");
    }
    return name;
  }

  @Override
  public long readFingerprint() throws IOException {
    return in.readLong();
  }

  @Override
  public String[] readProxyInterfaces() throws IOException {
    int count = in.readVarInt();
    checkInterfaceCount(count);
    List<String> names = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      UkaDescription.look(in, i);
      names.add(keptName(UkaText.read(in)));
    }
    keptFields(count);
    return names.toArray(new String[0]);
  }

  @Override
  public String readString() throws IOException {
    in.require(1);
    int first = in.bytes[in.position++];
    if (first >= UkaTokens.SHORT_STRING) {
      return UkaText.readLatin1(in, first - UkaTokens.SHORT_STRING);
    }
    int length = in.readVarInt();
    return first == UkaTokens.LATIN1_STRING
        ? UkaText.readLatin1(in, length)
        : UkaText.readUtf16(in, length);
  }

  @Override
  public @Nullable String takeString() throws IOException {
    int start = in.position + 1;
    if (start > in.limit) {
      return null;
    }
    int length = in.bytes[start - 1] - UkaTokens.SHORT_STRING;
    if (length < 0 || length >= UkaTokens.SHORT_STRINGS || in.limit - start < length) {
      return takeUtf16();
    }
    in.position = start + length;
    return UkaText.latin1(in.bytes, start, length);
  }

  /** Takes a short string of two bytes per character. */
  private @Nullable String takeUtf16() throws IOException {
    int start = in.position + 2;
    if (start > in.limit || in.bytes[start - 2] != UkaTokens.UTF16_STRING) {
      return null;
    }
    int length = in.bytes[start - 1];
    if (length <= 0 || in.limit - start < 2 * length) {
      return null;
    }
    if (characters.length == 0) {
      characters = new char[Byte.MAX_VALUE];
    }
    in.position = start;
    in.readChars(characters, 0, length);
    return new String(characters, 0, length);
  }

  @Override
  public int takeStrings(@Nullable Object[] into, int from, int to) throws IOException {
    int next = UkaBatches.takeLatin1(in, into, from, to);
    while (next < to) {
      String text = takeUtf16();
      if (text == null) {
        break;
      }
      into[next] = text;
      next = UkaBatches.takeLatin1(in, into, next + 1, to);
    }
    return next;
  }

  @Override
  public int takeTextsAndBoxes(@Nullable Object[] into, int from, int to, int number, char code)
      throws IOException {
    int token = runToken(number);
    return token == 0 ? from : UkaBatches.takeTextsAndBoxes(in, into, from, to, token, code);
  }

  @Override
  public boolean numbersConstants() {
    return true;
  }

  @Override
  public @Nullable Enum<?> takeConstant(@Nullable Enum<?>[] known) {
    int start = in.position;
    if (start == in.limit) {
      return null;
    }
    int value = in.bytes[start];
    /* The first byte of a longer number is negative, which makes an index beyond all arrays. */
    int number = value >>> 1;
    if ((value & 1) != 0 || number >= known.length || known[number] == null) {
      return null;
    }
    in.position = start + 1;
    return known[number];
  }

  @Override
  public int readConstant(List<String> names) throws IOException {
    int value = in.readVarInt();
    int number = value >>> 1;
    boolean named = (value & 1) != 0;
    if (number > names.size() || (number == names.size() && !named)) {
      throw new InvalidClassException(
          "enum constant "
              + number
              + " of a type that has shown "
              + names.size()
              + "; was the object written as an enum?");
    }
    if (named && number == names.size()) {
      names.add(keptConstant(UkaText.read(in)));
    } else if (named) {
      names.set(number, keptConstant(UkaText.read(in)));
    }
    return number;
  }

  @Override
  public int readLength(char code) throws IOException {
    int number = in.readVarInt();
    if (code != 'C') {
      return number;
    }
    narrow = (number & 1) == 0;
    return number >>> 1;
  }

  @Override
  public void readElements(Object array, char code, int offset, int length) throws IOException {
    switch (code) {
      case 'B' -> in.readBytes((byte[]) array, offset, length);
      case 'Z' -> in.readBooleans((boolean[]) array, offset, length);
      case 'C' -> readChars((char[]) array, offset, length);
      case 'S' -> in.readShorts((short[]) array, offset, length);
      case 'I' -> in.readInts((int[]) array, offset, length);
      case 'F' -> in.readFloats((float[]) array, offset, length);
      case 'J' -> in.readLongs((long[]) array, offset, length);
      case 'D' -> in.readDoubles((double[]) array, offset, length);
      default -> throw new IllegalArgumentException("not the type code of a primitive: " + code);
    }
  }

  private void readChars(char[] characters, int offset, int length) throws IOException {
    if (!narrow) {
      in.readChars(characters, offset, length);
      return;
    }
    int done = 0;
    while (done < length) {
      in.require(1);
      int step = Math.min(length - done, in.remaining());
      byte[] from = in.bytes;
      int at = in.position;
      for (int i = 0; i < step; i++) {
        characters[offset + done + i] = (char) (from[at + i] & 0xFF);
      }
      in.position += step;
      done += step;
    }
  }

  @Override
  public @Nullable Object takeShortArray(int number, char code) throws IOException {
    int start = in.position + 2;
    if (start > in.limit || in.bytes[start - 2] + UkaTokens.OBJECTS_OF_TYPE != number) {
      return null;
    }
    int head = in.bytes[start - 1];
    boolean ofBytes = code == 'C' && (head & 1) == 0;
    int length = code == 'C' ? head >> 1 : head;
    int elementBytes = ofBytes ? 1 : TypeCode.sizeOf(code);
    if (head < 0 || length * elementBytes > in.limit - start) {
      return null;
    }
    in.position = start;
    narrow = ofBytes;
    Object array = TypeCode.newArray(code, length);
    readElements(array, code, 0, length);
    return array;
  }

  @Override
  public boolean hasArrivedToBlock() throws IOException {
    if (!in.hasArrived(1)) {
      return false;
    }
    return switch (in.bytes[in.position]) {
      case UkaTokens.BLOCK -> in.hasArrived(2);
      case UkaTokens.LONG_BLOCK -> hasArrivedLength();
      case UkaTokens.CLASS -> in.hasArrived(2);
      case UkaTokens.RUN -> false;
      default -> true;
    };
  }

  /** Whether the length behind a token, of one to five bytes, has arrived. */
  private boolean hasArrivedLength() throws IOException {
    for (int bytes = 2; bytes <= 6; bytes++) {
      if (!in.hasArrived(bytes)) {
        return false;
      }
      if (in.bytes[in.position + bytes - 1] >= 0) {
        return true;
      }
    }
    return true;
  }

  @Override
  public boolean takeBlock(int length) {
    return takeBlock(UkaTokens.BLOCK, length);
  }

  @Override
  public int takeBlockLength() {
    int start = in.position;
    if (in.limit - start < 2 || in.bytes[start] != UkaTokens.BLOCK) {
      return NOTHING_TAKEN;
    }
    in.position = start + 2;
    return in.bytes[start + 1] & 0xFF;
  }

  @Override
  public boolean takeEnd() {
    return takeByte(UkaTokens.END_OF_BLOCKS);
  }

  @Override
  public int readBlockLength() throws IOException {
    int token = in.readByte();
    if (token == UkaTokens.BLOCK) {
      return in.readByte() & 0xFF;
    }
    int length = in.readVarInt();
    if (length < 0) {
      throw new StreamCorruptedException("illegal block data header length: " + length);
    }
    return length;
  }
}
