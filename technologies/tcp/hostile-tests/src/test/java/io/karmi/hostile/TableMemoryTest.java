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
import io.karmi.messaging.Address;
import io.karmi.messaging.Messaging;
import io.karmi.rmi.LocateRegistry;
import io.karmi.rmi.UnicastRemoteObject;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.rmi.Remote;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.After;
import org.junit.Before;
import org.junit.Test;

/**
 * What a node of 256 MB keeps for many connections that are idle, after their peers have described
 * as much as one of them may.
 */
public class TableMemoryTest {
  private static final long ADD = Methods.hash("add(II)I");
  private static final long ECHO = Methods.hash("echo(Ljava/lang/Object;)Ljava/lang/Object;");

  /** Flag of a frame: the call has a header. */
  private static final int HEADER = 0x40;

  private static final long UNKNOWN_OBJECT = 12_345;
  private static final int METHODS = 65_536;

  /** Fewer than those for which a peer is asked to begin anew. */
  private static final int TYPES = 9_900;

  private static final int PEERS = 120;

  /** Fields of a type whose names take a megabyte together. */
  private static final int LONG_NAMES = 16;

  private static final int NAME = 60_000;

  /** In a call of a megabyte. */
  private static final int STUBS = 250;

  private static final int ADDRESS = 4_000;

  /** Kinds of frames (4.1). */
  private static final int REQUEST = 1;

  private static final int MESSAGE = 0;

  private static final int MESSAGES_OF_FIELDS = 7;

  /** Fields of a type whose description fits into a frame. */
  private static final int MANY_FIELDS = 12_000;

  /** Types of a lane, of which there is room for the descriptions in a frame. */
  private static final int ABSENT = 3_500;

  private static final int LANES = 15;
  private static final int LINKS = 6;

  /** Of a class that has another version here. */
  private static final long ANOTHER_VERSION = 1;

  /** Requests with stubs whose answers fit into the window of a link. */
  private static final int REQUESTS = 14;

  private static final int SHORT_STUBS = 400;

  /** Stubs in an answer to an honest peer, and those in all of its answers. */
  private static final int OWN_STUBS = 200;

  private static final int MORE_THAN_THERE_IS_ROOM_FOR = 80_000;

  /** Of requests that are under way. */
  private static final int UNCREDITED_BYTES = 300_000;

  /**
   * In a header of a call, the longest there is: of 16 KB, and more than twice that in the heap.
   */
  private static final int HEADER_ENTRIES = 64;

  private static final int IDLE_PEERS = 400;

  /** A connection takes 48 KB without anything that its other end has sent. */
  private static final long MOST_BYTES_OF_IDLE_PEER = 64 << 10;

  /** An eighth of the heap, half as much lost to the pages of large arrays, and what is free. */
  private static final long MOST_BYTES = (32 << 20) * 3 / 2 + PEERS * (128L << 10);

  private final List<RawPeer> peers = new ArrayList<>();
  private Jvm node;
  private int port;
  private SocketDoor door;
  private long object;
  private long before;

  @Before
  public void start() throws Exception {
    node = Jvm.start("-Xmx256m", "-Dkarmi.technologies=tcp", Besieged.class.getName());
    port = Integer.parseInt(node.awaitLine("port "));
    door = new SocketDoor(port);
    object = Long.parseLong(node.awaitLine("object "));
    assertServes();
    before = heapBytes();
  }

  @After
  public void end() throws IOException {
    closePeers();
    node.close();
  }

  private void closePeers() throws IOException {
    for (RawPeer each : peers) {
      each.close();
    }
    peers.clear();
  }

  private long heapBytes() throws Exception {
    return Besieged.State.parse(node.ask("state", "state ")).heapBytes();
  }

  private RawPeer introduced() throws IOException {
    RawPeer peer = RawPeer.introduced(door, peers.size(), 1);
    peers.add(peer);
    return peer;
  }

  private void assertServes() throws IOException {
    try (RawPeer honest = RawPeer.introduced(door, 1, 2)) {
      byte[] reply = honest.call(object, ADD, new WireBytes().int32(20).int32(22).toArray());
      assertThat(reply).containsExactly(RawPeer.RETURNED, 42, 0, 0, 0);
    }
  }

  private void assertBounded() throws Exception {
    assertServes();
    assertThat(heapBytes() - before).as("bytes kept").isLessThan(MOST_BYTES);
    closePeers();
    Deadline.await(
        "it is let go",
        () -> {
          try {
            return heapBytes() - before < 8 << 20;
          } catch (Exception e) {
            throw new AssertionError(e);
          }
        });
  }

