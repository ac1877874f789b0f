package io.karmi.uka.format;

import io.karmi.uka.buffer.InputBuffer;
import io.karmi.uka.type.ClassDescription;
import java.io.DataInput;
import java.io.IOException;
import java.io.InvalidObjectException;
import java.io.StreamCorruptedException;
import java.nio.ByteOrder;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reader of the terminals of the grammar in one wire format; see {@link FormatWriter}.
 *
 * <p>The bytes are not trusted: the outcome is a value or an {@link IOException}, and no memory is
 * allocated for a length before as many bytes have arrived.
 *
 * <p>The methods that <em>take</em> something read it if it comes next and has arrived. A format
 * may always take nothing: then the general path reads it.
 */
public abstract class FormatReader {
  /** Reader of names in a description that are string values with handles in some format. */
  public interface TypeNames {
    /** Reads a signature; null, which is an error, if the stream has none. */
    @Nullable String readName() throws IOException;

    /**
     * Gives a name that has been read the next handle.
     *
     * @return the name
     */
    String addName(String name);
  }

  /** Knowledge of types by their numbers. */
  public interface Types {
    /** Result of {@link #runWidth} for a type that is not known. */
    int NOT_KNOWN = -1;

    /**
     * Size of an object's data in {@linkplain Runs runs}, in bytes; 0 for a number of variable
     * length.
     */
    int runWidth(int number);
  }

  /** Result of {@link #takeObject} if nothing has been read. */
  public static final int NOTHING_TAKEN = -1;

  /** Result of {@link #takeObject} for a null. */
  public static final int NULL_TAKEN = -2;

  private static final int MAXIMUM_INTERFACES = 0xFFFF;

  /** Characters of a name that counts as part of its type or field. */
  private static final int USUAL_NAME = 64;

  /** Upper bound of what a character takes. */
  private static final long CHARACTER_BYTES = Character.BYTES;

  /** About what a field of a type takes, and an interface of a proxy. */
  private static final int FIELD_BYTES = 96;

  /** About what a constant takes beside the characters of its name. */
  private static final int CONSTANT_BYTES = 64;

  protected final InputBuffer in;
  private long describedBytes;

  protected FormatReader(InputBuffer in) {
    this.in = in;
  }

  /** Sets the knowledge of this stream's types. */
  public void setTypes(Types types) {}

  /** Byte order of the primitives in an object's block and in arrays. */
  public abstract ByteOrder order();

  /** Whether types are numbered together with objects. */
  public abstract boolean numbersTypesAsObjects();

  /**
   * The {@link Token} that comes next, still unread.
   *
   * @throws StreamCorruptedException if there is none
   */
  public abstract int peek() throws IOException;

  /**
   * Reads the token that {@link #peek} has returned: any but {@code REFERENCE}, {@code STRING} and
   * {@code BLOCK}, which are read together with their content.
   */
  public abstract void skipToken() throws IOException;

  /**
   * Reads a {@link Token#SEAM} that {@link #peek} has returned.
   *
   * @return false, and nothing has been read, if it only begins as one
   */
  public boolean takeSeam() throws IOException {
    return false;
  }

  /** Reads a type: a number, or a constant of {@link FormatWriter}. */
  public abstract int readType() throws IOException;

  /**
   * Takes {@code NULL}, or token and type of an object whose type has a number.
   *
   * @return the number of the type, {@link #NULL_TAKEN}, or {@link #NOTHING_TAKEN}
   */
  public int takeObject() {
    return NOTHING_TAKEN;
  }

  /**
   * Whether the object or array that {@link #peek} has returned seems to have a class of a program,
   * or such elements, without a number. A hint only.
   */
  public abstract boolean announcesClass() throws IOException;

  /** Whether a packed run comes next, as far as has arrived. */
  public boolean comesRun() {
    return false;
  }

  /**
   * Reads the head of a packed run, after {@link #comesRun}. Its values must be read or {@linkplain
   * Runs#expand expanded} next.
   */
  public Runs beginRun() throws IOException {
    throw new StreamCorruptedException("there are no runs in this format");
  }

