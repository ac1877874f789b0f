package io.karmi.hostile;

import static org.assertj.core.api.Assertions.assertThat;

import io.karmi.contract.hostile.Methods;
import io.karmi.contract.hostile.RawPeer;
import io.karmi.contract.hostile.SocketDoor;
import io.karmi.contract.hostile.WireBytes;
import io.karmi.kit.Jvm;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.Test;

/** No node can pass for another, neither as caller nor as callee. */
public class ImpostorTest {
  private static final String MAIN = Bank.class.getName();
  private static final long TRANSFER = Methods.hash("transfer()Z");

  private static long[] node(Jvm jvm) throws InterruptedException {
    String[] halves = jvm.awaitLine("node ").split(" ");
    return new long[] {Long.parseLong(halves[0]), Long.parseLong(halves[1])};
  }

  @Test
  public void callerWithTheNameOfAnotherIsNotCalledBackInItsPlace() throws Exception {
    try (Jvm registry = Jvm.start(MAIN, "registry")) {
      String names = registry.awaitLine("port ");
      try (Jvm bank = Jvm.start(MAIN, "bank", names)) {
        SocketDoor door = new SocketDoor(Integer.parseInt(bank.awaitLine("port ")));
        long object = Long.parseLong(bank.awaitLine("object "));
        assertOwnerIsAsked(names, door, object);
      }
    }
  }

  private static void assertOwnerIsAsked(String names, SocketDoor door, long object)
      throws Exception {
    try (Jvm owner = Jvm.start(MAIN, "owner", names)) {
      long[] claimed = node(owner);
      assertThat(owner.awaitLine("honest ")).isEqualTo("false");
      try (RawPeer impostor = RawPeer.introduced(door, claimed[0], claimed[1])) {
        impostor.message(RawPeer.CALL, impostor.request(object, TRANSFER).toArray());
        List<byte[]> bodies = new ArrayList<>();
        int kind = impostor.read(bodies);
        assertThat(kind).as("the impostor is asked").isEqualTo(RawPeer.REPLY);
        assertThat(bodies.get(0)).as("what the owner has said").containsExactly(0, 0);
      }
      assertThat(owner.ask("", "honest ")).isEqualTo("false");
      assertThat(owner.awaitLinesWith("asked", 3))
          .as("how often the owner was asked, before, by the impostor, and after")
          .hasSize(3);
    }
  }

  @Test
  public void calleeWithTheNameOfAnotherGetsNoneOfItsCalls() throws Exception {
    try (Jvm registry = Jvm.start(MAIN, "registry")) {
      String names = registry.awaitLine("port ");
      try (Jvm bank = Jvm.start(MAIN, "bank", names)) {
        assertBankIsAsked(names, node(bank));
      }
    }
  }

  private static void assertBankIsAsked(String names, long[] claimed) throws Exception {
    try (Impostor impostor = new Impostor(claimed);
        Jvm customer = Jvm.start("-Dkarmi.idleTimeout=300", MAIN, "customer", names)) {
      assertThat(customer.awaitLine("balance ")).isEqualTo("100");
      for (int i = 0; i < 4; i++) {
        customer.ask("" + impostor.port(), "names ");
        Thread.sleep(700); // not awaited: the idle connection to the bank is closed meanwhile
        assertThat(customer.ask("", "balance ")).isEqualTo("100");
      }
      assertThat(impostor.objectsCalled)
          .as("objects that the impostor was asked for")
          .isNotEmpty()
          .containsOnly(Methods.REGISTRY);
    }
  }

  /** A server that says it is another node, and answers all calls. */
  private static final class Impostor implements AutoCloseable {
    final List<Long> objectsCalled = new CopyOnWriteArrayList<>();
    private final ServerSocket listening =
        new ServerSocket(0, 50, InetAddress.getByName("127.0.0.1"));
    private final long[] claimed;

    Impostor(long[] claimed) throws IOException {
      this.claimed = claimed;
      start(this::acceptAll);
    }

    int port() {
      return listening.getLocalPort();
    }

    private static void start(Runnable work) {
      Thread thread = new Thread(work, "impostor");
      thread.setDaemon(true);
      thread.start();
    }

    private void acceptAll() {
      try {
        while (true) {
          Socket socket = listening.accept();
          start(() -> serve(socket));
        }
      } catch (IOException e) {
        return; // the test is over
      }
    }

    private void serve(Socket socket) {
      try (RawPeer peer = RawPeer.accepted(SocketDoor.channel(socket))) {
        peer.readHello();
        peer.send(RawPeer.hello(claimed[0], claimed[1], "uka"));
        while (true) {
          List<byte[]> bodies = new ArrayList<>();
          peer.read(bodies);
          objectsCalled.add(number(bodies.get(0)));
          peer.message(RawPeer.REPLY, new WireBytes().u8(RawPeer.RETURNED).int32(666).toArray());
        }
      } catch (IOException e) {
        return; // the client has gone
      }
    }

    private static long number(byte[] request) {
      long number = 0;
      for (int i = Long.BYTES - 1; i >= 0; i--) {
        number = number << Byte.SIZE | request[i] & 0xFF;
      }
      return number;
    }

    @Override
    public void close() throws IOException {
      listening.close();
    }
  }
}
