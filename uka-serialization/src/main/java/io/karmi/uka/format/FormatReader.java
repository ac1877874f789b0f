package io.karmi.uka.format;

import io.karmi.uka.buffer.InputBuffer;
import io.karmi.uka.type.ClassDescription;
import java.io.EOFException;
import java.io.IOException;
import java.io.InvalidObjectException;
import java.io.StreamCorruptedException;
import java.nio.ByteOrder;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How one wire format reads the terminals of the grammar; see {@link FormatWriter}.
 *
 * <p>The bytes are not to be trusted: whatever they are, the outcome is a value or an {@link
 * IOException}, and no length is believed before as many bytes have arrived.
 */
public abstract class FormatReader {
  /** Names in a description that some format reads as string values with handles. */
  public interface TypeNames {
    /** The signature; null if the stream says that there is none, which is a mistake. */
    @Nullable String readName() throws IOException;
  }

  /** What is known about types by their numbers. */
  public interface Types {
    /** {@link #runWidth} does not know. */
    int NOT_KNOWN = -1;

    /**
     * How many bytes the data of each object of a type takes in a {@linkplain Runs run}, 0 if it is
     * one number; {@link #NOT_KNOWN} if that is not known.
     */
    int runWidth(int number);
  }

  /** {@link #takeObject} has seen something else, and left it where it is. */
  public static final int NOTHING_TAKEN = -1;

  /** {@link #takeObject} has taken a null. */
  public static final int NULL_TAKEN = -2;

  private static final int MAXIMUM_INTERFACES = 0xFFFF;

  /** Where all bytes come from. */
  protected final InputBuffer in;

  protected FormatReader(InputBuffer in) {
    this.in = in;
  }

  /** Says who knows the types that this stream describes. */
  public void setTypes(Types types) {}

  /** Of the primitives in an object's block and in arrays. */
  public abstract ByteOrder order();

  /** Whether types are numbered together with objects. */
  public abstract boolean numbersTypesAsObjects();

  /**
   * Which {@link Token} comes next; it stays where it is.
   *
   * @throws StreamCorruptedException if it is none
   */
  public abstract int peek() throws IOException;

  /**
   * Takes the token that {@link #peek} has shown: any but {@code REFERENCE}, {@code STRING} and
   * {@code BLOCK}, which are taken together with their content.
   */
  public abstract void skipToken() throws IOException;

  /**
   * Takes a {@link Token#SEAM} that {@link #peek} has shown.
   *
   * @return false, and nothing has been taken, if it only begins as one
   */
  public boolean takeSeam() throws IOException {
    return false;
  }

  /** Takes a type: a number, or a constant of {@link FormatWriter}. */
  public abstract int readType() throws IOException;

  /**
   * Takes {@code NULL}, or token and type of an object, if they are the next to come, and the type
   * has a number.
   *
   * <p>A format that can tell at a glance spares the reader three steps; to take nothing is always
   * right.
   *
   * @return the number of the type, {@link #NULL_TAKEN}, or {@link #NOTHING_TAKEN}
   */
  public int takeObject() {
    return NOTHING_TAKEN;
  }

  /**
   * After {@link #peek} has shown an object or array: whether its class, or that of its elements,
   * seems to be a program's own, and to have no number yet. No answer is wrong.
   */
  public abstract boolean announcesClass() throws IOException;

  /** Whether a run of values comes next, as far as can be seen. */
  public boolean comesRun() {
    return false;
  }

  /**
   * Takes what a run of values begins with, after {@link #comesRun}. Its values are to be read, or
   * {@linkplain Runs#expand given their tokens back}, before anything else.
   */
  public Runs beginRun() throws IOException {
    throw new StreamCorruptedException("there are no runs in this format");
  }

  /** What {@link #takeObject} would return if it is a type's number, else a negative number. */
  public int peekObject() {
    return NOTHING_TAKEN;
  }