  /** The number of a type that {@link #takeObject} would return; else a negative number. */
  public int peekObject() {
    return NOTHING_TAKEN;
  }

  /**
   * Reads an array of primitives, if one of this type comes next, it is short and has arrived.
   *
   * @param number of the type
   * @param code type code of the elements
   * @return null, and nothing has been read, if not
   */
  public @Nullable Object takeShortArray(int number, char code) throws IOException {
    return null;
  }

  /** The byte that is token and type of an object whose type has this number; 0 if none is. */
  public int runToken(int number) {
    return 0;
  }

  /** Takes token and type of an object, if the type has this number. */
  public boolean takesObject(int number) {
    return false;
  }

  /**
   * The handle that {@link #readHandle} would return, if a reference comes next whose handle can be
   * seen at a glance.
   *
   * @return {@link #NOTHING_TAKEN} if not, which is always right
   */
  public int peekHandle() {
    return NOTHING_TAKEN;
  }

  /** Takes {@code REFERENCE} and the handle. Whether it exists is the engine's question. */
  public abstract int readHandle() throws IOException;

  /** The error for a handle that no object has. */
  public StreamCorruptedException invalidHandle(int handle) {
    return new StreamCorruptedException(String.format("invalid handle value: %08X", handle));
  }

  /** The error for the token that comes next, which has no place there. */
  public final IOException misplacedToken() throws IOException {
    return peek() == Token.END_OF_STREAM ? in.endsInside() : invalidTypeCode(in.bytes[in.position]);
  }

  /** The JDK's error for a byte that is no token, or none that could stand there. */
  protected static StreamCorruptedException invalidTypeCode(byte code) {
    return new StreamCorruptedException(String.format("invalid type code: %02X", code));
  }

  /** Whether {@link #takeObject} takes arrays and enum constants, too. */
  public boolean takesAnyKind() {
    return false;
  }

  /**
   * Whether the token of an object that was skipped last may stand before an array or enum
   * constant; to be asked before its type is read.
   */
  public boolean isOfAnyKind() {
    return false;
  }

  /** Whether objects of a type described so have their data in a short form. */
  public boolean hasShortForm(ClassDescription description) {
    return false;
  }

  /** Notes a name of a constant, which its type keeps. */
  protected final String keptConstant(String name) {
    describedBytes += CONSTANT_BYTES + CHARACTER_BYTES * name.length();
    return name;
  }

  /** Notes a name in a type's description, which the type keeps. */
  protected final String keptName(String name) {
    describedBytes += CHARACTER_BYTES * Math.max(0, name.length() - USUAL_NAME);
    return name;
  }

  /** Notes fields of a type, or interfaces, which the type keeps. */
  protected final void keptFields(int count) {
    describedBytes += (long) FIELD_BYTES * count;
  }

  /**
   * About how many bytes that takes which the types of the stream keep, beside what each type takes
   * itself: fields, names of constants, and what other names have beyond a usual length.
   */
  public final long describedBytes() {
    return describedBytes;
  }

  /** The types are void. */
  public final void forgetDescribed() {
    describedBytes = 0;
  }

  /** Takes over the count of a reader that has failed. */
  public final void goOnAfter(FormatReader failed) {
    describedBytes = failed.describedBytes;
  }

  /** Reads what follows {@link FormatWriter#NEW_TYPE}. */
  public abstract ClassDescription readDescription(TypeNames names) throws IOException;

  /**
   * As {@link #readDescription(TypeNames)}, for a program that overrides methods of its stream. A
   * format calls them as the JDK's stream does, if its descriptions consist of such values.
   *
   * @param stream the program's stream, which reads the same bytes as this reader
   */
  public ClassDescription readDescription(TypeNames names, DataInput stream) throws IOException {
    return readDescription(names);
  }

  /** Reads the name that follows {@link FormatWriter#NEW_SLIM}. */
  public String readSlimName() throws IOException {
    throw new StreamCorruptedException("this format describes classes in full only");
  }

  /** Reads the fingerprint that follows the name of a slim type. */
  public long readFingerprint() throws IOException {
    throw new StreamCorruptedException("this format describes classes in full only");
  }

  /** Reads what follows {@link FormatWriter#NEW_PROXY}. */
  public abstract String[] readProxyInterfaces() throws IOException;

