package io.karmi.uds;

import io.karmi.guard.OwnDirectory;
import io.karmi.id.NodeId;
import io.karmi.settings.Settings;
import java.io.IOException;
import java.net.ConnectException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Directory in which the processes of one user find each other's sockets. Only that user can enter
 * it. A directory that another user owns or can enter is not used. Thread-safe.
 *
 * <p>It is {@code karmi.uds.directory} if that is set; else {@code karmi} in {@code
 * XDG_RUNTIME_DIR}, and {@code karmi-} with the user's name in the temporary directory. A process
 * listens in the first that it can use, and looks for others in all.
 */
final class SocketDirectory {
  /**
   * Hexadecimal digits of a name, for 128 random bits: only a peer that was told the name finds the
   * socket.
   */
  private static final int NAME_DIGITS = 32;

  private static final String SUFFIX = ".sock";

  /** The longest path of a socket that all systems support, in bytes, with the 0 behind it. */
  private static final int MAXIMUM_PATH_BYTES = 104;

  /**
   * Age in milliseconds from which a socket without a process is removed: a newer one may not
   * listen yet.
   */
  private static final long LEFTOVER_MILLIS = 60_000;

  /** Whether it was said that the directory of the setting cannot be used; not synchronized. */
  private static boolean warned;

  /** Whether a setting names it. */
  private final boolean chosen;

  private final List<Path> candidates;

  SocketDirectory(List<Path> candidates) {
    this(candidates, false);
  }

  private SocketDirectory(List<Path> candidates, boolean chosen) {
    this.chosen = chosen;
    this.candidates = List.copyOf(candidates);
  }

  /** The directory that system properties and the environment name. */
  static SocketDirectory configured() {
    String chosen = Settings.UDS_DIRECTORY.get();
    if (chosen != null) {
      return new SocketDirectory(List.of(Path.of(chosen).toAbsolutePath()), true);
    }
    List<Path> candidates = new ArrayList<>();
    String runtime = System.getenv("XDG_RUNTIME_DIR");
    if (runtime != null && runtime.startsWith("/")) {
      addTo(candidates, runtime, "karmi");
    }
    String user = fileName(System.getProperty("user.name", ""));
    addTo(candidates, System.getProperty("java.io.tmpdir"), "karmi-" + user);
    return new SocketDirectory(candidates);
  }

  private static void addTo(List<Path> candidates, @Nullable String folder, String name) {
    Path named = OwnDirectory.named(folder);
    if (named != null) {
      candidates.add(named.resolve(name));
    }
  }

  /** The name with an underscore for each character that a file system may not take. */
  static String fileName(String user) {
    StringBuilder name = new StringBuilder(user.length());
    for (int i = 0; i < user.length(); i += Character.charCount(user.codePointAt(i))) {
      int character = user.codePointAt(i);
      name.append(isPlain(character) ? (char) character : '_');
    }
    return name.toString();
  }

  private static boolean isPlain(int character) {
    return character >= 'a' && character <= 'z'
        || character >= 'A' && character <= 'Z'
        || character >= '0' && character <= '9'
        || character == '.'
        || character == '_'
        || character == '-';
  }

  static boolean isName(String text) {
    if (text.length() != NAME_DIGITS + SUFFIX.length() || !text.endsWith(SUFFIX)) {
      return false;
    }
    for (int i = 0; i < NAME_DIGITS; i++) {
      char digit = text.charAt(i);
      if ((digit < '0' || digit > '9') && (digit < 'a' || digit > 'f')) {
        return false;
      }
    }
    return true;
  }

  /**
   * A path for a new socket.
   *
   * @throws IOException that says why there is no directory for it
   */
  Path newSocket() throws IOException {
    IOException problem = new IOException("no directory for sockets");
    for (Path directory : candidates) {
      try {
        OwnDirectory.makeOrCheck(directory);
        Path socket = directory.resolve(NodeId.random() + SUFFIX);
        if (socket.toString().getBytes().length >= MAXIMUM_PATH_BYTES) {
          throw new IOException(socket + " is too long for the name of a socket");
        }
        return socket;
      } catch (IOException e) {
        problem.addSuppressed(e);
      }
    }
    if (chosen) {
      warnOnce(problem);
    }
    throw problem;
  }

  private void warnOnce(IOException problem) {
    if (!warned) {
      warned = true;
      Uds.LOG.log(
          System.Logger.Level.WARNING,
          "{0}={1} cannot be used, so neither can Unix-domain sockets and shared memory: {2}. Name"
              + " a directory that only this user can enter, or one that can be made",
          Settings.UDS_DIRECTORY,
          candidates.get(0),
          problem.getSuppressed()[0]);
    }
  }

  /** The path of the socket with a name; null if no directory has it. */
  @Nullable Path find(String name) {
    if (isName(name)) {
      for (Path directory : candidates) {
        Path socket = directory.resolve(name);
        if (Files.exists(socket, LinkOption.NOFOLLOW_LINKS) && isChecked(directory)) {
          return socket;
        }
      }
    }
    return null;
  }

  private static boolean isChecked(Path directory) {
    try {
      return OwnDirectory.isOf(OwnDirectory.user(), directory);
    } catch (IOException e) {
      Uds.LOG.log(System.Logger.Level.DEBUG, "sockets there are not used", e);
      return false;
    }
  }

  /** Removes sockets beside this one whose processes were killed. */
  static void removeLeftovers(Path socket) {
    Path directory = socket.getParent();
    try (DirectoryStream<Path> all = Files.newDirectoryStream(directory)) {
      for (Path each : all) {
        if (isName(each.getFileName().toString()) && isLeftover(each)) {
          Files.deleteIfExists(each);
        }
      }
    } catch (IOException | java.nio.file.DirectoryIteratorException e) {
      Uds.LOG.log(System.Logger.Level.DEBUG, "leftovers in " + directory + " stay", e);
    }
  }

  private static boolean isLeftover(Path socket) throws IOException {
    long age =
        System.currentTimeMillis()
            - Files.getLastModifiedTime(socket, LinkOption.NOFOLLOW_LINKS).toMillis();
    if (age < LEFTOVER_MILLIS) {
      return false;
    }
    try (SocketChannel probe = SocketChannel.open(StandardProtocolFamily.UNIX)) {
      probe.configureBlocking(false); // never waits behind the connections of others
      probe.connect(UnixDomainSocketAddress.of(socket));
      return false;
    } catch (ConnectException e) {
      return true;
    } catch (IOException e) {
      return false; // it listens, and has no room just now
    }
  }

  @Override
  public String toString() {
    return candidates.toString();
  }
}
