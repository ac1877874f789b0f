package io.karmi.tcp;

import io.karmi.uka.buffer.OutputBuffer;
import java.io.IOException;
import java.io.OutputStream;

/**
 * The memory into which a message is marshalled: its header is filled in afterwards, and one write
 * sends both.
 *
 * <p>A long message leaves in parts while it is being marshalled, so that it never lies in memory
 * as a whole.
 */
final class FrameOutput extends OutputBuffer {
  private static final int INITIAL_BYTES = 4096;

  private final OutputStream socket;
  private final Connection connection;
  private int kind;
  private boolean partSent;
  private boolean careful;

  FrameOutput(OutputStream socket, Connection connection) {
    super(INITIAL_BYTES);
    this.socket = socket;
    this.connection = connection;
  }

  /** Starts a message in place of any that was not sent. */
  void begin(int kind) {
    this.kind = kind;
    partSent = false;
    position = Frame.HEADER_BYTES;
  }

  /**
   * Sends the header of the next message ahead of the rest. Where the peer is gone, its host
   * answers the first write with a reset, which in the same host comes before the second: then the
   * message has surely not been read, and may be sent over another connection.
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
    boolean large = bytes.length > Frame.PART_BYTES * 2; // asked while it is in the caches
    send(0);
    if (large) {
      bytes = new byte[INITIAL_BYTES];
    }
    position = 0;
  }

  @Override
  protected void makeRoom(int lengthBytes) throws IOException {
    if (position >= Frame.PART_BYTES) {
      send(Frame.MORE);
      partSent = true;
      position = Frame.HEADER_BYTES;
    }
    if (bytes.length - position < lengthBytes) {
      super.makeRoom(lengthBytes);
    }
  }

  @Override
  protected void makeRoomForArray(long lengthBytes) throws IOException {
    makeRoom((int) Math.min(lengthBytes, Frame.PART_BYTES));
  }

  /** Sends what is there; a body longer than a frame can be leaves in several. */
  private void send(int flag) throws ConnectionLostException {
    int from = 0;
    int header = kind | (!partSent && connection.takeRenewal() ? Frame.RENEW : 0);
    try {
      connection.frameIn.skipMessage();
      while (position - from - Frame.HEADER_BYTES > Frame.MAXIMUM_BODY) {
        int length = Frame.HEADER_BYTES + Frame.MAXIMUM_BODY;
        Frame.putHeader(bytes, from, header | Frame.MORE, Frame.MAXIMUM_BODY);
        socket.write(bytes, from, length);
        from +=
            length - Frame.HEADER_BYTES; // the next header takes the place of bytes already sent
        header = kind;
      }
      Frame.putHeader(bytes, from, header | flag, position - from - Frame.HEADER_BYTES);
      if (careful) {
        careful = false;
        socket.write(bytes, from, Frame.HEADER_BYTES);
        from += Frame.HEADER_BYTES;
      }
      socket.write(bytes, from, position - from);
    } catch (ConnectionLostException e) {
      throw e;
    } catch (IOException e) {
      throw new ConnectionLostException(e);
    }
  }
}
