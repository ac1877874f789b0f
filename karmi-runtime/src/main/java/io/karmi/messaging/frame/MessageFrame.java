package io.karmi.messaging.frame;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * The layout of frames on a pipe.
 *
 * <pre>
 *   0  int32  length of the body in bytes, little-endian
 *   4  uint8  lane
 *   5  uint8  kind; with {@link #MORE} if the message goes on in the next frame of the lane, with
 *             {@link #FRESH} if the lane's types begin anew with it, and with {@link #HEADER} if
 *             interceptors have sent text along
 *   6  uint16 0
 *   8  the body, and zeros up to a multiple of 8
 * </pre>
 *
 * <p>The body of a request, an answer or a failure begins with its number, an int64; the object
 * follows, behind the {@linkplain io.karmi.marshal.CallHeader header} if there is one. A credit has
 * the count of bytes of data frames that were processed since the pipe was opened. A knock has a
 * number; {@link #JOINED} has it, too, and then text. A window has a count of bytes.
 */
public final class MessageFrame {
  public static final int HEADER_BYTES = 8;

  /** Largest body of a frame, in bytes; longer messages take several frames. */
  public static final int PART_BYTES = 64 * 1024;

  /** Number of lanes; the largest lane number is one less. */
  public static final int MAXIMUM_LANES = 16;

  public static final int MESSAGE = 0;
  public static final int REQUEST = 1;
  public static final int ANSWER = 2;
  public static final int FAILURE = 3;

  /** Kinds from here on are not counted by the window. */
  public static final int CREDIT = 4;

  /** The next message of the lane in the other direction is to begin with fresh types. */
  public static final int RENEW = 5;

  /** The other end sends nothing more but answers, and closes when what is under way is over. */
  public static final int GOODBYE = 6;

  /** The other end may have opened another link to this one: see the number. */
  public static final int KNOCK = 7;

  /** The other end has knocked by this number at a link that this one has opened. */
  public static final int JOINED = 8;

  /**
   * Change of a window in bytes: if positive, that of the receiver of this frame becomes longer; if
   * negative, that of its sender has become shorter.
   */
  public static final int WINDOW = 9;

  /** Largest body of {@link #JOINED}, in bytes. */
  public static final int MAXIMUM_JOINED_BYTES = 512;

  /** Added to the kind of all frames of a message but the last. */
  public static final int MORE = 0x80;

  /** Added to the kind of all frames of a message that begins with fresh types. */
  public static final int FRESH = 0x40;

  /** Added to the kind of all frames of a message or request that has a header. */
  public static final int HEADER = 0x20;

  private static final int FLAGS = MORE | FRESH | HEADER;

  private static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private MessageFrame() {}

  public static void putHeader(byte[] to, int at, int bodyBytes, int lane, int kind) {
    INT.set(to, at, bodyBytes);
    INT.set(to, at + 4, lane | kind << 8);
  }

  /** The length of a frame with a body, padding included. */
  public static int lengthOf(int bodyBytes) {
    return HEADER_BYTES + bodyBytes + 7 & -8;
  }

  public static int bodyBytes(byte[] from, int at) {
    return (int) INT.get(from, at);
  }

  /** The kind of a frame without what is added to it. */
  public static int kind(int rest) {
    return rest >>> 8 & ~FLAGS;
  }

  public static boolean goesOn(int rest) {
    return (rest >>> 8 & MORE) != 0;
  }

  public static boolean isFresh(int rest) {
    return (rest >>> 8 & FRESH) != 0;
  }

  public static boolean hasHeader(int rest) {
    return (rest >>> 8 & HEADER) != 0;
  }

  public static int lane(int rest) {
    return rest & 0xFF;
  }

  /** Whether the header is one that a node may send. */
  public static boolean isValid(int body, int rest) {
    if (lane(rest) >= MAXIMUM_LANES || rest >>> 16 != 0 || body < 0 || body > PART_BYTES) {
      return false;
    }
    int kind = kind(rest);
    if (kind < CREDIT) {
      return (body > 0 || !goesOn(rest)) && (kind < ANSWER || !hasHeader(rest));
    }
    if (kind > WINDOW || (rest >>> 8 & FLAGS) != 0) {
      return false;
    }
    return kind == JOINED
        ? body >= Long.BYTES && body <= MAXIMUM_JOINED_BYTES
        : body == (kind == CREDIT || kind == KNOCK || kind == WINDOW ? Long.BYTES : 0);
  }

  /** Lane, kind and the two bytes that are 0, as one little-endian number. */
  public static int rest(byte[] from, int at) {
    return (int) INT.get(from, at + 4);
  }

  public static long getLong(byte[] from, int at) {
    return (long) LONG.get(from, at);
  }

  public static void putLong(byte[] to, int at, long value) {
    LONG.set(to, at, value);
  }
}