  /** Throws the JDK's error for a number of interfaces that no proxy can have. */
  protected static void checkInterfaceCount(int count) throws IOException {
    if (count < 0 || count > MAXIMUM_INTERFACES) {
      throw new InvalidObjectException(
          "interface limit exceeded: " + count + ", limit: " + MAXIMUM_INTERFACES);
    }
  }

  /** Reads {@code STRING} and the text. */
  public abstract String readString() throws IOException;

  /**
   * Takes {@code STRING} and the text.
   *
   * @return null if nothing has been taken
   */
  public @Nullable String takeString() throws IOException {
    return null;
  }

  /**
   * Takes strings as long as {@link #takeString} would.
   *
   * @param to end of the strings, at most
   * @return the index of the first element that has not been set
   */
  public int takeStrings(@Nullable Object[] into, int from, int to) throws IOException {
    int next = from;
    while (next < to) {
      String text = takeString();
      if (text == null) {
        break;
      }
      into[next++] = text;
    }
    return next;
  }

  /**
   * Takes short strings in turn with boxes of one type, as long as pairs of them come next and have
   * arrived.
   *
   * @param to end of the pairs, at most
   * @param number of the type
   * @param code what the boxes hold: {@code 'I'} and {@code 'J'} for numbers of variable length,
   *     {@code 'D'}
   * @return the index of the first element that has not been set
   */
  public int takeTextsAndBoxes(@Nullable Object[] into, int from, int to, int number, char code)
      throws IOException {
    return from;
  }

  /** Whether enum constants are numbered within their type, so that a name comes once. */
  public boolean numbersConstants() {
    return false;
  }

  /**
   * Takes an enum constant behind its type, if constants are numbered and this one is known.
   *
   * @param known constants of the type by their numbers
   * @return null if nothing has been taken
   */
  public @Nullable Enum<?> takeConstant(@Nullable Enum<?>[] known) {
    return null;
  }

  /**
   * Reads an enum constant behind its type, where constants are numbered.
   *
   * @param names the names of the type's constants so far; a new one is added
   * @return its number, an index of {@code names}
   */
  public int readConstant(List<String> names) throws IOException {
    throw new StreamCorruptedException("enum constants have names only in this format");
  }

  /**
   * Reads the length of an array, which may be negative or false.
   *
   * @param code type code of the elements
   */
  public abstract int readLength(char code) throws IOException;

  /** Reads {@code length} elements of the array of primitives whose length was read last. */
  public abstract void readElements(Object array, char code, int offset, int length)
      throws IOException;

  /**
   * Whether neither {@link #peek} nor, for a block, {@link #readBlockLength} would wait for the
   * source.
   *
   * @throws IOException from the source
   */
  public abstract boolean hasArrivedToBlock() throws IOException;

  /**
   * Takes {@code BLOCK} and this length, if all of the block has arrived.
   *
   * @param length less than 256
   * @return whether it has been taken
   */
  public abstract boolean takeBlock(int length);

  /** As {@link #takeBlock(int)}, where {@code BLOCK} is this byte and the length is one. */
  protected final boolean takeBlock(int token, int length) {
    int start = in.position;
    if (in.limit - start < 2 + length
        || in.bytes[start] != token
        || in.bytes[start + 1] != (byte) length) {
      return false;
    }
    in.position = start + 2;
    return true;
  }

  /**
   * Takes {@code BLOCK} and the length of its bytes.
   *
   * @return {@link #NOTHING_TAKEN} if nothing has been taken
   */
  public int takeBlockLength() {
    return NOTHING_TAKEN;
  }

  /** Takes {@code END_OF_BLOCKS}; returns whether it has been taken. */
  public abstract boolean takeEnd();

  /** Takes this byte; returns whether it has been taken. */
  protected final boolean takeByte(int token) {
    boolean isNext = in.remaining() > 0 && in.bytes[in.position] == token;
    in.position += isNext ? 1 : 0;
    return isNext;
  }

  /** Reads {@code BLOCK} and the length of its bytes, which is not negative. */
  public abstract int readBlockLength() throws IOException;
}
