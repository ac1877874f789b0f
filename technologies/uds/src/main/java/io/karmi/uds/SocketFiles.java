package io.karmi.uds;

import io.karmi.technology.RuntimeThreads;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Sockets of a node in the file system, which are removed when the JVM ends. Thread-safe. */
final class SocketFiles {
  private final Set<Path> files = new HashSet<>();

  /** Runs when the JVM ends, as long as there are files. */
  private @Nullable Thread atExit;

  /**
   * Adds a file that is removed when the JVM ends.
   *
   * @throws IOException if it is ending already
   */
  synchronized void add(Path file) throws IOException {
    if (atExit == null) {
      Thread remover = RuntimeThreads.make("KaRMI UDS Exit", this::deleteAll, false);
      try {
        Runtime.getRuntime().addShutdownHook(remover);
        atExit = remover;
      } catch (IllegalStateException e) {
        throw new IOException("the JVM is about to end", e);
      }
    }
    files.add(file);
  }

  synchronized void remove(Path file) {
    delete(file);
    files.remove(file);
    Thread remover = atExit;
    if (remover != null && files.isEmpty()) {
      atExit = null;
      try {
        Runtime.getRuntime().removeShutdownHook(remover);
      } catch (IllegalStateException e) {
        // it is ending, and there is nothing left to remove
      }
    }
  }

  private synchronized void deleteAll() {
    files.forEach(SocketFiles::delete);
  }

  private static void delete(Path file) {
    try {
      Files.deleteIfExists(file);
    } catch (IOException e) {
      Uds.LOG.log(System.Logger.Level.DEBUG, "removing " + file, e);
    }
  }
}
