package io.karmi.uka.format.uka;

import io.karmi.uka.buffer.InputBuffer;
import io.karmi.uka.buffer.OutputBuffer;
import io.karmi.uka.type.ArrayVersions;
import io.karmi.uka.type.ClassDescription;
import io.karmi.uka.type.FieldDescription;
import java.io.IOException;
import java.io.InvalidClassException;
import java.io.StreamCorruptedException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Encoded class description, made once, and a cache of them by their bytes, as many streams repeat
 * descriptions. No encoding is a prefix of another one.
 *
 * <p>The table is of fixed size and forgets what collides; large descriptions are not kept. It has
 * names, not classes. Thread-safe: a race loses an entry at worst.
 */
final class UkaDescription {
  private static final UkaDescription[] TABLE = new UkaDescription[256];
  private static final int MAXIMUM_BYTES = 1024;

  /** The Java platform's limit. */
  private static final int MAXIMUM_COUNT = 0xFFFF;

  private static final int MAXIMUM_FIELDS = 256;

  private static final int PARTS_PER_LOOK = 1 << 8;

  /** Bytes at the end of the name that are hashed. */
  private static final int NAME_BYTES = 8;

  private static final int NO_SLOT = -1;

  private final ClassDescription description;
  private final byte[] bytes;

  /** Number in the table of the platform's classes, or -1. */
  private final int platformNumber;

  private UkaDescription(ClassDescription description, PlatformDescriptions platform)
      throws IOException {
    OutputBuffer out = new OutputBuffer(256);
    new UkaFormatWriter(out, platform).encode(description);
    this.description = description;
    bytes = Arrays.copyOf(out.bytes, out.position);
    platformNumber = platform.find(description);
  }

  private static UkaDescription of(ClassDescription description, PlatformDescriptions platform)
      throws IOException {
    if (description.encodedInUka instanceof UkaDescription known) {
      return known;
    }
    UkaDescription made = new UkaDescription(description, platform);
    description.encodedInUka = made;
    return made;
  }

  static void write(
      ClassDescription description,
      boolean briefly,
      OutputBuffer out,
      PlatformDescriptions platform)
      throws IOException {
    UkaDescription encoded = of(description, platform);
    if (briefly && encoded.platformNumber >= 0) {
      out.writeByte(UkaTokens.PLATFORM | encoded.platformNumber);
    } else {
      out.writeBytes(encoded.bytes, 0, encoded.bytes.length);
    }
  }

  /**
   * Takes a cached description; null, and nothing is read, if there is none for the bytes that have
   * arrived.
   */
  static @Nullable ClassDescription take(InputBuffer in) {
    int slot = slot(in.bytes, in.position, in.limit);
    UkaDescription known = slot == NO_SLOT ? null : TABLE[slot];
    if (known == null || in.remaining() < known.bytes.length) {
      return null;
    }
    int end = in.position + known.bytes.length;
    if (!Arrays.equals(known.bytes, 0, known.bytes.length, in.bytes, in.position, end)) {
      return null;
    }
    in.position = end;
    return known.description;
  }

  /** Reads a description; {@link UkaFormatWriter#encode} is the mirror image. */
  static ClassDescription read(InputBuffer in) throws IOException {
    int flags = in.readByte() & 0xFF;
    String name = UkaText.read(in);
    if (name.isEmpty()) {
      throw new StreamCorruptedException("a class without a name");
    }
    long uid = (flags & UkaTokens.HAS_UID) != 0 ? in.readLong() : arrayUid(name);
    List<FieldDescription> fields = new ArrayList<>();
    if ((flags & UkaTokens.HAS_FIELDS) != 0) {
      int count = in.readVarInt();
      if (count < 0 || count > MAXIMUM_COUNT) {
        throw new InvalidClassException(name, "invalid number of fields: " + count);
      }
      for (int i = 0; i < count; i++) {
        look(in, i);
        fields.add(readField(in, name));
      }
    }
    int kind = flags & ~(UkaTokens.HAS_UID | UkaTokens.HAS_FIELDS);
    return new ClassDescription(name, uid, kind, fields.toArray(new FieldDescription[0]));
  }

  /**
   * Tells the source now and then that a description grows, which takes many times its bytes.
   *
   * @param read how many of its parts have been read
   * @throws IOException if it may not grow
   */
  static void look(InputBuffer in, int read) throws IOException {
    if (read % PARTS_PER_LOOK == PARTS_PER_LOOK - 1) {
      in.grow(0);
    }
  }

  /**
   * The version of an array class whose description has none on the wire; else 0. No array class
   * may be added.
   */
  static long arrayUid(String name) {
    Long uid = name.startsWith("[") ? ArrayVersions.of(name) : null;
    return uid == null ? 0 : uid;
  }

  private static FieldDescription readField(InputBuffer in, String className) throws IOException {
    char code = (char) (in.readByte() & 0xFF);
    String signature;
    switch (code) {
      case UkaTokens.STRING_FIELD -> {
        code = 'L';
        signature = UkaTokens.STRING_SIGNATURE;
      }
      case UkaTokens.OBJECT_FIELD -> {
        code = 'L';
        signature = UkaTokens.OBJECT_SIGNATURE;
      }
      case 'L', '[' -> signature = UkaText.read(in);
      default -> signature = String.valueOf(code);
    }
    String name = UkaText.read(in);
    if (!FieldDescription.isValid(code, signature)) {
      throw new InvalidClassException(className, "invalid descriptor for field " + name);
    }
    return new FieldDescription(code, name, signature);
  }

  static void remember(ClassDescription description, PlatformDescriptions platform)
      throws IOException {
    if (description.fields.length > MAXIMUM_FIELDS || description.name.length() > MAXIMUM_BYTES) {
      return;
    }
    UkaDescription known = new UkaDescription(description, platform);
    int slot = slot(known.bytes, 0, known.bytes.length);
    if (known.bytes.length <= MAXIMUM_BYTES && slot != NO_SLOT) {
      TABLE[slot] = known;
    }
  }

  /** The slot for an encoding, by the end of the name and the version. */
  private static int slot(byte[] bytes, int start, int limit) {
    if (limit - start < 3) {
      return NO_SLOT;
    }
    int name = start + 2;
    int length = bytes[start + 1];
    if (length < 0) {
      length = length & 0x7F | bytes[name++] << 7;
    }
    if (length < 0) {
      return NO_SLOT;
    }
    int nameEnd = name + (length >>> 1 << (length & 1));
    int end = nameEnd + ((bytes[start] & UkaTokens.HAS_UID) == 0 ? 0 : Long.BYTES);
    if (end > limit) {
      return NO_SLOT;
    }
    int hash = length;
    for (int i = Math.max(name, nameEnd - NAME_BYTES); i < end; i++) {
      hash = hash * 31 + bytes[i];
    }
    return (hash ^ hash >>> 8 ^ hash >>> 16) & TABLE.length - 1;
  }
}
