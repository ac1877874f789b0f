package io.karmi.ucx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.karmi.connection.channel.HostAddress;
import io.karmi.contract.Callee;
import io.karmi.contract.Nodes;
import io.karmi.contract.hostile.RawPeer;
import io.karmi.id.ObjectId;
import io.karmi.id.TechnologyId;
import io.karmi.kit.Deadline;
import io.karmi.technology.Technology;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import org.junit.After;
import org.junit.Before;
import org.junit.BeforeClass;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;
import org.openucx.jucx.UcxUtils;
import org.openucx.jucx.ucp.UcpConstants;
import org.openucx.jucx.ucp.UcpEndpoint;
import org.openucx.jucx.ucp.UcpEndpointParams;
import org.openucx.jucx.ucp.UcpRequest;
import org.openucx.jucx.ucp.UcpWorker;

/** A peer that says to UCX, and beside it, what no node says. */
public class ForgedLinkTest {
  @BeforeClass
  public static void assumeUcx() {
    Open.assumeInstalled();
  }

  private static final int HANDSHAKE_MILLIS = 5000;

  @Rule public final TemporaryFolder folder = new TemporaryFolder();

  private final Callee node = Nodes.successor();
  private Technology server;
  private TechnologyId way;

  @Before
  public void open() throws IOException {
    server = Open.technology(node, "karmi.handshakeTimeout", Integer.toString(HANDSHAKE_MILLIS));
    way = server.listen(0);
  }

  @After
  public void close() throws Exception {
    if (server != null) {
      assertNodeServes();
      server.close();
      Deadline.await("no link is left", () -> UcxLink.openLinks() == 0);
    }
  }

  private void assertNodeServes() throws Exception {
    try (Technology honest = Open.technology(Nodes.caller())) {
      ObjectId target = Nodes.object(node, new TechnologyId(way.technology(), way.address()));
      assertThat(Nodes.next(honest, target, 41)).isEqualTo(42);
    }
  }

  /** TCP to the node, with introductions that are made. */
  private SocketChannel introduced() throws IOException {
    HostAddress at = HostAddress.parseList(way.address()).get(0);
    SocketChannel socket = SocketChannel.open(new InetSocketAddress(at.host(), at.port()));
    socket.socket().setSoTimeout(30_000);
    DataOutputStream out = new DataOutputStream(Channels.newOutputStream(socket));
    out.write(RawPeer.hello(1, 2, "uka"));
    DataInputStream in = new DataInputStream(Channels.newInputStream(socket));
    byte[] begin = new byte[7];
    in.readFully(begin);
    in.readFully(new byte[begin[5] & 0xFF | (begin[6] & 0xFF) << Byte.SIZE]);
    return socket;
  }

  private static void awaitClosed(SocketChannel socket) throws IOException {
    int count;
    do {
      try {
        count = socket.socket().getInputStream().read(new byte[4096]);
      } catch (java.net.SocketTimeoutException e) {
        throw e;
      } catch (IOException e) {
        count = -1; // it was reset
      }
    } while (count >= 0);
  }

  private void sayForgedAddress(byte[] proof, int declared, byte[] address) throws IOException {
    try (SocketChannel socket = introduced()) {
      DataOutputStream out = new DataOutputStream(Channels.newOutputStream(socket));
      out.write(new byte[16]);
      out.writeLong(7);
      out.writeShort(declared);
      out.write(address);
      out.write(proof);
      awaitClosed(socket);
    }
  }

  @Test
  public void addressesWithoutProofAreNotShownToUcx() throws Exception {
    Random random = new Random(1);
    for (int i = 0; i < 50; i++) {
      byte[] address = new byte[1 + random.nextInt(300)];
      byte[] proof = new byte[Secret.PROOF_BYTES];
      random.nextBytes(address);
      random.nextBytes(proof);
      sayForgedAddress(proof, address.length, address);
    }
    assertThat(node.calls()).isZero();
  }

  @Test
  public void addressesOfNoOrTooGreatLengthAreRefused() throws Exception {
    sayForgedAddress(new byte[Secret.PROOF_BYTES], 0, new byte[0]);
    sayForgedAddress(new byte[Secret.PROOF_BYTES], 0xFFFF, new byte[100]);
  }

  @Test
  public void nodeWithAnotherSecretIsRefusedAndToldWhatToSet() throws Exception {
    Secret other = Secret.at(folder.getRoot().toPath().resolve("other"));
    try (Technology stranger =
        UcxProvider.openHere(
            Nodes.caller(), new io.karmi.technology.ConnectionSettings(Nodes.settings()), other)) {
      assertThatThrownBy(() -> Nodes.next(stranger, Nodes.object(node, way), 1))
          .rootCause()
          .isInstanceOf(IOException.class);
    }
    assertThat(node.calls()).isZero();
  }

  @Test
  public void proofOfAnotherConnectionIsNone() throws Exception {
    byte[] challenge = new byte[16];
    byte[] said = {0, 0, 0, 0, 0, 0, 0, 7, 0, 1, 9};
    byte[] proof = Open.secret().proof(new byte[] {'o'}, new byte[16], challenge, said);
    sayForgedAddress(proof, 1, new byte[] {9});
  }

  @Test
  public void silentPeerIsNotWaitedForLongerThanTheHandshakeMayTake() throws Exception {
    try (SocketChannel socket = introduced()) {
      awaitClosed(socket);
    }
  }

