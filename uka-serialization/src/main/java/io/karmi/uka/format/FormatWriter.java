package io.karmi.uka.format;

import io.karmi.uka.buffer.OutputBuffer;
import io.karmi.uka.platform.ReplacesItself;
import io.karmi.uka.type.ClassDescription;
import java.io.IOException;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/**
 * Writer of the terminals of the grammar in one wire format; {@link FormatReader} is its mirror
 * image.
 *
 * <p>The engine ({@code io.karmi.uka.engine.write.ObjectWriter}) decides what is written and
 * numbers objects and types; a format decides the bytes. It has no state between two calls.
 *
 * <p>The grammar, with {@code type} standing for a type number or one of the constants below:
 *
 * <pre>
 * value       = NULL | REFERENCE handle | STRING text | OBJECT type data | ARRAY type length elements
 *             | ENUM type (value or, where constants are numbered, number [name]) | CLASS type | DESCRIPTION type | EXCEPTION value
 * new type    = description {BLOCK | value} END_OF_BLOCKS type       the last one is the superclass
 * new narrow  = as new type
 * new slim    = name fingerprint {BLOCK | value} END_OF_BLOCKS
 * new proxy   = interface names {BLOCK | value} END_OF_BLOCKS type
 * data        = per class, superclass first: primitives in one block, then references
 *             | whatever the class's own method wrote, then END_OF_BLOCKS
 * stream      = header {BLOCK | value | RESET | RESET_OBJECTS}
 * </pre>
 */
public abstract class FormatWriter {
  /** In the place of a type number: there is no class. */
  public static final int NO_TYPE = -1;

  /** In the place of a type number: the description of a class follows. */
  public static final int NEW_TYPE = -2;

  /** In the place of a type number: the interfaces of a dynamic proxy class follow. */
  public static final int NEW_PROXY = -3;

  /** In the place of a type number: a name and a fingerprint follow (paper 3.2). */
  public static final int NEW_SLIM = -4;

  /**
   * In the place of an object's type number: as {@link #NEW_TYPE}, and the next two type numbers
   * are those of the same class with fields of half the width, and of one byte.
   */
  public static final int NEW_NARROW = -5;

  /** Names in a description that are string values with handles in some format. */
  public interface TypeNames {
    /** The handle of a name; -1 if it had none, and has now got the next one. */
    int findOrAssignName(String signature);
  }

  /** In the place of a token: there is none. */
  public static final int NO_TOKEN = -1;

  protected static final int LENGTH_SHIFT = Long.SIZE - Byte.SIZE;

  protected final OutputBuffer out;
  private final byte nullToken;

  /**
   * Writer to a buffer.
   *
   * @param nullToken the byte of {@code NULL}
   */
  protected FormatWriter(OutputBuffer out, byte nullToken) {
    this.out = out;
    this.nullToken = nullToken;
  }

  /** Writes {@code NULL}. */
  public final void writeNull() throws IOException {
    out.writeByte(nullToken);
  }

  /**
   * Writes the kind of objects from now on, as a program describes classes, perhaps falsely: a type
   * does not tell arrays, enum constants and others apart.
   */
  public void nameKinds() {}

  /** The format, as objects are told of it that replace themselves. */
  public abstract ReplacesItself.Format kind();

  /** The four bytes that a stream begins with. */
  public abstract int header();

  /** Byte order of the primitives in an object's block and in arrays. */
  public abstract ByteOrder order();

  /**
   * Whether types are numbered together with objects, so that a reset of objects is one of types
   * too.
   */
  public abstract boolean numbersTypesAsObjects();

  /**
   * Writes {@code NULL}, {@code END_OF_BLOCKS}, {@code EXCEPTION}, {@code RESET} or {@code
   * RESET_OBJECTS}.
   */
  public abstract void writeToken(int token) throws IOException;

  /** Writes a reference to an object that is already in the message. */
  public abstract void writeReference(int handle) throws IOException;

  /**
   * Writes {@code OBJECT}, {@code ARRAY}, {@code ENUM}, {@code CLASS} or {@code DESCRIPTION}, and a
   * type.
   */
  public abstract void writeOpening(int token, int type) throws IOException;

