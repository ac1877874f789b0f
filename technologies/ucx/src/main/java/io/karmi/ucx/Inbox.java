package io.karmi.ucx;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;
import org.openucx.jucx.UcxUtils;
import org.openucx.jucx.ucp.UcpAmData;
import org.openucx.jucx.ucp.UcpRequest;

/**
 * Unread data of a link, in order: bytes, and pieces of large arrays in registered memory.
 *
 * <p>The other end may send only what it was allowed, so the memory is bounded. If it sends more
 * the connection ends. Belongs to the thread that has the lock of the connection.
 */
final class Inbox {
  /** Upper bound of unread bytes outside pieces. */
  static final int WINDOW = 64 * 1024;

  /** Upper bound of unread pieces. */
  static final int PIECES = 2;

  /** Unread bytes from which on a large array is expected. */
  private static final int MUCH = 16 * 1024;

  private static final int FIRST_BYTES = 4096;

  private final Fabric fabric;

  private byte[] bytes = new byte[FIRST_BYTES];
  private int from;
  private int to;

  /** Number of bytes behind the last piece, at the end of the unread ones. */
  private int behindPieces;

  private final @Nullable RegisteredBuffer[] buffers = new RegisteredBuffer[PIECES];
  private final @Nullable UcpRequest[] requests = new UcpRequest[PIECES];
  private final boolean[] completed = new boolean[PIECES];
  private final int[] lengths = new int[PIECES];

  /** Number of bytes that are to be read before the piece with this index. */
  private final int[] before = new int[PIECES];

  private int firstPiece;
  private int pieces;

  /** Bytes of the first piece that were read. */
  private int readOfPiece;

  private int allowedBytes = WINDOW;
  private int allowedPieces;

  /** Bytes and pieces that were read, and not allowed again so far. */
  private int bytesToAllow;

  private int piecesToAllow;
  private boolean granted;
  private boolean much;
  private @Nullable String violation;

  Inbox(Fabric fabric) {
    this.fabric = fabric;
  }

  /** The violation of the protocol by the other end; null for none. */
  @Nullable String violation() {
    return violation;
  }

  void violated(String how) {
    if (violation == null) {
      violation = how;
    }
  }

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

  /** Reads the bytes that are there; 0 if there are none. */
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

  /** Takes memory for pieces, if there is any, as a large array is coming. */
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

  /** The bytes that the other end is to be allowed; the caller must tell it. */
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

  /** A view of UCX's own memory. */
  static ByteBuffer view(long address, long length) {
    return UcxUtils.getByteBufferView(address, length).order(java.nio.ByteOrder.LITTLE_ENDIAN);
  }
}
