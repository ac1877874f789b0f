package io.karmi.hostile;

import static org.assertj.core.api.Assertions.assertThat;

import io.karmi.contract.hostile.Attacks;
import io.karmi.contract.hostile.Besieged;
import io.karmi.contract.hostile.Forged;
import io.karmi.contract.hostile.Methods;
import io.karmi.contract.hostile.RawPeer;
import io.karmi.contract.hostile.SocketDoor;
import io.karmi.contract.hostile.WireBytes;
import io.karmi.kit.Deadline;
import io.karmi.kit.Jvm;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.After;
import org.junit.Test;

/**
 * Objects whose class does not come back when it is read: their threads are lost, and nothing else
 * is.
 */
public class StuckReadersTest {
  private static final long ADD = Methods.hash("add(II)I");
  private static final long ECHO = Methods.hash("echo(Ljava/lang/Object;)Ljava/lang/Object;");
  private static final int CONNECTIONS = 256;
  private static final int LINKS = 20;
  private static final int LANES = 16;

  /** A busy machine alone may take a second. */
  private static final int ATTEMPTS = 5;

  private final List<RawPeer> peers = new ArrayList<>();
  private Jvm node;
  private SocketDoor door;
  private long object;

  private void start() throws Exception {
    node =
        Jvm.start(
            "-Xmx256m",
            "-Dkarmi.technologies=tcp",
            "-Dkarmi.maxConnections=" + CONNECTIONS,
            Besieged.class.getName());
    door = new SocketDoor(Integer.parseInt(node.awaitLine("port ")));
    object = Long.parseLong(node.awaitLine("object "));
    serve();
  }

  @After
  public void end() throws IOException {
    for (RawPeer each : peers) {
      each.close();
    }
    node.close();
  }

  private static byte[] endless() {
    return Forged.object(Besieged.Endless.class.getName(), 1).toArray();
  }

  private long serve() throws IOException {
    long begin = System.nanoTime();
    try (RawPeer honest = RawPeer.introduced(door, 1, 2)) {
      byte[] reply = honest.call(object, ADD, new WireBytes().int32(20).int32(22).toArray());
      assertThat(reply).containsExactly(RawPeer.RETURNED, 42, 0, 0, 0);
    }
    return System.nanoTime() - begin;
  }

  /** Serves a new client; how long the fastest of some has taken. */
  private long fastestNanos() {
    long fastest = Long.MAX_VALUE;
    for (int i = 0; i < ATTEMPTS; i++) {
      try {
        fastest = Math.min(fastest, serve());
      } catch (IOException e) {
        continue; // refused: the next one may be served
      }
    }
    return fastest;
  }

  private boolean isToldOfStuckThreads() {
    return node.lines().stream().anyMatch(line -> line.contains("have not come back"));
  }

  private void attack(int number) {
    try {
      RawPeer peer = RawPeer.introduced(door, 7, number);
      peers.add(peer);
      peer.frame(RawPeer.CALL, peer.request(object, ECHO).raw(endless()).toArray());
    } catch (IOException e) {
      return; // the node is full
    }
  }

  @Test
  public void connectionsWhoseThreadsAreStuckGiveWayToTheNextClient() throws Exception {
    start();
    for (int i = 0; i < CONNECTIONS; i++) {
      attack(i);
    }
    for (int i = 0; i < peers.size(); i += 2) {
      peers.get(i).close(); // half of the senders leave
    }
    Deadline.await("a client is served", () -> fastestNanos() != Long.MAX_VALUE);
    assertThat(fastestNanos()).as("ns").isLessThan(TimeUnit.SECONDS.toNanos(1));
    Deadline.await("an operator is told", this::isToldOfStuckThreads);
  }

  @Test
  public void linksWhoseHandlersAreStuckGiveWayToTheNextRequest() throws Exception {
    start();
    for (int i = 0; i < LINKS; i++) {
      RawPeer peer = Attacks.keyed(door, 7, i, object);
      peers.add(peer);
      for (int lane = 0; lane < LANES; lane++) {
        Attacks.sendFrame(peer, lane, 0, endless());
      }
    }
    Deadline.await("a request is answered", this::isAnswered);
    Deadline.await("an operator is told", this::isToldOfStuckThreads);
    long begin = System.nanoTime();
    Deadline.await("the next one", this::isAnswered);
    assertThat(System.nanoTime() - begin).as("ns").isLessThan(TimeUnit.SECONDS.toNanos(10));
  }

  private boolean isAnswered() {
    try (RawPeer honest = Attacks.keyed(door, 8, 1, object)) {
      Attacks.sendFrame(honest, 3, 1, new WireBytes().int64(5).u8(0x10 + 2, 'h', 'i').toArray());
      return Attacks.readAnswer(honest, 5);
    } catch (IOException e) {
      return false;
    }
  }
}
