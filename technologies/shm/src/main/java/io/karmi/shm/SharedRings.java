package io.karmi.shm;

import io.karmi.ring.RingMemory;
import io.karmi.ring.RingReader;
import io.karmi.ring.RingWriter;
import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.util.Set;

/**
 * Memory of one connection: a file with a ring for each direction, mapped by both ends.
 *
 * <pre>
 *   0      the magic, which tells the byte order of words, then 16 random bytes, the secret
 *   4096   the ring from the end that opened the connection to the one that accepted it
 *   ...    the ring back, as long, at the next multiple of 4096
 *   end-8  a word that both ends set to the same value: it is gone when the file was cut off
 * </pre>
 *
 * <p>All pages are written when the file is made, so that a file system that is full is an {@link
 * IOException} here, and not a fault at some later store. The memory is released when both ends
 * have been collected; by then the file has no name any more.
 *
 * <p>Immutable; the ends of the rings belong to one thread at a time each.
 */
final class SharedRings {
  /** Length of the secret, in bytes, that tells the other end's file from any other. */
  static final int SECRET_BYTES = 16;

  /**
   * Size of each ring of a connection for calls, in bytes. Two of them and the arrays that are
   * copied stay in a second-level cache.
   */
  static final int CAPACITY = 128 * 1024;

  /**
   * Size of each ring of a connection for messages, in bytes: the window of a calm link, so that
   * its sender waits for credits and not for room.
   */
  static final int LONG_CAPACITY = 512 * 1024;

  /**
   * "KaRMIshm" where numbers begin with their low byte, reversed elsewhere: an end with the other
   * byte order refuses the file.
   */
  private static final long MAGIC = 0x6D6873494D52614BL;

  private static final int PAGE = 4096;
  private static final long WHOLE = 0x4B61524D4977686FL;

  private static final VarHandle WORD =
      MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.nativeOrder());

  private static final Set<PosixFilePermission> OWNER_ONLY =
      PosixFilePermissions.fromString("rw-------");

  /**
   * Bytes that are written at once to a new file. The JDK keeps as much direct memory for the
   * thread that does so, as long as it lives.
   */
  private static final int PIECE_BYTES = 1 << 14;

  private static final ByteBuffer EMPTY = ByteBuffer.allocate(PIECE_BYTES);

  final RingWriter writer;
  final RingReader reader;

  /** Size of each ring, in bytes. */
  final int capacity;

  private final ByteBuffer memory;

  private SharedRings(ByteBuffer memory, int capacity, boolean accepted) {
    this.memory = memory;
    this.capacity = capacity;
    RingMemory there = RingMemory.in(memory, PAGE, capacity);
    RingMemory back = RingMemory.in(memory, PAGE + ringBytes(capacity), capacity);
    writer = new RingWriter(accepted ? back : there);
    reader = new RingReader(accepted ? there : back);
  }

  private static int ringBytes(int capacity) {
    return (RingMemory.sizeBytes(capacity) + PAGE - 1) / PAGE * PAGE;
  }

  private static int fileBytes(int capacity) {
    return PAGE + 2 * ringBytes(capacity);
  }

  /**
   * Makes the file, for the end that accepts a connection.
   *
   * @param file a path at which there is nothing
   * @param capacity of each ring, in bytes; both ends agree on it
   * @return what {@link #accepted} maps; to be closed
   * @throws IOException if there is a file, or the file system has no room
   */
  static FileChannel create(Path file, byte[] secret, int capacity) throws IOException {
    ByteBuffer piece = ByteBuffer.allocate(PIECE_BYTES);
    piece.order(ByteOrder.nativeOrder()).putLong(MAGIC).put(secret).clear();
    FileChannel channel =
        FileChannel.open(
            file,
            Set.of(
                StandardOpenOption.CREATE_NEW, StandardOpenOption.READ, StandardOpenOption.WRITE),
            PosixFilePermissions.asFileAttribute(OWNER_ONLY));
    boolean written = false;
    try {
      for (int left = fileBytes(capacity); left > 0; ) {
        int length = Math.min(left, PIECE_BYTES);
        for (piece.position(0).limit(length); piece.hasRemaining(); ) {
          channel.write(piece);
        }
        left -= length;
        piece = EMPTY.duplicate();
      }
      written = true;
      return channel;
    } finally {
      if (!written) {
        channel.close();
      }
    }
  }

  /** Maps the file that {@link #create} has made. */
  static SharedRings accepted(FileChannel file, int capacity) throws IOException {
    ByteBuffer memory = Mapping.of(file, fileBytes(capacity));
    try {
      mark(memory);
    } catch (InternalError e) {
      throw new IOException("the other process has cut off the memory", e);
    }
    return new SharedRings(memory, capacity, true);
  }

  /** Sets the last word; throws a fault here if the file is shorter by now. */
  private static void mark(ByteBuffer memory) {
    WORD.setVolatile(memory, lastWord(memory), WHOLE);
    LateFaults.surface();
  }

  /** Where the last word is: in the padding of the ring back. */
  private static int lastWord(ByteBuffer memory) {
    return memory.capacity() - Long.BYTES;
  }

  /**
   * Maps the file that the other end has made.
   *
   * @param secret is filled with the file's secret
   * @param capacity of each ring, in bytes; both ends agree on it
   * @throws IOException if there is no such file here, or it is another kind of file
   */
  static SharedRings open(Path file, byte[] secret, int capacity) throws IOException {
    int fileBytes = fileBytes(capacity);
    if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS) || Files.size(file) != fileBytes) {
      throw new IOException(file + " is no file of " + fileBytes + " bytes on this side");
    }
    try (FileChannel channel =
        FileChannel.open(
            file, StandardOpenOption.READ, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS)) {
      ByteBuffer memory = Mapping.of(channel, fileBytes);
      long magic;
      try {
        magic = (long) WORD.get(memory, 0);
        memory.get(Long.BYTES, secret);
        mark(memory);
      } catch (InternalError e) {
        throw new IOException("the other process has cut off the memory " + file, e);
      }
      if (magic != MAGIC) {
        throw new IOException(
            file + " is no memory of a KaRMI connection of processors with this byte order");
      }
      return new SharedRings(memory, capacity, false);
    }
  }

  /**
   * Whether the file seems to have been cut off: then an access before this call may have met a
   * fault that the JVM has not reported yet.
   */
  boolean isCutOff() {
    return (long) WORD.getVolatile(memory, lastWord(memory)) != WHOLE;
  }

  /** Whether the other end has read the right secret; takes the same time for any wrong one. */
  static boolean isSame(byte[] secret, byte[] told) {
    return MessageDigest.isEqual(secret, told);
  }
}
