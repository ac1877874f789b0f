package io.karmi.tcp;

import static org.assertj.core.api.Assertions.assertThat;

import io.karmi.connection.channel.Handshake;
import io.karmi.contract.MessageTaker;
import io.karmi.contract.Nodes;
import io.karmi.id.NodeId;
import io.karmi.id.TechnologyId;
import io.karmi.kit.Deadline;
import io.karmi.technology.Pipe;
import java.io.IOException;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.After;
import org.junit.Test;

/** What strangers, and hosts in a hurry, can do with connections that carry messages. */
public class StrangersPipesTest {
  private static final int PIECE_BYTES = 50_000;
  private static final String RATE = "karmi.maxBytesPerSecondPerHost";

  private final BlockingQueue<Pipe> accepted = new LinkedBlockingQueue<>();
  private final ExecutorService threads = Executors.newCachedThreadPool();

  @After
  public void endThreads() {
    threads.shutdownNow();
  }

  private static Socket introduced(TechnologyId way) throws IOException {
    Socket socket = Wire.connect(way);
    new Handshake(NodeId.random(), List.of("messages/uka")).write(socket.getOutputStream());
    assertThat(Handshake.read(socket.getInputStream()).formats).containsExactly("messages/uka");
    return socket;
  }

  @Test
  public void opensNoPipeWithoutItsKeyInTime() throws Exception {
    try (TcpTechnology server =
        Wire.open(new MessageTaker(accepted::add), "karmi.handshakeTimeout", "1000")) {
      TechnologyId way = server.listen(0);
      try (Socket silent = introduced(way);
          Socket slow = introduced(way)) {
        Future<Boolean> sending = threads.submit(() -> trickle(slow));
        assertThat(isEnded(silent)).as("silent").isTrue();
        assertThat(isEnded(slow)).as("a byte now and then, forever in time").isTrue();
        assertThat(sending.get(60, TimeUnit.SECONDS)).isTrue();
        Deadline.await("the places are given back", () -> server.limit().present() == 0);
        assertThat(accepted).isEmpty();
      }
    }
  }

  /** The first seven bytes of a key, one a moment; then nothing. */
  private static boolean trickle(Socket to) throws InterruptedException {
    try {
      for (int i = 0; i < 7; i++) {
        to.getOutputStream().write(i);
        Thread.sleep(250);
      }
    } catch (IOException e) {
      return true; // closed meanwhile
    }
    return true;
  }

  /** Whether the node closes a connection before the socket's own time is over. */
  private static boolean isEnded(Socket socket) throws IOException {
    try {
      return socket.getInputStream().read() < 0;
    } catch (java.net.SocketTimeoutException e) {
      return false;
    } catch (java.net.SocketException e) {
      return true; // reset
    }
  }

  @Test
  public void placeOfAPipeIsGivenBackIfMemoryEndsWhileItIsTaken() throws Exception {
    MessageTaker failing =
        new MessageTaker(
            pipe -> {
              throw new OutOfMemoryError("on purpose");
            });
    try (TcpTechnology server = Wire.open(failing)) {
      try (Socket peer = introduced(server.listen(0))) {
        peer.getOutputStream().write(new byte[Long.BYTES]);
        assertThat(isEnded(peer)).isTrue();
        Deadline.await("the place is given back", () -> server.limit().present() == 0);
      }
    }
  }

  private Pipe open(TcpTechnology client, TechnologyId way) throws Exception {
    TechnologyId local = new TechnologyId("tcp", "127.0.0.1:" + Wire.port(way));
    return client.open(NodeId.UNKNOWN, local, 1);
  }

  private Pipe accepted() throws InterruptedException {
    return Objects.requireNonNull(accepted.poll(60, TimeUnit.SECONDS), "no pipe has come");
  }

  private static Callable<Void> sending(Pipe pipe, int pieces) {
    return () -> {
      for (int i = 0; i < pieces; i++) {
        pipe.send(new byte[PIECE_BYTES], 0, PIECE_BYTES);
      }
      return null;
    };
  }

  private static Callable<Integer> receiving(Pipe pipe, int bytes) {
    return () -> {
      byte[] room = new byte[PIECE_BYTES];
      int received = 0;
      while (received < bytes) {
        int count = pipe.receive(room, 0, room.length);
        if (count < 0) {
          break;
        }
        received += count;
      }
      return received;
    };
  }

  @Test
  public void messagesOfOneHostAreReadNoFasterThanAllowed() throws Exception {
    assertThat(millisOfTwoPipes(RATE, "1000000"))
        .as("ms for 2.5 MB at 1 MB a second")
        .isGreaterThan(1800);
  }

  private long millisOfTwoPipes(String... settings) throws Exception {
    int pieces = 25;
    try (TcpTechnology server = Wire.open(new MessageTaker(accepted::add), settings);
        TcpTechnology one = Wire.open(Nodes.caller());
        TcpTechnology other = Wire.open(Nodes.caller())) {
      TechnologyId way = server.listen(0);
      long begin = System.nanoTime();
      List<Future<?>> all = new ArrayList<>();
      for (TcpTechnology client : List.of(one, other)) {
        all.add(threads.submit(sending(open(client, way), pieces)));
        all.add(threads.submit(receiving(accepted(), pieces * PIECE_BYTES)));
      }
      for (Future<?> each : all) {
        each.get(60, TimeUnit.SECONDS);
      }
      return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begin);
    }
  }

  @Test
  public void pipeThatIsOverIsNotWaitedForHoweverMuchItsHostHasSent() throws Exception {
    Future<Integer> reading;
    try (TcpTechnology server = Wire.open(new MessageTaker(accepted::add), RATE, "100");
        TcpTechnology client = Wire.open(Nodes.caller())) {
      Pipe sender = open(client, server.listen(0));
      Pipe receiver = accepted();
      sender.send(new byte[PIECE_BYTES], 0, PIECE_BYTES); // eight minutes' worth
      reading = threads.submit(() -> receiver.receive(new byte[90_000], 0, 90_000));
      Deadline.await("it has come", StrangersPipesTest::isParked);
      assertThat(reading.isDone()).isFalse();
    }
    assertThat(reading.get(60, TimeUnit.SECONDS)).isPositive();
  }

  private static boolean isParked() {
    return Thread.getAllStackTraces().values().stream()
        .anyMatch(
            stack ->
                java.util.Arrays.stream(stack)
                    .anyMatch(frame -> frame.getClassName().endsWith("HostRates$HostRate")));
  }
}
