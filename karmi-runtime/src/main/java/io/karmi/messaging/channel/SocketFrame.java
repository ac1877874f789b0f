package io.karmi.messaging.channel;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.StreamCorruptedException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * The layout of frames of a channel over a socket (docs/wire-format.md, section 2.11). Numbers are
 * big-endian.
 *
 * <pre>
 *   opening   8 bytes "KaRMIOC1", uint32 window in bytes
 *   frame     uint32 length of the body, uint8 kind, body
 *   GRAPH     int64 number, int64 known, uint8 flags, a message of UKA's
 *   ASK       int64 sent, int64 known
 *   STATE     int64 done, int64 readBytes, uint8 flags, uint16 count,
 *             count × { int64 first, int64 last, uint16 bytes, reason in UTF-8 }
 *   END       int64 sent
 *   RENEW     nothing
 * </pre>
 */
final class SocketFrame {
  static final long MAGIC = 0x4B61524D494F4331L;
  static final int OPENING_BYTES = 12;
  static final int HEADER_BYTES = 5;

  /** Bytes of the body of a graph in front of the message. */
  static final int GRAPH_BYTES = 17;

  static final int GRAPH = 1;
  static final int ASK = 2;
  static final int STATE = 3;
  static final int END = 4;
  static final int RENEW = 5;

  /** Flag of a graph: the sender waits for the state. */
  static final int AWAITED = 1;

  /** Flag of a graph: types are described afresh from here on. */
  static final int FRESH = 2;

  private static final int DROPPED = 1;
  private static final int ENDED = 2;

  /** Longest reason in bytes: each character of a reason takes three at most. */
  private static final int REASON_BYTES = 3 * (ChannelState.LONGEST_REASON + 1);

  private static final int FAILURE_BYTES = 18;
  private static final int STATE_BYTES = 19;

  private SocketFrame() {}

  /** The longest body of a frame other than a graph. */
  static int longest(int kind) {
    switch (kind) {
      case ASK:
        return 2 * Long.BYTES;
      case STATE:
        return STATE_BYTES + ChannelState.MAXIMUM_FAILURES * (FAILURE_BYTES + REASON_BYTES);
      case END:
        return Long.BYTES;
      default:
        return 0;
    }
  }

  static byte[] opening(int windowBytes) {
    return ByteBuffer.allocate(OPENING_BYTES).putLong(MAGIC).putInt(windowBytes).array();
  }

  /** Reads the other end's opening, and returns its window. */
  static int readOpening(DataInputStream in) throws IOException {
    long magic = in.readLong();
    if (magic != MAGIC) {
      throw new StreamCorruptedException(
          "the other end of the socket has no channel: it begins with "
              + Long.toHexString(magic)
              + " and not "
              + Long.toHexString(MAGIC));
    }
    int window = in.readInt();
    if (window <= 0) {
      throw new StreamCorruptedException("a window of " + window + " bytes");
    }
    return window;
  }

  /** The length of the body that follows a header, in bytes; negative if it is too large. */
  static int length(byte[] header) {
    return ByteBuffer.wrap(header).getInt();
  }

  /** Writes header and numbers of a graph in front of its message. */
  static void putGraph(
      byte[] to, int messageBytes, long number, long known, boolean awaited, boolean fresh) {
    ByteBuffer.wrap(to)
        .putInt(GRAPH_BYTES + messageBytes)
        .put((byte) GRAPH)
        .putLong(number)
        .putLong(known)
        .put((byte) ((awaited ? AWAITED : 0) | (fresh ? FRESH : 0)));
  }

  static byte[] ask(long sent, long known) {
    return begin(ASK, 2 * Long.BYTES).putLong(sent).putLong(known).array();
  }

  static byte[] end(long sent) {
    return begin(END, Long.BYTES).putLong(sent).array();
  }

  static byte[] renew() {
    return begin(RENEW, 0).array();
  }

  static byte[] state(ChannelState state) {
    List<byte[]> reasons = new ArrayList<>();
    int bytes = STATE_BYTES;
    for (ChannelState.Failure each : state.failed()) {
      byte[] reason = each.reason().getBytes(StandardCharsets.UTF_8);
      reasons.add(reason);
      bytes += FAILURE_BYTES + reason.length;
    }
    ByteBuffer to = begin(STATE, bytes);
    to.putLong(state.done()).putLong(state.readBytes());
    to.put((byte) ((state.dropped() ? DROPPED : 0) | (state.ended() ? ENDED : 0)));
    to.putShort((short) reasons.size());
    for (int i = 0; i < reasons.size(); i++) {
      ChannelState.Failure each = state.failed().get(i);
      to.putLong(each.first()).putLong(each.last());
      to.putShort((short) reasons.get(i).length).put(reasons.get(i));
    }
    return to.array();
  }

  /** Reads a state; the buffer has the body of its frame. */
  static ChannelState readState(ByteBuffer from) throws StreamCorruptedException {
    long done = from.getLong();
    long readBytes = from.getLong();
    int flags = from.get();
    int count = from.getShort() & 0xFFFF;
    if (count > ChannelState.MAXIMUM_FAILURES) {
      throw new StreamCorruptedException("a state with " + count + " failures");
    }
    List<ChannelState.Failure> failed = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      long first = from.getLong();
      long last = from.getLong();
      byte[] reason = new byte[Math.min(from.getShort() & 0xFFFF, from.remaining())];
      from.get(reason);
      failed.add(ChannelState.Failure.of(first, last, new String(reason, StandardCharsets.UTF_8)));
    }
    return new ChannelState(done, readBytes, (flags & DROPPED) != 0, (flags & ENDED) != 0, failed);
  }

  private static ByteBuffer begin(int kind, int bodyBytes) {
    return ByteBuffer.allocate(HEADER_BYTES + bodyBytes).putInt(bodyBytes).put((byte) kind);
  }
}
