package io.karmi.shm;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserPrincipal;
import java.util.Arrays;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Directory for the shared files of this process; only its user may enter it.
 *
 * <p>It is made in memory ({@code /dev/shm}) where that is there, else in the directory for
 * temporary files, under a random name, so that no other user can have made it before. A lock that
 * lasts as long as the process tells others that it is in use. Directories of killed processes are
 * removed by the next process that makes one.
 *
 * <p>Thread-safe.
 */
final class PrivateDirectory {
  private static final System.Logger LOG = System.getLogger("io.karmi.shm");
  private static final Path MEMORY = Path.of("/dev/shm");
  private static final String PREFIX = "karmi-";
  private static final String LOCK = "lock";

  /** Age in milliseconds below which a directory may not have its lock yet. */
  private static final long YOUNG_MILLIS = 60_000;

  private static final Set<PosixFilePermission> OWNER_ONLY =
      PosixFilePermissions.fromString("rwx------");

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

  private static Path[] bases() {
    return new Path[] {MEMORY, Path.of(System.getProperty("java.io.tmpdir"))};
  }

  private static boolean isUsable(Path base) {
    return Files.isDirectory(base) && Files.isWritable(base);
  }

  private static IOException noBase() {
    return new IOException("none of " + Arrays.toString(bases()) + " can be written to");
  }

  /** Makes a directory in another one. */
  static PrivateDirectory makeIn(Path base) throws IOException {
    if (base.getFileSystem().supportedFileAttributeViews().contains("posix")) {
      Path path =
          Files.createTempDirectory(base, PREFIX, PosixFilePermissions.asFileAttribute(OWNER_ONLY));
      path.toFile().deleteOnExit(); // what is registered later is deleted earlier
      UserPrincipal owner = Files.getOwner(path, LinkOption.NOFOLLOW_LINKS);
      Path lockFile = path.resolve(LOCK);
      FileChannel lock =
          FileChannel.open(lockFile, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
      lockFile.toFile().deleteOnExit();
      lock.lock();
      removeLeftovers(base, path, owner);
      return new PrivateDirectory(path, lock);
    }
    throw new IOException(base + " is on a file system without POSIX permissions");
  }

  private static void removeLeftovers(Path base, Path own, UserPrincipal owner) {
    try (DirectoryStream<Path> all = Files.newDirectoryStream(base)) {
      for (Path each : all) {
        if (each.getFileName().toString().startsWith(PREFIX) && !each.equals(own)) {
          removeIfLeft(each, owner);
        }
      }
    } catch (IOException | RuntimeException e) {
      LOG.log(System.Logger.Level.DEBUG, "leftovers in " + base + " cannot be removed", e);
    }
  }

  private static void removeIfLeft(Path directory, UserPrincipal owner) {
    try {
      PosixFileAttributes attributes = attributes(directory);
      long age = System.currentTimeMillis() - attributes.lastModifiedTime().toMillis();
      Path lockFile = directory.resolve(LOCK);
      if (!isPrivate(attributes, owner) || age < YOUNG_MILLIS) {
        return;
      }
      if (Files.notExists(lockFile, LinkOption.NOFOLLOW_LINKS)) {
        Files.deleteIfExists(directory); // its process ended when it had just made it
        return;
      }
      if (!Files.isRegularFile(lockFile, LinkOption.NOFOLLOW_LINKS)) {
        return;
      }
      try (FileChannel lock =
          FileChannel.open(lockFile, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS)) {
        if (lock.tryLock() != null) {
          removeAll(directory);
        }
      } catch (OverlappingFileLockException e) {
        // another class loader of this process has it
      }
    } catch (IOException e) {
      LOG.log(System.Logger.Level.DEBUG, directory + " is left as it is", e);
    }
  }

  private static void removeAll(Path directory) throws IOException {
    try (DirectoryStream<Path> files = Files.newDirectoryStream(directory)) {
      for (Path file : files) {
        Files.deleteIfExists(file);
      }
    }
    Files.deleteIfExists(directory);
  }

  private static PosixFileAttributes attributes(Path path) throws IOException {
    return Files.readAttributes(path, PosixFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
  }

  private static boolean isPrivate(PosixFileAttributes attributes, UserPrincipal owner) {
    return attributes.isDirectory()
        && attributes.owner().equals(owner)
        && attributes.permissions().equals(OWNER_ONLY);
  }

  /** A new path in the directory, at which there is no file. */
  Path newPath() {
    return path.resolve("rings-" + names.incrementAndGet());
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
      return isPrivate(attributes(directory), user);
    } catch (IOException e) {
      return false;
    }
  }
}