  /**
   * The bytes that {@link #writeOpening} writes for a type number, at most six, the first one
   * lowest; their number is the highest byte.
   */
  public long opening(int token, int type) throws IOException {
    out.reserve(Long.BYTES);
    int start = out.position;
    writeOpening(token, type);
    int length = out.position - start;
    long opening = length;
    for (int i = Long.BYTES - 2; i >= 0; i--) {
      opening = opening << Byte.SIZE | (i < length ? out.bytes[start + i] & 0xFF : 0);
    }
    out.position = start;
    return opening;
  }

  /** The number of bytes in the result of {@link #opening}. */
  public static int lengthOfOpening(long opening) {
    return (int) (opening >>> LENGTH_SHIFT);
  }

  /** The bytes in the result of {@link #opening}, the first one lowest. */
  public static long bytesOfOpening(long opening) {
    return opening & (1L << LENGTH_SHIFT) - 1;
  }

  /** Writes a type where no token stands before it: that of a superclass. */
  public abstract void writeType(int type) throws IOException;

  /**
   * Writes what follows {@link #NEW_TYPE}.
   *
   * @param briefly whether a number may stand for the description, as no program overrides it
   */
  public abstract void writeDescription(
      ClassDescription description, boolean briefly, TypeNames names) throws IOException;

  /**
   * Writes token, {@link #NEW_TYPE}, description and {@code END_OF_BLOCKS} of a class that no
   * program describes or annotates.
   *
   * @param token as in {@link #writeOpening}, or {@link #NO_TOKEN}
   * @param last whether the class has no serializable superclass, so that {@link #NO_TYPE} follows
   */
  public void writeNew(int token, ClassDescription description, boolean last, TypeNames names)
      throws IOException {
    throw new UnsupportedOperationException("types are not numbered as objects in this format");
  }

  /** Whether values of {@code Integer} and {@code Long} have a short form. */
  public boolean compactsNumbers() {
    return false;
  }

  /** Whether a class that gets this type number may be a {@link #NEW_NARROW} one. */
  public boolean narrowsNumbers(int type) {
    return false;
  }

  /** Whether a number may stand for this description. */
  public boolean abbreviates(ClassDescription description) {
    return false;
  }

  /** Whether {@link #writeSlim} works. */
  public boolean hasSlimTypes() {
    return false;
  }

  /** Writes what follows {@link #NEW_SLIM}. */
  public void writeSlim(String name, long fingerprint) throws IOException {
    throw new UnsupportedOperationException("this format describes classes in full only");
  }

  /** Writes what follows {@link #NEW_PROXY}. */
  public abstract void writeProxyInterfaces(String[] names) throws IOException;

  /** Writes {@code STRING} and the text. */
  public abstract void writeString(String text) throws IOException;

  /**
   * How many lengths of strings, from 0 on, are in their first byte, added to {@link #firstOfText};
   * the characters of ISO 8859-1 follow in a byte each.
   */
  public int shortTexts() {
    return 0;
  }

  /** The first byte of a string without characters, if there are {@link #shortTexts}. */
  public int firstOfText() {
    return 0;
  }

  /** Whether enum constants are numbered within their type, so that a name is written once. */
  public boolean numbersConstants() {
    return false;
  }

  /**
   * Writes an enum constant behind its type, where constants are numbered.
   *
   * @param name null if the reader knows the number
   */
  public void writeConstant(int number, @Nullable String name) throws IOException {
    throw new UnsupportedOperationException("enum constants have names only in this format");
  }

  /**
   * Writes the head of a packed run, where {@link #compactsNumbers}.
   *
   * @param head length and flags of {@link Runs}
   */
  public void openRun(int head) throws IOException {
    throw new UnsupportedOperationException("each value has its token in this format");
  }

  /** Writes the number of elements of an array of references. */
  public abstract void writeLength(int elements) throws IOException;

  /**
   * Writes how many elements an array of primitives has, and all of them.
   *
   * @param code type code of the elements
   */
  public abstract void writeArray(Object array, char code) throws IOException;

  /**
   * Writes {@code BLOCK} and a length; the caller writes the bytes.
   *
   * @param length less than 256
   */
  public abstract void openBlock(int length) throws IOException;

  /** Writes {@code BLOCK}, the length and the bytes. */
  public abstract void writeBlock(byte[] bytes, int offset, int length) throws IOException;
}
