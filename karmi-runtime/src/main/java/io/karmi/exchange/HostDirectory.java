package io.karmi.exchange;

import io.karmi.exchange.directory.Attempts;
import io.karmi.guard.OwnDirectory;
import io.karmi.settings.Settings;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The directory of one host for the groups of one space, of mode 0700. All members of the host
 * share it.
 *
 * <p>One file in it, {@code lock}, has all locks, each on a byte of its own: that which says that
 * the directory is in use, one for each member that lives, and one for each fetch that is under
 * way. So no lock file is ever removed while it is locked, and what a killed process had locked is
 * free. That file's content is the number of the host.
 *
 * <p>A file that has the name of a group is whole. Thread-safe.
 */
final class HostDirectory implements AutoCloseable {
  private static final SecureRandom RANDOM = new SecureRandom();
  private static final String WRITING = ".tmp-";
  private static final String FETCHING = ".fetch-";
  private static final String DROPPED = ".dropped-";

  /** Pattern of the names of groups and of packs. */
  private static final String GROUPS = "[0-9a-f]*-*-*";

  /** Age in milliseconds at which a fetch without a member is given up. */
  private static final long ABANDONED_MILLIS = 60_000;

  private static final Path MEMORY = Path.of("/dev/shm");
  private static final Set<PosixFilePermission> WHOLE =
      PosixFilePermissions.fromString("r--------");

  /** Mode of a whole file, of its bits for the kind and for permissions. */
  private static final int WHOLE_FILE = 0100400;

  private static final int KIND = 0170000;
  private static final int PERMISSIONS = 0777;