  /** Announces an interface of an object that is not there; false if the node has had enough. */
  private static boolean announces(RawPeer peer, int number, byte[] hashes) throws IOException {
    WireBytes call = new WireBytes().int64(UNKNOWN_OBJECT).number(number).number(METHODS);
    try {
      peer.message(RawPeer.CALL, call.raw(hashes).number(0).toArray());
      peer.reply();
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  @Test
  public void interfacesThatStrangersAnnounceAreBoundedTogether() throws Exception {
    byte[] hashes = new byte[METHODS * Long.BYTES];
    new Random(1).nextBytes(hashes);
    assertThat(announces(introduced(), 0, hashes)).isTrue();
    for (int i = 1; i < PEERS; i++) {
      RawPeer peer = introduced();
      if (announces(peer, 0, hashes)) {
        announces(peer, 1, hashes);
      }
    }
    assertBounded();
    assertThat(announces(introduced(), 0, hashes)).as("there is room again").isTrue();
  }

  @Test
  public void typesThatPeersDescribeAreBoundedTogether() throws Exception {
    for (int i = 0; i < PEERS; i++) {
      RawPeer peer = introduced();
      WireBytes body = peer.request(object, ECHO).u8(0x05, 1, 0x80 + 19, 0x0B, 0).number(TYPES);
      peer.message(RawPeer.CALL, body.raw(Forged.slimTypes(TYPES)).toArray());
      assertThat(peer.reply()[0]).isEqualTo((byte) RawPeer.RETURNED);
    }
    assertBounded();
  }

  /** A list of stubs that say at length where they lead. */
  private static byte[] stubsWithLongAddresses(int peer, long[] node) {
    String[] interfaces = {"java.rmi.Remote"};
    String address = "127.0.0.1:1,".repeat(ADDRESS / 12) + "127.0.0.1:1";
    WireBytes array = new WireBytes().u8(0x05, 1, 0x80 + 19, 0x0B, 0).number(STUBS);
    for (int i = 0; i < STUBS; i++) {
      array.raw(Forged.stub(interfaces, node, (long) (peer + 1) << 32 | i, address));
    }
    return array.toArray();
  }

  @Test
  public void whatRepliesReferToIsBoundedUntilItIsAcknowledged() throws Exception {
    for (int i = 0; i < PEERS; i++) {
      RawPeer peer = RawPeer.silent(door);
      peers.add(peer);
      peer.send(RawPeer.hello(i, 1, "uka"));
      byte[] stubs = stubsWithLongAddresses(i, peer.readHello());
      peer.message(RawPeer.CALL, peer.request(object, ECHO).raw(stubs).toArray());
      assertThat(peer.reply()[0]).isEqualTo((byte) RawPeer.RETURNED);
    }
    assertBounded();
  }

  /** A request of messages that is answered with the stubs that it brings. */
  private static byte[] requestOfStubs(int peer, int number, int stubs) {
    String[] interfaces = {"java.rmi.Remote"};
    WireBytes request = new WireBytes().int64(number).u8(0x05, 1, 0x80 + 19, 0x0B, 0).number(stubs);
    for (int i = 0; i < stubs; i++) {
      long object = (long) (peer + 1) << 40 | (long) number << 20 | i;
      request.raw(Forged.stub(interfaces, new long[] {peer, 7}, object, "127.0.0.1:1"));
    }
    return request.toArray();
  }

  /** Asks for what the window has room for, and does not say of any answer that it has come. */
  private void askForStubs(SocketDoor from, int number) {
    try {
      RawPeer peer = Attacks.keyed(from, number + 1, 7, object);
      peers.add(peer);
      long sent = 0;
      for (int i = 0; i < REQUESTS; i++) {
        byte[] request = requestOfStubs(number, 1 + i, SHORT_STUBS);
        Attacks.sendFrame(peer, 1, REQUEST, request);
        sent += request.length;
        Attacks.awaitCredit(peer, sent - UNCREDITED_BYTES);
      }
    } catch (IOException e) {
      return; // the node takes no more of them
    }
  }

  @Test
  public void whatAnswersOfMessagesReferToIsBoundedUntilItIsProcessed() throws Exception {
    SocketDoor other = SocketDoor.ofOtherHost(port);
    for (int i = 0; i < PEERS; i++) {
      askForStubs(other, i);
    }
    try (RawPeer honest = Attacks.keyed(door, 1, 8, object)) {
      Attacks.sendFrame(honest, 1, REQUEST, requestOfStubs(PEERS, 5, SHORT_STUBS));
      assertThat(Attacks.readAnswer(honest, 5)).as("another host gets its stubs").isTrue();
    }
    assertBounded();
  }

  @Test
  public void whatAnswersOfMessagesReferToIsLetGoWhenItIsProcessed() throws Exception {
    Remote[] objects = new Remote[OWN_STUBS];
    Object[] stubs = new Object[OWN_STUBS];
    for (int i = 0; i < OWN_STUBS; i++) {
      objects[i] = new Remote() {};
      stubs[i] = UnicastRemoteObject.exportObject(objects[i], 0);
    }
    Address address = Address.of(LocateRegistry.getRegistry("127.0.0.1", port).lookup("beans"));
    for (int i = 0; i < MORE_THAN_THERE_IS_ROOM_FOR / OWN_STUBS; i++) {
      Object[] answer =
          Messaging.ofThisNode().<Object[]>request(stubs, address).get(60, TimeUnit.SECONDS);
      assertThat(answer).hasSize(OWN_STUBS);
    }
    for (Remote each : objects) {
      UnicastRemoteObject.unexportObject(each, true);
    }
  }

  @Test
  public void headersOfCallsThatAreAnsweredAreForgotten() throws Exception {
    WireBytes header = new WireBytes().number(HEADER_ENTRIES);
    byte[] wide = ("\u0416" + "x".repeat(248)).getBytes(StandardCharsets.UTF_8);
    for (int i = 0; i < HEADER_ENTRIES; i++) {
      header.number(2).u8('a', i).number(wide.length).raw(wide);
    }
    byte[] sum = new WireBytes().int32(20).int32(22).toArray();
    for (int i = 0; i < IDLE_PEERS; i++) {
      RawPeer peer = introduced();
      WireBytes call = new WireBytes().raw(header).raw(peer.request(object, ADD)).raw(sum);
      peer.frame(RawPeer.CALL | HEADER, call.toArray());
      assertThat(peer.reply()).containsExactly(RawPeer.RETURNED, 42, 0, 0, 0);
    }
    assertThat((heapBytes() - before) / IDLE_PEERS)
        .as("bytes kept for each")
        .isLessThan(MOST_BYTES_OF_IDLE_PEER);
  }

  /** A description of a class of the platform, with further fields, and an object of it. */
  private static byte[] fieldsWithLongNames(int peer) {
    WireBytes object = new WireBytes().u8(0x02, 0x01, 0x62);
    object.raw(text("java.util.UUID")).int64(-4_856_846_361_193_249_489L).number(LONG_NAMES);
    for (int i = 0; i < LONG_NAMES; i++) {
      object.u8('J').raw(text("a" + peer + "b" + i + "x".repeat(NAME)));
    }
    return object.u8(0x0B, 0).raw(new byte[LONG_NAMES * Long.BYTES]).toArray();
  }

  private static byte[] text(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.ISO_8859_1);
    return new WireBytes().number(2 * bytes.length).raw(bytes).toArray();
  }

  @Test
  public void namesOfTypesAreBoundedTogether() throws Exception {
    for (int i = 0; i < PEERS; i++) {
      RawPeer peer = introduced();
      peer.message(RawPeer.CALL, peer.request(object, ECHO).raw(fieldsWithLongNames(i)).toArray());
      byte[] reply = peer.reply();
      assertThat(reply[0])
          .as(new String(reply, StandardCharsets.ISO_8859_1))
          .isEqualTo((byte) RawPeer.RETURNED);
    }
    assertBounded();
  }

  /** A message whose first object is refused, and that goes on with a type of many fields. */
  private static byte[] typeBehindOneThatIsRefused(int number) {
    WireBytes message = new WireBytes().u8(0x05, 1, 0x80 + 19, 0x0B, 0).number(2);
    message.u8(0x02, 1, 0x22).raw(text("java.util.UUID")).int64(ANOTHER_VERSION).u8(0x0B, 0);
    message.u8(0x06, 1, 0x42).raw(text("absent.Type" + number)).number(MANY_FIELDS);
    for (int i = 0; i < MANY_FIELDS; i++) {
      message.u8('Z').raw(text(Integer.toString(i, Character.MAX_RADIX)));
    }
    return message.u8(0x0B, 0).toArray();
  }

  /** Sends messages in each lane of a link, as far as the node takes them. */
  private void sendMessages(int number, int lanes, List<byte[]> messages) {
    try {
      RawPeer peer = Attacks.keyed(door, number + 1, 7, object);
      peers.add(peer);
      long sent = 0;
      for (int lane = 1; lane <= lanes; lane++) {
        for (byte[] message : messages) {
          Attacks.sendFrame(peer, lane, MESSAGE, message);
          sent += message.length;
          Attacks.awaitCredit(peer, sent);
        }
      }
    } catch (IOException e) {
      return; // the node takes no more of them
    }
  }

  @Test
  public void fieldsInMessagesThatAreNotReadAreBoundedTogether() throws Exception {
    List<byte[]> messages = new ArrayList<>();
    for (int i = 0; i < MESSAGES_OF_FIELDS; i++) {
      messages.add(typeBehindOneThatIsRefused(i));
    }
    for (int i = 0; i < PEERS; i++) {
      sendMessages(i, 1, messages);
    }
    assertBounded();
  }

  /** Descriptions of absent classes, and then what refers to them, so that each is looked for. */
  private static List<byte[]> absentTypes() {
    WireBytes types = new WireBytes().u8(0x05, 1, 0x80 + 19, 0x0B, 0).number(ABSENT);
    WireBytes references = new WireBytes().u8(0x05, 4).number(ABSENT);
    for (int i = 0; i < ABSENT; i++) {
      types.u8(0x06, 1, 0x02).raw(text("absent" + i)).u8(0x0B, 0);
      references.u8(0x06).number(4 + 1 + i);
    }
    return List.of(types.toArray(), references.toArray());
  }

  @Test
  public void absentClassesOfTypesAreBoundedTogether() throws Exception {
    for (int i = 0; i < LINKS; i++) {
      sendMessages(i, LANES, absentTypes());
    }
    assertBounded();
  }
}
