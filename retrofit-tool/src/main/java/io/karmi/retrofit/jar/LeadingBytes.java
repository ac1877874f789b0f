package io.karmi.retrofit.jar;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.ZipFile;

/**
 * What stands in a jar before its first entry: the script or program that makes it a command, as
 * Spring Boot's executable jars have.
 */
final class LeadingBytes {
  /** {@code PK\3\4}, the header of an entry. */
  private static final int SIGNATURE = 0x504B0304;

  /* Offsets behind the signature, in bytes. */
  private static final int NAME_LENGTH_AT = 22;
  private static final int NAME_AT = 26;

  private static final int LONGEST_NAME = 0xFFFF;

  private LeadingBytes() {}

  /** Copies them. */
  static void copy(ZipFile jar, OutputStream out) throws IOException {
    Path file = Path.of(jar.getName());
    long left = length(jar, file);
    try (InputStream in = Files.newInputStream(file)) {
      byte[] bytes = new byte[8192];
      while (left > 0) {
        int read = in.read(bytes, 0, (int) Math.min(left, bytes.length));
        if (read < 0) {
          return;
        }
        out.write(bytes, 0, read);
        left -= read;
      }
    }
  }

  /** The first entry has a name that the directory at the end of the jar has, too. */
  private static long length(ZipFile jar, Path file) throws IOException {
    try (InputStream in = new BufferedInputStream(Files.newInputStream(file))) {
      int last = 0;
      long count = 0;
      for (int next = in.read(); next >= 0; next = in.read()) {
        count++;
        last = last << Byte.SIZE | next;
        if (last == SIGNATURE && beginsEntry(jar, in)) {
          return count - Integer.BYTES;
        }
      }
      return 0;
    }
  }

  private static boolean beginsEntry(ZipFile jar, InputStream in) throws IOException {
    in.mark(NAME_AT + LONGEST_NAME);
    byte[] header = in.readNBytes(NAME_AT);
    if (header.length < NAME_AT) {
      return false;
    }
    ByteBuffer fields = ByteBuffer.wrap(header).order(ByteOrder.LITTLE_ENDIAN);
    byte[] name = in.readNBytes(fields.getShort(NAME_LENGTH_AT) & LONGEST_NAME);
    in.reset();
    return jar.getEntry(new String(name, StandardCharsets.UTF_8)) != null;
  }
}
