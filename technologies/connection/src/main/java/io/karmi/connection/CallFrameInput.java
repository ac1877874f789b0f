package io.karmi.connection;

import io.karmi.uka.buffer.InputBuffer;
import java.io.EOFException;
import java.io.IOException;
import java.io.StreamCorruptedException;
import java.net.SocketTimeoutException;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;

/**
 * The memory from which a message is unmarshalled. One read of the channel usually brings header
 * and body.
 *
 * <p>{@code bytes[position .. limit)} is what has come of the current frame's body; {@code
 * bytes[limit .. end)} has come after it. The buffer grows only for a value that does not fit, and
 * then no faster than bytes arrive; so a length that lies costs its sender as much as its receiver.
 * A message that becomes too long ends the connection.
 */
final class CallFrameInput extends InputBuffer {
  private static final int INITIAL_BYTES = 32 * 1024;
  private static final AtomicIntegerFieldUpdater<CallFrameInput> PROGRESS =
      AtomicIntegerFieldUpdater.newUpdater(CallFrameInput.class, "progress");

  private final OrderedByteChannel channel;
  private int end;
  private int missing;
  private boolean more;
  private final long maximumMessageBytes;
  private long messageBytes;

  /**
   * Odd while the channel is being read; each read adds two. For the watchdog, which only looks.
   */
  private volatile int progress;

  CallFrameInput(OrderedByteChannel channel, long maximumMessageBytes) {
    super(new byte[INITIAL_BYTES], 0, 0);
    this.channel = channel;
    this.maximumMessageBytes = maximumMessageBytes;
  }

  /** How many reads have begun and ended; odd while one is waiting for the peer. */
  int progress() {
    return progress;
  }

  OrderedByteChannel channel() {
    return channel;
  }

  /**
   * Waits for the next message.
   *
   * @return kind and flags of its first frame, or -1 if the peer has closed the connection between
   *     two messages
   */
  int awaitMessage() throws ConnectionLostException {
    try {
      skipMessage();
      if (position == end) {
        clear();
        if (!receive()) {
          return -1;
        }
      }
      messageBytes = 0;
      return readHeader();
    } catch (ConnectionLostException e) {
      throw e;
    } catch (IOException e) {
      throw new ConnectionLostException(e);
    }
  }

  private void clear() {
    if (bytes.length > INITIAL_BYTES) {
      bytes = new byte[INITIAL_BYTES];
    }
    position = 0;
    limit = 0;
    end = 0;
  }

  private int readHeader() throws IOException {
    while (end - position < FrameHeader.HEADER_BYTES) {
      if (end == bytes.length) {
        compact(FrameHeader.HEADER_BYTES);
      }
      if (!receive()) {
        throw new EOFException("connection closed inside the header of a frame");
      }
    }
    int header = bytes[position] & 0xFF;
    if (!FrameHeader.isKnown(header)) {
      throw new StreamCorruptedException(
          "a frame begins with " + Integer.toHexString(header) + ": this is no KaRMI peer");
    }
    int body = FrameHeader.bodyBytes(bytes, position);
    position += FrameHeader.HEADER_BYTES;
    more = (header & FrameHeader.MORE) != 0;
    messageBytes += body;
    if (messageBytes > maximumMessageBytes) {
      channel.close();
      throw new ConnectionLostException(
          new StreamCorruptedException(
              "a message of more than " + maximumMessageBytes + " bytes (karmi.maxMessageBytes)"));
    }
    int here = Math.min(body, end - position);
    limit = position + here;
    missing = body - here;
    return header;
  }

  /** Reads once from the channel behind {@link #end}. */
  private boolean receive() throws IOException {
    PROGRESS.lazySet(this, progress + 1);
    int count = channel.receive(bytes, end, bytes.length - end);
    PROGRESS.lazySet(this, progress + 1);
    if (count < 0) {
      return false;
    }
    end += count;
    return true;
  }

  @Override
  protected boolean mayOverwrite() {
    return true;
  }

  @Override
  protected void makeRoomBefore(int lengthBytes) {
    int unread = end - position;
    int room = roomBefore(lengthBytes, unread);
    byte[] to = bytes.length - room < unread ? new byte[room + unread] : bytes;
    System.arraycopy(bytes, position, to, room, unread);
    limit += room - position;
    end = room + unread;
    position = room;
    bytes = to;
  }

  @Override
  protected void fill(int lengthBytes) throws IOException {
    try {
      while (limit - position < lengthBytes) {
        if (missing > 0) {
          fetchBody(lengthBytes);
        } else if (more) {
          nextFrame();
        } else {
          super.fill(lengthBytes);
        }
      }
    } catch (ConnectionLostException e) {
      throw e;
    } catch (IOException e) {
      throw missing > 0 || more ? new ConnectionLostException(e) : e;
    }
  }

  /** Reads more of the current frame's body. */
  private void fetchBody(int lengthBytes) throws IOException {
    if (position == limit) {
      position = 0;
      limit = 0;
      end = 0;
      if (missing > bytes.length && bytes.length < FrameHeader.PART_BYTES) {
        bytes = new byte[FrameHeader.PART_BYTES];
      }
    } else if (end == bytes.length) {
      compact(lengthBytes);
    }
    if (!receive()) {
      throw new EOFException("connection closed inside a frame; " + missing + " bytes are missing");
    }
    int here = Math.min(missing, end - limit);
    limit += here;
    missing -= here;
  }

  /** Goes on to the next frame of the message; what is left of this one is put in front of it. */
  private void nextFrame() throws IOException {
    int left = limit - position;
    if (left == 0) {
      continueMessage();
      return;
    }
    byte[] rest = java.util.Arrays.copyOfRange(bytes, position, limit);
    position = limit;
    continueMessage();
    int arrived = end - position;
    byte[] joined = new byte[Math.max(bytes.length, left + arrived + INITIAL_BYTES)];
    System.arraycopy(rest, 0, joined, 0, left);
    System.arraycopy(bytes, position, joined, left, arrived);
    limit = left + limit - position;
    end = left + arrived;
    position = 0;
    bytes = joined;
  }

  private void continueMessage() throws IOException {
    if (position == end) {
      position = 0;
      limit = 0;
      end = 0;
    }
    int header = readHeader();
    if ((header & FrameHeader.RENEW) != 0) {
      throw new StreamCorruptedException("a frame inside a message asks for a renewal");
    }
  }

  /** Moves what is left to the front, in a larger array if a value of that length needs it. */
  private void compact(int lengthBytes) {
    int left = end - position;
    byte[] target = bytes;
    if (position == 0 || lengthBytes > bytes.length && left > bytes.length / 2) {
      target = new byte[(int) Math.min(2L * bytes.length, Integer.MAX_VALUE - 8)];
    }
    System.arraycopy(bytes, position, target, 0, left);
    bytes = target;
    limit -= position;
    end = left;
    position = 0;
  }

  /** Drops what is left of the current message, reading it from the channel if need be. */
  void skipMessage() throws IOException {
    position = limit;
    while (missing > 0 || more) {
      if (missing > 0) {
        fetchBody(1);
      } else {
        continueMessage();
      }
      position = limit;
    }
  }

  /** True if the message has been read to its last byte. */
  boolean isAtEnd() {
    return position == limit && missing == 0 && !more;
  }

  /**
   * True if nothing comes while the timeout of the channel passes, which is what an idle peer that
   * is alive does.
   *
   * @throws IOException if the connection has failed
   */
  boolean isSilent() throws IOException {
    try {
      skipMessage();
      clear();
      receive();
      return false;
    } catch (SocketTimeoutException e) {
      return true;
    }
  }
}
