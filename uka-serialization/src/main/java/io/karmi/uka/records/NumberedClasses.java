package io.karmi.uka.records;

import io.karmi.uka.UkaObjectInputStream;
import io.karmi.uka.UkaObjectOutputStream;
import io.karmi.uka.UkaOptions;
import io.karmi.uka.buffer.InputBuffer;
import io.karmi.uka.buffer.OutputBuffer;
import java.io.IOException;
import java.io.InvalidObjectException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Table of classes whose type numbers a writer and a reader know before the first record.
 * Immutable.
 *
 * <p>No number is ever sent. A writer begins by writing the classes themselves, in this order, to a
 * buffer that it throws away; a reader begins by reading what such a writer would have written.
 * From then on both have the same type numbers. The constants of enums among the classes are
 * written too, as their numbers live as long as those of types.
 *
 * <p>Both sides have the same list, or the reader gets the bytes ({@link #bytes}) from where the
 * writer has kept them. Then a class may have changed since as {@code java.io} allows.
 */
public final class NumberedClasses {
  /** The table that has the numbers before these, or null. */
  private final @Nullable NumberedClasses before;

  private final Set<Class<?>> classes;

  /** What a writer begins with: each class, and the constants of the enums among them. */
  private final List<Object> beginning;

  private final byte[] bytes;

  private NumberedClasses(@Nullable NumberedClasses before, Collection<? extends Class<?>> classes)
      throws IOException {
    this.before = before;
    this.classes = new HashSet<>(classes);
    beginning = new ArrayList<>();
    for (Class<?> type : classes) {
      beginning.add(type);
      if (type.isEnum()) {
        beginning.addAll(Arrays.asList(type.getEnumConstants()));
      }
    }
    OutputBuffer buffer = new OutputBuffer(1 << 12);
    UkaObjectOutputStream stream =
        new UkaObjectOutputStream(
            buffer, new UkaOptions(UkaOptions.Format.UKA, UkaOptions.Types.FULL));
    if (before != null) {
      before.begin(stream, buffer);
    }
    write(stream, beginning);
    bytes = Arrays.copyOf(buffer.bytes, buffer.position);
  }

  private NumberedClasses(@Nullable NumberedClasses before, byte[] bytes) {
    this.before = before;
    this.bytes = bytes;
    classes = Set.of();
    beginning = List.of();
  }

  /** These classes as they are now, from number 0 on. */
  public static NumberedClasses of(Collection<? extends Class<?>> classes) throws IOException {
    return new NumberedClasses(null, classes);
  }

  /**
   * The classes as a writer had them when it kept their {@link #bytes}. For readers only.
   *
   * @param bytes of them, not to be changed
   */
  public static NumberedClasses kept(byte[] bytes) {
    return new NumberedClasses(null, bytes);
  }

  /** These classes, followed by those of the others that are not among them. */
  public NumberedClasses then(Collection<? extends Class<?>> others) throws IOException {
    List<Class<?>> more = new ArrayList<>(others);
    more.removeIf(this::contains);
    return new NumberedClasses(this, more);
  }

  /**
   * These classes, followed by others as a writer had them when it kept their {@link #bytes}. For
   * readers only.
   *
   * @param bytes of the others, not to be changed
   */
  public NumberedClasses thenKept(byte[] bytes) {
    return new NumberedClasses(this, bytes);
  }

  /** Whether a class has a number; always false for kept ones. */
  public boolean contains(Class<?> type) {
    return classes.contains(type) || before != null && before.contains(type);
  }

  /** The number of objects that a writer begins with, without those of the tables before. */
  public int count() {
    return beginning.size();
  }

  /** The bytes that a reader begins with, without those of the tables before; not to be changed. */
  public byte[] bytes() {
    return bytes;
  }

  /**
   * A hash of the descriptions of all these classes. It tells versions of classes apart, and is no
   * protection from an attacker.
   */
  public int fingerprint() {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      addTo(digest);
      byte[] hash = digest.digest();
      return hash[0] << 24 | (hash[1] & 0xFF) << 16 | (hash[2] & 0xFF) << 8 | hash[3] & 0xFF;
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }

  private void addTo(MessageDigest digest) {
    if (before != null) {
      before.addTo(digest);
    }
    digest.update(bytes);
  }

  private static void write(UkaObjectOutputStream stream, List<Object> objects) throws IOException {
    for (Object each : objects) {
      stream.writeObject(each);
    }
    stream.resetObjects();
  }

  /** Gives a new writer the numbers. Its buffer is empty afterwards. */
  public void begin(UkaObjectOutputStream stream, OutputBuffer buffer) throws IOException {
    if (before != null) {
      before.begin(stream, buffer);
    }
    write(stream, beginning);
    buffer.position = 0;
  }

  /**
   * Gives a writer its numbers again after it has discarded a message ({@link
   * UkaObjectOutputStream#discardMessage}). It has lost those of constants, but not those of
   * classes. Its buffer is empty afterwards.
   */
  public void goOn(UkaObjectOutputStream stream, OutputBuffer buffer) throws IOException {
    if (before != null) {
      before.goOn(stream, buffer);
    }
    for (Object each : beginning) {
      if (each instanceof Enum<?>) {
        stream.writeObject(each);
      }
    }
    stream.resetObjects();
    buffer.position = 0;
  }

  /**
   * Gives a new reader the numbers. A class or constant that is missing here is no failure: only a
   * record that contains it fails, as with {@code java.io}.
   *
   * @throws java.io.InvalidClassException if a class has become incompatible with its description
   */
  public void begin(UkaObjectInputStream stream, InputBuffer buffer) throws IOException {
    if (before != null) {
      before.begin(stream, buffer);
    }
    buffer.bytes = bytes.clone();
    buffer.position = 0;
    buffer.limit = bytes.length;
    stream.resetObjects();
    while (buffer.position < buffer.limit) {
      int start = buffer.position;
      try {
        stream.readObject();
      } catch (ClassNotFoundException | InvalidObjectException e) {
        if (buffer.position == start) {
          throw new IOException("a description of classes does not go on at byte " + start, e);
        }
        stream.resetObjects();
      }
    }
    stream.resetObjects();
  }
}
