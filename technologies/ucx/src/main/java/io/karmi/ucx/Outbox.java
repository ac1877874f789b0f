package io.karmi.ucx;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;
import org.openucx.jucx.UcxUtils;
import org.openucx.jucx.ucp.UcpConstants;
import org.openucx.jucx.ucp.UcpEndpoint;
import org.openucx.jucx.ucp.UcpRequest;

/**
 * Data on its way to the other end of a link, in native memory that is used again and again.
 *
 * <p>Bytes go in small messages, which UCX copies; of a large array pieces go from registered
 * memory, and the other end fetches them. Both count against the allowance of that end. Belongs to
 * the thread that has the lock of the connection.
 */
final class Outbox {
  /** Id of a message of bytes; its data begins with a head of {@link #HEAD_BYTES}. */
  static final int BYTES = 1;

  /** Id of a piece of a large array; its header is {@link #HEAD_BYTES} long. */
  static final int PIECE = 2;

  /**
   * Id of an allowance for the other end, in bytes and pieces, behind the token; not a data
   * message.
   */
  static final int ALLOWANCE = 3;

  /** Length, in bytes, of the receiver's token and the message's number. */
  static final int HEAD_BYTES = 2 * Long.BYTES;

  static final int ALLOWANCE_BYTES = Long.BYTES + 2 * Integer.BYTES;

  /**
   * Upper bound of a message's data, in bytes: fits, with headers, into one packet of UCX's shared
   * memory and TCP.
   */
  private static final int MAXIMUM_BYTES = 7936;

  /** Bytes of an array from which on fetching pays. */
  private static final int MINIMUM_PIECE = 32 * 1024;

  private static final int SLOTS = 3;
  private static final int SLOT_BYTES = HEAD_BYTES + MAXIMUM_BYTES;
  private static final int HEADS_AT = SLOTS * SLOT_BYTES;
  private static final int ALLOWANCE_AT = HEADS_AT + Inbox.PIECES * HEAD_BYTES;

  private final Fabric fabric;
  private final UcpEndpoint endpoint;
  private final long token;
  private final ByteBuffer memory =
      ByteBuffer.allocateDirect(ALLOWANCE_AT + ALLOWANCE_BYTES).order(ByteOrder.LITTLE_ENDIAN);
  private final long address = UcxUtils.getAddress(memory);

  private final @Nullable UcpRequest[] requests = new UcpRequest[SLOTS];
  private final @Nullable RegisteredBuffer[] buffers = new RegisteredBuffer[Inbox.PIECES];
  private final @Nullable UcpRequest[] pieceRequests = new UcpRequest[Inbox.PIECES];
  private @Nullable UcpRequest allowanceRequest;
  private int nextSlot;
  private int nextPiece;
  private int allowedBytes = Inbox.WINDOW;
  private int allowedPieces;
  private long sent;

  /**
   * @param token that the other end wants to see
   */
  Outbox(Fabric fabric, UcpEndpoint endpoint, long token) {
    this.fabric = fabric;
    this.endpoint = endpoint;
    this.token = token;
  }

  /** The number of messages that have been handed over, without allowances. */
  long sent() {
    return sent;
  }

  /**
   * Adds to the allowance, as the other end takes more.
   *
   * @return false if that is more than there is to allow
   */
  boolean allow(int bytes, int pieces) {
    if (bytes < 0
        || pieces < 0
        || bytes > Inbox.WINDOW - allowedBytes
        || pieces > Inbox.PIECES - allowedPieces) {
      return false;
    }
    allowedBytes += bytes;
    allowedPieces += pieces;
    return true;
  }

  /** Whether that many bytes can be handed over as one message now. */
  boolean hasRoom(int length) {
    return length <= MAXIMUM_BYTES && length <= allowedBytes && isDone(requests[nextSlot]);
  }

