package io.karmi.hostile;

import static org.assertj.core.api.Assertions.assertThat;

import io.karmi.contract.hostile.Attacks;
import io.karmi.contract.hostile.Besieged;
import io.karmi.contract.hostile.Channel;
import io.karmi.contract.hostile.Door;
import io.karmi.contract.hostile.Forged;
import io.karmi.contract.hostile.Methods;
import io.karmi.contract.hostile.RawPeer;
import io.karmi.contract.hostile.SocketDoor;
import io.karmi.contract.hostile.WireBytes;
import io.karmi.kit.Jvm;
import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.ObjectOutputStream;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import org.junit.After;
import org.junit.Before;
import org.junit.Test;

/**
 * One host that sends a node of 128 MB one thing, as fast as it can and for {@code
 * -Dkarmi.test.floodSeconds=2}: the node has memory left, and serves the next client of another
 * host afterwards.
 */
public class FloodTest {
  private static final long SECONDS = Long.getLong("karmi.test.floodSeconds", 2);
  private static final long ADD = Methods.hash("add(II)I");
  private static final long ECHO = Methods.hash("echo(Ljava/lang/Object;)Ljava/lang/Object;");
  private static final long TEXT = Methods.hash("text(Ljava/lang/String;)Ljava/lang/String;");
  private static final int LONG_STRING = 0x03;
  private static final int MESSAGE = 0;
  private static final int CALLERS = 20;
  private static final int CONNECTIONS = 1_000;

  /** Connections that flooders keep; more than a node of 128 MB serves. */
  private static final int MAXIMUM_KEPT = 1_500;

  /** In a call of 32 KB; each takes some 180 bytes of memory. */
  private static final int SETS = 7_000;

  /** Lists in a call of 32 KB in the JDK's format. */
  private static final int LISTS_OF_JDK = 2_000;

  /** In a message to a collector, as many as there may be. */
  private static final int NUMBERS = 20_003;

  /** Peers that send such messages at the same time. */
  private static final int HOLDERS = 380;

  private static final long SERVED_NANOS = TimeUnit.SECONDS.toNanos(60);

  private final Queue<Closeable> kept = new ConcurrentLinkedQueue<>();
  private final List<Thread> threads = new ArrayList<>();
  private long end;
  private volatile boolean over;
  private Jvm node;
  private SocketDoor door;
  private Door flooders;
  private int port;
  private long object;

  @Before
  public void start() throws Exception {
    start("uka");
  }

