package io.karmi.contract.hostile;

import java.io.Closeable;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.StreamCorruptedException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * One end of a connection of the call protocol (docs/wire-format.md, 3), which sends what it is
 * told to. Belongs to one thread.
 */
public final class RawPeer implements Closeable {
  /** Kind of a frame: a request. */
  public static final int CALL = 1;

  /** Kind of a frame: a reply. */
  public static final int REPLY = 2;

  /** Kind of a frame without body: references are registered. */
  public static final int ACK = 3;

  /** Kind of a frame without body: the call is still executed. */
  private static final int ALIVE = 4;

  /** Kind of a frame without body: the node ends. */
  private static final int GO_AWAY = 5;

  /** Feature of an end that wants to know whether its calls are still executed. */
  public static final int SIGNS_OF_LIFE = 1;

  /** Flag of a frame: the message goes on. */
  public static final int MORE = 0x10;

  /** First byte of a reply with a result. */
  public static final int RETURNED = 0;

  /** First byte of a reply with what the method has thrown. */
  public static final int THROWN = 1;

  private static final byte[] MAGIC = {'K', 'R', 'M', 'I'};
  private static final int KIND_BITS = 0x0F;
  private static final int LAYOUT = 2;
  private static final int VERSION = 2;

  /** Offset of the number of formats in an introduction, behind id, versions, features, token. */
  private static final int FORMATS_AT = 2 * Long.BYTES + 2 + Integer.BYTES + Long.BYTES;

  private static final int MOST_BODY_BYTES = (1 << 24) - 1;

  /** Number of the next interface that is described. */
  private int interfaces;

  private final Channel channel;
  private final DataInputStream in;

  private RawPeer(Channel channel) throws IOException {
    this.channel = channel;
    in = new DataInputStream(channel.in());
  }

  /** A connection that a node has opened, over which nothing has been said. */
  public static RawPeer accepted(Channel channel) throws IOException {
    return new RawPeer(channel);
  }

  /** A connection over which nothing has been said. */
  public static RawPeer silent(Door door) throws IOException {
    return new RawPeer(door.open());
  }

  /** A connection over which nothing has been said, also nothing that would secure it. */
  public static RawPeer below(Door door) throws IOException {
    return new RawPeer(door.openBelow());
  }

  /** A connection whose ends have introduced themselves; this one as the node with that id. */
  public static RawPeer introduced(Door door, long high, long low) throws IOException {
    return introduced(door, high, low, "uka");
  }

  /** A connection that is to carry messages (4), whose opener has not shown its key. */
  public static RawPeer withoutKey(Door door, long high, long low) throws IOException {
    return introduced(door, high, low, "messages/uka");
  }

  /**
   * A connection whose ends have introduced themselves; this one with features, which include those
   * that no version has, and formats of its choice.
   *
   * @param keepAliveMillis sent with {@link #SIGNS_OF_LIFE}
   */
  public static RawPeer introduced(
      Door door, long high, long low, int features, int keepAliveMillis, String... formats)
      throws IOException {
    return introduced(door, hello(high, low, features, keepAliveMillis, 0, formats));
  }

  private static RawPeer introduced(Door door, long high, long low, String format)
      throws IOException {
    return introduced(door, hello(high, low, format));
  }

  /** The same with an introduction that is given. */
  public static RawPeer introduced(Door door, byte[] hello) throws IOException {
    RawPeer peer = silent(door);
    boolean done = false;
    try {
      peer.send(hello);
      peer.readHello();
      done = true;
      return peer;
    } finally {
      if (!done) {
        peer.close();
      }
    }
  }

  /** An introduction (3.2). */
  public static byte[] hello(long high, long low, String... formats) {
    return hello(high, low, 0, formats);
  }

  /** The same with a token. */
  public static byte[] hello(long high, long low, long token, String... formats) {
    return hello(high, low, 0, 0, token, formats);
  }

  private static byte[] hello(
      long high, long low, int features, int keepAliveMillis, long token, String... formats) {
    WireBytes rest = new WireBytes().int64(high).int64(low);
    rest.u8(VERSION, VERSION).int32(features).int64(token).u8(formats.length);
    for (String format : formats) {
      rest.u8(format.length()).raw(format.getBytes(StandardCharsets.US_ASCII));
    }
    if ((features & SIGNS_OF_LIFE) != 0) {
      rest.int32(keepAliveMillis);
    }
    return new WireBytes().raw(MAGIC).u8(LAYOUT).int16(rest.length()).raw(rest).toArray();
  }

