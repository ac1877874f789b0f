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
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.After;
import org.junit.Test;

/**
 * Peers that hold as much as they may of what all share, and keep it: the next client, of the same
 * host, is served nevertheless.
 */
public class SlowHoldersTest {
  private static final long ADD = Methods.hash("add(II)I");
  private static final long TEXT = Methods.hash("text(Ljava/lang/String;)Ljava/lang/String;");
  private static final long LOOKUP = Methods.hash("lookup(Ljava/lang/String;)Ljava/rmi/Remote;");
  private static final long BIND = Methods.hash("bind(Ljava/lang/String;Ljava/rmi/Remote;)V");
  private static final int LONG_STRING = 0x03;
  private static final int MEGABYTE = 1 << 20;

  /** Of each size: more than there is room for. */
  private static final int HOLDERS = 6;

  /** Fewer than those for which a peer is asked to begin anew. */
  private static final int TYPES = 9_900;

  private static final int LANES = 16;
  private static final int LINKS = 12;

  private final List<Closeable> peers = new ArrayList<>();
  private Jvm node;
  private SocketDoor door;
  private long object;

  private void start(String... options) throws Exception {
    List<String> arguments = new ArrayList<>(List.of(options));
    arguments.addAll(List.of("-Dkarmi.technologies=tcp", Besieged.class.getName()));
    node = Jvm.start(arguments.toArray(new String[0]));
    door = new SocketDoor(Integer.parseInt(node.awaitLine("port ")));
    object = Long.parseLong(node.awaitLine("object "));
    assertServes();
  }

  @After
  public void end() throws IOException {
    for (Closeable each : peers) {
      each.close();
    }
    node.close();
  }

  private <P extends Closeable> P kept(P peer) {
    peers.add(peer);
    return peer;
  }

  private void assertServes() throws IOException {
    try (RawPeer honest = RawPeer.introduced(door, 1, 2)) {
      byte[] reply = honest.call(object, ADD, new WireBytes().int32(20).int32(22).toArray());
      assertThat(reply).containsExactly(RawPeer.RETURNED, 42, 0, 0, 0);
    }
  }

  /** Holders whose bytes still come are faster than a client, which then begins again. */
  private void assertServesLongCall() throws Exception {
    Deadline.await("a long call is served", this::servesLongCall);
  }

  private boolean servesLongCall() throws IOException {
    WireBytes argument = new WireBytes().u8(LONG_STRING).number(MEGABYTE).raw(new byte[MEGABYTE]);
    final byte[] reply;
    try (RawPeer honest = RawPeer.introduced(door, 1, 3)) {
      reply = honest.call(object, TEXT, argument.toArray());
    } catch (EOFException | SocketException e) { // closed when all was sent, or before
      return false;
    }
    String text = new String(reply, StandardCharsets.ISO_8859_1);
    if (text.contains("send it again")) { // refused, as the others were faster
      return false;
    }
    assertThat(reply[0]).as(text).isEqualTo((byte) RawPeer.RETURNED);
    return true;
  }

  /** Sends the beginnings of strings as arguments of calls, until there is room for no more. */
  private void holdAll(long called, long method) throws IOException {
    for (int bytes = 8 * MEGABYTE; bytes >= MEGABYTE / 8; bytes /= 2) {
      for (int i = 0; i < HOLDERS; i++) {
        hold(called, method, bytes);
      }
    }
  }

  private void hold(long called, long method, int bytes) throws IOException {
    try {
      RawPeer peer = kept(RawPeer.introduced(door, 5, peers.size()));
      WireBytes begin = peer.request(called, method).u8(LONG_STRING).number(15L * MEGABYTE);
      peer.frame(RawPeer.CALL | RawPeer.MORE, begin.toArray());
      for (int sent = 0; sent < bytes; sent += MEGABYTE / 8) {
        peer.frame(RawPeer.CALL | RawPeer.MORE, new byte[MEGABYTE / 8]);
      }
    } catch (IOException e) {
      return; // it takes no more
    }
  }

  @Test
  public void strangersWhoseNamesDoNotEndHoldNothing() throws Exception {
    start("-Xmx128m");
    holdAll(Methods.REGISTRY, LOOKUP);
    assertServesLongCall();
  }

  @Test
  public void nameForTheRegistryHasSomeKilobytes() throws Exception {
    start("-Xmx128m");
    RawPeer peer = kept(RawPeer.introduced(door, 5, 6));
    byte[] name = new byte[100_000];
    WireBytes argument = new WireBytes().u8(LONG_STRING).number(name.length).raw(name);
    byte[] reply = peer.call(Methods.REGISTRY, LOOKUP, argument.toArray());
    assertThat(reply[0]).isEqualTo((byte) RawPeer.THROWN);
    assertThat(new String(reply, StandardCharsets.ISO_8859_1)).contains("takes 65536 at most");
    assertThat(peer.call(object, ADD, new WireBytes().int32(1).int32(2).toArray())[1])
        .as("over the same connection")
        .isEqualTo((byte) 3);
  }

  @Test
  public void bindsOfThisHostThatDoNotEndGiveWayToTheNextClient() throws Exception {
    start("-Xmx128m");
    holdAll(Methods.REGISTRY, BIND);
    assertServesLongCall();
    assertServesLongCall();
  }

  @Test
  public void slowestMessageGivesWayToTheNextClient() throws Exception {
    start("-Xmx128m");
    holdAll(object, TEXT);
    assertServesLongCall();
    assertServesLongCall();
  }

  @Test
  public void typesOfMessagesAreBoundedTogether() throws Exception {
    start("-Xmx128m", "-Dkarmi.messaging.open=true");
    long before = heapBytes();
    byte[] types =
        new WireBytes()
            .u8(0x05, 1, 0x80 + 19, 0x0B, 0)
            .number(TYPES)
            .raw(Forged.slimTypes(TYPES))
            .toArray();
    for (int i = 0; i < LINKS; i++) {
      describe(types, i);
    }
    assertServes();
    long most = (16 << 20) * 3 / 2 + LINKS * (600L << 10); // links that give way are closed soon
    Deadline.await(
        "an eighth of the heap is kept, half as much for large arrays, and buffers",
        () -> heapBytes() - before < most);
    try (RawPeer honest = Attacks.keyed(door, 7, 8, object)) {
      byte[] request = new WireBytes().int64(5).u8(0x10 + 2, 'h', 'i').toArray();
      Attacks.sendFrame(honest, 3, 1, request);
      assertThat(Attacks.readAnswer(honest, 5)).as("a request is answered").isTrue();
    }
  }

  /** Describes types in all lanes of a link; the node may end it. */
  private void describe(byte[] types, int number) throws IOException {
    RawPeer peer = kept(Attacks.keyed(door, 9, number, 4711));
    try {
      for (int lane = 0; lane < LANES; lane++) {
        Attacks.sendFrame(peer, lane, 0, types);
        Attacks.sendFrame(peer, lane, 0, new byte[] {0});
      }
      Attacks.awaitCredit(peer, LANES * (long) types.length);
    } catch (IOException e) {
      return; // it has had enough
    }
  }

  private long heapBytes() throws Exception {
    return Besieged.State.parse(node.ask("state", "state ")).heapBytes();
  }
}
