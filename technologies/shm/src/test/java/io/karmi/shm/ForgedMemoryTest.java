package io.karmi.shm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.karmi.connection.channel.Handshake;
import io.karmi.contract.Callee;
import io.karmi.contract.Nodes;
import io.karmi.id.NodeId;
import io.karmi.id.ObjectId;
import io.karmi.id.TechnologyId;
import io.karmi.technology.Technology;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.MappedByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.rmi.RemoteException;
import java.util.List;
import java.util.Random;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.After;
import org.junit.Before;
import org.junit.Test;

/**
 * A peer that speaks the protocol until it shares memory, and then writes what it likes: to
 * positions, flags and bytes. The other end closes the connection, and its node lives on.
 */
public class ForgedMemoryTest {
  private static final long SECONDS = 60;
  private static final int ROUNDS_TILL_COMPILED = 100;
  private static final int SECRET = 8;
  private static final int RINGS = 4096;
  private static final int COMMITTED = 0;
  private static final int CONSUMER_ASLEEP = 128;
  private static final int CONSUMED = 256;
  private static final int PRODUCER_ASLEEP = 384;
  private static final int BACK = (512 + SharedRings.CAPACITY + 4095) / 4096 * 4096;
  private static final List<Long> NONSENSE =
      List.of(
          Long.MIN_VALUE,
          -1L,
          Long.MAX_VALUE,
          SharedRings.CAPACITY + 1L,
          1L << 32,
          SharedRings.CAPACITY * 1024L);

  private Callee node;
  private ShmTechnology server;
  private ObjectId target;

  /** What a forger has of a connection. */
  private record Forged(SocketChannel bell, MappedByteBuffer memory, FileChannel file)
      implements AutoCloseable {
    void word(int ring, int word, long value) {
      memory.putLong(ring + word, value);
    }

    byte[] secret() {
      byte[] secret = new byte[SharedRings.SECRET_BYTES];
      memory.get(SECRET, secret);
      return secret;
    }

    void ring() {
      try {
        bell.write(ByteBuffer.allocate(1));
      } catch (IOException e) {
        assertThat(e).as("closed already").hasMessageContaining("pipe");
      }
    }

    /** Whether the other end closes the socket; what it rings meanwhile is skipped. */
    boolean isClosedByPeer() throws Exception {
      FutureTask<Boolean> end =
          new FutureTask<>(
              () -> {
                try {
                  return Channels.newInputStream(bell).readAllBytes() != null;
                } catch (IOException e) {
                  return true; // reset
                }
              });
      new Thread(end).start();
      return end.get(SECONDS, TimeUnit.SECONDS);
    }

    @Override
    public void close() throws IOException {
      bell.close();
      file.close();
    }
  }

  @Before
  public void open() throws IOException {
    node = Nodes.successor();
    server = Shared.open(node);
    target = Nodes.object(node, server.listen(0));
  }

  @After
  public void close() {
    server.close();
  }

  /** Opens a connection as a node does, up to the mapping. */
  private Forged connect() throws IOException {
    ManualOpener opener = new ManualOpener(target.technology(0));
    Forged shared = mapped(opener);
    opener.bell.write(ByteBuffer.wrap(shared.secret()));
    assertThat(opener.in.readByte()).isEqualTo((byte) 1);
    return shared;
  }

  private static Forged mapped(ManualOpener opener) throws IOException {
    FileChannel file =
        FileChannel.open(opener.file, StandardOpenOption.READ, StandardOpenOption.WRITE);
    return new Forged(opener.bell, map(file), file);
  }

  private static MappedByteBuffer map(FileChannel file) throws IOException {
    MappedByteBuffer memory = file.map(FileChannel.MapMode.READ_WRITE, 0, file.size());
    memory.order(ByteOrder.nativeOrder());
    return memory;
  }

  private void assertNodeLives() throws Exception {
    try (Technology client = Shared.open(Nodes.caller())) {
      assertThat(Nodes.next(client, target, 1)).isEqualTo(2);
    }
  }

  @Test
  public void positionsThatCannotBeEndTheConnection() throws Exception {
    for (long nonsense : NONSENSE) {
      try (Forged forged = connect()) {
        forged.word(RINGS, COMMITTED, nonsense);
        forged.ring();
        assertThat(forged.isClosedByPeer()).as("committed %s", nonsense).isTrue();
      }
    }
    assertNodeLives();
    assertThat(node.calls()).isEqualTo(1);
  }

  @Test
  public void whoSaysAnotherSecretThanTheMemoryHasIsNotLetIn() throws Exception {
    for (int wrong = 0; wrong < SharedRings.SECRET_BYTES; wrong++) {
      try (Forged forged = mapped(new ManualOpener(target.technology(0)))) {
        byte[] secret = forged.secret();
        secret[wrong] ^= 1;
        forged.bell.write(ByteBuffer.wrap(secret));
        assertThat(forged.isClosedByPeer()).as("byte %s is wrong", wrong).isTrue();
        assertThat(ownDirectory()).as("what the node keeps").containsExactly("lock");
      }
    }
    assertThat(server.counters()).containsEntry("connectionsAccepted", 0L);
    assertNodeLives();
    assertThat(node.calls()).isEqualTo(1);
  }

  private static List<String> ownDirectory() throws IOException {
    try (Stream<Path> all = Files.list(PrivateDirectory.ofThisProcess().newPath().getParent())) {
      return all.map(file -> file.getFileName().toString()).toList();
    }
  }

