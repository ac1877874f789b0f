package io.karmi.retrofit.jar;

import io.karmi.cli.Unfinished;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The outputs of one run, which appear together or not at all.
 *
 * <p>Each is written under a temporary name beside its place. When all are complete they are moved
 * there. If a move fails, those before it are undone.
 */
final class Outputs implements Closeable {
  /** From a place to its unfinished output. */
  private final Map<Path, Path> unfinished = new LinkedHashMap<>();

  /** Directories that were made for the outputs, the innermost first. */
  private final Deque<Path> made = new ArrayDeque<>();

  private boolean placed;

  Path reserve(Path place) throws IOException {
    Path parent = parent(place);
    Path name = place.getFileName();
    if (unfinished.containsKey(place)) {
      throw new IOException("two inputs are called " + name + "; rewrite them one by one");
    }
    makeDirectories(parent);
    if (!Files.isWritable(parent)) {
      throw new AccessDeniedException(parent.toString());
    }
    Path path = Files.createTempFile(parent, "." + name + ".", ".unfinished"); // no other run's
    Files.delete(path);
    unfinished.put(place, path);
    return Unfinished.add(path);
  }

  private void makeDirectories(Path directory) throws IOException {
    for (Path each = directory; each != null && !Files.exists(each); each = each.getParent()) {
      made.addLast(each);
    }
    try {
      Files.createDirectories(directory);
    } catch (FileAlreadyExistsException e) {
      throw new NotDirectoryException(e.getFile());
    }
  }

  void place() throws IOException {
    Deque<Path> done = new ArrayDeque<>();
    try {
      for (Map.Entry<Path, Path> each : unfinished.entrySet()) {
        Path place = each.getKey();
        setAside(place);
        done.push(place);
        Files.move(each.getValue(), place, StandardCopyOption.ATOMIC_MOVE);
      }
    } catch (IOException | RuntimeException e) {
      for (Path place : done) {
        delete(place);
        takeBack(place);
      }
      throw e;
    }
    placed = true;
    for (Path place : unfinished.keySet()) {
      delete(aside(place));
    }
  }

  private static void setAside(Path place) throws IOException {
    delete(aside(place));
    if (isThere(place)) {
      Files.move(place, aside(place), StandardCopyOption.ATOMIC_MOVE);
    }
  }

  private static void takeBack(Path place) throws IOException {
    if (isThere(aside(place))) {
      Files.move(aside(place), place, StandardCopyOption.ATOMIC_MOVE);
    }
  }

  private static Path aside(Path place) {
    return place.resolveSibling("." + place.getFileName() + ".replaced");
  }

  /** Removes outputs that have not been moved to their places. */
  @Override
  public void close() throws IOException {
    for (Path path : unfinished.values()) {
      delete(path);
      Unfinished.remove(path);
    }
    while (!placed && !made.isEmpty()) {
      Files.deleteIfExists(made.pollFirst());
    }
  }

  static Path parent(Path absolute) throws IOException {
    @Nullable Path parent = absolute.getParent();
    if (parent == null) {
      throw new IOException("the output cannot be " + absolute);
    }
    return parent;
  }

  private static boolean isThere(Path path) {
    return Files.exists(path, LinkOption.NOFOLLOW_LINKS);
  }

  private static void delete(Path tree) throws IOException {
    if (!isThere(tree)) {
      return;
    }
    try (Stream<Path> walk = Files.walk(tree)) { // follows no links
      for (Path path : (Iterable<Path>) walk.sorted(Comparator.reverseOrder())::iterator) {
        Files.delete(path);
      }
    }
  }
}
