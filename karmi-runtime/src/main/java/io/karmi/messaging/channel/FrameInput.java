package io.karmi.messaging.channel;

import io.karmi.guard.Ledger;
import io.karmi.guard.MessageMemory;
import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.StreamCorruptedException;
import java.net.SocketTimeoutException;
import java.util.Arrays;

/**
 * The {@linkplain SocketFrame frames} that come over a socket, one at a time. Where a read ends for
 * its time limit the next one goes on with the same frame. Belongs to the thread that reads the
 * socket.
 */
final class FrameInput {
  private static final int BUFFER_BYTES = 8192;

  /** Bytes that are read at a time. */
  private static final int STEP_BYTES = 1 << 16;

  private static final byte[] NONE = {};

  private final InputStream in;
  private final int messageBytes;
  private final Ledger.Account memory;
  private final String peer;
  private final byte[] header = new byte[SocketFrame.HEADER_BYTES];

  /** How much of the header has come. */
  private int headerHave;

  private int length;
  private byte[] body = NONE;

  /** How much of the body has come. */
  private int have;

  private volatile long partAtNanos;

  /**
   * @param messageBytes length of one graph
   * @param memory counts the bytes of a frame that is long
   * @param peer names the other end
   */
  FrameInput(InputStream in, int messageBytes, Ledger.Account memory, String peer) {
    this.in = new BufferedInputStream(in, BUFFER_BYTES);
    this.messageBytes = messageBytes;
    this.memory = memory;
    this.peer = peer;
  }

  /** Reads what is in front of all frames, and returns the other end's window. */
  int readOpening() throws IOException {
    return SocketFrame.readOpening(new DataInputStream(in));
  }

  /**
   * Reads a frame, or the rest of one. It is there until {@link #drop}.
   *
   * @throws SocketTimeoutException if the time limit has passed; to be called again
   * @throws StreamCorruptedException if it is of no kind, or too long
   */
  void read() throws IOException {
    while (headerHave < header.length) {
      headerHave += readSome(header, headerHave, header.length - headerHave);
      if (headerHave == header.length) {
        begin();
      }
    }
    while (have < length) {
      if (have == body.length) {
        grow();
      }
      have += readSome(body, have, Math.min(body.length - have, STEP_BYTES));
    }
    partAtNanos = 0;
  }

  private int readSome(byte[] to, int at, int most) throws IOException {
    int count = in.read(to, at, most);
    if (count < 0) {
      throw new EOFException();
    }
    partAtNanos = System.nanoTime() | 1;
    return count;
  }

  private void begin() throws StreamCorruptedException {
    int kind = kind();
    length = SocketFrame.length(header);
    long most = kind == SocketFrame.GRAPH ? messageBytes : SocketFrame.longest(kind);
    if (length < 0 || length > most || kind < SocketFrame.GRAPH || kind > SocketFrame.RENEW) {
      throw new StreamCorruptedException(
          "a frame of kind "
              + kind
              + " and "
              + (length & 0xFFFFFFFFL)
              + " bytes, of at most "
              + most
              + (kind == SocketFrame.GRAPH ? " (karmi.maxMessageBytes)" : ""));
    }
    body = new byte[Math.min(length, STEP_BYTES)];
    have = 0;
  }

  /** Makes the body longer as its bytes come. */
  private void grow() throws IOException {
    int more = (int) Math.min(length, 2L * have);
    int held = have > STEP_BYTES ? have : 0;
    MessageMemory.hold(memory, more - held, () -> peer, have, held);
    body = Arrays.copyOf(body, more);
  }

  int kind() {
    return header[header.length - 1] & 0xFF;
  }

  /** The body of the frame that was read, and perhaps more bytes behind it. */
  byte[] body() {
    return body;
  }

  /** Length of the body in bytes. */
  int length() {
    return length;
  }

  /** Lets go of the frame that was read. */
  void drop() {
    if (body.length > STEP_BYTES) {
      memory.hold(-body.length);
    }
    body = NONE;
    headerHave = 0;
    length = 0;
    have = 0;
  }

  /** Whether more has come than the frame that was read. */
  boolean hasMore() throws IOException {
    return in.available() > 0;
  }

  /** When bytes have last come of a frame that has not come whole, or 0. Any thread may ask. */
  long partAtNanos() {
    return partAtNanos;
  }
}
