package io.karmi.ucx;

import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.io.StreamCorruptedException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.concurrent.locks.LockSupport;

/**
 * Exchange by which two ends that have introduced themselves over TCP connect in UCX.
 *
 * <p>Each sends a challenge, and then its token, the address of its worker, and the proof that it
 * knows the {@link Secret}. Once each worker has got a message of the other one, the link is ready:
 *
 * <pre>
 *   challenge: 16 random bytes
 *   token: 8 | length of the address: 2 | address | proof: 32
 * </pre>
 *
 * <p>The proof covers the role of its sender, both challenges, and all bytes before it.
 */
final class Meeting {
  private static final SecureRandom RANDOM = new SecureRandom();
  private static final int CHALLENGE_BYTES = 16;
  private static final int HEAD_BYTES = Long.BYTES + Short.BYTES;

  /** The longest address of a worker: some dozens of bytes for each network of the host. */
  private static final int MAXIMUM_ADDRESS_BYTES = 16 * 1024;

  private static final long PAUSE_NANOS = 20_000;

  private static final byte[] OPENER = {'o'};
  private static final byte[] ACCEPTOR = {'a'};

  private Meeting() {}

  /** A random token that cannot be guessed. */
  static long newToken() {
    return RANDOM.nextLong();
  }

  /**
   * Proves to the other end that this one knows the secret, and has it prove the same.
   *
   * @param opener whether this end has opened the connection
   * @return what the other end says of its worker, for {@link #connect}
   * @throws IOException if the other end does not know the secret, or the socket is closed
   *     meanwhile
   */
  static byte[] prove(UcxLink link, SocketChannel socket, Secret secret, boolean opener)
      throws IOException {
    byte[] own = new byte[CHALLENGE_BYTES];
    RANDOM.nextBytes(own);
    OutputStream out = Channels.newOutputStream(socket);
    out.write(own);
    DataInputStream in = new DataInputStream(Channels.newInputStream(socket));
    byte[] other = new byte[CHALLENGE_BYTES];
    in.readFully(other);
    byte[] said = introduction(link);
    out.write(said);
    out.write(secret.proof(opener ? OPENER : ACCEPTOR, other, own, said));
    byte[] heard = hear(in);
    byte[] proof = new byte[Secret.PROOF_BYTES];
    in.readFully(proof);
    byte[] expected = secret.proof(opener ? ACCEPTOR : OPENER, own, other, heard);
    if (!MessageDigest.isEqual(proof, expected)) {
      throw new IOException(
          "the other end does not know the secret of this one (karmi.ucx.secret; in ~/.karmi)");
    }
    return heard;
  }

  /**
   * Connects the workers.
   *
   * @param socket in blocking mode so far
   * @return the TCP connection as it is used from now on
   * @throws IOException if UCX does not reach the other end, or the socket is closed meanwhile
   */
  static SideChannel connect(UcxLink link, SocketChannel socket, byte[] heard) throws IOException {
    byte[] address = new byte[heard.length - HEAD_BYTES];
    System.arraycopy(heard, HEAD_BYTES, address, 0, address.length);
    link.connect(address, ByteBuffer.wrap(heard).getLong());
    SideChannel side = new SideChannel(socket);
    awaitGreeting(link, side);
    return side;
  }

  private static byte[] introduction(UcxLink link) throws IOException {
    byte[] address = link.address();
    if (address.length > MAXIMUM_ADDRESS_BYTES) {
      throw new IOException("an address of UCX has " + address.length + " bytes here");
    }
    return ByteBuffer.allocate(HEAD_BYTES + address.length)
        .putLong(link.token)
        .putShort((short) address.length)
        .put(address)
        .array();
  }

  private static byte[] hear(DataInputStream in) throws IOException {
    long token = in.readLong();
    int length = in.readUnsignedShort();
    if (length == 0 || length > MAXIMUM_ADDRESS_BYTES) {
      throw new StreamCorruptedException("an address of UCX of " + length + " bytes");
    }
    byte[] heard = new byte[HEAD_BYTES + length];
    ByteBuffer.wrap(heard).putLong(token).putShort((short) length);
    in.readFully(heard, HEAD_BYTES, length);
    return heard;
  }

  /** Waits for the first message; the watchdog closes the socket if that takes too long. */
  private static void awaitGreeting(UcxLink link, SideChannel side) throws IOException {
    while (!link.isGreeted() || !link.isSent()) {
      if (!link.progress()) {
        if (side.look() && !link.isGreeted()) {
          throw new EOFException("the other end has closed, or UCX does not reach it in time");
        }
        if (!link.isSound()) {
          throw new IOException("UCX does not reach the other end: " + link.failure());
        }
        LockSupport.parkNanos(PAUSE_NANOS);
      }
    }
  }
}
