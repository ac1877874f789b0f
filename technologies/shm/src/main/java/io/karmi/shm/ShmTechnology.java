package io.karmi.shm;

import io.karmi.connection.channel.Introduction;
import io.karmi.connection.channel.NodeChannel;
import io.karmi.connection.guard.Slot;
import io.karmi.technology.ConnectionSettings;
import io.karmi.technology.UpCall;
import io.karmi.uds.LocalTechnology;
import io.karmi.uds.UdsTechnology;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.security.SecureRandom;

/**
 * Calls over shared memory.
 *
 * <p>The end that accepts a connection makes the file with the rings and names it over the socket.
 * The other end maps the file, and sends back a secret that it reads there. That proves that both
 * see the same memory, and not only files of the same name. The file has no name any more by the
 * time the first call is made. Thread-safe.
 */
public final class ShmTechnology extends LocalTechnology {
  static final String NAME = "shm";
  static final System.Logger LOG = System.getLogger("io.karmi.shm");

  private static final int RANK = 30;

  /**
   * Time, in nanoseconds, for which an end spins before it sleeps, unless {@code karmi.spinMicros}
   * is set.
   */
  static final long SPIN_NANOS = 20_000;

  private static final byte AGREED = 1;

  private final SecureRandom random = new SecureRandom();

  /**
   * Makes a technology that does not listen.
   *
   * @param settings of its connections
   */
  ShmTechnology(UpCall upCall, ConnectionSettings settings) {
    super(NAME, upCall, settings);
  }

  @Override
  public int rank() {
    return RANK;
  }

  /** A program that calls a node a few times only maps no file. */
  @Override
  public String firstCallsBy() {
    return UdsTechnology.NAME;
  }

  @Override
  protected void prepareToAccept() {
    try {
      PrivateDirectory.ofThisProcess();
    } catch (IOException e) {
      LOG.log(System.Logger.Level.DEBUG, "no directory for shared memory", e); // asked for again
    }
  }

  @Override
  protected void prepareToOpen() {
    Mapping.prepare();
  }

  /** The other end has to show first that it sees the memory. */
  @Override
  protected void answering(Slot slot, boolean forMessages) throws IOException {
    slot.answer();
  }

  @Override
  protected NodeChannel accepted(
      Introduction introduction,
      SocketChannel socket,
      Selector selector,
      String peerName,
      Slot slot)
      throws IOException {
    byte[] secret = new byte[SharedRings.SECRET_BYTES];
    random.nextBytes(secret);
    Path file = PrivateDirectory.ofThisProcess().newPath();
    int capacity = ringBytes(introduction);
    try (FileChannel memory = SharedRings.create(file, secret, capacity)) {
      DataOutputStream out = new DataOutputStream(Channels.newOutputStream(socket));
      out.writeUTF(file.toString());
      SharedRings rings =
          SharedRings.accepted(memory, capacity); // while the other end maps it, too
      byte[] told = new byte[secret.length];
      DataInputStream in = new DataInputStream(Channels.newInputStream(socket));
      in.readFully(told);
      if (!SharedRings.isSame(secret, told)) {
        throw new IOException("the other process does not see the memory " + file);
      }
      slot.keep(introduction.messages);
      Files.delete(file);
      SharedMemoryChannel connection =
          new SharedMemoryChannel(introduction, rings, socket, selector, peerName);
      if (socket.write(ByteBuffer.wrap(new byte[] {AGREED})) != 1) { // last: nothing fails behind
        throw new IOException("the other process does not read that the memory is shared");
      }
      return connection;
    } finally {
      Files.deleteIfExists(file);
    }
  }

  @Override
  protected NodeChannel opened(
      Introduction introduction, SocketChannel socket, Selector selector, String peerName)
      throws IOException {
    DataInputStream in = new DataInputStream(Channels.newInputStream(socket));
    Path file = path(in.readUTF());
    if (!PrivateDirectory.isOfUser(ownUser(), file)) {
      throw new IOException(file + " is no shared memory of this user");
    }
    byte[] secret = new byte[SharedRings.SECRET_BYTES];
    SharedRings rings = SharedRings.open(file, secret, ringBytes(introduction));
    Channels.newOutputStream(socket).write(secret);
    if (in.readByte() != AGREED) {
      throw new IOException("the other process does not agree to share the memory " + file);
    }
    return new SharedMemoryChannel(introduction, rings, socket, selector, peerName);
  }

  private static int ringBytes(Introduction introduction) {
    return introduction.hasLongRings ? SharedRings.LONG_CAPACITY : SharedRings.CAPACITY;
  }

  private static Path path(String named) throws IOException {
    try {
      return Path.of(named);
    } catch (InvalidPathException e) {
      throw new IOException("the other process names no file", e);
    }
  }
}
