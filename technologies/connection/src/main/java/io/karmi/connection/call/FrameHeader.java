package io.karmi.connection.call;

import io.karmi.connection.channel.Handshake;

/**
 * The layout of a frame, the unit of sending. A message is one frame, or several of which all but
 * the last say {@link #MORE}.
 *
 * <pre>
 *  0      1                3        4
 *  +------+----------------+--------+----------------
 *  | kind | length of body, 24 bits | body …
 *  | flags|    little-endian        |
 *  +------+-------------------------+----------------
 * </pre>
 */
public final class FrameHeader {
  public static final int HEADER_BYTES = 4;
  public static final int MAXIMUM_BODY = (1 << 24) - 1;

  /**
   * Length in bytes from which a message is sent in parts, so that its receiver can begin to read
   * it.
   */
  public static final int PART_BYTES = 1 << 16;

  /** Low bits of the first byte: a call follows. */
  public static final int CALL = 1;

  /** Low bits of the first byte: the reply to the last call follows. */
  public static final int REPLY = 2;

  /**
   * Low bits of the first byte, of a frame without a body: the references in the last reply are
   * registered.
   */
  public static final int ACK = 3;

  /**
   * Low bits of the first byte, of a frame without a body: the call that has been sent is still
   * being executed. Only for a peer that knows {@link Handshake#SIGNS_OF_LIFE}.
   */
  public static final int ALIVE = 4;

  /**
   * Low bits of the first byte, of a frame without a body: the node that has accepted the
   * connection ends, and executes no call that comes after this. Only for a peer that knows {@link
   * Handshake#GO_AWAY}.
   */
  public static final int GO_AWAY = 5;

  /**
   * Low bits of the first byte, of a frame without a body: the connection is closed behind it, and
   * no call was executed that came after the last reply. Only for a peer that knows {@link
   * Handshake#GIVES_WAY}.
   */
  public static final int GIVES_WAY = 6;

  public static final int KIND_MASK = 0x0F;

  /** The message goes on in another frame. */
  public static final int MORE = 0x10;

  /**
   * The sender could not read the last message to its end, and has forgotten the type numbers of
   * that direction: messages to it have to start with none.
   */
  public static final int RENEW = 0x20;

  /** Of a call: a {@link io.karmi.marshal.CallHeader} comes before the request. */
  public static final int HEADER = 0x40;

  private static final int KNOWN_BITS = KIND_MASK | MORE | RENEW | HEADER;

  private FrameHeader() {}

  public static void putHeader(byte[] bytes, int at, int kindAndFlags, int bodyBytes) {
    bytes[at] = (byte) kindAndFlags;
    bytes[at + 1] = (byte) bodyBytes;
    bytes[at + 2] = (byte) (bodyBytes >> 8);
    bytes[at + 3] = (byte) (bodyBytes >> 16);
  }

  public static int bodyBytes(byte[] bytes, int at) {
    return bytes[at + 1] & 0xFF | (bytes[at + 2] & 0xFF) << 8 | (bytes[at + 3] & 0xFF) << 16;
  }

  /** True if the first byte of a header means something. */
  public static boolean isKnown(int kindAndFlags) {
    int kind = kindAndFlags & KIND_MASK;
    return (kindAndFlags & ~KNOWN_BITS) == 0
        && kind >= CALL
        && kind <= ACK
        && (kind == CALL || (kindAndFlags & HEADER) == 0);
  }
}
