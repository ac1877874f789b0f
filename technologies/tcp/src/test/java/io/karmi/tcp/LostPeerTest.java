package io.karmi.tcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.Assume.assumeTrue;

import io.karmi.contract.Callee;
import io.karmi.contract.Nodes;
import io.karmi.id.NodeId;
import io.karmi.id.ObjectId;
import io.karmi.id.TechnologyId;
import io.karmi.kit.Deadline;
import io.karmi.kit.FreePort;
import io.karmi.kit.Jvm;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketTimeoutException;
import java.rmi.NoSuchObjectException;
import java.rmi.RemoteException;
import java.rmi.UnmarshalException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.After;
import org.junit.Test;

/** Peers that die, hang, or come back as another node. */
public class LostPeerTest {
  private final TcpTechnology client =
      Wire.open(Nodes.caller(), "sun.rmi.transport.tcp.responseTimeout", "0");

  @After
  public void close() {
    client.close();
  }

  @Test
  public void successorAtTheSamePortIsCalledOverAFreshConnection() throws Exception {
    Callee first = Nodes.successor();
    TcpTechnology before = Wire.open(first);
    int port = FreePort.any();
    before.listen(port);
    ObjectId target = Wire.anybody(client, port);
    assertThat(Nodes.next(client, target, 1)).isEqualTo(2);
    before.close();
    long idle = System.nanoTime();
    Deadline.await("idle for 6 ms", () -> System.nanoTime() - idle > 6_000_000);

    Callee second = Nodes.successor();
    try (TcpTechnology after = Wire.open(second)) {
      after.listen(port);
      assertThat(Nodes.next(client, target, 2)).isEqualTo(3);
      assertThat(first.calls()).isEqualTo(1);
      assertThat(second.calls()).isEqualTo(1);
    }
  }

  @Test
  public void callThatWasSentIsNotRepeatedWhoeverAnswersNow() throws Exception {
    int[] ports = {FreePort.any(), FreePort.any()};
    AtomicReference<TcpTechnology> dying = new AtomicReference<>();
    Callee first =
        new Callee(
            (call, in, out) -> {
              int value = in.readInt();
              in.endArguments();
              if (value == 2) {
                dying.get().close();
              }
              out.beginResult();
              out.writeInt(value + 1);
            });
    dying.set(Wire.open(first));
    dying.get().listen(ports[0]);
    Callee second = Nodes.successor();
    try (TcpTechnology other = Wire.open(second)) {
      other.listen(ports[1]);
      TechnologyId either =
          new TechnologyId("tcp", "localhost:" + ports[0] + ",localhost:" + ports[1]);
      ObjectId target = new ObjectId(NodeId.UNKNOWN, ObjectId.REGISTRY, either);
      assertThat(Nodes.next(client, target, 1)).isEqualTo(2);
      assertThatThrownBy(() -> Nodes.next(client, target, 2))
          .isInstanceOf(UnmarshalException.class);
      assertThat(first.calls()).isEqualTo(2);
      assertThat(second.calls()).isZero();
      assertThat(Nodes.next(client, target, 3)).as("a new call").isEqualTo(4);
    }
  }

  @Test
  public void callThatMayHaveLeftOverSocketsOfTheProgramsOwnIsExecutedOnce() throws Exception {
    try (Jvm both = Jvm.start(DoubtfulSocketsMain.class.getName())) {
      assertThat(both.everything())
          .containsExactly(
              "call returned 2",
              "call in doubt UnmarshalException",
              "call returned 2",
              "future in doubt UnmarshalException",
              "call returned 2",
              "calls 5");
    }
  }

  @Test
  public void objectOfAnEarlierNodeIsNotFoundInItsSuccessor() throws Exception {
    Callee first = Nodes.successor();
    TcpTechnology before = Wire.open(first);
    int port = FreePort.any();
    ObjectId target = Nodes.object(first, before.listen(port));
    before.close();

    Callee second = Nodes.successor();
    try (TcpTechnology after = Wire.open(second)) {
      after.listen(port);
      assertThatThrownBy(() -> Nodes.next(client, target, 1))
          .isInstanceOf(NoSuchObjectException.class);
      assertThat(second.calls()).isZero();
    }
  }

  @Test
  public void hostThatDoesNotAnswerIsGivenUpAfterTheConnectTimeout() throws Exception {
    List<Socket> waiting = new ArrayList<>();
    try (ServerSocket full = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        TcpTechnology hasty = Wire.open(Nodes.caller(), "karmi.connectTimeout", "700")) {
      SocketAddress address = full.getLocalSocketAddress();
      assumeTrue("connections wait for a place in the queue", isFull(address, waiting));
      TechnologyId way = new TechnologyId("tcp", "127.0.0.1:" + full.getLocalPort());
      ObjectId target = new ObjectId(NodeId.UNKNOWN, ObjectId.REGISTRY, way);
      assertThatThrownBy(() -> Nodes.next(hasty, target, 1))
          .isInstanceOf(RemoteException.class)
          .hasStackTraceContaining("did not answer in 700 ms");
    } finally {
      for (Socket each : waiting) {
        each.close();
      }
    }
  }

  /** Whether what is listened to answers no more, after some connections that are not accepted. */
  private static boolean isFull(SocketAddress address, List<Socket> waiting) throws IOException {
    int unanswered = 0;
    while (waiting.size() < 16 && unanswered < 2) {
      Socket socket = new Socket();
      waiting.add(socket);
      try {
        socket.connect(address, 2_000);
        unanswered = 0;
      } catch (SocketTimeoutException e) {
        unanswered++;
      }
    }
    return unanswered == 2;
  }

  @Test
  public void portInUseIsABindException() throws Exception {
    try (ServerSocket taken = new ServerSocket(0);
        TcpTechnology server = Wire.open(Nodes.successor())) {
      assertThatThrownBy(() -> server.listen(taken.getLocalPort()))
          .isInstanceOf(BindException.class);
    }
  }

  @Test
  public void aListenerThatIsReleasedBeforeItBeginsFreesItsPort() throws Exception {
    try (TcpTechnology server = Wire.open(Nodes.successor())) {
      int port = FreePort.any();
      io.karmi.id.TechnologyId endpoint = server.listenFromBegin(port);
      server.release(endpoint);
      new ServerSocket(port).close();
      server.begin(endpoint);
    }
  }

  @Test
  public void portIsFreeAfterItsLastRelease() throws Exception {
    try (TcpTechnology server = Wire.open(Nodes.successor())) {
      int port = FreePort.any();
      server.listen(port);
      io.karmi.id.TechnologyId again = server.listen(port);
      server.release(again);
      assertThatThrownBy(() -> new ServerSocket(port).close()).isInstanceOf(BindException.class);
      server.release(again);
      new ServerSocket(port).close();
    }
  }
}