  /** A worker that has met the node's, and what it says. */
  private final class Forger implements AutoCloseable {
    private final Fabric fabric = Fabric.acquire();
    private final UcpWorker worker = fabric.newWorker();
    private final SocketChannel socket = introduced();
    private final ByteBuffer memory =
        ByteBuffer.allocateDirect(1 << 20).order(ByteOrder.LITTLE_ENDIAN);
    private final UcpEndpoint endpoint;
    private final long token;
    private final long ownToken = Meeting.newToken();

    Forger() throws Exception {
      for (int id = Outbox.BYTES; id <= Outbox.ALLOWANCE; id++) {
        worker.setAmRecvHandler(id, (h, n, data, from) -> 0, UcpConstants.UCP_AM_FLAG_WHOLE_MSG);
      }
      ByteBuffer address = worker.getAddress();
      byte[] said =
          ByteBuffer.allocate(Long.BYTES + Short.BYTES + address.remaining())
              .putLong(ownToken)
              .putShort((short) address.remaining())
              .put(address)
              .array();
      DataOutputStream out = new DataOutputStream(Channels.newOutputStream(socket));
      DataInputStream in = new DataInputStream(Channels.newInputStream(socket));
      byte[] own = new byte[16];
      byte[] other = new byte[16];
      out.write(own);
      in.readFully(other);
      out.write(said);
      out.write(Open.secret().proof(new byte[] {'o'}, other, own, said));
      token = in.readLong();
      byte[] heard = new byte[in.readUnsignedShort()];
      in.readFully(heard);
      in.readFully(new byte[Secret.PROOF_BYTES]);
      ByteBuffer direct = ByteBuffer.allocateDirect(heard.length).put(heard).flip();
      endpoint =
          worker.newEndpoint(
              new UcpEndpointParams()
                  .setUcpAddress(direct)
                  .setErrorHandler((failed, status, text) -> {}));
      memory.putLong(0, token).putLong(8, 0);
      say(Outbox.ALLOWANCE, 16);
    }

    void say(int id, int length) throws Exception {
      long at = UcxUtils.getAddress(memory);
      UcpRequest request =
          endpoint.sendAmNonBlocking(
              id, 0, 0, at, length, UcpConstants.UCP_AM_SEND_FLAG_EAGER, null);
      long end = System.nanoTime() + 100_000_000;
      while (!request.isCompleted() && System.nanoTime() - end < 0) {
        worker.progress();
      }
    }

    void announce(int length) throws Exception {
      long at = UcxUtils.getAddress(memory);
      endpoint.sendAmNonBlocking(
          Outbox.PIECE, at, 16, at, length, UcpConstants.UCP_AM_SEND_FLAG_RNDV, null);
    }

    void message(long shown, long number, int length) throws Exception {
      memory.putLong(0, shown).putLong(8, number);
      say(Outbox.BYTES, 16 + length);
    }

    /** Waits until the node has ended the connection. */
    void awaitEnd() throws Exception {
      socket.configureBlocking(false);
      ByteBuffer read = ByteBuffer.allocate(4096);
      Deadline.await(
          "the node closes the connection",
          () -> {
            try {
              worker.progress();
              read.clear();
              return socket.read(read) < 0;
            } catch (Exception e) {
              return true; // it was reset
            }
          });
    }

    @Override
    public void close() throws IOException {
      worker.close();
      fabric.release();
      socket.close();
    }
  }

  @Test
  public void pieceThatWasNotAllowedEndsTheConnection() throws Exception {
    try (Forger forger = new Forger()) {
      forger.memory.putLong(0, forger.token).putLong(8, 0);
      forger.announce(1 << 20);
      forger.awaitEnd();
    }
  }

  @Test
  public void messageOutOfOrderEndsTheConnection() throws Exception {
    try (Forger forger = new Forger()) {
      forger.message(forger.token, 5, 100);
      forger.awaitEnd();
    }
  }

  @Test
  public void allowanceThatIsTooLargeEndsTheConnection() throws Exception {
    try (Forger forger = new Forger()) {
      forger.memory.putLong(0, forger.token).putInt(8, Integer.MAX_VALUE).putInt(12, -1);
      forger.say(Outbox.ALLOWANCE, 16);
      forger.awaitEnd();
    }
  }

  @Test
  public void messagesWithAnotherTokenAreDropped() throws Exception {
    try (Forger forger = new Forger()) {
      for (int i = 0; i < 1000; i++) {
        forger.message(forger.token + 1 + i, i, 500);
      }
      assertNodeServes();
      forger.socket.configureBlocking(false);
      assertThat(forger.socket.read(ByteBuffer.allocate(10))).as("still open").isZero();
    }
  }

  @Test
  public void secretThatOthersMayReadIsRefused() throws Exception {
    Path file = folder.getRoot().toPath().resolve("open");
    Secret.at(file);
    Files.setPosixFilePermissions(
        file, java.nio.file.attribute.PosixFilePermissions.fromString("rw-r--r--"));
    assertThatThrownBy(() -> Secret.at(file))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("chmod 600");
  }

  @Test
  public void secretIsMadeOnceAndTheSameForAll() throws Exception {
    Path file = folder.getRoot().toPath().resolve("secret");
    byte[] one = Secret.at(file).proof(new byte[] {1});
    assertThat(Secret.at(file).proof(new byte[] {1})).isEqualTo(one);
    assertThat(folder.getRoot().list()).containsExactly("secret");
  }
}
