package io.karmi.retrofit.jar;

import io.karmi.cli.Unfinished;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * New contents of a jar's entries, kept in temporary files until the jar is written, since those of
 * a large jar may not fit in memory.
 */
final class ChangedEntries implements Closeable {
  private final Map<String, Path> files = new HashMap<>();
  private @Nullable Path directory;

  boolean isEmpty() {
    return files.isEmpty();
  }

  Set<String> names() {
    return files.keySet();
  }

  /** Gives an entry new contents. */
  void put(String name, byte[] bytes) throws IOException {
    try (OutputStream out = put(name)) {
      out.write(bytes);
    }
  }

  /** Gives an entry new contents, which the caller writes. */
  OutputStream put(String name) throws IOException {
    return new NamedOutput(newFile(name));
  }

  /** The new contents; null if the old ones stay. */
  @Nullable InputStream open(String name) throws IOException {
    Path file = files.get(name);
    return file == null ? null : Files.newInputStream(file);
  }

  private Path newFile(String name) throws IOException {
    Path parent = directory;
    if (parent == null) {
      parent = Unfinished.add(Files.createTempDirectory("karmi-retrofit"));
      directory = parent;
    }
    Path file = files.get(name);
    if (file == null) {
      file = parent.resolve(Integer.toString(files.size()));
      files.put(name, file);
    }
    return file;
  }

  @Override
  public void close() throws IOException {
    for (Path file : files.values()) {
      Files.deleteIfExists(file);
    }
    if (directory != null) {
      Files.delete(directory);
      Unfinished.remove(directory);
    }
  }
}
