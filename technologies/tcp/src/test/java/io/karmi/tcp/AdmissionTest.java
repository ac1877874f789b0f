package io.karmi.tcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.karmi.connection.channel.Handshake;
import io.karmi.connection.guard.Slot;
import io.karmi.contract.Callee;
import io.karmi.contract.Nodes;
import io.karmi.id.NodeId;
import io.karmi.id.TechnologyId;
import io.karmi.kit.Deadline;
import io.karmi.kit.FreePort;
import io.karmi.technology.ForeignPeerException;
import io.karmi.technology.ServiceThread;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.rmi.ConnectIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.Test;

/** Places of connections that end in an error. */
public class AdmissionTest {
  /** Fails when it is asked for its peer, as any object may while memory is short. */
  private static final class Failing extends Socket {
    private final Socket socket;
    volatile boolean fails;

    Failing(Socket socket) {
      this.socket = socket;
    }

    @Override
    public InetAddress getInetAddress() {
      if (fails) {
        throw new OutOfMemoryError("on purpose");
      }
      return socket.getInetAddress();
    }

    @Override
    public InputStream getInputStream() throws IOException {
      return socket.getInputStream();
    }

    @Override
    public OutputStream getOutputStream() throws IOException {
      return socket.getOutputStream();
    }

    @Override
    public void setTcpNoDelay(boolean on) throws java.net.SocketException {
      socket.setTcpNoDelay(on);
    }

    @Override
    public void setKeepAlive(boolean on) throws java.net.SocketException {
      socket.setKeepAlive(on);
    }

    @Override
    public synchronized void close() throws IOException {
      socket.close();
    }
  }

  @Test
  public void placeIsGivenBackWhenMemoryEnds() throws Exception {
    Callee node = Nodes.successor();
    try (TcpTechnology server = Wire.open(node);
        ServerSocket listening = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        Socket peer = new Socket(listening.getInetAddress(), listening.getLocalPort());
        Socket accepted = listening.accept()) {
      new Handshake(NodeId.random(), List.of("uka")).write(peer.getOutputStream());
      Failing failing = new Failing(accepted);
      TechnologyId end = server.listen(0);
      SocketArrival arrival = new SocketArrival(failing, false);
      Slot slot = Objects.requireNonNull(server.limit().enter(arrival));
      failing.fails = true;
      assertThatThrownBy(() -> server.accept(arrival, slot, end))
          .isInstanceOf(OutOfMemoryError.class);
      assertThat(server.limit().present()).as("places taken").isZero();
      assertThat(server.connections().acceptedCount()).as("connections kept").isZero();
      assertThat(accepted.isClosed()).isTrue();
    }
  }

  /** Waits for the test with what is written, as TLS waits for a peer that says nothing. */
  private static final class Waiting extends Socket {
    private final CountDownLatch writing = new CountDownLatch(1);
    private final CountDownLatch end = new CountDownLatch(1);
    private final ByteArrayOutputStream written = new ByteArrayOutputStream();

    @Override
    public InetAddress getInetAddress() {
      return InetAddress.getLoopbackAddress();
    }

    @Override
    public OutputStream getOutputStream() {
      return new OutputStream() {
        @Override
        public void write(int one) throws IOException {
          write(new byte[] {(byte) one}, 0, 1);
        }

        @Override
        public void write(byte[] bytes, int offset, int length) throws IOException {
          writing.countDown();
          try {
            if (!end.await(60, TimeUnit.SECONDS)) {
              throw new IOException("written in the thread that must not wait");
            }
          } catch (InterruptedException e) {
            throw new IOException(e);
          }
          written.write(bytes, offset, length);
        }
      };
    }

    @Override
    public void shutdownOutput() {}
  }

  /** A connection that is waited for by its other end. */
  static final class Busy implements Slot.Occupant {
    @Override
    public String peerName() {
      return "a caller";
    }

    @Override
    public long waitedNanos(long now) {
      return 0;
    }

    @Override
    public void giveWay(String reason) {
      throw new AssertionError(reason);
    }
  }

  @Test
  public void refusalThatWaitsForThePeerHoldsUpNoOtherConnection() throws Exception {
    try (TcpTechnology server = Wire.open(Nodes.successor(), "karmi.maxConnections", "1");
        ServerSocket listening = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        Socket peer = new Socket(listening.getInetAddress(), listening.getLocalPort());
        Socket accepted = listening.accept()) {
      Slot first = Objects.requireNonNull(server.limit().enter(new SocketArrival(accepted, false)));
      assertThat(first.pass(new Busy())).isTrue();
      List<Waiting> refused = new ArrayList<>();
      for (int i = 0; i < 20; i++) {
        Waiting each = new Waiting();
        refused.add(each);
        assertThat(server.limit().enter(new SocketArrival(each, false))).isNull();
        assertThat(each.written.size()).as("by now").isZero();
      }
      assertThat(refused.get(0).writing.await(60, TimeUnit.SECONDS)).isTrue();
      first.giveBack();
      assertThat(server.limit().enter(new SocketArrival(peer, false))).as("meanwhile").isNotNull();
      refused.forEach(each -> each.end.countDown());
      Deadline.await(
          "each is told why",
          () ->
              refused.stream()
                  .allMatch(
                      each ->
                          each.written
                              .toString(StandardCharsets.UTF_8)
                              .contains("karmi.maxConnections")));
    }
  }

  @Test
  public void eachOfManyRefusedCallersIsToldWhy() throws Exception {
    try (TcpTechnology server = Wire.open(Nodes.successor(), "karmi.maxConnections", "1");
        TcpTechnology client = Wire.open(Nodes.successor());
        ServerSocket listening = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        Socket peer = new Socket(listening.getInetAddress(), listening.getLocalPort())) {
      int port = Wire.port(server.listen(0));
      Slot first = Objects.requireNonNull(server.limit().enter(new SocketArrival(peer, false)));
      assertThat(first.pass(new Busy())).isTrue();
      for (int i = 0; i < 200; i++) {
        assertThatThrownBy(() -> Nodes.next(client, Wire.anybody(client, port), 1))
            .isInstanceOf(ConnectIOException.class)
            .isNotInstanceOf(ForeignPeerException.class)
            .hasMessageContaining("maximum of 1 (karmi.maxConnections)");
      }
    }
  }

  @Test
  public void connectionThatGivesWayBeforeItIsIntroducedIsToldWhy() throws Exception {
    try (TcpTechnology server = Wire.open(Nodes.successor(), "karmi.maxConnections", "1");
        TcpTechnology client = Wire.open(Nodes.successor())) {
      TechnologyId end = server.listen(0);
      try (Socket silent = Wire.connect(end)) {
        Deadline.await(
            "the next one has its place",
            () -> {
              try {
                return Nodes.next(client, Wire.anybody(client, Wire.port(end)), 1) == 2;
              } catch (ConnectIOException e) {
                return false;
              }
            });
        String told = new String(silent.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(told).contains("maximum of 1 (karmi.maxConnections)");
      }
    }
  }

  private static boolean isServed(int port) {
    return ServiceThread.states().stream()
        .anyMatch(state -> state.name().equals("KaRMI TCP Accept-" + port) && state.isAlive());
  }

  @Test
  public void portIsServedBySupervisedThreadUntilItIsReleased() throws Exception {
    try (TcpTechnology server = Wire.open(Nodes.successor())) {
      TechnologyId end = server.listen(FreePort.any());
      int port = Wire.port(end);
      assertThat(isServed(port)).as("%s", ServiceThread.states()).isTrue();
      server.release(end);
      Deadline.await("the service has ended", () -> !isServed(port));
    }
  }
}
