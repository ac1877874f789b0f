package io.karmi.guard;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserPrincipal;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Checks of directories that only the user of this process may enter, and removal of those that
 * killed processes have left.
 *
 * <p>A directory in use has a file {@link #LOCK} with a lock on it. Thread-safe.
 */
public final class OwnDirectory {
  /** Name of the file whose lock says that a directory is in use. */
  public static final String LOCK = "lock";

  /** Beginning of the name of each directory that may be removed as left over. */
  public static final String PREFIX = "karmi-";

  /** Beginning of the names of files that nobody opens once they are in use. */
  public static final String MAPPED_PREFIX = "rings-";

  /** A byte in a lock file that was removed: one for each process that has begun to remove it. */
  private static final byte REMOVED = 'r';

  /** Upper bound of what is read of a lock file: a number, and such bytes. */
  private static final int MOST_BYTES = 64;

  private static final System.Logger LOG = System.getLogger(OwnDirectory.class.getName());
  private static final Set<PosixFilePermission> OWNER_ONLY =
      PosixFilePermissions.fromString("rwx------");

  /** Age in milliseconds below which a directory may not have its lock yet. */
  private static final long YOUNG_MILLIS = 60_000;

  /**
   * Directories whose lock files this JVM has open. They are not probed: on POSIX systems closing a
   * file ends all locks that the process has on it.
   */
  private static final Set<Path> IN_USE = ConcurrentHashMap.newKeySet();

  private static @Nullable UserPrincipal user;

  private OwnDirectory() {}

  /**
   * The directory that a property or a variable of the environment names; null if there is none, as
   * where the program has taken the property away, or where the encoding of the system's locale
   * lacks characters of the name.
   */
  public static @Nullable Path named(@Nullable String name) {
    try {
      return name == null ? null : Path.of(name).toAbsolutePath();
    } catch (InvalidPathException e) {
      LOG.log(System.Logger.Level.DEBUG, "a directory is not used", e);
      return null;
    }
  }

  /** The user of this process, as the owner of a file that it makes. */
  public static synchronized UserPrincipal user() throws IOException {
    UserPrincipal known = user;
    if (known == null) {
      Path file = Files.createTempFile(PREFIX, null);
      try {
        known = Files.getOwner(file);
      } finally {
        Files.delete(file);
      }
      user = known;
    }
    return known;
  }

  /** Permissions of a new directory: its owner's alone. */
  public static FileAttribute<?> permissions() {
    return PosixFilePermissions.asFileAttribute(OWNER_ONLY);
  }

  /** Whether this is a directory, no link to one, that is a user's and that no other may enter. */
  public static boolean isOf(UserPrincipal owner, Path directory) throws IOException {
    return isOf(owner, attributes(directory));
  }

  private static boolean isOf(UserPrincipal owner, PosixFileAttributes attributes) {
    return attributes.isDirectory()
        && attributes.owner().equals(owner)
        && attributes.permissions().equals(OWNER_ONLY);
  }

  private static PosixFileAttributes attributes(Path path) throws IOException {
    return Files.readAttributes(path, PosixFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
  }

  /**
   * Makes a directory with mode 0700, or checks the one that is there.
   *
   * @throws IOException if it is another user's, has another mode, or is a link; names both sides'
   *     values
   */
  public static void makeOrCheck(Path directory) throws IOException {
    try {
      Files.createDirectory(directory, permissions());
    } catch (FileAlreadyExistsException e) {
      PosixFileAttributes found;
      try {
        found = attributes(directory);
      } catch (NoSuchFileException gone) {
        makeOrCheck(directory); // it was removed meanwhile
        return;
      }
      if (!isOf(user(), found)) {
        throw new IOException(
            directory
                + " is not used: it must be a directory (no link) of user "
                + user()
                + " with rwx------, and is "
                + (found.isDirectory() ? "one" : "something else")
                + " of "
                + found.owner()
                + " with "
                + PosixFilePermissions.toString(found.permissions()),
            e);
      }
    } catch (UnsupportedOperationException e) {
      throw new IOException(directory + " is on a file system without POSIX permissions", e);
    }
  }

  /** Whether a directory was removed before its lock file, which is open, could be locked. */
  public static boolean isRemoved(FileChannel locked) throws IOException {
    long size = locked.size();
    return size != 0 && size != Long.BYTES;
  }

  /**
   * Says that this JVM has the lock file of a directory open.
   *
   * @return the one path of the directory, for {@link #leave}
   */
  public static Path use(Path directory) throws IOException {
    Path known = known(directory);
    IN_USE.add(known);
    return known;
  }

  /**
   * Says that it has closed it.
   *
   * @param used what {@link #use} has returned
   */
  public static void leave(Path used) {
    IN_USE.remove(used);
  }

  /** The one path of a directory, by whichever links it was found; it may be gone. */
  private static Path known(Path directory) throws IOException {
    Path parent = directory.getParent();
    Path name = directory.getFileName();
    return parent == null || name == null ? directory : parent.toRealPath().resolve(name);
  }

  /** Removes the user's directories below a folder whose processes were killed. */
  public static void removeLeftovers(Path base, UserPrincipal owner) {
    try (DirectoryStream<Path> all = Files.newDirectoryStream(base, PREFIX + "*")) {
      for (Path each : all) {
        if (!IN_USE.contains(known(each))) {
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
      if (!isOf(owner, attributes) || age < YOUNG_MILLIS) {
        return;
      }
      if (Files.notExists(lockFile, LinkOption.NOFOLLOW_LINKS)) {
        /* Its process ended when it had just made it, or in order but while a file was made. */
        removeFiles(directory, MAPPED_PREFIX + '*');
        Files.deleteIfExists(directory);
      } else if (Files.isRegularFile(lockFile, LinkOption.NOFOLLOW_LINKS)) {
        removeIfUnlocked(directory, lockFile);
      }
    } catch (IOException e) {
      LOG.log(System.Logger.Level.DEBUG, directory + " is left as it is", e);
    }
  }

  private static void removeIfUnlocked(Path directory, Path lockFile) throws IOException {
    try (FileChannel lock =
        FileChannel.open(lockFile, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS)) {
      if (lock.tryLock() != null) {
        remove(directory, lock);
      }
    } catch (OverlappingFileLockException e) {
      // another class loader of this process has it
    }
  }

  /**
   * Removes a directory and the files in it. Its lock file is marked before, for a process that has
   * opened it meanwhile, and goes last: who makes a new one finds no file of this process, and
   * keeps the directory.
   *
   * @param locked the lock file, of which this process has the lock
   */
  public static void remove(Path directory, FileChannel locked) throws IOException {
    locked.write(ByteBuffer.wrap(new byte[] {REMOVED}), locked.size());
    removeFiles(directory, "*");
    Files.deleteIfExists(directory.resolve(LOCK));
    try {
      Files.deleteIfExists(directory);
    } catch (DirectoryNotEmptyException e) {
      // another process uses it from now on
    }
  }

  /**
   * Removes a directory again if a process was killed that has removed it. That is so where the
   * same lock file is opened twice with nothing new in it: who was removing it at the first time
   * has ended, and has left it there.
   *
   * @param locked the lock file, which {@linkplain #isRemoved was removed}; this process has the
   *     lock
   * @param before what this method has returned for the one that was opened before; null at first
   */
  public static ByteBuffer removeRest(
      Path directory, FileChannel locked, @Nullable ByteBuffer before) throws IOException {
    ByteBuffer content = ByteBuffer.allocate(MOST_BYTES);
    locked.read(content, 0);
    if (content.flip().equals(before)) {
      remove(directory, locked);
    }
    return content;
  }

  private static void removeFiles(Path directory, String names) throws IOException {
    try (DirectoryStream<Path> files = Files.newDirectoryStream(directory, names)) {
      for (Path file : files) {
        if (!file.endsWith(LOCK)) {
          Files.deleteIfExists(file);
        }
      }
    } catch (DirectoryIteratorException e) {
      throw e.getCause();
    } catch (NoSuchFileException e) {
      // another process removes it
    }
  }
}