  /**
   * Takes token and type of an object if they are the next to come, and the type has this number.
   *
   * <p>As with {@link #takeObject}, to take nothing is always right.
   */
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
    return peek() == Token.END_OF_STREAM
        ? new EOFException()
        : invalidTypeCode(in.bytes[in.position]);
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

  /** Takes what follows {@link FormatWriter#NEW_TYPE}. */
  public abstract ClassDescription readDescription(TypeNames names) throws IOException;

  /** Takes the name that follows {@link FormatWriter#NEW_SLIM}. */
  public String readSlimName() throws IOException {
    throw new StreamCorruptedException("this format describes classes in full only");
  }

  /** Takes the fingerprint that follows the name of a slim type. */
  public long readFingerprint() throws IOException {
    throw new StreamCorruptedException("this format describes classes in full only");
  }

  /** Takes what follows {@link FormatWriter#NEW_PROXY}. */
  public abstract String[] readProxyInterfaces() throws IOException;

  /** Throws the JDK's error for a number of interfaces that no proxy can have. */
  protected static void checkInterfaceCount(int count) throws IOException {
    if (count < 0 || count > MAXIMUM_INTERFACES) {
      throw new InvalidObjectException(
          "interface limit exceeded: " + count + ", limit: " + MAXIMUM_INTERFACES);
    }
  }

  /** Takes {@code STRING} and the text. */
  public abstract String readString() throws IOException;

  /**
   * Takes {@code STRING} and the text, if that is what comes next, and all of it has arrived.
   *
   * <p>As with {@link #takeObject}, to take nothing is always right.
   *
   * @return null if nothing has been taken
   */
  public @Nullable String takeString() throws IOException {
    return null;
  }

  /**
   * Takes strings as long as {@link #takeString} would.
   *
   * @param to where the strings end at the latest
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

  /** Whether enum constants are numbered within their type, so that a name comes once. */
  public boolean numbersConstants() {
    return false;
  }

  /**
   * Takes an enum constant behind its type, if constants are numbered and this one is known.
   *
   * <p>As with {@link #takeObject}, to take nothing is always right.
   *
   * @param known constants of the type by their numbers
   * @return null if nothing has been taken
   */
  public @Nullable Enum<?> takeConstant(@Nullable Enum<?>[] known) {
    return null;
  }

  /**
   * Takes an enum constant behind its type, where constants are numbered.
   *
   * @param names those that the type's constants have had so far; a new one is added
   * @return its number, which is one of {@code names}
   */
  public int readConstant(List<String> names) throws IOException {
    throw new StreamCorruptedException("enum constants have names only in this format");
  }

  /**
   * Takes the number of an array's elements; it may be negative, and it may lie.
   *
   * @param code type code of the elements
   */
  public abstract int readLength(char code) throws IOException;

  /** Takes {@code length} elements of the array of primitives whose length was taken last. */
  public abstract void readElements(Object array, char code, int offset, int length)
      throws IOException;

  /**
   * Whether so much of what comes next has arrived that {@link #peek} would not wait for the
   * source, nor would {@link #readBlockLength} if it is a block.
   *
   * @throws IOException from the source
   */
  public abstract boolean hasArrivedToBlock() throws IOException;

  /**
   * Takes {@code BLOCK} and a length, if that is what comes next, and all of the block has arrived.
   *
   * @param length less than 256
   * @return whether that has been taken
   */
  public abstract boolean takeBlock(int length);

  /**
   * Takes {@code BLOCK} and the length of its bytes, if that is what comes next.
   *
   * <p>As with {@link #takeObject}, to take nothing is always right.
   *
   * @return {@link #NOTHING_TAKEN} if nothing has been taken
   */
  public int takeBlockLength() {
    return NOTHING_TAKEN;
  }

  /** Takes {@code END_OF_BLOCKS}, if that is what comes next; returns whether it has. */
  public abstract boolean takeEnd();

  /** Takes {@code BLOCK} and the length of its bytes, which is not negative. */
  public abstract int readBlockLength() throws IOException;
}
