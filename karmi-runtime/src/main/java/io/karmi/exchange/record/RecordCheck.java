package io.karmi.exchange.record;

import io.karmi.exchange.GroupAddress;
import java.io.EOFException;
import java.io.StreamCorruptedException;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * Check of a record while its bytes come, in order, so that none of them is read again. Belongs to
 * one thread.
 */
public final class RecordCheck {
  private final long space;
  private final GroupAddress wanted;
  private final CRC32C crc = new CRC32C();
  private final ByteBuffer first = ByteBuffer.allocate(GroupHeader.BYTES);
  private @Nullable GroupHeader header;

  /** Bytes of the body that have not come. */
  private long left;

  /** Addresses of the groups that it refers to, as far as they have come. */
  private ByteBuffer named = ByteBuffer.allocate(0);

  /** Nothing has come yet. */
  public RecordCheck(long space, GroupAddress wanted) {
    this.space = space;
    this.wanted = wanted;
  }

  /**
   * Takes the next bytes, and leaves the buffer as it is.
   *
   * @throws StreamCorruptedException if they are not of the group that is wanted
   */
  public void take(ByteBuffer bytes) throws StreamCorruptedException {
    ByteBuffer from = bytes.duplicate();
    move(from, first);
    if (header == null && !first.hasRemaining()) {
      GroupHeader come = GroupHeader.parse(first.array()).checked(space, wanted);
      header = come;
      left = come.length();
      named = ByteBuffer.allocate(come.dependencies() * GroupHeader.ADDRESS_BYTES);
    }
    int ofBody = (int) Math.min(left, from.remaining());
    crc.update(from.slice(from.position(), ofBody));
    from.position(from.position() + ofBody);
    left -= ofBody;
    move(from, named);
    if (from.hasRemaining()) {
      throw new StreamCorruptedException("it has bytes behind its end");
    }
  }

  private static void move(ByteBuffer from, ByteBuffer to) {
    int length = Math.min(from.remaining(), to.remaining());
    to.put(from.slice(from.position(), length));
    from.position(from.position() + length);
  }

  /**
   * All has come.
   *
   * @throws EOFException if it has not
   * @throws StreamCorruptedException if the check sum is another one
   */
  public Whole finish() throws EOFException, StreamCorruptedException {
    GroupHeader come = header;
    if (come == null || left > 0 || named.hasRemaining()) {
      throw new EOFException("it ends early");
    }
    return new Whole(come, come.dependencies(crc, named.array()));
  }

  /**
   * A record that is what its header says.
   *
   * @param refersTo the groups that it refers to
   */
  public record Whole(GroupHeader header, GroupAddress[] refersTo) {}
}
