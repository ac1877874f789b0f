package io.karmi.retrofit.jar;

import io.karmi.cli.Unfinished;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A temporary folder for a few files, which is deleted when it is closed. */
final class Scratch implements Closeable {
  private final Path directory = Unfinished.add(Files.createTempDirectory("karmi-retrofit"));
  private final List<Path> files = new ArrayList<>();

  Scratch() throws IOException {}

  /** A place for a file. */
  Path file(String name) {
    Path file = directory.resolve(name);
    files.add(file);
    return file;
  }

  @Override
  public void close() throws IOException {
    for (Path file : files) {
      Files.deleteIfExists(file);
    }
    Files.delete(directory);
    Unfinished.remove(directory);
  }
}