  /**
   * Reads the introduction of the other end.
   *
   * @return its node id
   * @throws StreamCorruptedException if it is none, or has no format
   */
  public long[] readHello() throws IOException {
    byte[] magic = in.readNBytes(MAGIC.length);
    if (!Arrays.equals(magic, MAGIC)) {
      throw new StreamCorruptedException("not a KaRMI node: " + Arrays.toString(magic));
    }
    in.readByte();
    byte[] rest = in.readNBytes(in.readUnsignedByte() | in.readUnsignedByte() << Byte.SIZE);
    int formats = rest.length > FORMATS_AT ? rest[FORMATS_AT] : 0;
    if (formats == 0) {
      String reason = new String(rest, StandardCharsets.UTF_8);
      throw new StreamCorruptedException("refused: " + reason);
    }
    return new long[] {little(rest, 0), little(rest, Long.BYTES)};
  }

  private static long little(byte[] bytes, int at) {
    long value = 0;
    for (int i = Long.BYTES - 1; i >= 0; i--) {
      value = value << Byte.SIZE | bytes[at + i] & 0xFF;
    }
    return value;
  }

  /** Sends bytes as they are. */
  public void send(byte[] bytes) throws IOException {
    channel.out().write(bytes);
    channel.out().flush();
  }

  /** The header of a frame (3.3). */
  public static byte[] header(int kindAndFlags, int bodyBytes) {
    return new WireBytes().u8(kindAndFlags, bodyBytes, bodyBytes >> 8, bodyBytes >> 16).toArray();
  }

  /** Sends a frame. */
  public void frame(int kindAndFlags, byte[] body) throws IOException {
    send(new WireBytes().raw(header(kindAndFlags, body.length)).raw(body).toArray());
  }

  /** Sends a message in as many frames as it takes. */
  public void message(int kind, byte[] body) throws IOException {
    int from = 0;
    for (; body.length - from > MOST_BODY_BYTES; from += MOST_BODY_BYTES) {
      frame(kind | MORE, Arrays.copyOfRange(body, from, from + MOST_BODY_BYTES));
    }
    frame(kind, Arrays.copyOfRange(body, from, body.length));
  }

  /** The beginning of a request: object, and a new interface with one method (3.4). */
  public WireBytes request(long object, long methodHash) {
    return new WireBytes().int64(object).number(interfaces++).number(1).int64(methodHash).number(0);
  }

  /** Calls a method; returns the reply, from its first byte on. */
  public byte[] call(long object, long methodHash, byte[] arguments) throws IOException {
    message(CALL, request(object, methodHash).raw(arguments).toArray());
    return reply();
  }

  /** Reads the next message, which must be a reply. */
  public byte[] reply() throws IOException {
    List<byte[]> message = new ArrayList<>();
    int kind = read(message);
    if (kind != REPLY) {
      throw new StreamCorruptedException("a message of kind " + kind + " in place of a reply");
    }
    WireBytes all = new WireBytes();
    message.forEach(all::raw);
    return all.toArray();
  }

  /**
   * Reads the next message; signs of life and farewells, which may come in between, are passed
   * over.
   *
   * @param bodies gets the bodies of its frames
   * @return its kind
   */
  public int read(List<byte[]> bodies) throws IOException {
    int flags = MORE;
    while ((flags & MORE) != 0) {
      int begin = in.readUnsignedByte();
      int kind = begin & KIND_BITS;
      boolean isMessage = kind != ALIVE && kind != GO_AWAY;
      flags = isMessage ? begin : flags;
      int length = in.readUnsignedByte() | in.readUnsignedByte() << 8 | in.readUnsignedByte() << 16;
      byte[] body = in.readNBytes(length);
      if (body.length < length) {
        throw new EOFException("closed inside a frame");
      }
      if (isMessage) {
        bodies.add(body);
      }
    }
    return flags & KIND_BITS;
  }

  /** Reads that many bytes as they are. */
  byte[] take(int count) throws IOException {
    byte[] bytes = in.readNBytes(count);
    if (bytes.length < count) {
      throw new EOFException("closed after " + bytes.length + " of " + count + " bytes");
    }
    return bytes;
  }

  /** True if the node closes the connection within the time limit of the channel. */
  public boolean isClosedByNode() {
    try {
      InputStream rest = in;
      byte[] any = new byte[4096];
      while (rest.read(any) >= 0) {
        continue; // a reply that says what was wrong
      }
      return true;
    } catch (java.net.SocketTimeoutException e) {
      return false;
    } catch (IOException e) {
      return true;
    }
  }

  /** Says that nothing more comes. */
  public void endOutput() throws IOException {
    channel.endOutput();
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
