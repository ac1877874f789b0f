package io.karmi.hostile;

import static org.assertj.core.api.Assertions.assertThat;

import io.karmi.contract.hostile.Attacks;
import io.karmi.contract.hostile.Besieged;
import io.karmi.contract.hostile.Forged;
import io.karmi.contract.hostile.Methods;
import io.karmi.contract.hostile.RawPeer;
import io.karmi.contract.hostile.SocketDoor;
import io.karmi.contract.hostile.WireBytes;
import io.karmi.kit.Jvm;
import io.karmi.registry.Registries;
import java.io.IOException;
import java.rmi.Remote;
import java.rmi.RemoteException;
import java.rmi.registry.Registry;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.After;
import org.junit.Before;
import org.junit.Test;

/**
 * Two hosts that make a node of 128 MB hold all that they may, of everything at once. The shares of
 * the ledgers together are more than the heap; what they stand for takes less.
 */
public class FullLedgersTest {
  private static final long ADD = Methods.hash("add(II)I");
  private static final long ECHO = Methods.hash("echo(Ljava/lang/Object;)Ljava/lang/Object;");
  private static final int MESSAGE = 0;
  private static final int PEERS = 60;
  private static final int SENDERS = 6;
  private static final int KEYS = 1_000;
  private static final int TYPES = 9_900;
  private static final int UNENDED_BYTES = 30 << 20;
  private static final int CLIENTS = 50;

  private final List<RawPeer> peers = new ArrayList<>();
  private final Random random = new Random(1);
  private Jvm node;
  private SocketDoor door;
  private SocketDoor other;
  private int port;
  private long object;

  /** What a peer sends. */
  @FunctionalInterface
  private interface Sending {
    void to(RawPeer peer) throws IOException;
  }

  @Before
  public void start() throws Exception {
    node = Jvm.start("-Xmx128m", "-Dkarmi.technologies=tcp", Besieged.class.getName());
    port = Integer.parseInt(node.awaitLine("port "));
    door = new SocketDoor(port);
    other = SocketDoor.ofOtherHost(port);
    object = Long.parseLong(node.awaitLine("object "));
    node.awaitLine("logins ");
  }

  @After
  public void end() throws IOException {
    for (RawPeer each : peers) {
      each.close();
    }
    node.close();
  }

  private SocketDoor oneOfBoth() {
    return peers.size() % 2 == 0 ? door : other;
  }

  private RawPeer caller() throws IOException {
    RawPeer peer = RawPeer.introduced(oneOfBoth(), random.nextLong(), 1);
    peers.add(peer);
    return peer;
  }

  private RawPeer sender() throws IOException {
    RawPeer peer = Attacks.keyed(oneOfBoth(), random.nextLong(), 2, object);
    peers.add(peer);
    return peer;
  }

  private void bindNames() throws Exception {
    Registry registry = Registries.locate("127.0.0.1", port);
    Remote stub = registry.lookup("beans");
    String refused = null;
    for (int i = 0; refused == null; i++) {
      try {
        registry.bind("x".repeat(60_000) + i, stub);
      } catch (RemoteException e) {
        refused = e.getMessage();
      }
    }
    assertThat(refused).contains("the registry has no memory");
  }

  private void takeLeases(RawPeer peer) throws IOException {
    WireBytes message = new WireBytes().number(3 + 2L * KEYS).int64(1).int64(1).int64(600_000);
    for (int i = 0; i < KEYS; i++) {
      message.int64(object).int64(random.nextLong());
    }
    peer.call(Methods.COLLECTOR, Methods.LEASE, message.toArray());
  }

  private static WireBytes types(WireBytes begin) {
    begin.u8(0x05, 1, 0x80 + 19, 0x0B, 0).number(TYPES).raw(Forged.slimTypes(TYPES));
    return begin;
  }

  private void describeTypes(RawPeer peer) throws IOException {
    peer.message(RawPeer.CALL, types(peer.request(object, ECHO)).toArray());
    peer.reply();
  }

  private static void attempt(Sending sending, RawPeer peer) {
    try {
      sending.to(peer);
    } catch (IOException e) {
      return; // the node has closed the connection: others have room again
    }
  }

  private static void begin(Sending sending, RawPeer peer) {
    Thread thread = new Thread(() -> attempt(sending, peer), "sender of what does not end");
    thread.setDaemon(true);
    thread.start();
  }

  private void assertServes() throws IOException {
    long begin = System.nanoTime();
    try (RawPeer honest = RawPeer.introduced(door, 1, 2)) {
      byte[] reply = honest.call(object, ADD, new WireBytes().int32(20).int32(22).toArray());
      assertThat(reply).containsExactly(RawPeer.RETURNED, 42, 0, 0, 0);
    }
    assertThat(System.nanoTime() - begin).isLessThan(TimeUnit.SECONDS.toNanos(10));
  }

  @Test
  public void allOfThemAtOnceLeaveRoomForTheNextClient() throws Exception {
    bindNames();
    byte[] types = types(new WireBytes()).toArray();
    for (int i = 0; i < PEERS; i++) {
      attempt(this::takeLeases, caller());
      attempt(this::describeTypes, caller());
      attempt(peer -> Attacks.sendFrame(peer, 1, MESSAGE, types), sender());
    }
    assertServes();
    for (int i = 0; i < SENDERS; i++) {
      begin(peer -> Attacks.sendUnendedSets(peer, object), caller());
      begin(peer -> Attacks.sendUnendedMessage(peer, UNENDED_BYTES), sender());
    }
    for (int i = 0; i < CLIENTS; i++) {
      assertServes();
    }
  }
}
