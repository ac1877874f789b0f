package io.karmi.connection;

import io.karmi.uka.buffer.OutputBuffer;
import java.io.IOException;

/**
 * The memory into which a message is marshalled: its header is filled in afterwards, and one write
 * sends both.
 *
 * <p>A long message leaves in parts while it is being marshalled, so that it never lies in memory
 * as a whole.
 */
final class CallFrameOutput extends OutputBuffer {
  private static final int INITIAL_BYTES = 4096;

  private final OrderedByteChannel channel;
  private int kind;
  private boolean partSent;
  private boolean careful;

  CallFrameOutput(OrderedByteChannel channel) {
    super(INITIAL_BYTES);
    this.channel = channel;
  }

  /** Starts a message in place of any that was not sent. */
  void begin(int kind) {
    this.kind = kind;
    partSent = false;
    position = FrameHeader.HEADER_BYTES;
  }

  /**
   * Sends the next message by {@link OrderedByteChannel#sendAfterPause}: the peer may have gone.
   */
  void sendCarefully() {
    careful = true;
  }

  /** True once a part of the current message has left. */
  boolean isPartSent() {
    return partSent;
  }

  /** Sends the message, or the rest of it. */
  void end() throws ConnectionLostException {
    boolean large = bytes.length > FrameHeader.PART_BYTES * 2; // asked while it is in the caches
    send(0);
    if (large) {
      bytes = new byte[INITIAL_BYTES];
    }
    position = 0;
  }

  @Override
  protected void makeRoom(int lengthBytes) throws IOException {
    if (position >= FrameHeader.PART_BYTES) {
      send(FrameHeader.MORE);
      partSent = true;
      position = FrameHeader.HEADER_BYTES;
    }
    if (bytes.length - position < lengthBytes) {
      super.makeRoom(lengthBytes);
    }
  }

  @Override
  protected void makeRoomForArray(long lengthBytes) throws IOException {
    makeRoom((int) Math.min(lengthBytes, FrameHeader.PART_BYTES));
  }

  /** Sends what is there; a body longer than a frame can be leaves in several. */
  private void send(int flag) throws ConnectionLostException {
    int from = 0;
    int header = kind | (!partSent && channel.takeRenewal() ? FrameHeader.RENEW : 0);
    try {
      channel.skipMessage();
      while (position - from - FrameHeader.HEADER_BYTES > FrameHeader.MAXIMUM_BODY) {
        int length = FrameHeader.HEADER_BYTES + FrameHeader.MAXIMUM_BODY;
        FrameHeader.putHeader(bytes, from, header | FrameHeader.MORE, FrameHeader.MAXIMUM_BODY);
        channel.send(bytes, from, length);
        from +=
            length
                - FrameHeader.HEADER_BYTES; // the next header takes the place of bytes already sent
        header = kind;
      }
      FrameHeader.putHeader(bytes, from, header | flag, position - from - FrameHeader.HEADER_BYTES);
      if (careful) {
        careful = false;
        channel.sendAfterPause(bytes, from, position - from);
      } else {
        channel.send(bytes, from, position - from);
      }
    } catch (ConnectionLostException e) {
      throw e;
    } catch (IOException e) {
      throw new ConnectionLostException(e);
    }
  }
}
