package io.karmi.benchmarks.measure;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

/**
 * Names of folders that belong to a process, and tell which. Those of processes that have ended
 * without deleting theirs, as a killed one, are deleted by the next process. Thread-safe.
 */
public final class ProcessFolders {
  private static final AtomicInteger COUNT = new AtomicInteger();

  private ProcessFolders() {}

  /**
   * A name that no other folder has, {@code prefix-process-number}; nothing is made.
   *
   * @param parent where it is to be; folders of ended processes with the same prefix are deleted
   */
  public static Path next(Path parent, String prefix) {
    try (DirectoryStream<Path> folders = Files.newDirectoryStream(parent, prefix + "-*")) {
      for (Path each : folders) {
        if (isLeft(each.getFileName().toString(), prefix)) {
          delete(each);
        }
      }
    } catch (IOException e) {
      System.err.println("folders of earlier processes stay in " + parent + ": " + e);
    }
    String process = Long.toString(ProcessHandle.current().pid());
    return parent.resolve(prefix + "-" + process + "-" + COUNT.incrementAndGet());
  }

  private static boolean isLeft(String name, String prefix) {
    String[] rest = name.substring(prefix.length() + 1).split("-");
    return rest.length == 2
        && rest[0].matches("[0-9]{1,18}")
        && ProcessHandle.of(Long.parseLong(rest[0])).isEmpty();
  }

  /** Deletes a folder with all that is in it. */
  public static void delete(Path folder) throws IOException {
    try (Stream<Path> all = Files.walk(folder)) {
      for (Path each : (Iterable<Path>) all.sorted(Comparator.reverseOrder())::iterator) {
        Files.deleteIfExists(each);
      }
    }
  }
}
