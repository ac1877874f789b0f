package io.karmi.connection.channel;

import io.karmi.id.NodeId;
import io.karmi.marshal.CallFormat;
import io.karmi.uka.buffer.InputBuffer;
import io.karmi.uka.buffer.OutputBuffer;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.StreamCorruptedException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Introduction of one end of a connection to the other; each end sends one.
 *
 * <pre>
 *  0                 4        5                7         23      24     25         29
 *  +-----------------+--------+----------------+---------+-------+------+----------+-------+---------
 *  | 'K' 'R' 'M' 'I' | layout | length of rest | node id | least | most | features | token | formats
 *  +-----------------+--------+----------------+---------+-------+------+----------+-------+---------
 * </pre>
 *
 * <p>The end that opens the connection offers the formats that it knows. The end that accepts it
 * answers with the one that both are going to use, or with none. Likewise it answers with the
 * highest version of the protocol that both speak, and the features that both have. The token is
 * for {@link PeerIdentity}. An answer with no format may say why, in as many bytes of UTF-8 as the
 * two bytes before them count. Otherwise the formats are followed by the time for which the node
 * waits for a sign of life, if it has that feature. What a later version adds at the end is
 * skipped.
 */
public final class Handshake {
  /** Version of the layout; later ones begin with the same fields. */
  static final byte LAYOUT = 2;

  /** The oldest version of the protocol that this node speaks. */
  public static final int MINIMUM_VERSION = 2;

  /** The newest version of the protocol that this node speaks. */
  public static final int MAXIMUM_VERSION = 2;

  /**
   * Feature: an end that executes a long call sends signs of life, as often as the other end asks
   * for.
   */
  public static final int SIGNS_OF_LIFE = 1;

  /**
   * Feature: a node that ends tells so over the connections that it has accepted, and the other end
   * calls elsewhere from then on.
   */
  public static final int GO_AWAY = 2;

  /** Feature: messages and requests may have a header, as calls have. */
  static final int MESSAGE_HEADERS = 4;

  /** Feature: an end that has two connections for messages to the other one closes one of them. */
  static final int LINK_TWINS = 8;

  /** Feature: windows of connections for messages get longer, and are given back. */
  static final int LINK_WINDOWS = 16;

  /** Feature: rings in shared memory are longer if they carry messages. */
  static final int LONG_RINGS = 32;

  /**
   * Feature: a node that closes a connection which it has accepted, between two calls, tells so,
   * and the call that meets it is made again.
   */
  public static final int GIVES_WAY = 64;

  /** Features of the protocol beyond its version that this node has, a bit for each. */
  static final int FEATURES =
      SIGNS_OF_LIFE
          | GO_AWAY
          | MESSAGE_HEADERS
          | LINK_TWINS
          | LINK_WINDOWS
          | LONG_RINGS
          | GIVES_WAY;

  /** Prefix of a format's name: it is for messages. */
  static final String MESSAGES = "messages/";

  private static final byte[] MAGIC = {'K', 'R', 'M', 'I'};
  private static final int PREFIX_BYTES = 7;
  private static final int MAXIMUM_REST = 4096;
  private static final int MAXIMUM_FORMATS = 16;
  private static final int MAXIMUM_NAME = 64;
  private static final int MAXIMUM_REFUSAL = 1000;

  public final NodeId node;
  public final List<String> formats;

  /** Versions of the protocol that the node speaks; in an answer the one that both do, twice. */
  public final int least;

  public final int most;

  /** Features that the node has; in an answer those that both have. */
  public final int features;

  /** Token of the node that opens the connection; 0 in an answer. */
  final long token;

  /**
   * Milliseconds without a sign of life after which the node gives a waiting call up; 0 if it waits
   * for ever. Sent with {@link #SIGNS_OF_LIFE}.
   */
  public final int keepAliveMillis;

  /** Why there is no format; empty if nothing is said about it. */
  public final String refusal;

  /** An offer of a node without a token. */
  public Handshake(NodeId node, List<String> formats) {
    this(node, formats, 0);
  }

