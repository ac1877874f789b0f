package io.karmi.tcp;

import static org.assertj.core.api.Assertions.assertThat;

import io.karmi.contract.Callee;
import io.karmi.contract.Nodes;
import io.karmi.id.ObjectId;
import io.karmi.id.TechnologyId;
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

/** A node with several addresses, the first of which has stopped answering. */
public class FailoverTest {
  private static final int CALLERS = 4;

  /** Takes connections and says nothing; counts them. */
  private static final class Silent implements AutoCloseable {
    final ServerSocket listening = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    final AtomicInteger dialled = new AtomicInteger();
    private final List<Socket> taken = new ArrayList<>();

    Silent() throws IOException {
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
    try (Silent silent = new Silent();
        TcpTechnology server = Wire.open(node);
        TcpTechnology client = Wire.open(Nodes.caller(), "karmi.handshakeTimeout", "1000")) {
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
}
