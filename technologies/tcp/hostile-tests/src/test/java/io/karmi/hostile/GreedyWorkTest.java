package io.karmi.hostile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.Assume.assumeTrue;

import io.karmi.contract.hostile.Attacks;
import io.karmi.contract.hostile.Besieged;
import io.karmi.contract.hostile.Forged;
import io.karmi.contract.hostile.Methods;
import io.karmi.contract.hostile.RawPeer;
import io.karmi.contract.hostile.SocketDoor;
import io.karmi.contract.hostile.WireBytes;
import io.karmi.kit.Deadline;
import io.karmi.kit.Jvm;
import io.karmi.uka.UkaObjectOutputStream;
import io.karmi.uka.buffer.OutputBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Hashtable;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.After;
import org.junit.Before;
import org.junit.Test;

/** Peers that make a node work and write again and again, with few bytes each time. */
public class GreedyWorkTest {
  private static final long ECHO = Methods.hash("echo(Ljava/lang/Object;)Ljava/lang/Object;");

  /** Levels of sets within sets: somewhat less than one message may have. */
  private static final int LEVELS = 20;

  private static final int CALLS = 40;

  /** Calls, at least as many as a host may have read at once beside one for each second. */
  private static final int CALLS_AT_ONCE = 5;

  private static final int LINKS = 150;
  private static final int COLLIDING_KEYS = 20_500;

  /** Orders in which interfaces are named. */
  private static final int ORDERS = 8;

  /** How later types refer to the one that is described second, behind the array's. */
  private static final int TYPE_OF_PROXY = 2 + 4;

  private static final List<String> INTERFACES =
      Stream.concat(
              Stream.of("java.rmi.Remote", "java.rmi.registry.Registry"),
              Stream.of("Service", "One", "Two", "Three", "Four", "Five", "Six")
                  .map(each -> Besieged.class.getName() + "$" + each))
          .collect(Collectors.toList());

  private Jvm node;
  private SocketDoor door;
  private long object;

  @Before
  public void start() throws Exception {
    node = Jvm.start("-Dkarmi.technologies=tcp", Besieged.class.getName());
    door = new SocketDoor(Integer.parseInt(node.awaitLine("port ")));
    object = Long.parseLong(node.awaitLine("object "));
  }

  @After
  public void end() {
    node.close();
  }

  /** Seconds in which a host may have all hashed, and all compared, that a test sends. */
  private static final int SECONDS_OF_ALLOWED = 20;