  /** An offer of a node that shows a token. */
  public Handshake(NodeId node, List<String> formats, long token) {
    this(node, formats, token, 0);
  }

  /** An offer of a node that shows a token, and wants signs of life. */
  Handshake(NodeId node, List<String> formats, long token, int keepAliveMillis) {
    this(node, formats, "", MINIMUM_VERSION, MAXIMUM_VERSION, FEATURES, token, keepAliveMillis);
  }

  private Handshake(
      NodeId node,
      List<String> formats,
      String refusal,
      int least,
      int most,
      int features,
      long token,
      int keepAliveMillis) {
    this.node = node;
    this.formats = formats;
    this.refusal = refusal;
    this.least = least;
    this.most = most;
    this.features = features;
    this.token = token;
    this.keepAliveMillis = keepAliveMillis;
  }

  /** An offer of some versions; for tests of nodes of another age. */
  static Handshake offering(NodeId node, List<String> formats, int least, int most) {
    return new Handshake(node, formats, "", least, most, FEATURES, 0, 0);
  }

  /** An offer of some features; for tests of nodes of another age. */
  static Handshake offering(NodeId node, List<String> formats, int features) {
    return new Handshake(node, formats, "", MINIMUM_VERSION, MAXIMUM_VERSION, features, 0, 0);
  }

  static Handshake answering(
      NodeId node, String format, int version, int features, int keepAliveMillis) {
    return new Handshake(node, List.of(format), "", version, version, features, 0, keepAliveMillis);
  }

  /** Answers that the connection will not serve, for this reason. */
  public static Handshake refusing(NodeId node, String reason) {
    return new Handshake(node, List.of(), reason, MINIMUM_VERSION, MAXIMUM_VERSION, FEATURES, 0, 0);
  }

  static Handshake offering(
      NodeId node, List<CallFormat> formats, long token, int keepAliveMillis) {
    List<String> names = new ArrayList<>();
    for (CallFormat format : formats) {
      names.add(format.name());
    }
    return new Handshake(node, names, token, keepAliveMillis);
  }

  public void write(OutputStream to) throws IOException {
    OutputBuffer out = new OutputBuffer(128);
    out.writeBytes(MAGIC, 0, MAGIC.length);
    out.writeByte(LAYOUT);
    out.writeShort(0);
    out.writeLong(node.high());
    out.writeLong(node.low());
    out.writeByte(least);
    out.writeByte(most);
    out.writeInt(features);
    out.writeLong(token);
    out.writeByte(formats.size());
    for (String format : formats) {
      byte[] name = format.getBytes(StandardCharsets.US_ASCII);
      out.writeByte(name.length);
      out.writeBytes(name, 0, name.length);
    }
    if (asksForSigns()) {
      out.writeInt(keepAliveMillis);
    }
    if (!refusal.isEmpty()) {
      byte[] reason = refusal.getBytes(StandardCharsets.UTF_8);
      out.writeShort(reason.length);
      out.writeBytes(reason, 0, reason.length);
    }
    int end = out.position;
    out.position = PREFIX_BYTES - 2;
    out.writeShort(end - PREFIX_BYTES);
    to.write(out.bytes, 0, end);
    to.flush();
  }

  /**
   * Reads the other side's introduction, and no byte after it.
   *
   * @throws StreamCorruptedException if it is none
   * @throws EOFException if the other side closes the connection
   */
  public static Handshake read(InputStream from) throws IOException {
    return readAfter(readMagic(from), from);
  }

  /** Reads the bytes that tell protocols apart; fewer if the other side closes the connection. */
  public static byte[] readMagic(InputStream from) throws IOException {
    return from.readNBytes(MAGIC.length);
  }

  /** Whether these are the first bytes of KaRMI's protocol. */
  public static boolean isMagic(byte[] first) {
    return Arrays.equals(first, MAGIC);
  }

