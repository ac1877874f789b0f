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
import java.util.Arrays;
import java.util.Hashtable;
import java.util.Map;
import java.util.concurrent.TimeUnit;
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