  @Test
  public void hashesOfOneHostAreBoundedForEachSecond() throws Exception {
    int read = 0;
    int refused = 0;
    long begin = System.nanoTime();
    for (int i = 0; i < CALLS; i++) {
      try (RawPeer peer = RawPeer.introduced(door, 1, i)) { // a fresh connection gains nothing
        byte[] reply = peer.call(object, ECHO, Forged.setsOfSets(LEVELS).toArray());
        String text = new String(reply, StandardCharsets.ISO_8859_1);
        read += reply[0] == RawPeer.RETURNED ? 1 : 0;
        refused += text.contains("steps a second of a host") ? 1 : 0;
      }
    }
    long seconds = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - begin);
    assumeTrue(
        "a machine that takes so long hashes no more than is allowed",
        refused > 0 || seconds < SECONDS_OF_ALLOWED);
    assertThat(read).as("the first ones").isBetween(1, CALLS_AT_ONCE + (int) seconds + 1);
    assertThat(refused).as("all others").isEqualTo(CALLS - read);
    try (RawPeer peer = RawPeer.introduced(door, 2, 1)) {
      assertThat(peer.call(object, ECHO, Forged.setsOfSets(3).toArray())[0])
          .as("what an honest peer sends")
          .isEqualTo((byte) RawPeer.RETURNED);
    }
  }

  /** Numbers that have no tree in this table: 210 million comparisons. */
  @Test
  public void comparisonsOfKeysOfOneHashAreBoundedForEachHost() throws Exception {
    Map<Object, Object> table = new Hashtable<>();
    for (long i = 0; i < COLLIDING_KEYS; i++) {
      table.put(i << Integer.SIZE | i, true);
    }
    OutputBuffer bytes = new OutputBuffer(1 << 16);
    try (UkaObjectOutputStream out = new UkaObjectOutputStream(bytes);
        RawPeer peer = RawPeer.introduced(door, 4, 1)) {
      out.writeObject(table);
      out.flush();
      long begin = System.nanoTime();
      byte[] reply = peer.call(object, ECHO, Arrays.copyOf(bytes.bytes, bytes.position));
      boolean refused =
          new String(reply, StandardCharsets.ISO_8859_1).contains("steps a second of a host");
      long seconds = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - begin);
      assumeTrue(
          "a machine that takes so long compares no more than is allowed",
          refused || seconds < SECONDS_OF_ALLOWED);
      assertThat(refused).isTrue();
    }
  }

  /** Lists of one node's interfaces: all sets of two and more, each in some orders. */
  private static List<String[]> listsOfInterfaces(List<String> names) {
    Map<String, String[]> lists = new LinkedHashMap<>();
    for (int set = 0; set < 1 << names.size(); set++) {
      List<String> some = new ArrayList<>();
      for (int i = 0; i < names.size(); i++) {
        if ((set >> i & 1) != 0) {
          some.add(names.get(i));
        }
      }
      for (int order = 0; order < ORDERS && some.size() > 1; order++) {
        lists.put(String.join(" ", some), some.toArray(new String[0]));
        Collections.rotate(some, 1);
      }
    }
    return new ArrayList<>(lists.values());
  }

  private static WireBytes array(int length) {
    return new WireBytes().u8(0x05, 1, 0x80 + 19, 0x0B, 0).number(length);
  }

  @Test
  public void classesOfStubsAreBoundedForEachHost() throws Exception {
    List<String[]> lists = listsOfInterfaces(INTERFACES);
    WireBytes stubs = array(lists.size());
    for (String[] each : lists) {
      stubs.raw(Forged.stub(each, new long[] {3, 4}, 5, "127.0.0.1:1"));
    }
    assertMadeClassesAreBounded(stubs);
  }

  @Test
  public void classesOfProxiesAreBoundedForEachHost() throws Exception {
    List<String[]> lists = listsOfInterfaces(INTERFACES);
    WireBytes classes = array(lists.size());
    for (String[] each : lists) {
      classes.u8(0x06, 2).number(each.length);
      for (String name : each) {
        classes.text(name);
      }
      classes.u8(0x0B);
      boolean first = each == lists.get(0);
      classes.raw(first ? proxyType() : new WireBytes().number(TYPE_OF_PROXY));
    }
    assertMadeClassesAreBounded(classes);
  }

  /** The description of {@code java.lang.reflect.Proxy}. */
  private static WireBytes proxyType() {
    return new WireBytes()
        .u8(1, 0x62)
        .text("java.lang.reflect.Proxy")
        .int64(-2222568056686623797L)
        .number(1)
        .u8('L')
        .text("Ljava/lang/reflect/InvocationHandler;")
        .text("h")
        .u8(0x0B, 0);
  }

  private void assertMadeClassesAreBounded(WireBytes argument) throws Exception {
    long begin = System.nanoTime();
    try (RawPeer peer = RawPeer.introduced(door, 6, 1)) {
      String reply =
          new String(peer.call(object, ECHO, argument.toArray()), StandardCharsets.ISO_8859_1);
      boolean refused = reply.contains("steps a second of a host");
      long seconds = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - begin);
      assumeTrue("a machine that makes no more than is allowed", refused || seconds < 10);
      assertThat(refused).isTrue();
    }
    try (RawPeer peer = RawPeer.introduced(door, 7, 1)) {
      assertThat(peer.call(object, ECHO, Forged.setsOfSets(3).toArray())[0])
          .as("what an honest peer sends")
          .isEqualTo((byte) RawPeer.RETURNED);
    }
  }

  @Test
  public void linesOfTheLogAreBoundedForEachHost() throws Exception {
    for (int i = 0; i < LINKS; i++) {
      try (RawPeer peer = Attacks.keyed(door, 3, i, object)) {
        Attacks.sendFrame(peer, 1, 0, new byte[] {0x7F, 0x7F});
        Attacks.sendFrame(peer, 1, 1, new WireBytes().int64(5).u8(0x10 + 2, 'h', 'i').toArray());
        Attacks.readAnswer(peer, 5);
      }
    }
    Deadline.await("one is told", () -> warnings() > 0);
    assertThat(warnings()).isLessThan(20);
  }

  private long warnings() {
    return node.lines().stream().filter(line -> line.contains("cannot be read")).count();
  }
}
