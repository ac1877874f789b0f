package io.karmi.tcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.karmi.contract.Callee;
import io.karmi.contract.Deadline;
import io.karmi.contract.FreePort;
import io.karmi.id.NodeId;
import io.karmi.id.ObjectId;
import io.karmi.id.TechnologyId;
import io.karmi.kit.Jvm;
import java.io.IOException;
import java.net.BindException;
import java.net.ServerSocket;
import java.rmi.NoSuchObjectException;
import java.rmi.RemoteException;
import java.rmi.UnmarshalException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.After;
import org.junit.Test;

/** Peers that die, hang, or come back as somebody else. */
public class LostPeerTest {
  private final TcpTechnology client = Wire.open(Wire.caller(), "karmi.callTimeout", "0");

  @After
  public void close() {
    client.close();
  }

  @Test
  public void successorAtTheSamePortIsCalledOverAFreshConnection() throws Exception {
    Callee first = Wire.successor();
    TcpTechnology before = Wire.open(first);
    int port = FreePort.any();
    before.listen(port);
    ObjectId target = Wire.anybody(client, port);
    assertThat(Wire.next(client, target, 1)).isEqualTo(2);
    before.close();
    long idle = System.nanoTime();
    Deadline.await("idle for 6 ms", () -> System.nanoTime() - idle > 6_000_000);

    Callee second = Wire.successor();
    try (TcpTechnology after = Wire.open(second)) {
      after.listen(port);
      assertThat(Wire.next(client, target, 2)).isEqualTo(3);
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
    Callee second = Wire.successor();
    try (TcpTechnology other = Wire.open(second)) {
      other.listen(ports[1]);
      TechnologyId either =
          new TechnologyId("tcp", "localhost:" + ports[0] + ",localhost:" + ports[1]);
      ObjectId target = new ObjectId(NodeId.UNKNOWN, ObjectId.REGISTRY, either);
      assertThat(Wire.next(client, target, 1)).isEqualTo(2);
      assertThatThrownBy(() -> Wire.next(client, target, 2)).isInstanceOf(UnmarshalException.class);
      assertThat(first.calls()).isEqualTo(2);
      assertThat(second.calls()).isZero();
      assertThat(Wire.next(client, target, 3)).as("a new call").isEqualTo(4);
    }
  }

  @Test
  public void objectOfAnEarlierNodeIsNotFoundInItsSuccessor() throws Exception {
    Callee first = Wire.successor();
    TcpTechnology before = Wire.open(first);
    int port = FreePort.any();
    ObjectId target = Wire.object(first, before.listen(port));
    before.close();

    Callee second = Wire.successor();
    try (TcpTechnology after = Wire.open(second)) {
      after.listen(port);
      assertThatThrownBy(() -> Wire.next(client, target, 1))
          .isInstanceOf(NoSuchObjectException.class);
      assertThat(second.calls()).isZero();
    }
  }

  @Test
  public void peerThatDiedAMomentAgoHasSurelyNotExecutedTheCall() throws Exception {
    for (int round = 0; round < 5; round++) {
      try (Jvm peer = Jvm.start(Successor.class.getName())) {
        int port = Integer.parseInt(peer.awaitLine("port "));
        ObjectId target = Wire.anybody(client, port);
        assertThat(Wire.next(client, target, 1)).isEqualTo(2);
        peer.kill();
        long idle = System.nanoTime();
        Deadline.await("idle for 6 ms", () -> System.nanoTime() - idle > 6_000_000);
        assertThatThrownBy(() -> Wire.next(client, target, 1))
            .as("not sent over the dead connection, but refused by a fresh one")
            .isInstanceOf(java.rmi.ConnectException.class);
      }
    }
  }

  @Test
  public void peerThatIsKilledDuringACallIsAnUnmarshalException() throws Exception {
    try (Jvm peer = Jvm.start(Hanging.class.getName())) {
      int port = Integer.parseInt(peer.awaitLine("port "));
      CountDownLatch inCall = new CountDownLatch(1);
      Thread killer =
          new Thread(
              () -> {
                try {
                  peer.awaitLine("called");
                  peer.kill();
                  inCall.countDown();
                } catch (InterruptedException e) {
                  throw new AssertionError(e);
                }
              });
      killer.start();
      assertThatThrownBy(() -> Wire.next(client, Wire.anybody(client, port), 1))
          .isInstanceOf(UnmarshalException.class);
      assertThat(inCall.await(20, TimeUnit.SECONDS)).isTrue();
    }
  }

  @Test
  public void peerThatHangsIsGivenUpAfterTheCallTimeout() throws Exception {
    CountDownLatch end = new CountDownLatch(1);
    Callee slow =
        new Callee(
            (call, in, out) -> {
              in.readInt();
              in.endArguments();
              end.await();
            });
    try (TcpTechnology server = Wire.open(slow);
        TcpTechnology impatient = Wire.open(Wire.caller(), "karmi.callTimeout", "200")) {
      ObjectId target = Wire.object(slow, server.listen(0));
      assertThatThrownBy(() -> Wire.next(impatient, target, 1))
          .isInstanceOf(RemoteException.class)
          .hasRootCauseInstanceOf(java.net.SocketTimeoutException.class);
    } finally {
      end.countDown();
    }
  }

  @Test
  public void idleConnectionsAreClosed() throws Exception {
    Callee node = Wire.successor();
    try (TcpTechnology server = Wire.open(node);
        TcpTechnology thrifty = Wire.open(Wire.caller(), "karmi.idleTimeout", "100")) {
      ObjectId target = Wire.object(node, server.listen(0));
      assertThat(Wire.next(thrifty, target, 1)).isEqualTo(2);
      Deadline.await(
          "the idle connection is closed", () -> server.connections().acceptedCount() == 0);
      assertThat(Wire.next(thrifty, target, 2)).as("over a new one").isEqualTo(3);
    }
  }

  @Test
  public void portInUseIsABindException() throws Exception {
    try (ServerSocket taken = new ServerSocket(0);
        TcpTechnology server = Wire.open(Wire.successor())) {
      assertThatThrownBy(() -> server.listen(taken.getLocalPort()))
          .isInstanceOf(BindException.class);
    }
  }

  @Test
  public void whoCallsBeforeTheExportIsMadeWaitsForIt() throws Exception {
    Callee node = Wire.successor();
    try (TcpTechnology server = Wire.open(node);
        TcpTechnology early = Wire.open(Wire.caller())) {
      io.karmi.id.TechnologyId endpoint = server.listenFromBegin(0);
      CompletableFuture<Integer> answer =
          CompletableFuture.supplyAsync(
              () -> {
                try {
                  return Wire.next(early, Wire.object(node, endpoint), 1);
                } catch (Exception e) {
                  throw new CompletionException(e);
                }
              });
      assertThatThrownBy(() -> answer.get(200, TimeUnit.MILLISECONDS))
          .isInstanceOf(TimeoutException.class);
      assertThat(server.connections().acceptedCount()).isZero();
      server.begin(endpoint);
      assertThat(answer.get(20, TimeUnit.SECONDS)).isEqualTo(2);
    }
  }

  @Test
  public void aListenerThatIsReleasedBeforeItBeginsFreesItsPort() throws Exception {
    try (TcpTechnology server = Wire.open(Wire.successor())) {
      int port = FreePort.any();
      io.karmi.id.TechnologyId endpoint = server.listenFromBegin(port);
      server.release(endpoint);
      new ServerSocket(port).close();
      server.begin(endpoint);
    }
  }

  @Test
  public void portIsFreeAfterItsLastRelease() throws Exception {
    try (TcpTechnology server = Wire.open(Wire.successor())) {
      int port = FreePort.any();
      server.listen(port);
      io.karmi.id.TechnologyId again = server.listen(port);
      server.release(again);
      assertThatThrownBy(() -> new ServerSocket(port).close()).isInstanceOf(BindException.class);
      server.release(again);
      new ServerSocket(port).close();
    }
  }

  /** A node that answers until it is killed. */
  public static final class Successor {
    private Successor() {}

    /** Prints its port. */
    public static void main(String[] arguments) throws Exception {
      System.out.println("port " + Wire.port(Wire.open(Wire.successor()).listen(0)));
      System.out.flush();
      new CountDownLatch(1).await(60, TimeUnit.SECONDS);
    }
  }

  /** A node that says when it is called, and never answers. */
  public static final class Hanging {
    private Hanging() {}

    /** Prints its port. */
    public static void main(String[] arguments) throws IOException {
      Callee node =
          new Callee(
              (call, in, out) -> {
                System.out.println("called");
                System.out.flush();
                new CountDownLatch(1).await(60, TimeUnit.SECONDS);
                System.exit(3);
              });
      System.out.println("port " + Wire.port(Wire.open(node).listen(0)));
      System.out.flush();
      try {
        new CountDownLatch(1).await(60, TimeUnit.SECONDS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
