package io.karmi.benchmarks.kernels;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** The TCP connections of this process, as Linux lists them. */
final class OpenConnections {
  private static final Path DESCRIPTORS = Path.of("/proc/self/fd");
  private static final List<Path> TABLES =
      List.of(Path.of("/proc/self/net/tcp"), Path.of("/proc/self/net/tcp6"));
  private static final String SOCKET = "socket:[";
  private static final String ESTABLISHED = "01";

  private OpenConnections() {}

  /** How many are established. */
  static long count() throws IOException {
    Set<String> mine = sockets();
    long count = 0;
    for (Path table : TABLES) {
      if (Files.isReadable(table)) {
        count +=
            Files.readAllLines(table).stream()
                .map(line -> line.strip().split("\\s+"))
                .filter(row -> row.length > 9 && row[3].equals(ESTABLISHED))
                .filter(row -> mine.contains(row[9]))
                .count();
      }
    }
    return count;
  }

  /** The inodes of this process's sockets. */
  private static Set<String> sockets() throws IOException {
    Set<String> sockets = new HashSet<>();
    try (DirectoryStream<Path> descriptors = Files.newDirectoryStream(DESCRIPTORS)) {
      for (Path descriptor : descriptors) {
        try {
          String target = Files.readSymbolicLink(descriptor).toString();
          if (target.startsWith(SOCKET)) {
            sockets.add(target.substring(SOCKET.length(), target.length() - 1));
          }
        } catch (NoSuchFileException e) {
          /* It has been closed since it was listed. */
        }
      }
    }
    return sockets;
  }
}
