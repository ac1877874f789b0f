package io.karmi.contract.hostile;

import java.io.IOException;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLSocket;

/** Attacks on the handshake of TLS, and on what may follow it. */
public final class TlsAttacks {
  private static final int HANDSHAKE_RECORD = 0x16;
  private static final int LAST_RECORD_KIND = 0x18;
  private static final int MOST_RECORD_BYTES = 0xFFFF;
  private static final int HANDSHAKES_AGAIN = 50;
  private static final int MOST_CALL_BYTES = 4_000;
  private static final int LIMIT_MILLIS = 10_000;

  private TlsAttacks() {}

  /** All there are for a port. */
  public static List<Attack> at(TlsDoor door) {
    return List.of(
        new Attack("part of a ClientHello", target -> beginHandshakes(door, target, false)),
        new Attack(
            "a ClientHello, and then silence", target -> beginHandshakes(door, target, true)),
        new Attack("a ClientHello with some bytes changed", target -> changedHello(door, target)),
        new Attack("records of TLS that are nonsense", target -> nonsense(door, target)),
        new Attack("records of nonsense behind the handshake", target -> behind(door, target)),
        new Attack("new keys without end", target -> newKeys(door, target)),
        new Attack("handshakes within TLS 1.2", target -> handshakesAgain(door, target)),
        new Attack("records of one byte", target -> singleBytes(door, target)),
        new Attack("an end of TLS within a call", target -> endWithinCall(door, target)));
  }

  /** What a client says first. */
  private static byte[] clientHello(TlsDoor door) throws IOException {
    SSLEngine engine = door.context().createSSLEngine("127.0.0.1", 1);
    engine.setUseClientMode(true);
    ByteBuffer record = ByteBuffer.allocate(engine.getSession().getPacketBufferSize());
    engine.wrap(ByteBuffer.allocate(0), record);
    return Arrays.copyOf(record.array(), record.position());
  }

  /** A connection that stays open until the attack is judged. */
  private static Socket connect(TlsDoor door, Target target) throws IOException {
    Socket socket = door.connect();
    target.keep(socket);
    return socket;
  }

  private static void beginHandshakes(TlsDoor door, Target target, boolean whole)
      throws IOException {
    for (int i = target.between(1, 40); i > 0; i--) {
      byte[] hello = clientHello(door);
      int length = whole ? hello.length : target.between(1, hello.length - 1);
      connect(door, target).getOutputStream().write(hello, 0, length);
    }
  }

  private static void changedHello(TlsDoor door, Target target) throws IOException {
    for (int i = target.between(1, 20); i > 0; i--) {
      byte[] hello = clientHello(door);
      for (int j = target.between(1, 8); j > 0; j--) {
        hello[target.random().nextInt(hello.length)] = (byte) target.random().nextInt();
      }
      connect(door, target).getOutputStream().write(hello);
    }
  }

  private static byte[] record(Target target, int kind) {
    int claimed = target.between(0, MOST_RECORD_BYTES);
    int present = target.random().nextBoolean() ? claimed : target.between(0, claimed);
    return new WireBytes()
        .u8(kind, 3, target.between(0, 4), claimed >> Byte.SIZE, claimed)
        .raw(target.bytes(present))
        .toArray();
  }

  private static void nonsense(TlsDoor door, Target target) throws IOException {
    Socket socket = connect(door, target);
    for (int i = target.between(1, 10); i > 0; i--) {
      socket.getOutputStream().write(record(target, HANDSHAKE_RECORD));
    }
  }

  /** What stands in no order, and is encrypted by no key. */
  private static void behind(TlsDoor door, Target target) throws IOException {
    Socket socket = connect(door, target);
    door.secured(socket);
    for (int i = target.between(1, 10); i > 0; i--) {
      socket.getOutputStream().write(record(target, target.between(0, LAST_RECORD_KIND + 1)));
    }
  }

  /** Asks for new keys again and again, and reads none of the answers. */
  private static void newKeys(TlsDoor door, Target target) throws IOException {
    SSLSocket secured = door.secured(connect(door, target));
    target.keep(secured);
    for (int i = 0; i < HANDSHAKES_AGAIN; i++) {
      secured.startHandshake();
    }
  }

  /** In TLS 1.2 each end may begin a whole handshake anew. */
  private static void handshakesAgain(TlsDoor door, Target target) throws IOException {
    Socket plain = connect(door, target);
    plain.setSoTimeout(LIMIT_MILLIS);
    SSLSocket secured =
        (SSLSocket) door.context().getSocketFactory().createSocket(plain, "127.0.0.1", 1, true);
    secured.setEnabledProtocols(new String[] {"TLSv1.2"});
    for (byte each : RawPeer.hello(target.random().nextLong(), 0, "uka")) {
      secured.startHandshake();
      secured.getOutputStream().write(each);
    }
  }

  /** The beginning of a connection and of a call, each byte of which is encrypted alone. */
  private static void singleBytes(TlsDoor door, Target target) throws IOException {
    SSLSocket secured = door.secured(connect(door, target));
    target.keep(secured);
    for (byte[] part : beginning(target)) {
      for (byte each : part) {
        secured.getOutputStream().write(each);
      }
    }
  }

  /** Says that nothing more comes, and keeps the connection. */
  private static void endWithinCall(TlsDoor door, Target target) throws IOException {
    SSLSocket secured = door.secured(connect(door, target));
    target.keep(secured);
    for (byte[] part : beginning(target)) {
      secured.getOutputStream().write(part);
    }
    secured.shutdownOutput();
  }

  private static List<byte[]> beginning(Target target) {
    int length = target.between(1, MOST_CALL_BYTES);
    return List.of(
        RawPeer.hello(target.random().nextLong(), target.random().nextLong(), "uka"),
        RawPeer.header(RawPeer.CALL, 2 * length),
        target.bytes(length));
  }
}
