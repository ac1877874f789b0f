package io.karmi.hostile;

import static org.assertj.core.api.Assertions.assertThat;

import io.karmi.contract.hostile.Forged;
import io.karmi.contract.hostile.Methods;
import io.karmi.contract.hostile.RawPeer;
import io.karmi.contract.hostile.TlsDoor;
import io.karmi.contract.hostile.WireBytes;
import io.karmi.kit.Certificates;
import io.karmi.kit.FreePort;
import io.karmi.kit.Jvm;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import javax.net.ssl.SSLContext;
import org.junit.After;
import org.junit.BeforeClass;
import org.junit.ClassRule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/**
 * A peer with a certificate that is trusted, which shows the id and even the token of a node that
 * has another certificate.
 */
public class TlsImpostorTest {
  @ClassRule public static final TemporaryFolder FOLDER = new TemporaryFolder();

  private static final long[] NODE = {0x1234_5678_9ABCL, 0x4711_0815L};
  private static final long TOKEN = 0x5EC2E7L;
  private static final long OWNER = 99L << 32;
  private static final long LEASE_MILLIS = 600_000;
  private static final long ACCOUNT = 0xACC0047L;
  private static final long KEY = 0x1E45EL;
  private static final long ACCOUNT_OPEN = 1;
  private static final long RELEASE = 3;
  private static final long DIRTY = 1;
  private static final long CLEAN = 2;
  private static final byte[] TRUE = {RawPeer.RETURNED, 1};

  private static final long OPEN = Methods.hash("open(Lio/karmi/hostile/Bank$Owner;)V");
  private static final long TRANSFER = Methods.hash("transfer()Z");
  private static final long BOX = Methods.hash("box()Lio/karmi/hostile/Vault$Box;");
  private static final long OTHER = Methods.hash("other()Lio/karmi/hostile/Vault$Box;");

  private static String tls;
  private static SSLContext node;
  private static SSLContext impostor;

  private final List<Jvm> jvms = new ArrayList<>();
  private final List<RawPeer> peers = new ArrayList<>();
  private int port;

  /* The keeper's node, and the numbers of the keeper and of its box. */
  private long[] keeperNode;
  private long number;
  private long box;

  @BeforeClass
  public static void makeCertificates() throws Exception {
    Certificates certificates = new Certificates(FOLDER.getRoot().toPath());
    for (String name : List.of("server", "node", "impostor")) {
      certificates.make(name);
    }
    tls = "-Dkarmi.tls=" + certificates.node("server", "server", "node", "impostor");
    certificates.trust("node", "server");
    certificates.trust("impostor", "server");
    node = certificates.context("node");
    impostor = certificates.context("impostor");
  }

  @After
  public void end() throws IOException {
    for (RawPeer each : peers) {
      each.close();
    }
    jvms.forEach(Jvm::close);
  }

  private Jvm start(String... arguments) throws IOException {
    List<String> all = new ArrayList<>(List.of(tls));
    all.addAll(Arrays.asList(arguments));
    Jvm jvm = Jvm.start(all.toArray(new String[0]));
    jvms.add(jvm);
    return jvm;
  }

  /** One more connection of the node that all say they are, with one of the certificates. */
  private RawPeer connect(SSLContext with) throws IOException {
    byte[] hello = RawPeer.hello(NODE[0], NODE[1], TOKEN, "uka");
    RawPeer peer = RawPeer.introduced(new TlsDoor(port, with), hello);
    peers.add(peer);
    return peer;
  }

  /** The number of a bank's counter, where the node has opened an account. */
  private long openAccount() throws Exception {
    Jvm registry = start(Bank.class.getName(), "registry");
    Jvm bank = start(Bank.class.getName(), "bank", registry.awaitLine("port "));
    port = Integer.parseInt(bank.awaitLine("port "));
    long counter = Long.parseLong(bank.awaitLine("object "));
    String closed = "127.0.0.1:" + FreePort.any();
    WireBytes stub = Forged.stub(new String[] {Bank.Owner.class.getName()}, NODE, OWNER, closed);
    RawPeer owner = connect(node);
    owner.message(RawPeer.CALL, owner.request(counter, OPEN).raw(stub).toArray());
    assertThat(reply(owner)).containsExactly(RawPeer.RETURNED);
    return counter;
  }

  private static void ask(RawPeer peer, long counter) throws IOException {
    peer.message(RawPeer.CALL, peer.request(counter, TRANSFER).toArray());
  }

  /** The number of the object that is called back. */
  private static long called(RawPeer peer) throws IOException {
    List<byte[]> bodies = new ArrayList<>();
    assertThat(peer.read(bodies)).as("kind of a message").isEqualTo(RawPeer.CALL);
    return ByteBuffer.wrap(bodies.get(0)).order(ByteOrder.LITTLE_ENDIAN).getLong();
  }

