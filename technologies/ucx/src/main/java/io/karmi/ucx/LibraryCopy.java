package io.karmi.ucx;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The copy of its native library that jucx makes in the temporary directory of each process. Jucx
 * deletes it when the JVM ends; a process that is killed would leave it behind. Once the library is
 * loaded its file is not needed any more.
 */
final class LibraryCopy {
  private static final Path MAPPED = Path.of("/proc/self/maps");
  private static final String FOLDER = "jucx";
  private static final String LIBRARY = "libjucx.so";

  private LibraryCopy() {}

  /** Deletes the copy of this process, if it has loaded one; returns what was deleted. */
  static Set<Path> delete() {
    Set<Path> deleted = new HashSet<>();
    try {
      for (Path file : copies(Files.readAllLines(MAPPED))) {
        Files.delete(file);
        Files.delete(file.getParent());
        deleted.add(file);
      }
    } catch (IOException e) {
      Ucx.LOG.log(System.Logger.Level.DEBUG, "the copy of a library stays until the end", e);
    }
    return deleted;
  }

  /** The copies among the files of which lines of {@code maps} tell. */
  static Set<Path> copies(List<String> lines) {
    Set<Path> copies = new HashSet<>();
    for (String line : lines) {
      int begin = line.indexOf('/');
      if (begin >= 0 && line.endsWith('/' + LIBRARY)) {
        Path file = Path.of(line.substring(begin));
        Path folder = file.getParent();
        Path name = folder == null ? null : folder.getFileName();
        if (name != null && name.toString().startsWith(FOLDER)) {
          copies.add(file);
        }
      }
    }
    return copies;
  }
}