  private void start(String format) throws Exception {
    node =
        Jvm.start(
            "-Xmx128m",
            "-Dkarmi.technologies=tcp",
            "-Dkarmi.format=" + format,
            Besieged.class.getName());
    port = Integer.parseInt(node.awaitLine("port "));
    object = Long.parseLong(node.awaitLine("object "));
    door = new SocketDoor(port);
    flooders = SocketDoor.ofOtherHost(port);
    serve();
    end = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS);
  }

  @After
  public void end() throws Exception {
    over = true;
    node.close();
    for (Closeable each : kept) {
      each.close();
    }
    for (Thread thread : threads) {
      thread.join();
    }
  }

  /** What a flooder does again and again. */
  private interface Flood {
    void once() throws IOException;
  }

  private void flood(int flooders, Flood flood) throws Exception {
    for (int i = 0; i < flooders; i++) {
      Thread thread = new Thread(() -> floodUntilEnd(flood), "flooder");
      thread.setDaemon(true);
      thread.start();
      threads.add(thread);
    }
    long slowest = 0;
    int notServed = 0;
    while (System.nanoTime() < end) {
      long began = System.nanoTime();
      notServed += isServed() ? 0 : 1;
      slowest = Math.max(slowest, System.nanoTime() - began);
      Thread.sleep(50);
    }
    System.out.println(
        "the slowest client: " + slowest / 1_000_000 + " ms; not served: " + notServed);
    over = true;
    long began = System.nanoTime();
    while (!isServed()) {
      assertThat(System.nanoTime() - began)
          .as("nanoseconds without service; %s", node.lines())
          .isLessThan(SERVED_NANOS);
    }
    assertThat(node.lines()).noneMatch(line -> line.contains("OutOfMemoryError"));
  }

  private boolean isServed() {
    try {
      serve();
      return true;
    } catch (IOException e) {
      return false; // a flood at full speed may take all processors for a while
    }
  }

  private void floodUntilEnd(Flood flood) {
    while (!over) {
      try {
        flood.once();
      } catch (IOException e) {
        continue; // the node has had enough of this connection
      }
    }
  }

  private RawPeer peer() throws IOException {
    return kept(RawPeer.introduced(flooders, 5, System.nanoTime()));
  }

  private <P extends Closeable> P kept(P peer) throws IOException {
    kept.add(peer);
    if (kept.size() > MAXIMUM_KEPT) {
      kept.remove().close();
    }
    return peer;
  }

  private void serve() throws IOException {
    try (RawPeer honest = RawPeer.introduced(door, 1, System.nanoTime())) {
      byte[] reply = honest.call(object, ADD, new WireBytes().int32(20).int32(22).toArray());
      assertThat(reply).containsExactly(RawPeer.RETURNED, 42, 0, 0, 0);
    }
  }

  private static byte[] setsAndAnEndlessOne() {
    WireBytes endless = Forged.object(Besieged.Endless.class.getName(), 1);
    return Forged.setsAndThen(SETS, endless).toArray();
  }

  @Test
  public void objectsThatAreSentBackAndNotTakenCount() throws Exception {
    byte[] sets = Attacks.sets(50_000).toArray();
    flood(
        CALLERS,
        () -> {
          RawPeer peer = peer();
          while (!over) {
            peer.message(RawPeer.CALL, peer.request(object, ECHO).raw(sets).toArray());
          }
        });
  }

  @Test
  public void objectsOfCallsWhoseReadingDoesNotEndCount() throws Exception {
    byte[] sets = setsAndAnEndlessOne();
    flood(
        4,
        () -> {
          RawPeer peer = peer();
          peer.message(RawPeer.CALL, peer.request(object, ECHO).raw(sets).toArray());
        });
  }

  @Test
  public void objectsOfMessagesWhoseReadingDoesNotEndCount() throws Exception {
    byte[] sets = setsAndAnEndlessOne();
    flood(
        4,
        () -> {
          RawPeer peer = kept(Attacks.keyed(flooders, 5, System.nanoTime(), object));
          for (int lane = 0; lane < 16; lane++) {
            Attacks.sendFrame(peer, lane, MESSAGE, sets);
          }
        });
  }

  @Test
  public void objectsOfTheJdksFormatWhoseReadingDoesNotEndCount() throws Exception {
    node.close();
    start("jdk");
    Object[] all = new Object[LISTS_OF_JDK + 1];
    for (int i = 0; i < LISTS_OF_JDK; i++) {
      all[i] = new LinkedList<>(List.of("x"));
    }
    all[LISTS_OF_JDK] = new Besieged.Endless();
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      out.useProtocolVersion(ObjectOutputStream.PROTOCOL_VERSION_2);
      out.writeObject(all);
    }
    flood(
        4,
        () -> {
          byte[] hello = RawPeer.hello(5, System.nanoTime(), "jdk");
          RawPeer peer = kept(RawPeer.introduced(flooders, hello));
          byte[] call = peer.request(object, ECHO).raw(bytes.toByteArray()).toArray();
          peer.message(RawPeer.CALL, call);
        });
  }

  @Test
  public void messagesBehindOneWhoseReadingDoesNotEndCount() throws Exception {
    byte[] endless = Forged.object(Besieged.Endless.class.getName(), 1).toArray();
    byte[] text = new byte[60_000];
    byte[] behind = new WireBytes().u8(LONG_STRING).number(text.length).raw(text).toArray();
    flood(
        4,
        () -> {
          RawPeer peer = kept(Attacks.keyed(flooders, 5, System.nanoTime(), object));
          Attacks.sendFrame(peer, 0, MESSAGE, endless);
          for (int sent = 0; sent < 480_000 - 2 * text.length; sent += text.length) {
            Attacks.sendFrame(peer, 0, MESSAGE, behind);
          }
        });
  }

  /** Who sends them needs no reference: an object of that number need not be there. */
  @Test
  public void messagesToCollectorsCount() throws Exception {
    WireBytes numbers = new WireBytes().number(NUMBERS).int64(1).int64(1).int64(1);
    for (int i = 3; i < NUMBERS; i++) {
      numbers.int64(i << 8);
    }
    WireBytes to = new WireBytes().int64(Methods.COLLECTOR).number(0);
    byte[] first =
        new WireBytes().raw(to).number(1).int64(Methods.LEASE).number(0).raw(numbers).toArray();
    byte[] next = new WireBytes().raw(to).number(0).raw(numbers).toArray();
    flood(
        HOLDERS,
        () -> {
          RawPeer peer = peer();
          peer.message(RawPeer.CALL, first);
          while (!over) {
            peer.message(RawPeer.CALL, next);
          }
        });
  }

  @Test
  public void beginningsOfCallsCount() throws Exception {
    int bytes = 60_000;
    flood(
        4,
        () -> {
          if (kept.size() < CONNECTIONS) {
            RawPeer peer = peer();
            byte[] call = peer.request(object, TEXT).u8(LONG_STRING).number(bytes - 100).toArray();
            peer.send(new WireBytes().raw(RawPeer.header(RawPeer.CALL, bytes)).raw(call).toArray());
          } else {
            Thread.onSpinWait();
          }
        });
  }

  @Test
  public void namesOfStockRmiThatDoNotEndCount() throws Exception {
    byte[] part = new byte[1 << 13];
    Arrays.fill(part, (byte) 'a');
    flood(
        8,
        () -> {
          Channel channel = kept(flooders.open());
          OutputStream out = channel.out();
          out.write(Forged.beginOfStockLookup());
          while (!over) {
            out.write(part, 0, part.length);
            out.flush();
          }
        });
  }
}