  @Test
  public void randomBytesInTheWholeMemoryEndTheConnection() throws Exception {
    Random random = new Random(42);
    for (int i = 0; i < 30; i++) {
      try (Forged forged = connect()) {
        byte[] bytes = new byte[SharedRings.CAPACITY + 512];
        random.nextBytes(bytes);
        forged.memory.put(RINGS, bytes);
        forged.memory.put(RINGS + BACK, bytes);
        if (i % 2 == 0) {
          forged.word(RINGS, COMMITTED, 1 + random.nextInt(SharedRings.CAPACITY));
          forged.word(RINGS, CONSUMER_ASLEEP, random.nextLong());
          forged.word(RINGS + BACK, CONSUMED, random.nextLong());
          forged.word(RINGS + BACK, PRODUCER_ASLEEP, random.nextLong());
        }
        forged.ring();
        forged.bell.shutdownOutput(); // a frame that looks complete waits for what follows it
        assertThat(forged.isClosedByPeer()).isTrue();
      }
    }
    assertNodeLives();
  }

  @Test
  public void memoryThatIsCutOffEndsTheConnection() throws Exception {
    for (int i = 0; i < 3; i++) {
      try (Forged forged = connect()) {
        forged.file.truncate(0);
        forged.ring();
        forged.bell.shutdownOutput(); // the JVM may tell of the fault when the thread wakes next
        assertThat(forged.isClosedByPeer()).isTrue();
      }
    }
    assertNodeLives();
  }

  @Test
  public void callerWhosePeerForgesPositionsGetsARemoteException() throws Exception {
    for (long nonsense : NONSENSE) {
      assertCallFails(
          forged -> {
            forged.word(RINGS + BACK, COMMITTED, nonsense);
            forged.word(RINGS, CONSUMED, nonsense);
            forged.ring();
          });
    }
  }

  @Test
  public void callerWhoseMemoryIsCutOffGetsARemoteException() throws Exception {
    for (int i = 0; i < ROUNDS_TILL_COMPILED; i++) {
      assertCallFails(
          forged -> {
            forged.file.truncate(0);
            forged.ring();
            forged.bell.shutdownOutput();
          });
    }
  }

  @Test
  public void namesThatLeadElsewhereAreRefused() throws Exception {
    Path foreign = Files.createTempDirectory("karmi-");
    Files.setPosixFilePermissions(
        foreign, java.nio.file.attribute.PosixFilePermissions.fromString("rwxr-x---"));
    for (String name : List.of("", "/x", "relative", "/etc/passwd", "a\0b", foreign + "/rings-1")) {
      assertRefused(name);
    }
    Files.delete(foreign);
  }

  private void assertRefused(String name) throws Exception {
    try (ForgedServer forged = new ForgedServer(path -> name, shared -> {});
        Technology client = Shared.open(Nodes.caller())) {
      assertThatThrownBy(() -> Nodes.next(client, forged.object(), 1))
          .as(name)
          .isInstanceOf(RemoteException.class);
    }
  }

  private void assertCallFails(Step step) throws Exception {
    try (ForgedServer forged = new ForgedServer(Path::toString, step);
        Technology client = Shared.open(Nodes.caller())) {
      FutureTask<Integer> call = new FutureTask<>(() -> Nodes.next(client, forged.object(), 1));
      new Thread(call).start();
      assertThatThrownBy(() -> call.get(SECONDS, TimeUnit.SECONDS))
          .hasCauseInstanceOf(RemoteException.class);
      assertNodeLives();
    }
  }

  /** What is done to memory that is shared. */
  private interface Step {
    void run(Forged shared) throws Exception;
  }

  /** The file that is named in place of the right one. */
  private interface Naming {
    String of(Path file);
  }

  /** Accepts connections as a node does, up to the mapping. */
  private final class ForgedServer implements AutoCloseable {
    private final NodeId id = NodeId.random();
    private final ServerSocketChannel listener;
    private final Path path;
    private final Naming naming;
    private final Step step;

    ForgedServer(Naming naming, Step step) throws IOException {
      this.naming = naming;
      this.step = step;
      path = ManualOpener.socket(target.technology(0)).resolveSibling(NodeId.random() + ".sock");
      listener = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
      listener.bind(UnixDomainSocketAddress.of(path));
      Thread serving = new Thread(this::serve);
      serving.setDaemon(true);
      serving.start();
    }

    ObjectId object() {
      return new ObjectId(
          id, Callee.OBJECT, new TechnologyId("shm", path.getFileName().toString()));
    }

    private void serve() {
      try (SocketChannel bell = listener.accept()) {
        Handshake.read(Channels.newInputStream(bell));
        DataOutputStream out = new DataOutputStream(Channels.newOutputStream(bell));
        new Handshake(id, List.of("uka")).write(out);
        byte[] secret = new byte[SharedRings.SECRET_BYTES];
        Path rings = PrivateDirectory.ofThisProcess().newPath();
        SharedRings.create(rings, secret, SharedRings.CAPACITY).close();
        try (FileChannel file =
            FileChannel.open(rings, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
          out.writeUTF(naming.of(rings));
          bell.read(ByteBuffer.allocate(secret.length));
          Files.delete(rings);
          out.writeByte(1);
          step.run(new Forged(bell, map(file), file));
          Channels.newInputStream(bell).readAllBytes();
        } finally {
          Files.deleteIfExists(rings);
        }
      } catch (Exception e) {
        return; // the other end has closed it
      }
    }

    @Override
    public void close() throws IOException {
      listener.close();
      Files.deleteIfExists(path);
    }
  }
}
