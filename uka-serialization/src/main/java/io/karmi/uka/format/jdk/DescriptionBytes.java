package io.karmi.uka.format.jdk;

import io.karmi.uka.buffer.OutputBuffer;
import io.karmi.uka.format.FormatWriter.TypeNames;
import io.karmi.uka.format.ModifiedUtf8;
import io.karmi.uka.type.ClassDescription;
import io.karmi.uka.type.FieldDescription;
import java.io.IOException;
import java.io.ObjectStreamConstants;
import java.util.Arrays;

/**
 * Encoded class description, made once and then copied.
 *
 * <pre>
 * name (UTF) | serialVersionUID (8) | flags (1) | fields (2)
 * per field: type code (1) | name (UTF) | for references: signature, a string value with a handle
 * </pre>
 *
 * <p>In front of it are a token and that of a new type, and behind it the tokens of an empty
 * annotation and of a class without superclass, which mostly stand there.
 *
 * <p>Only signatures differ from stream to stream, where a known one is a handle. What lies between
 * two of those is copied as one piece.
 */
final class DescriptionBytes {
  /** Bytes in front of the description, and behind it. */
  private static final int AROUND = 2;

  /** All bytes, with each signature as a string. */
  private final byte[] whole;

  private final String[] signatures;

  /** The index in {@link #whole} of each signature's value, and the index behind it. */
  private final int[] bounds;

  private DescriptionBytes(ClassDescription description) throws IOException {
    signatures = new String[description.references];
    bounds = new int[2 * description.references];
    OutputBuffer all = new OutputBuffer(256);
    JdkFormatWriter format = new JdkFormatWriter(all);
    all.writeByte(0);
    all.writeByte(ObjectStreamConstants.TC_CLASSDESC);
    ModifiedUtf8.writeShort(all, description.name);
    all.reserve(11);
    BigEndian.putLong(all.bytes, all.position, description.serialVersionUid);
    all.bytes[all.position + 8] = (byte) description.flags;
    BigEndian.putShort(all.bytes, all.position + 9, description.fields.length);
    all.position += 11;
    int known = 0;
    for (FieldDescription field : description.fields) {
      all.writeByte(field.code());
      ModifiedUtf8.writeShort(all, field.name());
      if (!field.isPrimitive()) {
        bounds[2 * known] = all.position;
        signatures[known] = field.signature().intern();
        format.writeString(signatures[known]);
        bounds[2 * known + 1] = all.position;
        known++;
      }
    }
    all.writeByte(ObjectStreamConstants.TC_ENDBLOCKDATA);
    all.writeByte(ObjectStreamConstants.TC_NULL);
    whole = Arrays.copyOf(all.bytes, all.position);
  }

  static DescriptionBytes of(ClassDescription description) throws IOException {
    Object known = description.encoded;
    if (known instanceof DescriptionBytes bytes) {
      return bytes;
    }
    DescriptionBytes bytes = new DescriptionBytes(description);
    description.encoded = bytes;
    return bytes;
  }

  /** Writes the description alone. */
  void write(OutputBuffer out, TypeNames names) throws IOException {
    write(out, AROUND, whole.length - AROUND, names);
  }

  /** Writes the description with the token of a new type, for a superclass. */
  void writeSuper(OutputBuffer out, boolean last, TypeNames names) throws IOException {
    write(out, 1, last ? whole.length : whole.length - 1, names);
  }

  /** As {@link #writeSuper}, behind a token. */
  void writeOpening(OutputBuffer out, byte token, boolean last, TypeNames names)
      throws IOException {
    int start = write(out, 0, last ? whole.length : whole.length - 1, names);
    out.bytes[start] = token;
  }

  /** Returns the index of the first byte. */
  private int write(OutputBuffer out, int first, int end, TypeNames names) throws IOException {
    out.reserve(whole.length + JdkFormatWriter.REFERENCE_BYTES * signatures.length);
    byte[] bytes = out.bytes;
    int start = out.position;
    int at = start;
    int from = first;
    for (int i = 0; i < signatures.length; i++) {
      int handle = names.findOrAssignName(signatures[i]);
      if (handle >= 0) {
        int lengthBytes = bounds[2 * i] - from;
        System.arraycopy(whole, from, bytes, at, lengthBytes);
        at = JdkFormatWriter.putReference(bytes, at + lengthBytes, handle);
        from = bounds[2 * i + 1];
      }
    }
    System.arraycopy(whole, from, bytes, at, end - from);
    out.position = at + end - from;
    return start;
  }
}
