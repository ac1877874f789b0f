package io.karmi.uka.format.jdk;

import io.karmi.uka.buffer.OutputBuffer;
import io.karmi.uka.format.FormatWriter.TypeNames;
import io.karmi.uka.format.ModifiedUtf8;
import io.karmi.uka.type.ClassDescription;
import io.karmi.uka.type.FieldDescription;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Encoded class description, made once and then copied.
 *
 * <pre>
 * name (UTF) | serialVersionUID (8) | flags (1) | fields (2)
 * per field: type code (1) | name (UTF) | for references: signature, a string value with a handle
 * </pre>
 *
 * <p>Only signatures differ from stream to stream, where a known one is a handle. The bytes between
 * two of them are one piece; so is the whole, where the stream begins with the description, as most
 * streams for one message do.
 */
final class DescriptionBytes {
  private final byte[][] pieces;
  private final String[] signatures;

  /** The signatures, each once. */
  private final String[] names;

  /** The whole, where the class has handle 0 and the names have the next ones. */
  private final byte[] first;

  private DescriptionBytes(ClassDescription description) throws IOException {
    pieces = new byte[description.references + 1][];
    signatures = new String[description.references];
    OutputBuffer piece = new OutputBuffer(256);
    ModifiedUtf8.writeShort(piece, description.name);
    piece.reserve(11);
    BigEndian.putLong(piece.bytes, piece.position, description.serialVersionUid);
    piece.bytes[piece.position + 8] = (byte) description.flags;
    BigEndian.putShort(piece.bytes, piece.position + 9, description.fields.length);
    piece.position += 11;
    int known = 0;
    for (FieldDescription field : description.fields) {
      piece.writeByte(field.code());
      ModifiedUtf8.writeShort(piece, field.name());
      if (!field.isPrimitive()) {
        signatures[known] = field.signature().intern();
        pieces[known++] = take(piece);
      }
    }
    pieces[known] = take(piece);
    List<String> distinct = new ArrayList<>();
    first = first(distinct);
    names = distinct.toArray(new String[0]);
  }

  private byte[] first(List<String> known) throws IOException {
    OutputBuffer all = new OutputBuffer(256);
    JdkFormatWriter format = new JdkFormatWriter(all);
    for (int i = 0; i < signatures.length; i++) {
      all.writeBytes(pieces[i], 0, pieces[i].length);
      int index = known.indexOf(signatures[i]);
      if (index >= 0) {
        format.writeReference(1 + index);
      } else {
        format.writeString(signatures[i]);
        known.add(signatures[i]);
      }
    }
    all.writeBytes(pieces[signatures.length], 0, pieces[signatures.length].length);
    return take(all);
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

  private static byte[] take(OutputBuffer piece) {
    byte[] taken = Arrays.copyOf(piece.bytes, piece.position);
    piece.position = 0;
    return taken;
  }

  void write(OutputBuffer out, TypeNames handles) throws IOException {
    if (handles.assignFirst(names)) {
      out.writeBytes(first, 0, first.length);
      return;
    }
    for (int i = 0; i < signatures.length; i++) {
      out.writeBytes(pieces[i], 0, pieces[i].length);
      handles.writeName(signatures[i]);
    }
    byte[] last = pieces[signatures.length];
    out.writeBytes(last, 0, last.length);
  }
}
