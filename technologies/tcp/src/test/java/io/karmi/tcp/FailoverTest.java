package io.karmi.tcp;

import static org.assertj.core.api.Assertions.assertThat;

import io.karmi.contract.Callee;
import io.karmi.contract.Nodes;
import io.karmi.id.NodeId;
import io.karmi.id.ObjectId;
import io.karmi.id.TechnologyId;
import io.karmi.kit.Deadline;
import io.karmi.kit.FreePort;
import io.karmi.marshal.Arguments;
import io.karmi.marshal.CallOutput;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.Test;

/** A node with several addresses, one of which has stopped answering. */
public class FailoverTest {
  private static final int CALLERS = 4;

  /**
   * The silent address is given up after that. A process may stand still for some seconds, and the
   * other address must not be given up then.
   */
  private static final String HANDSHAKE_MILLIS = "5000";

  /** Takes connections and says nothing; counts them. */
  private static final class Silent implements AutoCloseable {
    final ServerSocket listening;
    final AtomicInteger dialled = new AtomicInteger();
    private final List<Socket> taken = new ArrayList<>();

    Silent(String host, int port) throws IOException {
      listening = new ServerSocket(port, 50, InetAddress.getByName(host));
      Thread thread = new Thread(this::take, "silent");
      thread.setDaemon(true);
      thread.start();
    }

    private void take() {
      try {
        while (true) {
          taken.add(listening.accept());
          dialled.incrementAndGet();
        }
      } catch (IOException e) {
        return; // closed
      }
    }

    @Override
    public void close() throws IOException {
      listening.close();
    }
  }

  /** Calls from several threads at once, each over a connection of its own. */
  private static void callAtOnce(
      TcpTechnology client, ObjectId target, AtomicReference<CountDownLatch> together)
      throws Exception {
    together.set(new CountDownLatch(CALLERS));
    ExecutorService callers = Executors.newFixedThreadPool(CALLERS);
    try {
      List<Future<Integer>> all = new ArrayList<>();
      for (int i = 0; i < CALLERS; i++) {
        all.add(callers.submit(() -> Nodes.next(client, target, 1)));
      }
      for (Future<Integer> each : all) {
        assertThat(each.get(60, TimeUnit.SECONDS)).isEqualTo(2);
      }
    } finally {
      callers.shutdownNow();
    }
  }

  @Test
  public void onlyOneConnectionWaitsForAnAddressThatDoesNotAnswer() throws Exception {
    AtomicReference<CountDownLatch> together = new AtomicReference<>(new CountDownLatch(1));
    Callee node =
        Nodes.successorAfter(
            () -> {
              together.get().countDown();
              if (!together.get().await(60, TimeUnit.SECONDS)) {
                throw new IllegalStateException("callers are missing");
              }
            });
    try (Silent silent = new Silent("127.0.0.1", 0);
        TcpTechnology server = Wire.open(node);
        TcpTechnology client =
            Wire.open(Nodes.caller(), "karmi.handshakeTimeout", HANDSHAKE_MILLIS)) {
      String address =
          "127.0.0.1:"
              + silent.listening.getLocalPort()
              + ",127.0.0.1:"
              + Wire.port(server.listen(0));
      ObjectId target = Nodes.object(node, new TechnologyId(Tcp.NAME, address));
      assertThat(Nodes.next(client, target, 1)).isEqualTo(2);
      assertThat(silent.dialled).as("the first address is tried first").hasValue(1);
      callAtOnce(client, target, together);
      assertThat(client.counters()).containsEntry("connectionsOpened", (long) CALLERS);
      assertThat(silent.dialled).as("and never again while another answers").hasValue(1);
    }
  }

  @Test
  public void callsGoOnWhenTheAddressThatHasAnsweredDies() throws Exception {
    Callee node = Nodes.successor();
    int firstPort = FreePort.any();
    try (TcpTechnology first = Wire.open(node);
        TcpTechnology second = Wire.open(node);
        TcpTechnology client =
            Wire.open(Nodes.caller(), "karmi.handshakeTimeout", HANDSHAKE_MILLIS)) {
      int secondPort = Wire.port(second.listen(0));
      String address = "127.0.0.1:" + firstPort + ",127.0.0.2:" + secondPort;
      ObjectId target = Nodes.object(node, new TechnologyId(Tcp.NAME, address));
      assertThat(Nodes.next(client, target, 1)).as("by the second address").isEqualTo(2);
      first.listen(firstPort);
      assertThat(Nodes.next(client, target, 2)).isEqualTo(3);
      assertThat(accepted(first)).as("the one that has answered is preferred").isZero();
      kill(second, client);
      try (Silent silent = new Silent("127.0.0.2", secondPort)) {
        for (int i = 0; i < 20; i++) {
          assertThat(Nodes.next(client, target, i)).isEqualTo(i + 1);
        }
        assertThat(accepted(first)).isEqualTo(1);
        callAtOnce(client, target, new AtomicReference<>());
        assertThat(silent.dialled).as("tried once, and not again").hasValue(1);
      }
    }
  }

  /** Whether a call over a connection that ends just then was executed would be in doubt. */
  private static void kill(TcpTechnology server, TcpTechnology client) throws InterruptedException {
    server.close();
    Deadline.await(
        "the client knows that its connection is dead",
        () -> client.counters().getOrDefault("connectionsOpened", 0L) == 0);
  }

  private static long accepted(TcpTechnology technology) {
    return technology.counters().getOrDefault("connectionsAccepted", 0L);
  }

  @Test
  public void callsGoOnWhenTheAddressDiesWhereTheNodeWasFound() throws Exception {
    IdleConnectionsTest.Sent named = new IdleConnectionsTest.Sent();
    Callee node =
        new Callee(
            (call, in, out) -> {
              int value = in.readInt();
              in.endArguments();
              out.beginResult();
              if (call.objectNumber() == ObjectId.REGISTRY) {
                out.writeObject(named);
              } else {
                out.writeInt(value + 1);
              }
            });
    try (TcpTechnology first = Wire.open(node);
        TcpTechnology second = Wire.open(node);
        TcpTechnology client = Wire.open(Nodes.caller())) {
      int port = Wire.port(first.listen(0));
      named.object = Nodes.object(node, new TechnologyId(Tcp.NAME, "127.0.0.1:" + port));
      TechnologyId where = client.locate("127.0.0.2", Wire.port(second.listen(0)));
      ObjectId registry = new ObjectId(NodeId.UNKNOWN, ObjectId.REGISTRY, where);
      ObjectId found =
          ((IdleConnectionsTest.Sent)
                  client.objectApplicationCall(registry, Callee.METHODS, 0, ZERO, null))
              .object;
      assertThat(Nodes.next(client, found, 1)).isEqualTo(2);
      assertThat(accepted(first)).as("called where it was found").isZero();
      kill(second, client);
      for (int i = 0; i < 20; i++) {
        assertThat(Nodes.next(client, found, i)).isEqualTo(i + 1);
      }
      assertThat(accepted(first)).as("called where its reference says").isEqualTo(1);
    }
  }

  private static final Arguments ZERO =
      new Arguments() {
        @Override
        public void marshal(CallOutput out) throws IOException {
          out.writeInt(0);
        }
      };
}
