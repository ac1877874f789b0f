package io.karmi.hostile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.Assume.assumeTrue;

import com.sun.management.UnixOperatingSystemMXBean;
import io.karmi.contract.hostile.Besieged;
import io.karmi.contract.hostile.Door;
import io.karmi.contract.hostile.Forged;
import io.karmi.contract.hostile.Methods;
import io.karmi.contract.hostile.RawPeer;
import io.karmi.contract.hostile.SocketDoor;
import io.karmi.contract.hostile.WireBytes;
import io.karmi.kit.Deadline;
import io.karmi.kit.Jvm;
import io.karmi.reference.Node;
import io.karmi.rmi.LocateRegistry;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.rmi.RemoteException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.Test;

/** One host that opens as many connections as it can, and the calls of another one meanwhile. */
public class CrowdingHostTest {
  private static final int ATTEMPTS = 2000;
  private static final int MOST_CONNECTIONS = 1000;
  private static final int MOST_OF_HOST = 875;

  /** Calls of the other host, some of them over fresh connections. */
  private static final int CALLS = 300;

  private static final int CALLS_PER_CONNECTION = 10;
  private static final long BOUND_SECONDS = 10;
  private static final int FEW_CONNECTIONS = 40;
  private static final long COLLECTOR = 2;
  private static final long COUNTING = 0x4B61524D49444743L + "counting".hashCode();

  /** For the connections of either end, and what a JVM has open besides. */
  private static final long DESCRIPTORS = 2048;

  private static final byte[] OTHER_HOST = {127, 0, 0, 2};
  private static final long ECHO = Methods.hash("echo(Ljava/lang/Object;)Ljava/lang/Object;");
  private static final String[] REMOTE = {"java.rmi.Remote"};
  private static final long ADD = Methods.hash("add(II)I");

  /** The greedy host; it belongs to one thread, which closes all that it has at the end. */
  private static final class Greedy {
    private final Door door;
    private final long object;
    private final List<RawPeer> open = new ArrayList<>();
    private int attempts;

    Greedy(int port, long object) {
      this.door = new SocketDoor(port);
      this.object = object;
    }

    /** Opens one more, if the node lets it in. */
    void open() throws IOException {
      attempts++;
      if (open.size() > MOST_OF_HOST) {
        open.remove(0).close(); // it has given way
      }
      try {
        open.add(RawPeer.introduced(door, 1, attempts));
      } catch (IOException e) {
        return; // it has not come so far, or was closed
      }
    }

    /** Tries all at first, and then goes on with calls and further attempts. */
    Greedy run(CountDownLatch crowded, AtomicBoolean over) throws IOException {
      try {
        while (attempts < ATTEMPTS) {
          open();
        }
        crowded.countDown();
        while (!over.get()) {
          open();
          callOverLast();
        }
        return this;
      } finally {
        for (RawPeer each : open) {
          each.close();
        }
      }
    }

    private void callOverLast() {
      try {
        call(open.get(open.size() - 1), object, attempts);
      } catch (IOException e) {
        return; // it has given way
      }
    }
  }

  private static void call(RawPeer peer, long object, int value) throws IOException {
    byte[] reply = peer.call(object, ADD, new WireBytes().int32(value).int32(1).toArray());
    assertThat(reply).isEqualTo(new WireBytes().u8(RawPeer.RETURNED).int32(value + 1).toArray());
  }

