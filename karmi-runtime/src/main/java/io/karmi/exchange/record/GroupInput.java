package io.karmi.exchange.record;

import io.karmi.exchange.GroupAddress;
import io.karmi.guard.Ledger;
import io.karmi.guard.Ledgers;
import io.karmi.guard.MessageMemory;
import io.karmi.guard.PeerBuffer;
import java.io.EOFException;
import java.io.IOException;
import java.io.StreamCorruptedException;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import java.util.zip.CRC32C;

/**
 * The body of a group, read from a file or from what another host has sent, 256 KiB at a time. It
 * is not mapped: a mapping of a file that another process shortens ends in an {@link
 * InternalError}.
 *
 * <p>All bytes are claims. What is made of them counts as a message that has not been read. Belongs
 * to one thread.
 */
public final class GroupInput extends PeerBuffer implements AutoCloseable {
  private static final byte[] NOTHING = {};
  private static final int PIECE_BYTES = 256 << 10;
  private static final Object HOST = "groups of an exchange space";

  private final ReadableByteChannel channel;
  private final GroupHeader header;
  private final CRC32C crc = new CRC32C();
  private final Ledger.Account account;
  private final MessageMemory memory;

  /** Bytes of the body that have not been fetched. */
  private long left;

  /**
   * Reads the header.
   *
   * @param channel at the beginning of the record
   * @param mostBytes how many there are at most, if the header tells the truth
   */
  public GroupInput(ReadableByteChannel channel, long mostBytes, long space, GroupAddress wanted)
      throws IOException {
    super(NOTHING, 0, 0);
    this.channel = channel;
    header = GroupHeader.read(channel).checked(space, wanted);
    if (header.recordBytes() > mostBytes) {
      throw new StreamCorruptedException(
          "it says that it has " + header.recordBytes() + " bytes, and there are " + mostBytes);
    }
    left = header.length();
    account = Ledgers.messages().open(() -> null, Ledgers.FREE_TABLE_BYTES, reason -> false);
    memory = new MessageMemory(account, () -> "group " + wanted);
    memory.begin();
  }

  private byte[] fetch(int lengthBytes) throws IOException {
    ByteBuffer to = ByteBuffer.allocate(lengthBytes);
    while (to.hasRemaining()) {
      fetch(to);
    }
    return to.array();
  }

  private int fetch(ByteBuffer to) throws IOException {
    int come = channel.read(to);
    if (come < 0) {
      throw new EOFException("it ends early: it was shortened");
    }
    return come;
  }

  /** Whether it has come from another host and was not kept. */
  public boolean isInMemory() {
    return channel instanceof PiecesInMemory;
  }

  public GroupHeader header() {
    return header;
  }

  @Override
  protected void fill(int lengthBytes) throws IOException {
    int unread = remaining();
    if (lengthBytes - unread > left) {
      throw new EOFException(
          "a value of " + lengthBytes + " bytes, and the body has " + (unread + left) + " left");
    }
    byte[] to = bytes;
    int wanted = (int) Math.min(Math.max(lengthBytes, PIECE_BYTES), unread + left);
    if (to.length < wanted) {
      to = new byte[wanted];
    }
    System.arraycopy(bytes, position, to, 0, unread);
    bytes = to;
    position = 0;
    limit = unread;
    while (limit < lengthBytes) {
      int room = (int) Math.min(to.length - limit, left);
      int come = fetch(ByteBuffer.wrap(to, limit, room));
      took(to, limit, come);
      limit += come;
    }
  }

  private void took(byte[] from, int offset, int lengthBytes) {
    crc.update(from, offset, lengthBytes);
    left -= lengthBytes;
  }

  @Override
  public int readDirectly(byte[] to, int offset, int lengthBytes) throws IOException {
    int most = (int) Math.min(lengthBytes, left);
    if (most == 0) {
      throw new EOFException("an array is longer than the rest of the body");
    }
    int come = fetch(ByteBuffer.wrap(to, offset, most));
    took(to, offset, come);
    return come;
  }

  @Override
  protected boolean mayOverwrite() {
    return true;
  }

  @Override
  public boolean hasArrived(int lengthBytes) throws IOException {
    return comes(lengthBytes);
  }

  @Override
  public long sureBytes() {
    return remaining() + left;
  }

  @Override
  public int available() {
    return (int) Math.min(remaining() + left, Integer.MAX_VALUE);
  }

  @Override
  public void grow(long nextBytes) throws IOException {
    memory.grow(header.length() - left, nextBytes);
  }

  @Override
  protected Object host() {
    return HOST;
  }

  /**
   * Reads what is left, and the groups that this one refers to.
   *
   * @throws StreamCorruptedException if the check sum is another one
   */
  public GroupAddress[] finish() throws IOException {
    byte[] rest = new byte[(int) Math.min(left, PIECE_BYTES)];
    while (left > 0) {
      readDirectly(rest, 0, rest.length);
    }
    return header.dependencies(crc, fetch(header.dependencies() * GroupHeader.ADDRESS_BYTES));
  }

  @Override
  public void close() throws IOException {
    memory.end();
    account.close();
    channel.close();
  }
}
