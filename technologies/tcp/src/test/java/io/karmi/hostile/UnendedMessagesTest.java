package io.karmi.hostile;

import static org.assertj.core.api.Assertions.assertThat;

import io.karmi.contract.Deadline;
import io.karmi.contract.hostile.Besieged;
import io.karmi.contract.hostile.Methods;
import io.karmi.contract.hostile.RawPeer;
import io.karmi.contract.hostile.SocketDoor;
import io.karmi.contract.hostile.WireBytes;
import io.karmi.kit.Jvm;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.After;
import org.junit.Before;
import org.junit.Test;

/** Long messages of several peers, which together are more than the heap, and never end. */
public class UnendedMessagesTest {
  private static final int PEERS = 8;
  private static final int FRAME_BYTES = 1 << 20;

  /** Of each peer; a message may have 64, a quarter of the heap. */
  private static final int FRAMES = 48;

  private static final int MESSAGE_TIMEOUT_MILLIS = 4_000;

  /** As after a siege. */
  private static final long LEFT_BYTES = 24L << 20;

  private static final long SERVED_NANOS = TimeUnit.SECONDS.toNanos(60);

  private static final long TEXT = Methods.hash("text(Ljava/lang/String;)Ljava/lang/String;");
  private static final int LONG_STRING = 0x03;

  private final List<RawPeer> peers = new CopyOnWriteArrayList<>();
  private Jvm node;
  private SocketDoor door;
  private long object;

  @Before
  public void start() throws Exception {
    node =
        Jvm.start(
            "-Xmx256m",
            "-Dkarmi.messageTimeout=" + MESSAGE_TIMEOUT_MILLIS,
            Besieged.class.getName());
    door = new SocketDoor(Integer.parseInt(node.awaitLine("port ")));
    object = Long.parseLong(node.awaitLine("object "));
    assertServed();
  }

  @After
  public void end() throws IOException {
    for (RawPeer peer : peers) {
      peer.close();
    }
    node.close();
  }

  @Test
  public void stringsOfManyPeersAreGivenBackAndOthersAreServed() throws Exception {
    long before = heapBytes();
    List<Thread> senders = new ArrayList<>();
    for (int i = 0; i < PEERS; i++) {
      RawPeer peer = RawPeer.introduced(door, 1, 2 + i);
      peers.add(peer);
      Thread sender = new Thread(() -> send(peer), "sender");
      sender.setDaemon(true);
      sender.start();
      senders.add(sender);
    }
    for (Thread sender : senders) {
      assertServed();
      sender.join();
    }
    assertServed();
    Deadline.await("the memory is given back", () -> heapBytes() - before < LEFT_BYTES);
    for (RawPeer peer : peers) {
      Deadline.await("a message that does not go on is let go", peer::isClosedByNode);
    }
    assertServed();
  }

  private void send(RawPeer peer) {
    try {
      WireBytes begin = peer.request(object, TEXT).u8(LONG_STRING).number((FRAMES + 12L) << 20);
      peer.frame(RawPeer.CALL | RawPeer.MORE, begin.toArray());
      byte[] part = new byte[FRAME_BYTES];
      for (int i = 0; i < FRAMES; i++) {
        peer.frame(RawPeer.CALL | RawPeer.MORE, part);
      }
    } catch (IOException e) {
      return; // the node has closed the connection
    }
  }

  /** In time, if not at the first attempt: the node may be out of memory for a moment. */
  private void assertServed() throws Exception {
    long begin = System.nanoTime();
    boolean served = false;
    String problem = "";
    while (!served && System.nanoTime() - begin < SERVED_NANOS) {
      try (RawPeer next = RawPeer.introduced(door, 3, 4)) {
        served = next.call(object, TEXT, new byte[] {0})[0] == RawPeer.RETURNED;
      } catch (IOException e) {
        problem = e.toString();
      }
    }
    assertThat(served).as("the next client is served; %s", problem).isTrue();
  }

  private long heapBytes() {
    try {
      return Besieged.State.parse(node.ask("state", "state ")).heapBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