  /** Reads the introduction that begins with these bytes; throws what {@link #read} throws. */
  public static Handshake readAfter(byte[] first, InputStream from) throws IOException {
    if (!Arrays.equals(first, 0, first.length, MAGIC, 0, first.length)) {
      throw new StreamCorruptedException("no KaRMI peer: its first bytes are not KRMI");
    }
    byte[] rest = from.readNBytes(PREFIX_BYTES - first.length);
    if (first.length + rest.length < PREFIX_BYTES) {
      throw new EOFException("connection closed before the peer has introduced itself");
    }
    if (rest[0] != LAYOUT) {
      throw new StreamCorruptedException(
          "peer introduces itself by layout " + rest[0] + ", this node by " + LAYOUT);
    }
    int length = rest[1] & 0xFF | (rest[2] & 0xFF) << 8;
    if (length > MAXIMUM_REST) {
      throw new StreamCorruptedException(
          "introduction of " + length + " bytes; at most " + MAXIMUM_REST);
    }
    byte[] body = from.readNBytes(length);
    return parse(new InputBuffer(body, 0, body.length));
  }

  private static Handshake parse(InputBuffer in) throws IOException {
    long high = in.readLong();
    NodeId node = NodeId.of(high, in.readLong());
    int least = in.readByte() & 0xFF;
    int most = in.readByte() & 0xFF;
    int features = in.readInt();
    long token = in.readLong();
    int count = in.readByte();
    if (count < 0 || count > MAXIMUM_FORMATS) {
      throw new StreamCorruptedException("peer offers " + count + " formats");
    }
    List<String> formats = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      int length = in.readByte();
      if (length < 0 || length > MAXIMUM_NAME) {
        throw new StreamCorruptedException("format with a name of " + length + " bytes");
      }
      byte[] name = new byte[length];
      in.readBytes(name, 0, length);
      formats.add(new String(name, StandardCharsets.US_ASCII));
    }
    String refusal = count == 0 ? parseRefusal(in) : "";
    boolean signs = count > 0 && (features & SIGNS_OF_LIFE) != 0;
    int keepAliveMillis = signs && in.remaining() >= Integer.BYTES ? in.readInt() : 0;
    return new Handshake(
        node, formats, refusal, least, most, features, token, Math.max(0, keepAliveMillis));
  }

  private static String parseRefusal(InputBuffer in) throws IOException {
    if (in.remaining() < Short.BYTES) {
      return "";
    }
    int length = in.readShort() & 0xFFFF;
    if (length > MAXIMUM_REFUSAL) {
      throw new StreamCorruptedException("peer refuses in " + length + " bytes");
    }
    byte[] reason = new byte[length];
    in.readBytes(reason, 0, length);
    return new String(reason, StandardCharsets.UTF_8);
  }

  /** Whether the introduction has the time for signs of life. */
  private boolean asksForSigns() {
    return !formats.isEmpty() && (features & SIGNS_OF_LIFE) != 0;
  }

  /** The newest version of the protocol that both nodes speak; 0 if there is none. */
  int chooseVersion() {
    int newest = Math.min(most, MAXIMUM_VERSION);
    return newest >= Math.max(least, MINIMUM_VERSION) ? newest : 0;
  }

  /** Offers to carry messages in all formats of a node, instead of calls. */
  static Handshake offeringMessages(NodeId node, List<CallFormat> formats, long token) {
    List<String> names = new ArrayList<>();
    for (CallFormat format : formats) {
      names.add(MESSAGES + format.name());
    }
    return new Handshake(node, names, token);
  }

  /** Whether the connection is to carry messages, and not calls. */
  public boolean isForMessages() {
    return !formats.isEmpty() && formats.get(0).startsWith(MESSAGES);
  }

  /** As {@link #choose}, for messages. */
  @Nullable CallFormat chooseForMessages(List<CallFormat> own) {
    for (CallFormat format : own) {
      if (formats.contains(MESSAGES + format.name())) {
        return format;
      }
    }
    return null;
  }

  /** The first of the own formats that the other side knows, too; null if there is none. */
  @Nullable CallFormat choose(List<CallFormat> own) {
    for (CallFormat format : own) {
      if (formats.contains(format.name())) {
        return format;
      }
    }
    return null;
  }
}
