package io.karmi.tcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.karmi.connection.Handshake;
import io.karmi.contract.Callee;
import io.karmi.contract.Deadline;
import io.karmi.contract.FreePort;
import io.karmi.contract.Nodes;
import io.karmi.id.NodeId;
import io.karmi.id.TechnologyId;
import io.karmi.technology.ServiceThread;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
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
      SocketArrival arrival = new SocketArrival(failing);
      assertThat(server.limit().enter(arrival)).isTrue();
      failing.fails = true;
      assertThatThrownBy(() -> server.accept(arrival, end)).isInstanceOf(OutOfMemoryError.class);
      assertThat(server.limit().present()).as("places taken").isZero();
      assertThat(server.connections().acceptedCount()).as("connections kept").isZero();
      assertThat(accepted.isClosed()).isTrue();
    }
  }

  private static boolean isServed(int port) {
    return ServiceThread.states().stream()
        .anyMatch(state -> state.getName().equals("KaRMI TCP Accept-" + port) && state.isAlive());
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
