package io.karmi.exchange;

import io.karmi.exchange.record.GroupHeader;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Small groups of one member, one behind the other in files of up to 16 MiB. The sequence of such a
 * group says in which file it is, and where: no index is needed. A file goes when no group in it is
 * left, so each group keeps those beside it.
 *
 * <p>Thread-safe.
 */
final class Pack implements AutoCloseable {
  /** Marks the sequence of a group that is packed. */
  private static final long PACKED = 1L << 62;

  private static final int OFFSET_BITS = 24;

  /** Length of the longest file: what is behind it belongs to no group. */
  static final long MAXIMUM_BYTES = 1L << OFFSET_BITS;

  private final HostDirectory directory;
  private final AtomicLong numbers;
  private final int member;
  private final int generation;

  /* The file that is written to; guarded by this. */
  private @Nullable RandomAccessFile file;
  private long number;
  private long bytes;

  /** Groups that are left in each file, by its number, each a bit; guarded by this. */
  private final Map<Long, BitSet> left = new HashMap<>();

  /**
   * @param numbers gives each file, and each group that is not packed, a number
   */
  Pack(HostDirectory directory, AtomicLong numbers, int member, int generation) {
    this.directory = directory;
    this.numbers = numbers;
    this.member = member;
    this.generation = generation;
  }

  static boolean isPacked(GroupAddress group) {
    return (group.sequence() & PACKED) != 0;
  }

  /** Where in its file a packed group begins. */
  static long offset(GroupAddress group) {
    return group.sequence() & MAXIMUM_BYTES - 1;
  }

  private static long number(GroupAddress group) {
    return (group.sequence() & ~PACKED) >>> OFFSET_BITS;
  }

  /** Name of the file that a packed group is in: that of its first group, and a suffix. */
  static String name(GroupAddress group) {
    return new GroupAddress(group.member(), group.sequence() & -MAXIMUM_BYTES, group.generation())
        + SUFFIX;
  }

  static final String SUFFIX = ".pack";

  /** Puts a group's record together once its address is known. */
  @FunctionalInterface
  interface Record {
    /** The whole record. */
    byte[] at(GroupAddress address) throws IOException;
  }

  synchronized GroupAddress append(int lengthBytes, Record record) throws IOException {
    RandomAccessFile to = file;
    if (to == null || bytes + lengthBytes > MAXIMUM_BYTES || !isReadable(pathOf(number))) {
      to = begin(); // the file is full, or someone has removed or changed it
    }
    GroupAddress address =
        new GroupAddress(member, PACKED | number << OFFSET_BITS | bytes, generation);
    byte[] all = record.at(address);
    to.seek(bytes); // behind what a full disk has cut off
    to.write(all);
    bytes += all.length;
    left.computeIfAbsent(number, any -> new BitSet()).set(bit(address));
    return address;
  }

  /** Whether members read what is at the path. */
  private boolean isReadable(Path path) throws IOException {
    try {
      return directory.isOwn(path);
    } catch (NoSuchFileException e) {
      return false;
    }
  }

  /** Records begin at least as far from each other as a header is long. */
  private static int bit(GroupAddress group) {
    return (int) (offset(group) / GroupHeader.BYTES);
  }

  private RandomAccessFile begin() throws IOException {
    end();
    number = numbers.incrementAndGet();
    bytes = 0;
    Path path = pathOf(number);
    Files.createFile(path, HostDirectory.GROWING);
    RandomAccessFile to = new RandomAccessFile(path.toFile(), "rw");
    Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("r--------"));
    file = to;
    return to;
  }

  private Path pathOf(long pack) {
    return directory.file(new GroupAddress(member, PACKED | pack << OFFSET_BITS, generation));
  }

  private void end() throws IOException {
    RandomAccessFile open = file;
    file = null;
    if (open != null) {
      open.close();
      removeIfEmpty(number);
    }
  }

  private void removeIfEmpty(long pack) throws IOException {
    BitSet groups = left.get(pack);
    if (groups == null || groups.isEmpty()) {
      left.remove(pack);
      Files.deleteIfExists(pathOf(pack));
    }
  }

  /** Takes a group out; without effect the second time. */
  synchronized void remove(GroupAddress group) throws IOException {
    long pack = number(group);
    BitSet groups = left.get(pack);
    if (groups != null) {
      groups.clear(bit(group));
      if (file == null || pack != number) {
        removeIfEmpty(pack);
      }
    }
  }

  /** Removes the file that is written to if nothing is left in it; called now and then. */
  synchronized void tidy() throws IOException {
    BitSet groups = left.get(number);
    if (file != null && (groups == null || groups.isEmpty())) {
      end();
    }
  }

  @Override
  public synchronized void close() throws IOException {
    end();
  }
}