  /** Permissions of a file that is being written. */
  static final FileAttribute<?> GROWING =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));

  /** Bytes of the lock file that are locked: in use; being made; one for each member; fetches. */
  private static final long IN_USE = 0;

  private static final long MAKING = 1;
  private static final long MEMBERS = 1L << 61;
  private static final long FETCHES = 1L << 62;
  private static final int MEMBER_BITS = 28;

  private static final long FIRST_PAUSE_NANOS = 1_000_000;
  private static final long LONGEST_PAUSE_NANOS = 50_000_000;

  final Path path;
  private final Path store;
  private final FileChannel locks;
  private final FileLock inUse;
  private final long host;

  /** Whether the store is named on the disk. */
  private volatile boolean storeIsNamed;

  /** Number of this process's user. */
  private final int user;

  private HostDirectory(Path path, Path store, FileChannel locks, FileLock inUse, long host)
      throws IOException {
    this.path = path;
    this.store = store;
    this.locks = locks;
    this.inUse = inUse;
    this.host = host;
    user = (int) Files.getAttribute(path, "unix:uid", LinkOption.NOFOLLOW_LINKS); // it was checked
  }

  /**
   * Opens the directory of a space, which is made if it is not there.
   *
   * @throws IOException if another user's is in the way, or the store is another user's
   */
  static HostDirectory open(long space) throws IOException {
    String name = OwnDirectory.PREFIX + "x-" + OwnDirectory.user().getName().replaceAll("\\W", "_");
    Path base = base();
    OwnDirectory.removeLeftovers(base, OwnDirectory.user());
    Path directory = base.resolve(name + '-' + Long.toHexString(space));
    Path store = storeFolder().resolve(Long.toHexString(space));
    if (Files.exists(store, LinkOption.NOFOLLOW_LINKS)) {
      OwnDirectory.makeOrCheck(store);
    }
    ByteBuffer removed = null;
    while (true) {
      OwnDirectory.makeOrCheck(directory);
      Path path = OwnDirectory.use(directory);
      HostDirectory opened = null;
      FileChannel locks = openLocks(path);
      if (locks == null) {
        continue; // the last member has removed it meanwhile
      }
      try {
        FileLock inUse = lock(locks, IN_USE, true);
        if (!OwnDirectory.isRemoved(locks)) {
          opened = new HostDirectory(path, store, locks, inUse, hostOf(locks));
          return opened;
        }
        lock(locks, MAKING, false);
        removed = OwnDirectory.removeRest(path, locks, removed);
      } finally {
        if (opened == null) {
          locks.close(); // and gives the locks back
        }
      }
    }
  }

  private static Path base() {
    String chosen = Settings.EXCHANGE_DIRECTORY.get();
    if (chosen != null) {
      return Path.of(chosen).toAbsolutePath();
    }
    return Files.isWritable(MEMORY)
        ? MEMORY
        : Path.of(System.getProperty("java.io.tmpdir")).toAbsolutePath();
  }

  private static Path storeFolder() {
    String chosen = Settings.EXCHANGE_STORE.get();
    return chosen != null
        ? Path.of(chosen).toAbsolutePath()
        : Path.of(System.getProperty("user.home"), ".karmi", "exchange").toAbsolutePath();
  }

  /** Opens a file that only this user may read, and makes it if it is not there. */
  static FileChannel openGrowing(Path file) throws IOException {
    return FileChannel.open(
        file,
        Set.of(
            StandardOpenOption.CREATE,
            StandardOpenOption.READ,
            StandardOpenOption.WRITE,
            LinkOption.NOFOLLOW_LINKS),
        GROWING);
  }

  private static @Nullable FileChannel openLocks(Path path) throws IOException {
    try {
      return openGrowing(path.resolve(OwnDirectory.LOCK));
    } catch (NoSuchFileException e) {
      return null;
    }
  }

  /** The number of the host; the first one to ask chooses it. */
  private static long hostOf(FileChannel locks) throws IOException {
    FileLock making = lock(locks, MAKING, false);
    try {
      ByteBuffer number = ByteBuffer.allocate(Long.BYTES);
      if (locks.read(number, 0) < Long.BYTES) {
        number.clear().putLong(RANDOM.nextLong()).flip();
        locks.write(number, 0);
      }
      return number.getLong(0);
    } finally {
      making.release();
    }
  }

  private static FileLock lock(FileChannel locks, long at, boolean shared) throws IOException {
    long pause = FIRST_PAUSE_NANOS;
    long limit = Attempts.limitMillis();
    long end = System.nanoTime() + limit * 1_000_000;
    while (true) {
      FileLock lock = tryLock(locks, at, shared);
      if (lock != null) {
        return lock;
      }
      if (end - System.nanoTime() < 0) {
        throw new IOException("another process keeps the lock file locked for " + limit + " ms");
      }
      LockSupport.parkNanos(pause);
      pause = Math.min(2 * pause, LONGEST_PAUSE_NANOS);
    }
  }

  /** Takes a lock; null if another process or thread has it. Never waits, so is not interrupted. */
  private static @Nullable FileLock tryLock(FileChannel locks, long at, boolean shared)
      throws IOException {
    try {
      return locks.tryLock(at, 1, shared);
    } catch (OverlappingFileLockException e) {
      return null;
    }
  }

  long host() {
    return host;
  }

  /** Says that a member of this process lives, for as long as the process does. */
  void own(int member, int generation) throws IOException {
    if (tryLock(locks, ofMember(member, generation), false) == null) {
      throw new IOException(path + ": another process has the number of member " + member);
    }
  }

  /** The byte of the lock file that says that a member lives. */
  static long ofMember(int member, int generation) {
    return MEMBERS | (generation & 0xffff_ffffL) << MEMBER_BITS | member & ((1 << MEMBER_BITS) - 1);
  }

  /** Whether the member that has put a group lives on this host. */
  boolean isOwnerHere(GroupAddress group) throws IOException {
    FileLock lock = tryLock(locks, ofMember(group.member(), group.generation()), false);
    if (lock != null) {
      lock.release();
    }
    return lock == null;
  }

  /**
   * Takes the right to fetch a group; null while another member of the host has it. A lock that is
   * given back frees it, and the end of the process does.
   */
  @Nullable FileLock tryFetch(GroupAddress group) throws IOException {
    long spread = group.hashCode() * 0x9E3779B97F4A7C15L;
    return tryLock(locks, FETCHES | spread >>> 2, false);
  }

  /** Where a group's file is when it is whole: its own, or the one of a pack. */
  Path file(GroupAddress group) {
    return path.resolve(Pack.isPacked(group) ? Pack.name(group) : group.toString());
  }

  /** Where the file of a group that other hosts have sent is, packed there or not. */
  Path fetched(GroupAddress group) {
    return path.resolve(group.toString());
  }

  /** Where a stored group's file is. */
  Path stored(GroupAddress group) {
    return store.resolve(group.toString());
  }

  /** Where its file is once it is stored no more. */
  private Path dropped(GroupAddress group) {
    return store.resolve(DROPPED + group);
  }

  /**
   * A group is stored no more, if it was: its file stays for those who hold it, under a name that
   * says so to all members of the host from now on.
   */
  void drop(GroupAddress group) throws IOException {
    Path name = stored(group);
    if (name.toFile().exists()) { // costs no exception
      Files.move(name, dropped(group), StandardCopyOption.ATOMIC_MOVE);
      force(store);
    }
  }

  Path fetching(GroupAddress group) {
    return path.resolve(FETCHING + group);
  }

  /**
   * A path for a group that a member writes.
   *
   * @param toStore whether it is to be stored
   */
  Path newFile(int member, int generation, boolean toStore) throws IOException {
    if (toStore) {
      makeStore();
    }
    GroupAddress name = new GroupAddress(member, RANDOM.nextLong(), generation);
    return (toStore ? store : path).resolve(WRITING + name);
  }

  /** Makes the store, and forces the names of it and of the folders that it needs to the disk. */
  private void makeStore() throws IOException {
    List<Path> above = new ArrayList<>();
    boolean isMade = false;
    for (Path each = store.getParent(); each != null && !isMade; each = each.getParent()) {
      above.add(each); // the lowest one in any case: another process may have made the store now
      isMade = Files.exists(each);
    }
    boolean isThere = storeIsNamed && Files.exists(store);
    Files.createDirectories(store.getParent(), OwnDirectory.permissions());
    OwnDirectory.makeOrCheck(store);
    if (!isThere) {
      for (Path each : above) {
        force(each);
      }
      storeIsNamed = true;
    }
  }

  /** Forces the names in a folder to the disk; a file that is forced has its bytes there alone. */
  private static void force(Path folder) throws IOException {
    try (FileChannel opened = FileChannel.open(folder, StandardOpenOption.READ)) {
      opened.force(true);
    }
  }

  static void publish(Path complete, Path name) throws IOException {
    Files.setPosixFilePermissions(complete, WHOLE);
    Files.move(complete, name, StandardCopyOption.ATOMIC_MOVE);
  }

  /**
   * Publishes a stored group: with its name and its mode it is on the disk then, or is not there.
   */
  void publishStored(Path complete, FileChannel bytes, GroupAddress group) throws IOException {
    Files.setPosixFilePermissions(complete, WHOLE);
    bytes.force(true);
    Path name = stored(group);
    Files.move(complete, name, StandardCopyOption.ATOMIC_MOVE);
    try {
      force(store);
    } catch (IOException e) {
      Files.deleteIfExists(name);
      throw e;
    }
  }

  /**
   * Opens the record of a group at its beginning.
   *
   * @return null if this host has it not
   * @throws IOException if there is something of that name that this user has not written
   */
  @Nullable Opened find(GroupAddress group) throws IOException {
    Opened found = Pack.isPacked(group) ? open(file(group), Pack.offset(group)) : null;
    if (found == null) {
      found = findFetched(group);
    }
    if (found == null && !Pack.isPacked(group)) {
      found = open(stored(group), 0);
      found = found == null ? open(dropped(group), 0) : found;
    }
    return found;
  }

  /** Whether another host has sent a group. Fails as {@link #find} does. */
  boolean hasFetched(GroupAddress group) throws IOException {
    return isThere(fetched(group));
  }

  /** The same of a group that no member of this host has put. */
  @Nullable Opened findFetched(GroupAddress group) throws IOException {
    return open(fetched(group), 0);
  }

  /**
   * A file that was opened.
   *
   * @param channel at the beginning of the record
   * @param mostBytes from there to the end of the file
   */
  record Opened(Path path, FileChannel channel, long mostBytes) {
    boolean isPack() {
      return path.toString().endsWith(Pack.SUFFIX);
    }
  }

  /**
   * Whether a file is one that members have written; nothing is opened for that. To compare numbers
   * of users asks no list of users for a name.
   *
   * @throws NoSuchFileException if there is none
   */
  boolean isOwn(Path file) throws IOException {
    Map<String, Object> found =
        Files.readAttributes(file, "unix:uid,mode", LinkOption.NOFOLLOW_LINKS);
    return found.get("mode") instanceof Integer mode
        && (mode & (KIND | PERMISSIONS)) == WHOLE_FILE
        && found.get("uid") instanceof Integer owner
        && owner == user;
  }

  /** Whether this host has a group; nothing is opened for that. Fails as {@link #find} does. */
  boolean has(GroupAddress group) throws IOException {
    return isThere(fetched(group))
        || (Pack.isPacked(group) // none of a pack is stored
            ? isThere(file(group))
            : isThere(stored(group)) || isThere(dropped(group)));
  }

  private boolean isThere(Path file) throws IOException {
    if (!file.toFile().exists()) { // costs no exception
      return false;
    }
    try {
      if (isOwn(file)) {
        return true;
      }
      PosixFileAttributes found =
          Files.readAttributes(file, PosixFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
      throw new IOException(
          file
              + " is not read: it must be a file of user "
              + OwnDirectory.user()
              + " with r--------, and is one of "
              + found.owner()
              + " with "
              + PosixFilePermissions.toString(found.permissions()));
    } catch (NoSuchFileException e) {
      return false;
    }
  }

  private @Nullable Opened open(Path file, long offset) throws IOException {
    if (!isThere(file)) {
      return null;
    }
    FileChannel channel;
    try {
      channel = FileChannel.open(file, StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS);
    } catch (NoSuchFileException e) {
      return null;
    }
    channel.position(offset);
    return new Opened(file, channel, channel.size() - offset);
  }

  /** Removes the file of a group that no one holds. Those in packs go with the pack. */
  void remove(GroupAddress group) throws IOException {
    Files.deleteIfExists(fetched(group));
    if (!Pack.isPacked(group)
        && Files.deleteIfExists(stored(group)) | Files.deleteIfExists(dropped(group))) {
      force(store); // or it is there again after a power cut
    }
  }

  /** Names of files of groups and of packs, without those that are being written. */
  List<String> names() throws IOException {
    return namesIn(path, GROUPS);
  }

  boolean isStored(GroupAddress group) {
    return stored(group).toFile().exists();
  }

  List<GroupAddress> stored() throws IOException {
    return inStore("");
  }

  /** Those whose files are there for who holds them. */
  List<GroupAddress> dropped() throws IOException {
    return inStore(DROPPED);
  }

  private List<GroupAddress> inStore(String prefix) throws IOException {
    List<GroupAddress> groups = new ArrayList<>();
    for (String name : namesIn(store, prefix + GROUPS)) {
      GroupAddress group = Leftovers.parse(name.substring(prefix.length()));
      if (group != null) {
        groups.add(group);
      }
    }
    return groups;
  }

  private static List<String> namesIn(Path folder, String pattern) throws IOException {
    List<String> names = new ArrayList<>();
    try (DirectoryStream<Path> all = Files.newDirectoryStream(folder, pattern)) {
      all.forEach(each -> names.add(each.getFileName().toString()));
    } catch (NoSuchFileException e) {
      return names;
    } catch (DirectoryIteratorException e) {
      throw e.getCause();
    }
    return names;
  }

  /** Removes what killed processes were writing or fetching. */
  void removeUnfinished() throws IOException {
    for (Path folder : List.of(path, store)) {
      try (DirectoryStream<Path> all = Files.newDirectoryStream(folder, ".*-*-*-*")) {
        for (Path each : all) {
          if (isAbandoned(each)) {
            Files.deleteIfExists(each);
          }
        }
      } catch (NoSuchFileException e) {
        continue; // there is none, or another process has removed it
      } catch (DirectoryIteratorException e) {
        throw e.getCause();
      }
    }
  }

  private boolean isAbandoned(Path file) throws IOException {
    String name = file.getFileName().toString();
    boolean written = name.startsWith(WRITING);
    if (!written && !name.startsWith(FETCHING)) {
      return false;
    }
    GroupAddress group = Leftovers.parse(name.substring((written ? WRITING : FETCHING).length()));
    if (group == null || written) {
      return group != null && !isOwnerHere(group);
    }
    long age = System.currentTimeMillis() - Files.getLastModifiedTime(file).toMillis();
    if (age < ABANDONED_MILLIS) {
      return false;
    }
    FileLock lock = tryFetch(group);
    if (lock != null) {
      lock.release();
    }
    return lock != null;
  }

  /** Bytes that are free where groups are written. */
  long freeBytes() {
    return path.toFile().getUsableSpace();
  }

  @Override
  public String toString() {
    return path.toString();
  }

  /** Leaves the directory. The last member of the host removes it. */
  @Override
  public void close() throws IOException {
    inUse.release();
    try (locks) {
      FileLock alone = tryLock(locks, IN_USE, false);
      if (alone != null && !OwnDirectory.isRemoved(locks)) { // by one that left just before
        OwnDirectory.remove(path, locks);
      }
    } finally {
      OwnDirectory.leave(path);
    }
  }
}
