package io.karmi.uka.format.jdk;

import io.karmi.uka.buffer.OutputBuffer;
import io.karmi.uka.format.FormatWriter.TypeNames;
import io.karmi.uka.format.ModifiedUtf8;
import io.karmi.uka.type.ClassDescription;
import io.karmi.uka.type.FieldDescription;
import java.io.IOException;
import java.util.Arrays;

/**
 * Encoded class description, made once and then copied.
 *
 * <pre>
 * name (UTF) | serialVersionUID (8) | flags (1) | fields (2)
 * per field: type code (1) | name (UTF) | for references: signature, a string value with a handle
 * </pre>
 *
 * <p>Only signatures differ from stream to stream, where a known one is a handle. What lies between
 * two of those is copied as one piece.
 */
final class DescriptionBytes {
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
    whole = Arrays.copyOf(all.bytes, all.position);
  }

  /** The bytes of {@code description}. */
  static DescriptionBytes of(ClassDescription description) throws IOException {
    Object known = description.encoded;
    if (known instanceof DescriptionBytes bytes) {
      return bytes;
    }
    DescriptionBytes bytes = new DescriptionBytes(description);
    description.encoded = bytes;
    return bytes;
  }

  void write(OutputBuffer out, TypeNames names) throws IOException {
    out.reserve(whole.length + JdkFormatWriter.REFERENCE_BYTES * signatures.length);
    byte[] bytes = out.bytes;
    int at = out.position;
    int from = 0;
    for (int i = 0; i < signatures.length; i++) {
      int handle = names.findOrAssignName(signatures[i]);
      if (handle >= 0) {
        int lengthBytes = bounds[2 * i] - from;
        System.arraycopy(whole, from, bytes, at, lengthBytes);
        at = JdkFormatWriter.putReference(bytes, at + lengthBytes, handle);
        from = bounds[2 * i + 1];
      }
    }
    System.arraycopy(whole, from, bytes, at, whole.length - from);
    out.position = at + whole.length - from;
  }
}
