package io.karmi.hostile;

import static org.assertj.core.api.Assertions.assertThat;

import io.karmi.contract.hostile.Besieged;
import io.karmi.contract.hostile.Door;
import io.karmi.contract.hostile.Methods;
import io.karmi.contract.hostile.RawPeer;
import io.karmi.contract.hostile.SocketDoor;
import io.karmi.contract.hostile.WireBytes;
import io.karmi.kit.Jvm;
import io.karmi.reference.Node;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.Test;

/**
 * One host that sends as much as it can over hundreds of connections, and a peer of another one.
 */
public class GreedyPeerTest {
  private static final int CONNECTIONS = 500;
  private static final int CALLS = 200;
  private static final long BYTES_PER_SECOND = 1_000_000;
  private static final int ARGUMENT_BYTES = 60_000;

  /** What a connection reads at once, before it waits. */
  private static final long AT_ONCE_BYTES = 1 << 16;

  private static final long BOUND_SECONDS = 10;
  private static final byte[] GREEDY = {127, 0, 0, 2};
  private static final long TEXT = Methods.hash("text(Ljava/lang/String;)Ljava/lang/String;");
  private static final long ADD = Methods.hash("add(II)I");

  /** A connection of the greedy host, and the call that it sends again and again. */
  private static final class Sender {
    final SocketChannel channel;
    final ByteBuffer first;
    final ByteBuffer again;
    private boolean begun;

    Sender(SocketChannel channel, byte[] first, byte[] again) {
      this.channel = channel;
      this.first = ByteBuffer.wrap(first);
      this.again = ByteBuffer.wrap(again);
    }

    /** Sends what the kernel takes, and drops what has come. */
    void send(ByteBuffer replies) throws IOException {
      replies.clear();
      channel.read(replies);
      ByteBuffer next = begun ? again : first;
      channel.write(next);
      if (!next.hasRemaining()) {
        begun = true;
        again.clear();
      }
    }
  }

  private static byte[] call(long object, boolean first) {
    WireBytes body = new WireBytes().int64(object).number(0);
    if (first) {
      body.number(1).int64(TEXT);
    }
    body.number(0).u8(0x03).number(ARGUMENT_BYTES).raw(new byte[ARGUMENT_BYTES]);
    byte[] bytes = body.toArray();
    return new WireBytes().raw(RawPeer.header(RawPeer.CALL, bytes.length)).raw(bytes).toArray();
  }

  private static Sender sender(int port, long object, int index) throws IOException {
    SocketChannel channel = SocketChannel.open();
    channel.bind(new InetSocketAddress(InetAddress.getByAddress(GREEDY), 0));
    channel.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
    Socket socket = channel.socket();
    RawPeer peer = RawPeer.accepted(SocketDoor.channel(socket));
    peer.send(RawPeer.hello(77, index, "uka"));
    peer.readHello();
    channel.configureBlocking(false);
    return new Sender(channel, call(object, true), call(object, false));
  }

  private static long[] latencies(Door door, long object) throws IOException {
    long[] nanos = new long[CALLS];
    try (RawPeer honest = RawPeer.introduced(door, 1, 2)) {
      for (int i = 0; i < CALLS; i++) {
        long begin = System.nanoTime();
        byte[] reply = honest.call(object, ADD, new WireBytes().int32(i).int32(1).toArray());
        nanos[i] = System.nanoTime() - begin;
        assertThat(reply).hasSize(1 + Integer.BYTES);
      }
    }
    Arrays.sort(nanos);
    return nanos;
  }

  private static Thread start(List<Sender> senders, AtomicBoolean over) {
    Thread thread =
        new Thread(
            () -> {
              ByteBuffer replies = ByteBuffer.allocate(1 << 17);
              while (!over.get()) {
                try {
                  for (Sender each : senders) {
                    each.send(replies);
                  }
                  TimeUnit.MILLISECONDS.sleep(1);
                } catch (IOException | InterruptedException e) {
                  throw new IllegalStateException("the greedy host was thrown out", e);
                }
              }
            },
            "greedy");
    thread.start();
    return thread;
  }

  @Test
  public void peerIsServedWhileAnotherHostSendsAsMuchAsItCan() throws Exception {
    try (Jvm node =
        Jvm.start(
            "-Xmx512m",
            "-Dkarmi.technologies=tcp",
            "-Dkarmi.maxBytesPerSecondPerHost=" + BYTES_PER_SECOND,
            Besieged.class.getName())) {
      int port = Integer.parseInt(node.awaitLine("port "));
      long object = Long.parseLong(node.awaitLine("object "));
      Door door = new SocketDoor(port);
      long[] before = latencies(door, object);
      List<Sender> senders = new ArrayList<>();
      AtomicBoolean over = new AtomicBoolean();
      for (int i = 0; i < CONNECTIONS; i++) {
        senders.add(sender(port, object, i));
      }
      long begin = System.nanoTime();
      Thread greedy = start(senders, over);
      TimeUnit.SECONDS.sleep(2); // so that it has used up what it may send
      long[] during = latencies(door, object);
      long read = bytesReceived(port);
      long seconds = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - begin) + 1;
      over.set(true);
      greedy.join();
      for (Sender each : senders) {
        each.channel.close();
      }
      System.out.println("before " + show(before) + ", during " + show(during));
      System.out.println(read + " bytes were read in " + seconds + " s");
      assertThat(TimeUnit.NANOSECONDS.toSeconds(during[CALLS - 1]))
          .as("seconds of the slowest call")
          .isLessThan(BOUND_SECONDS);
      assertThat(read)
          .as("bytes that were read in %d s", seconds)
          .isLessThan(BYTES_PER_SECOND * (seconds + 1) + CONNECTIONS * AT_ONCE_BYTES);
    }
  }

  private static long bytesReceived(int port) throws IOException {
    for (String line : Node.current().inspect("127.0.0.1", port)) {
      if (line.startsWith("tcp.bytesReceived ")) {
        return Long.parseLong(line.substring(line.indexOf(' ') + 1));
      }
    }
    throw new AssertionError("the node does not tell how much it has read");
  }

  private static String show(long[] nanos) {
    return nanos[CALLS / 2] / 1000 + " us at the median, " + nanos[CALLS - 1] / 1000 + " at most";
  }
}
