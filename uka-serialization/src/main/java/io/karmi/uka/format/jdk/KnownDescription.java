package io.karmi.uka.format.jdk;

import io.karmi.uka.buffer.InputBuffer;
import io.karmi.uka.buffer.OutputBuffer;
import io.karmi.uka.format.ModifiedUtf8;
import io.karmi.uka.type.ClassDescription;
import io.karmi.uka.type.FieldDescription;
import java.io.IOException;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Cache of class descriptions by their bytes, as the JDK's format repeats them in every stream.
 *
 * <p>The table is of fixed size and forgets what collides; large descriptions are not kept. It has
 * names, not classes. Thread-safe: a race loses an entry at worst.
 */
final class KnownDescription {
  /** Bytes between a class's name and its fields: serialVersionUID, flags, number of fields. */
  static final int BYTES_AFTER_NAME = 11;

  private static final KnownDescription[] TABLE = new KnownDescription[512];
  private static final int MAXIMUM_BYTES = 4096;

  final ClassDescription description;
  private final byte[] head;
  private final byte[][] fields;

  /** Type codes and names of all primitive fields. */
  private final byte[] primitives;

  private KnownDescription(ClassDescription description, byte[] head, byte[][] fields) {
    this.description = description;
    this.head = head;
    this.fields = fields;
    OutputBuffer block = new OutputBuffer(64);
    try {
      for (int i = 0; i < description.firstReference(); i++) {
        block.writeBytes(fields[i], 0, fields[i].length);
      }
    } catch (IOException e) {
      throw new AssertionError(e); // the buffer grows
    }
    primitives = Arrays.copyOf(block.bytes, block.position);
  }

  /** The entry with this head, from the length of the name to the number of fields; or null. */
  static @Nullable KnownDescription find(byte[] bytes, int start, int end) {
    KnownDescription known = TABLE[slot(bytes, start, end)];
    return known != null && Arrays.equals(known.head, 0, known.head.length, bytes, start, end)
        ? known
        : null;
  }

  /** Keeps a description that has just been read. */
  static void remember(ClassDescription description, byte[] head) throws IOException {
    byte[][] fields = new byte[description.fields.length][];
    int lengthBytes = head.length;
    for (int i = 0; i < fields.length; i++) {
      fields[i] = bytesOf(description.fields[i]);
      lengthBytes += fields[i].length;
    }
    if (lengthBytes <= MAXIMUM_BYTES) {
      TABLE[slot(head, 0, head.length)] = new KnownDescription(description, head, fields);
    }
  }

  private static byte[] bytesOf(FieldDescription field) throws IOException {
    OutputBuffer out = new OutputBuffer(32);
    out.writeByte(field.code());
    ModifiedUtf8.writeShort(out, field.name());
    return Arrays.copyOf(out.bytes, out.position);
  }

  /**
   * Takes type codes and names of all primitive fields, if they have arrived and equal those known.
   */
  boolean takePrimitives(InputBuffer in) {
    int end = in.position + primitives.length;
    if (end > in.limit
        || !Arrays.equals(primitives, 0, primitives.length, in.bytes, in.position, end)) {
      return false;
    }
    in.position = end;
    return true;
  }

  /** Takes type code and name of a field, if they equal those of the field {@code index}. */
  boolean takeField(InputBuffer in, int index) throws IOException {
    byte[] expected = fields[index];
    /* No more is fetched than a field has at least. */
    in.require(3);
    int lengthBytes = 3 + BigEndian.getUnsignedShort(in.bytes, in.position + 1);
    if (lengthBytes != expected.length || in.bytes[in.position] != expected[0]) {
      return false;
    }
    in.require(lengthBytes);
    int end = in.position + lengthBytes;
    if (!Arrays.equals(expected, 0, lengthBytes, in.bytes, in.position, end)) {
      return false;
    }
    in.position = end;
    return true;
  }

  private static int slot(byte[] bytes, int start, int end) {
    long uid = BigEndian.getLong(bytes, end - BYTES_AFTER_NAME);
    long hash = (uid + end - start) * 0x9E3779B97F4A7C15L;
    for (int at = Math.max(start, end - BYTES_AFTER_NAME - 8); at < end - BYTES_AFTER_NAME; at++) {
      hash = hash * 31 + bytes[at];
    }
    return (int) (hash ^ hash >>> 32) & TABLE.length - 1;
  }
}
