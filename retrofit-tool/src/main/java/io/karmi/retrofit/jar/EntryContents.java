package io.karmi.retrofit.jar;

import io.karmi.cli.OneLine;
import java.io.EOFException;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipException;
import java.util.zip.ZipFile;

/** Contents of a jar's entries, which may be no longer than their headers say. */
final class EntryContents {
  /**
   * Size in bytes above which an entry is not taken for a class, a manifest or a module descriptor.
   */
  static final long MAXIMUM_CLASS_BYTES = 64L << 20;

  private EntryContents() {}

  /** The problem of a jar that cannot be read, in terms of the jar. */
  static IOException noJar(String place, Exception problem) {
    String reason =
        problem instanceof EOFException
            ? "the bytes of an entry end too early"
            : OneLine.of(problem);
    return new IOException(place + " is no jar: " + reason, problem);
  }

  /**
   * Opens an entry. To read more than its header says throws an {@link IOException}: a jar of
   * kilobytes could fill memory or disk.
   */
  static InputStream open(ZipFile jar, ZipEntry entry) throws IOException {
    return new Bounded(jar.getInputStream(entry), entry);
  }

  /** All bytes of a class, a manifest or a module descriptor. */
  static byte[] bytes(ZipFile jar, ZipEntry entry) throws IOException {
    if (entry.getSize() > MAXIMUM_CLASS_BYTES) {
      throw new IOException(
          entry.getName()
              + " has "
              + entry.getSize()
              + " bytes; at most "
              + MAXIMUM_CLASS_BYTES
              + " are read");
    }
    try (InputStream in = open(jar, entry)) {
      return in.readAllBytes();
    }
  }

  private static final class Bounded extends FilterInputStream {
    private final ZipEntry entry;
    private long left;

    Bounded(InputStream in, ZipEntry entry) {
      super(in);
      this.entry = entry;
      left = entry.getSize();
    }

    @Override
    public int read() throws IOException {
      int read = super.read();
      take(read < 0 ? 0 : 1);
      return read;
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
      int read = super.read(bytes, offset, length);
      take(Math.max(0, read));
      return read;
    }

    private void take(int count) throws IOException {
      left -= count;
      if (left < 0) {
        throw new ZipException(
            entry.getName()
                + " is larger than its header says, which is "
                + entry.getSize()
                + " bytes");
      }
    }
  }
}