  /**
   * Hands over as many bytes as fit into one message or piece.
   *
   * @return how many; 0 if there is no room now
   * @throws IOException if UCX has failed to send
   */
  int send(byte[] from, int offset, int length) throws IOException {
    if (length >= MINIMUM_PIECE && allowedPieces > 0 && hasBuffers()) {
      return sendPiece(from, offset, Math.min(length, RegisteredBuffer.CAPACITY));
    }
    int count = Math.min(length, Math.min(MAXIMUM_BYTES, allowedBytes));
    if (count == 0 || !isReady(requests[nextSlot])) {
      return 0;
    }
    int at = nextSlot * SLOT_BYTES;
    memory.putLong(at, token).putLong(at + Long.BYTES, sent);
    memory.put(at + HEAD_BYTES, from, offset, count);
    requests[nextSlot] =
        endpoint.sendAmNonBlocking(
            BYTES,
            0,
            0,
            address + at,
            HEAD_BYTES + count,
            UcpConstants.UCP_AM_SEND_FLAG_EAGER,
            null);
    nextSlot = (nextSlot + 1) % SLOTS;
    allowedBytes -= count;
    sent++;
    return count;
  }

  private boolean hasBuffers() {
    for (int i = 0; i < buffers.length; i++) {
      if (buffers[i] == null) {
        buffers[i] = fabric.take();
      }
      if (buffers[i] == null) {
        return false;
      }
    }
    return true;
  }

  private int sendPiece(byte[] from, int offset, int count) throws IOException {
    RegisteredBuffer buffer = buffers[nextPiece];
    if (buffer == null || !isReady(pieceRequests[nextPiece])) {
      return 0;
    }
    int at = HEADS_AT + nextPiece * HEAD_BYTES;
    memory.putLong(at, token).putLong(at + Long.BYTES, sent);
    buffer.bytes.put(0, from, offset, count);
    pieceRequests[nextPiece] =
        endpoint.sendAmNonBlocking(
            PIECE,
            address + at,
            HEAD_BYTES,
            buffer.address,
            count,
            UcpConstants.UCP_AM_SEND_FLAG_RNDV,
            null);
    nextPiece = (nextPiece + 1) % buffers.length;
    allowedPieces--;
    sent++;
    return count;
  }

  /** Whether an allowance can be sent: false if the last one has not left yet. */
  boolean canTellAllowance() throws IOException {
    return isReady(allowanceRequest);
  }

  /** Sends an allowance; only after {@link #canTellAllowance} was true. */
  void tellAllowance(int bytes, int pieces) {
    memory.putLong(ALLOWANCE_AT, token);
    memory.putInt(ALLOWANCE_AT + Long.BYTES, bytes);
    memory.putInt(ALLOWANCE_AT + Long.BYTES + Integer.BYTES, pieces);
    allowanceRequest =
        endpoint.sendAmNonBlocking(
            ALLOWANCE,
            0,
            0,
            address + ALLOWANCE_AT,
            ALLOWANCE_BYTES,
            UcpConstants.UCP_AM_SEND_FLAG_EAGER,
            null);
  }

  /** Whether all that was handed over has left the memory of this end. */
  boolean isEmpty() {
    for (UcpRequest request : requests) {
      if (!isDone(request)) {
        return false;
      }
    }
    for (UcpRequest request : pieceRequests) {
      if (!isDone(request)) {
        return false;
      }
    }
    return isDone(allowanceRequest);
  }

  private static boolean isDone(@Nullable UcpRequest request) {
    return request == null || request.isCompleted();
  }

  private static boolean isReady(@Nullable UcpRequest request) throws IOException {
    if (!isDone(request)) {
      return false;
    }
    if (request != null && request.getStatus() != 0) {
      throw new IOException("UCX could not send: status " + request.getStatus());
    }
    return true;
  }

  /** Gives the memory back; UCX must have ended. */
  void release() {
    for (int i = 0; i < buffers.length; i++) {
      fabric.give(buffers[i]);
      buffers[i] = null;
    }
  }
}