  private static void confirm(RawPeer peer) throws IOException {
    peer.message(RawPeer.REPLY, TRUE);
  }

  /** The reply to a call; the collector of the node grants a lease meanwhile. */
  private static byte[] reply(RawPeer peer) throws IOException {
    assertThat(called(peer)).isEqualTo(Methods.COLLECTOR);
    peer.message(RawPeer.REPLY, new WireBytes().u8(RawPeer.RETURNED).int64(LEASE_MILLIS).toArray());
    return peer.reply();
  }

  private static void assertIsNotAsked(RawPeer peer) throws IOException {
    List<byte[]> bodies = new ArrayList<>();
    assertThat(peer.read(bodies)).as("kind of a message").isEqualTo(RawPeer.REPLY);
    assertThat(bodies.get(0)[0]).as("the owner is not reached").isEqualTo((byte) RawPeer.THROWN);
  }

  @Test
  public void onlyTheNodeWithItsCertificateIsCalledBack() throws Exception {
    long counter = openAccount();
    RawPeer other = connect(impostor);
    ask(other, counter);
    assertIsNotAsked(other);
    RawPeer owner = connect(node);
    ask(owner, counter);
    assertThat(called(owner)).isEqualTo(OWNER);
    confirm(owner);
    assertThat(owner.reply()).isEqualTo(TRUE);
  }

  @Test
  public void impostorIsNotCalledBackWhileTheNodeExecutesACall() throws Exception {
    long counter = openAccount();
    RawPeer owner = connect(node);
    ask(owner, counter);
    assertThat(called(owner)).isEqualTo(OWNER);
    RawPeer other = connect(impostor);
    ask(other, counter);
    assertIsNotAsked(other);
    confirm(owner);
    assertThat(owner.reply()).isEqualTo(TRUE);
  }

  private Jvm startKeeper() throws Exception {
    Jvm keeper = start(Vault.class.getName(), "keeper");
    keeperNode = nodeOf(keeper);
    number = Long.parseLong(keeper.awaitLine("keeper "));
    box = Long.parseLong(keeper.awaitLine("box "));
    port = Integer.parseInt(keeper.awaitLine("port "));
    return keeper;
  }

  private static long[] nodeOf(Jvm jvm) throws InterruptedException {
    String[] halves = jvm.awaitLine("node ").split(" ");
    return new long[] {Long.parseLong(halves[0]), Long.parseLong(halves[1])};
  }

  private static byte[] collector(RawPeer peer, long strategy, long... numbers) throws IOException {
    WireBytes message = new WireBytes().number(numbers.length);
    for (long number : numbers) {
      message.int64(number);
    }
    byte[] reply = peer.call(Methods.COLLECTOR, strategy, message.toArray());
    assertThat(reply[0]).as("the collector answers").isEqualTo((byte) RawPeer.RETURNED);
    return reply;
  }

  @Test
  public void onlyTheNodeWithItsCertificateIsCountedForOnItsAccount() throws Exception {
    Jvm keeper = startKeeper();
    collector(connect(node), Methods.COUNTING, ACCOUNT_OPEN, ACCOUNT);
    RawPeer holder = connect(node);
    byte[] reply = holder.call(number, BOX, new byte[0]);
    assertThat(SentReference.in(reply, keeperNode)).isEqualTo(new SentReference(box, ACCOUNT));
    holder.frame(RawPeer.ACK, new byte[0]);
    RawPeer other = connect(impostor);
    reply = other.call(number, BOX, new byte[0]);
    assertThat(SentReference.in(reply, keeperNode)).isEqualTo(new SentReference(box, 0));
    other.frame(RawPeer.ACK, new byte[0]);
    assertThat(keeper.linesWith("unreferenced")).isEmpty();
    collector(holder, Methods.COUNTING, RELEASE, ACCOUNT, 1, box, 1);
    keeper.awaitLinesWith("unreferenced", 1);
  }

  @Test
  public void impostorReleasesNoLeaseOfTheNode() throws Exception {
    Jvm keeper = startKeeper();
    RawPeer holder = connect(node);
    collector(holder, Methods.LEASE, DIRTY, 1, LEASE_MILLIS, box, KEY);
    RawPeer other = connect(impostor);
    byte[] reply = other.call(number, OTHER, new byte[0]);
    long second = SentReference.in(reply, keeperNode).number();
    collector(other, Methods.LEASE, DIRTY, 1, LEASE_MILLIS, second, KEY + 1);
    long late = Long.MAX_VALUE - 1;
    collector(other, Methods.LEASE, CLEAN, late, 0, box, KEY + 1, box, 0, second, KEY + 1);
    keeper.awaitLinesWith("other unreferenced", 1);
    assertThat(keeper.linesWith("unreferenced")).as("the box that the node holds").isEmpty();
    collector(holder, Methods.LEASE, CLEAN, 2, 0, box, KEY);
    keeper.awaitLinesWith("unreferenced", 1);
  }
}
