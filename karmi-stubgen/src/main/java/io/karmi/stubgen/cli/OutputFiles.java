package io.karmi.stubgen.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Output files of one run: all are written or none, and only those that differ from existing ones.
 */
final class OutputFiles {
  private final Path target;
  private final Map<Path, byte[]> contents = new LinkedHashMap<>();

  OutputFiles(Path target) {
    this.target = target;
  }

  /** Adds a file; two classes may need the same one. */
  void add(String name, byte[] content) {
    contents.put(target.resolve(name), content);
  }

  /**
   * Writes what has changed.
   *
   * @return the files written
   */
  List<Path> write() throws IOException {
    Map<Path, Path> unfinished = new LinkedHashMap<>();
    try {
      for (Map.Entry<Path, byte[]> each : contents.entrySet()) {
        if (differs(each.getKey(), each.getValue())) {
          Path beside = beside(each.getKey());
          unfinished.put(each.getKey(), beside);
          Files.write(beside, each.getValue());
        }
      }
      for (Map.Entry<Path, Path> each : unfinished.entrySet()) {
        Files.move(
            each.getValue(),
            each.getKey(),
            StandardCopyOption.ATOMIC_MOVE,
            StandardCopyOption.REPLACE_EXISTING);
      }
      return new ArrayList<>(unfinished.keySet());
    } finally {
      for (Path each : unfinished.values()) {
        Files.deleteIfExists(each);
      }
    }
  }

  private static boolean differs(Path file, byte[] content) throws IOException {
    if (!Files.exists(file)) {
      return true;
    }
    if (!Files.isRegularFile(file)) {
      throw new IOException(file + " is no file; nothing is written");
    }
    return !Arrays.equals(Files.readAllBytes(file), content);
  }

  private static Path beside(Path file) throws IOException {
    Path parent = file.toAbsolutePath().getParent();
    if (parent != null) {
      Files.createDirectories(parent);
    }
    return file.resolveSibling("." + file.getFileName() + ".unfinished");
  }
}
