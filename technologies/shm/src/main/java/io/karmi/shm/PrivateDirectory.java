package io.karmi.shm;

import io.karmi.guard.OwnDirectory;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.UserPrincipal;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Directory for the shared files of this process; only its user may enter it.
 *
 * <p>It is made in memory ({@code /dev/shm}) where that is there, else in the directory for
 * temporary files, under a random name, so that no other user can have made it before. A lock that
 * lasts as long as the process tells others that it is in use. What processes have left is removed
 * by the next one that makes a directory.
 *
 * <p>Thread-safe.
 */
final class PrivateDirectory {
  private static final Path MEMORY = Path.of("/dev/shm");
  private static final String PREFIX = OwnDirectory.PREFIX;

  private static @Nullable PrivateDirectory ofThisProcess;

  private final Path path;

  /** Kept open for its lock. */
  @SuppressWarnings("unused")
  private final FileChannel lock;

  private final AtomicLong names = new AtomicLong();

  private PrivateDirectory(Path path, FileChannel lock) {
    this.path = path;
    this.lock = lock;
  }

  /**
   * The directory of this process, which is made when it is first asked for.
   *
   * @throws IOException if there can be none, as on systems without POSIX permissions
   */
  static synchronized PrivateDirectory ofThisProcess() throws IOException {
    PrivateDirectory known = ofThisProcess;
    if (known == null || !Files.isDirectory(known.path, LinkOption.NOFOLLOW_LINKS)) {
      known = make();
      ofThisProcess = known;
    }
    return known;
  }

  /**
   * Checks that a directory can probably be made, without making one: a process that only opens
   * connections needs none.
   *
   * @throws IOException that says why there can be none
   */
  static void checkPossible() throws IOException {
    for (Path base : bases()) {
      if (isUsable(base)) {
        return;
      }
    }
    throw noBase();
  }

  private static PrivateDirectory make() throws IOException {
    IOException problem = null;
    for (Path base : bases()) {
      if (isUsable(base)) {
        try {
          return makeIn(base);
        } catch (IOException e) {
          problem = e;
        }
      }
    }
    throw problem != null ? problem : noBase();
  }

  private static List<Path> bases() {
    Path temporary = OwnDirectory.named(System.getProperty("java.io.tmpdir"));
    return temporary == null ? List.of(MEMORY) : List.of(MEMORY, temporary);
  }

  private static boolean isUsable(Path base) {
    return Files.isDirectory(base) && Files.isWritable(base);
  }

  private static IOException noBase() {
    return new IOException("none of " + bases() + " can be written to");
  }

  static PrivateDirectory makeIn(Path base) throws IOException {
    if (base.getFileSystem().supportedFileAttributeViews().contains("posix")) {
      Path path = Files.createTempDirectory(base, PREFIX, OwnDirectory.permissions());
      deleteOnExit(path); // what is registered later is deleted earlier
      UserPrincipal owner = Files.getOwner(path, LinkOption.NOFOLLOW_LINKS);
      OwnDirectory.use(path);
      Path lockFile = path.resolve(OwnDirectory.LOCK);
      FileChannel lock =
          FileChannel.open(lockFile, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
      deleteOnExit(lockFile);
      lock.lock();
      OwnDirectory.removeLeftovers(base, owner);
      return new PrivateDirectory(path, lock);
    }
    throw new IOException(base + " is on a file system without POSIX permissions");
  }

  private static void deleteOnExit(Path path) throws IOException {
    try {
      path.toFile().deleteOnExit();
    } catch (IllegalStateException e) {
      Files.delete(path);
      throw new IOException("the JVM is about to end", e);
    }
  }

  /** A new path in the directory, at which there is no file. */
  Path newPath() {
    return path.resolve(OwnDirectory.MAPPED_PREFIX + names.incrementAndGet());
  }

  /**
   * Whether a path that another process has named lies in the private directory of a process of a
   * user: no other file is opened for a stranger.
   */
  static boolean isOfUser(UserPrincipal user, Path file) {
    Path directory = file.getParent();
    if (!file.isAbsolute()
        || directory == null
        || directory.getFileName() == null
        || !file.equals(file.normalize())
        || !directory.getFileName().toString().startsWith(PREFIX)) {
      return false;
    }
    try {
      return OwnDirectory.isOf(user, directory);
    } catch (IOException e) {
      return false;
    }
  }
}
