package io.karmi.guard;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.AccessController;
import java.security.PrivilegedAction;

/** Files and sockets that this process may open, as far as the system tells. */
public final class OpenFiles {
  private static final Path LIMITS = Path.of("/proc/self/limits");
  private static final String ROW = "Max open files";

  /** Number of them; {@link Integer#MAX_VALUE} where there is no limit, or it is not known. */
  public static final int MAXIMUM = find();

  private OpenFiles() {}

  @SuppressWarnings("removal") // a program under a security manager need not have the permission
  private static int find() {
    return AccessController.doPrivileged((PrivilegedAction<Integer>) OpenFiles::read);
  }

  private static int read() {
    try {
      return Files.exists(LIMITS) ? parse(Files.readString(LIMITS)) : Integer.MAX_VALUE;
    } catch (IOException | RuntimeException e) {
      return Integer.MAX_VALUE;
    }
  }

  /**
   * The number in a table of the system.
   *
   * @param limits a row is a name, the limit in force, and the highest that it can be set to
   */
  static int parse(String limits) {
    return limits
        .lines()
        .filter(row -> row.startsWith(ROW))
        .map(row -> row.substring(ROW.length()).trim().split(" ")[0])
        .filter(number -> number.matches("[0-9]{1,9}"))
        .map(Integer::valueOf)
        .findFirst()
        .orElse(Integer.MAX_VALUE);
  }
}
