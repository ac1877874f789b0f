package io.karmi.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/**
 * Files and folders that are deleted if the command is interrupted or terminated before it has
 * finished them. Thread-safe.
 */
public final class Unfinished {
  private static final Set<Path> PATHS = ConcurrentHashMap.newKeySet();

  /** Rounds of deletion: the command goes on to write until the JVM has ended. */
  private static final int ROUNDS = 5;

  private static final int BETWEEN_MILLIS = 10;

  private static boolean watches;
  private static boolean ends;

  private Unfinished() {}

  /**
   * Adds a file or folder that is about to be made.
   *
   * @throws IOException if the command is ending
   */
  public static synchronized Path add(Path path) throws IOException {
    if (!watches) {
      watches = true;
      Runtime.getRuntime().addShutdownHook(new Thread(Unfinished::end, "KaRMI Unfinished"));
    }
    if (ends) {
      throw new IOException("terminated");
    }
    PATHS.add(path);
    return path;
  }

  /** Takes it back: it is finished, or deleted. */
  public static void remove(Path path) {
    PATHS.remove(path);
  }

  private static void end() {
    synchronized (Unfinished.class) {
      ends = true;
    }
    for (int i = 0; i < ROUNDS && !PATHS.isEmpty(); i++) {
      PATHS.forEach(Unfinished::delete);
      try {
        Thread.sleep(BETWEEN_MILLIS);
      } catch (InterruptedException e) {
        return;
      }
    }
  }

  private static void delete(Path tree) {
    if (!Files.exists(tree, LinkOption.NOFOLLOW_LINKS)) {
      return;
    }
    try (Stream<Path> walk = Files.walk(tree)) { // follows no links
      for (Path path : (Iterable<Path>) walk.sorted(Comparator.reverseOrder())::iterator) {
        Files.deleteIfExists(path);
      }
    } catch (IOException | RuntimeException e) {
      /* Something was written meanwhile; there is another round. */
    }
  }
}
