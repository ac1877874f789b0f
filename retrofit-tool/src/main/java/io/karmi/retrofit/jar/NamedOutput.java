package io.karmi.retrofit.jar;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;

/** Output stream to a file that says which one, if it fails. The JDK's say no more than why. */
final class NamedOutput extends FilterOutputStream {
  private final Path file;

  NamedOutput(Path file, OpenOption... options) throws IOException {
    super(Files.newOutputStream(file, options));
    this.file = file;
  }

  @Override
  public void write(int value) throws IOException {
    write(new byte[] {(byte) value}, 0, 1);
  }

  @Override
  public void write(byte[] bytes, int offset, int length) throws IOException {
    try {
      out.write(bytes, offset, length);
    } catch (IOException e) {
      throw (IOException)
          new FileSystemException(file.toString(), null, e.getMessage()).initCause(e);
    }
  }
}
