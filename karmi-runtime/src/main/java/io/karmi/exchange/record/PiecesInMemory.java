package io.karmi.exchange.record;

import io.karmi.exchange.GroupAddress;
import io.karmi.guard.Ledger;
import io.karmi.guard.Ledgers;
import io.karmi.guard.MessageMemory;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/** A group for which there is no room on the disk; counts as a message that has not been read. */
public final class PiecesInMemory implements ReadableByteChannel {
  private final GroupAddress group;
  private final Deque<ByteBuffer> pieces = new ArrayDeque<>();
  private final Ledger.Account account =
      Ledgers.messages().open(() -> null, Ledgers.FREE_TABLE_BYTES, reason -> false);
  private long lengthBytes;

  public PiecesInMemory(GroupAddress group) {
    this.group = group;
  }

  public void add(ByteBuffer piece) throws IOException {
    MessageMemory.hold(
        account, piece.remaining(), () -> "group " + group, lengthBytes, lengthBytes);
    lengthBytes += piece.remaining();
    pieces.add(piece);
  }

  public long lengthBytes() {
    return lengthBytes;
  }

  @Override
  public int read(ByteBuffer to) {
    @Nullable ByteBuffer piece = pieces.peek();
    if (piece == null) {
      return -1;
    }
    int length = Math.min(piece.remaining(), to.remaining());
    to.put(piece.slice(piece.position(), length));
    piece.position(piece.position() + length);
    if (!piece.hasRemaining()) {
      pieces.remove();
      account.hold(-piece.limit());
    }
    return length;
  }

  @Override
  public boolean isOpen() {
    return true;
  }

  @Override
  public void close() {
    account.close();
  }
}
