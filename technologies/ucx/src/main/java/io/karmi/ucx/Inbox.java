package io.karmi.ucx;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;
import org.openucx.jucx.UcxUtils;
import org.openucx.jucx.ucp.UcpAmData;
import org.openucx.jucx.ucp.UcpRequest;

/**
 * What has come over a link and is not read yet, in order: bytes, and pieces of large arrays in
 * registered memory.
 *
 * <p>The other end may send no more than it was allowed to, so the memory is bounded; one that
 * sends more ends the connection. Belongs to the thread that has the lock of the connection.
 */
final class Inbox {
  /** Bytes outside pieces that may be unread. */
  static final int WINDOW = 64 * 1024;

  /** Pieces that may be unread. */
  static final int PIECES = 2;

  /** With as much unread, what comes is taken for a large array. */
  private static final int MUCH = 16 * 1024;

  private static final int FIRST_BYTES = 4096;

  private final Fabric fabric;

  private byte[] bytes = new byte[FIRST_BYTES];
  private int from;
  private int to;

  /** Bytes behind the last piece, which are the last of those that are unread. */
  private int behindPieces;

  private final @Nullable RegisteredBuffer[] buffers = new RegisteredBuffer[PIECES];
  private final @Nullable UcpRequest[] requests = new UcpRequest[PIECES];
  private final boolean[] completed = new boolean[PIECES];
  private final int[] lengths = new int[PIECES];

  /** Bytes that are to be read before the piece of that index. */
  private final int[] before = new int[PIECES];

  private int firstPiece;
  private int pieces;

  /** How much of the first piece was read. */
  private int readOfPiece;

  private int allowedBytes = WINDOW;
  private int allowedPieces;

  /** Read, and not allowed anew so far. */
  private int bytesToAllow;

  private int piecesToAllow;
  private boolean granted;
  private boolean much;
  private @Nullable String violation;

  Inbox(Fabric fabric) {
    this.fabric = fabric;
  }

  /** What the other end has done that it must not; null for nothing. */
  @Nullable String violation() {
    return violation;
  }

  void violated(String how) {
    if (violation == null) {
      violation = how;
    }
  }

  /** Takes the bytes of a message. */
  void arrived(ByteBuffer message) {
    int count = message.remaining();
    if (violation != null) {
      return;
    }
    if (count > allowedBytes) {
      violated(count + " bytes, and " + allowedBytes + " were allowed");
      return;
    }
    allowedBytes -= count;
    makeRoom(count);
    message.get(bytes, to, count);
    to += count;
    behindPieces += count;
    much |= to - from >= MUCH;
  }

  private void makeRoom(int count) {
    int unread = to - from;
    if (bytes.length - to >= count) {
      return;
    }
    byte[] room = bytes;
    if (room.length - unread < count) {
      room = new byte[Math.max(2 * room.length, unread + count)];
    }
    System.arraycopy(bytes, from, room, 0, unread);
    bytes = room;
    from = 0;
    to = unread;
  }

  /** Lets UCX fetch a piece. */
  void announced(UcpAmData piece) {
    long length = piece.getLength();
    if (violation != null) {
      return;
    }
    if (allowedPieces == 0 || length < 1 || length > RegisteredBuffer.CAPACITY) {
      violated("a piece of " + length + " bytes, and " + allowedPieces + " pieces were allowed");
      return;
    }
    allowedPieces--;
    int index = (firstPiece + pieces++) % PIECES;
    before[index] = behindPieces;
    behindPieces = 0;
    lengths[index] = (int) length;
    RegisteredBuffer buffer = buffers[index];
    if (buffer != null) {
      requests[index] = piece.receive(buffer.address, null);
    }
  }

  /** Reads what is there; 0 if that is nothing. */
  int read(byte[] target, int offset, int length) {
    if (pieces == 0) {
      int count = readBytes(target, offset, Math.min(length, behindPieces));
      behindPieces -= count;
      return count;
    }
    if (before[firstPiece] > 0) {
      int count = readBytes(target, offset, Math.min(length, before[firstPiece]));
      before[firstPiece] -= count;
      return count;
    }
    return readPiece(target, offset, length);
  }

  private int readBytes(byte[] target, int offset, int count) {
    System.arraycopy(bytes, from, target, offset, count);
    from += count;
    if (from == to) {
      from = 0;
      to = 0;
    }
    bytesToAllow += count;
    return count;
  }

  private int readPiece(byte[] target, int offset, int length) {
    UcpRequest request = requests[firstPiece];
    RegisteredBuffer buffer = buffers[firstPiece];
    if (request == null || buffer == null || !request.isCompleted()) {
      return 0;
    }
    if (request.getStatus() != 0) {
      violated("a piece did not arrive: UCX says " + request.getStatus());
      return 0;
    }
    int count = Math.min(length, lengths[firstPiece] - readOfPiece);
    buffer.bytes.get(readOfPiece, target, offset, count);
    readOfPiece += count;
    if (readOfPiece == lengths[firstPiece]) {
      readOfPiece = 0;
      requests[firstPiece] = null;
      firstPiece = (firstPiece + 1) % PIECES;
      pieces--;
      piecesToAllow++;
    }
    return count;
  }

  /** Whether the other end should be allowed more now. */
  boolean isAllowanceDue() {
    if (much && !granted) {
      grantPieces();
    }
    return piecesToAllow > 0 || bytesToAllow >= WINDOW / 2;
  }

  /** What comes is large: has memory for pieces ready, if there is any. */
  private void grantPieces() {
    much = false;
    for (int i = 0; i < PIECES; i++) {
      if (buffers[i] == null) {
        buffers[i] = fabric.take();
      }
      if (buffers[i] == null) {
        return; // what was taken waits for the next time
      }
    }
    granted = true;
    piecesToAllow = PIECES;
  }

  /** Bytes that the other end is to be allowed; the caller tells it so. */
  int takeBytesToAllow() {
    int count = bytesToAllow;
    bytesToAllow = 0;
    allowedBytes += count;
    return count;
  }

  /** The same for pieces. */
  int takePiecesToAllow() {
    int count = piecesToAllow;
    piecesToAllow = 0;
    allowedPieces += count;
    return count;
  }

  /**
   * Gives the memory back; UCX must have ended here. Not where a piece was under way: the other end
   * may still write to it after this one has ended.
   */
  void release() {
    for (int i = 0; i < PIECES; i++) {
      UcpRequest request = requests[i];
      if (request == null || completed[i]) {
        fabric.give(buffers[i]);
      } else {
        Fabric.retire(buffers[i]);
      }
      buffers[i] = null;
    }
  }

  /** Notes which pieces have arrived; to be called before UCX ends. */
  void close() {
    for (int i = 0; i < PIECES; i++) {
      UcpRequest request = requests[i];
      completed[i] = request == null || request.isCompleted();
    }
  }

  /** For a view of what UCX has in its own memory. */
  static ByteBuffer view(long address, long length) {
    return UcxUtils.getByteBufferView(address, length).order(java.nio.ByteOrder.LITTLE_ENDIAN);
  }
}
