package io.karmi.hostile;

import static org.assertj.core.api.Assertions.assertThat;

import io.karmi.contract.hostile.Besieged;
import io.karmi.contract.hostile.Forged;
import io.karmi.contract.hostile.Methods;
import io.karmi.contract.hostile.RawPeer;
import io.karmi.contract.hostile.SocketDoor;
import io.karmi.contract.hostile.WireBytes;
import io.karmi.kit.Deadline;
import io.karmi.kit.Jvm;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.After;
import org.junit.Test;

/** References to nodes that are not, at an address that the sender wants a node to connect to. */
public class ForgedOwnersTest {
  private static final long ECHO = Methods.hash("echo(Ljava/lang/Object;)Ljava/lang/Object;");
  private static final String[] REMOTE = {"java.rmi.Remote"};
  private static final int OWNERS = 100;

  /** Of those that have failed; while some are being closed, as many others are opened. */
  private static final int MOST_AT_A_TIME = 2 * 8;

  private final Victim victim = new Victim();
  private Jvm node;

  public ForgedOwnersTest() throws IOException {}

  /** What the node is to connect to: closes the first connections, and lets the others wait. */
  private static final class Victim implements AutoCloseable {
    final AtomicInteger met = new AtomicInteger();
    final AtomicInteger mostWaiting = new AtomicInteger();
    private final ServerSocketChannel listening = ServerSocketChannel.open();
    private final List<SocketChannel> waiting = new CopyOnWriteArrayList<>();

    Victim() throws IOException {
      listening.bind(new InetSocketAddress("127.0.0.1", 0), 500);
      Thread thread = new Thread(this::acceptAll, "victim");
      thread.setDaemon(true);
      thread.start();
    }

    String address() throws IOException {
      return "127.0.0.1:" + ((InetSocketAddress) listening.getLocalAddress()).getPort();
    }

    private void acceptAll() {
      try {
        while (true) {
          SocketChannel channel = listening.accept();
          if (met.incrementAndGet() <= OWNERS) {
            channel.close();
          } else {
            channel.configureBlocking(false);
            waiting.add(channel);
            mostWaiting.accumulateAndGet(countWaiting(), Math::max);
          }
        }
      } catch (IOException e) {
        return; // the test is over
      }
    }

    /**
     * Connections that the node has not closed. Their ends are looked for here, since threads that
     * wait for them may learn of them later than this one is given the next connections.
     */
    private int countWaiting() throws IOException {
      for (SocketChannel each : waiting) {
        if (isAtEnd(each)) {
          waiting.remove(each);
          each.close();
        }
      }
      return waiting.size();
    }

    private static boolean isAtEnd(SocketChannel channel) {
      ByteBuffer introduction = ByteBuffer.allocate(1 << 12);
      try {
        int count;
        do {
          count = channel.read(introduction.clear());
        } while (count > 0);
        return count < 0;
      } catch (IOException e) {
        return true; // reset
      }
    }

    @Override
    public void close() throws IOException {
      listening.close();
      for (SocketChannel each : waiting) {
        each.close();
      }
    }
  }

  @After
  public void end() throws IOException {
    victim.close();
    node.close();
  }

  /** Sends references to many owners; returns the first byte of the reply. */
  private byte sendReferences(String... options) throws Exception {
    String[] all = new String[options.length + 2];
    all[0] = "-Dkarmi.technologies=tcp";
    System.arraycopy(options, 0, all, 1, options.length);
    all[all.length - 1] = Besieged.class.getName();
    node = Jvm.start(all);
    SocketDoor door = new SocketDoor(Integer.parseInt(node.awaitLine("port ")));
    long object = Long.parseLong(node.awaitLine("object "));
    try (RawPeer peer = RawPeer.introduced(door, 1, 2)) {
      WireBytes call = peer.request(object, ECHO);
      call.u8(0x05, 1, 0x80 + 19, 0x0B, 0).number(OWNERS);
      for (int i = 0; i < OWNERS; i++) {
        call.raw(Forged.stub(REMOTE, new long[] {4711, i}, 5L << 32, victim.address()));
      }
      peer.message(RawPeer.CALL, call.toArray());
      return peer.reply()[0];
    }
  }

  @Test
  public void ownersThatFailAreConnectedToByAFewThreads() throws Exception {
    byte reply =
        sendReferences("-Dkarmi.handshakeTimeout=300", "-Xms512m", "-Xmn400m"); // nothing collected
    assertThat(reply).isEqualTo((byte) RawPeer.RETURNED);
    assertThat(victim.met.get()).as("before the call").isGreaterThanOrEqualTo(OWNERS);
    Deadline.await("some are tried again", () -> victim.met.get() >= OWNERS + 30);
    assertThat(victim.mostWaiting.get()).isBetween(2, MOST_AT_A_TIME);
  }

  @Test
  public void callWaitsForAllSilentOwnersTogetherAFewSeconds() throws Exception {
    victim.met.set(OWNERS); // it closes no connection
    long begin = System.nanoTime();
    assertThat(sendReferences()).isEqualTo((byte) RawPeer.RETURNED);
    assertThat(System.nanoTime() - begin).as("ns").isLessThan(TimeUnit.SECONDS.toNanos(30));
    assertThat(victim.met.get()).as("connections before the call").isLessThan(OWNERS + 40);
    Deadline.await("others are told by a few threads", () -> victim.met.get() > OWNERS + 1);
    assertThat(victim.mostWaiting.get()).isLessThan(40);
  }

  @Test
  public void filterThatRefusesStubsPreventsIt() throws Exception {
    assertThat(sendReferences("-Djdk.serialFilter=!io.karmi.stub.*"))
        .isEqualTo((byte) RawPeer.THROWN);
    assertThat(victim.met).hasValue(0);
  }
}