  /** Opens connections from another address than the greedy host's. */
  private static Door otherHost(int port) {
    return () -> {
      Socket socket = new Socket();
      socket.bind(new InetSocketAddress(InetAddress.getByAddress(OTHER_HOST), 0));
      socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 10_000);
      return SocketDoor.channel(socket);
    };
  }

  /** How long the slowest of many calls of the other host has taken, opening included. */
  private static long slowestNanos(int port, long object) throws IOException {
    Door door = otherHost(port);
    long slowest = 0;
    for (int i = 0; i < CALLS / CALLS_PER_CONNECTION; i++) {
      long begin = System.nanoTime();
      try (RawPeer peer = RawPeer.introduced(door, 2, i)) {
        for (int k = 0; k < CALLS_PER_CONNECTION; k++) {
          call(peer, object, k);
          slowest = Math.max(slowest, System.nanoTime() - begin);
          begin = System.nanoTime();
        }
      }
    }
    return slowest;
  }

  /** Whether one more caller at the greedy host is served. */
  private static boolean isServed(int port) {
    try {
      LocateRegistry.getRegistry("127.0.0.1", port).list();
      return true;
    } catch (RemoteException e) {
      return false;
    }
  }

  private static long mostDescriptors() {
    return ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean unix
        ? unix.getMaxFileDescriptorCount()
        : 0;
  }

  @Test
  public void otherHostIsServedWhileOneOpensTwoThousandConnections() throws Exception {
    assumeTrue(
        "a process may have " + DESCRIPTORS + " descriptors", mostDescriptors() >= DESCRIPTORS);
    AtomicBoolean over = new AtomicBoolean();
    CountDownLatch crowded = new CountDownLatch(1);
    try (Jvm node =
        Jvm.start(
            "-Xmx512m",
            "-Dkarmi.technologies=tcp",
            "-Dkarmi.maxConnections=" + MOST_CONNECTIONS,
            Besieged.class.getName())) {
      int port = Integer.parseInt(node.awaitLine("port "));
      long object = Long.parseLong(node.awaitLine("object "));
      FutureTask<Greedy> greedy =
          new FutureTask<>(() -> new Greedy(port, object).run(crowded, over));
      new Thread(greedy, "greedy").start();
      try {
        assertThat(crowded.await(120, TimeUnit.SECONDS)).as("it has tried them all").isTrue();
        assertThat(TimeUnit.NANOSECONDS.toSeconds(slowestNanos(port, object)))
            .as("seconds of the slowest call of the other host")
            .isLessThan(BOUND_SECONDS);
        Deadline.await("one more caller of the greedy host is served", () -> isServed(port));
        Deadline.await("the node tells its counters", () -> isWithinItsShare(port));
      } finally {
        over.set(true);
      }
      assertThat(greedy.get(60, TimeUnit.SECONDS).attempts).isGreaterThanOrEqualTo(ATTEMPTS);
    }
  }

  /** Opens a connection that takes a place of the node. */
  private interface Taking {
    void take(int port, long object, int number, List<RawPeer> open) throws IOException;
  }

  /**
   * @param attempts how many connections are opened
   * @param least how many of them get a place at least
   */
  private static void assertThatTheNextCallerIsServed(int attempts, int least, Taking taking)
      throws Exception {
    try (Jvm node =
        Jvm.start(
            "-Xmx256m",
            "-Dkarmi.technologies=tcp",
            "-Dkarmi.maxConnections=" + FEW_CONNECTIONS,
            Besieged.class.getName())) {
      int port = Integer.parseInt(node.awaitLine("port "));
      long object = Long.parseLong(node.awaitLine("object "));
      List<RawPeer> open = new ArrayList<>();
      try {
        for (int i = 0; i < attempts; i++) {
          taking.take(port, object, i, open);
        }
        assertThat(open).hasSizeGreaterThan(least);
        Deadline.await("the next caller is served", () -> isServed(port));
      } finally {
        for (RawPeer each : open) {
          each.close();
        }
      }
    }
  }

  /** Their connections give way to no one, and who opens them needs to know nothing. */
  @Test
  public void linesOfCollectorsLeavePlacesToOthers() throws Exception {
    assertThatTheNextCallerIsServed(
        2 * FEW_CONNECTIONS,
        FEW_CONNECTIONS / 4,
        (port, object, number, open) -> openLine(port, number, open));
  }

  private static void openLine(int port, int number, List<RawPeer> lines) {
    try {
      RawPeer peer = RawPeer.introduced(new SocketDoor(port), 1, number);
      lines.add(peer);
      peer.call(
          COLLECTOR, COUNTING, new WireBytes().number(2).int64(1).int64(1 + number).toArray());
    } catch (IOException e) {
      return; // there was no place for it
    }
  }

  /** The collector is told over the connection by which the reference has come. */
  @Test
  public void callersWhoseCollectorsDoNotAnswerGiveWay() throws Exception {
    assertThatTheNextCallerIsServed(
        FEW_CONNECTIONS, FEW_CONNECTIONS / 2, CrowdingHostTest::callWithOwnReference);
  }

  /** Calls with a reference to an object of its own, and is told by a call that it is held. */
  private static void callWithOwnReference(int port, long object, int number, List<RawPeer> open)
      throws IOException {
    RawPeer peer;
    try {
      peer = RawPeer.introduced(new SocketDoor(port), 1, number);
    } catch (IOException e) {
      return; // there was no place for it
    }
    open.add(peer);
    long[] node = {1, number};
    peer.message(
        RawPeer.CALL,
        peer.request(object, ECHO)
            .raw(Forged.stub(REMOTE, node, 5L << 32, "127.0.0.1:1"))
            .toArray());
    assertThat(peer.read(new ArrayList<>())).isEqualTo(RawPeer.CALL);
  }

  private static boolean isWithinItsShare(int port) {
    List<String> shown = inspected(port);
    if (shown.isEmpty()) {
      return false;
    }
    assertThat(counter(shown, "tcp.connectionsAccepted")).isBetween(1L, (long) MOST_CONNECTIONS);
    return true;
  }

  private static List<String> inspected(int port) {
    try {
      return List.of(Node.current().inspect("127.0.0.1", port));
    } catch (IOException e) {
      return List.of();
    }
  }

  private static long counter(List<String> shown, String name) {
    return shown.stream()
        .filter(line -> line.startsWith(name + " "))
        .mapToLong(line -> Long.parseLong(line.substring(name.length() + 1)))
        .findFirst()
        .orElseThrow();
  }
}
