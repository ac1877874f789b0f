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
import io.karmi.rmi.LocateRegistry;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.rmi.Remote;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.After;
import org.junit.Test;

/** Owners that introduce themselves, and then do not answer the collectors of those who hold. */
public class HangingOwnersTest {
  /** More than a node has threads for messages to owners. */
  private static final int OWNERS = 40;

  /** What an owner grants; it is told again after half of it. */
  private static final long SHORT_MILLIS = 200;

  private static final int RENEWALS = 20;
  private static final String[] REMOTE = {"java.rmi.Remote"};
  private static final long BIND = Methods.hash("bind(Ljava/lang/String;Ljava/rmi/Remote;)V");

  /** Time in which owners are told of their references, and much more. */
  private static final int MOST_SECONDS = 40;

  private final List<Owner> owners = new ArrayList<>();

  /** Owns an object, and is the registry that names it. */
  private static final class Owner implements AutoCloseable {
    final AtomicInteger told = new AtomicInteger();
    private final ServingPort serving;
    private final long[] node;
    private final int answers;

    /**
     * @param answers how many messages of collectors it answers
     */
    Owner(long number, int answers) throws IOException {
      node = new long[] {4711, number};
      this.answers = answers;
      serving = new ServingPort(this::serve);
    }

    int port() {
      return serving.port();
    }

    WireBytes stub() {
      return Forged.stub(REMOTE, node, 5L << 32, "127.0.0.1:" + port());
    }

    private void serve(Socket socket) throws IOException {
      try (RawPeer peer = RawPeer.accepted(SocketDoor.channel(socket))) {
        socket.setSoTimeout(0); // it waits for longer than the node
        peer.readHello();
        peer.send(RawPeer.hello(node[0], node[1], "uka"));
        while (true) {
          List<byte[]> bodies = new ArrayList<>();
          if (peer.read(bodies) == RawPeer.CALL) {
            answer(peer, bodies.get(0)[0]);
          }
        }
      }
    }

    private void answer(RawPeer peer, long object) throws IOException {
      WireBytes reply = new WireBytes().u8(RawPeer.RETURNED);
      if (object == Methods.REGISTRY) {
        peer.message(RawPeer.REPLY, reply.raw(stub()).toArray());
      } else if (told.incrementAndGet() <= answers) {
        peer.message(RawPeer.REPLY, reply.int64(SHORT_MILLIS).toArray());
      }
    }

    @Override
    public void close() throws IOException {
      serving.close();
    }
  }

  private Owner owner(int answers) throws IOException {
    Owner owner = new Owner(owners.size(), answers);
    owners.add(owner);
    return owner;
  }

  @After
  public void end() throws IOException {
    for (Owner each : owners) {
      each.close();
    }
  }

  @Test
  public void leasesOfOthersAreRenewedMeanwhile() throws Exception {
    try (Jvm node = Jvm.start("-Dkarmi.technologies=tcp", Besieged.class.getName())) {
      int port = Integer.parseInt(node.awaitLine("port "));
      Owner honest = owner(Integer.MAX_VALUE);
      bind(port, honest);
      for (int i = 0; i < OWNERS; i++) {
        bind(port, owner(1));
      }
      Deadline.await("many do not answer", () -> hanging() > OWNERS / 2);
      int before = honest.told.get();
      Deadline.await("the honest one is told", () -> honest.told.get() > before + RENEWALS);
    }
  }

  private long hanging() {
    return owners.stream().filter(each -> each.answers == 1 && each.told.get() > 1).count();
  }

  private static void bind(int port, Owner owner) throws IOException {
    try (RawPeer peer = RawPeer.introduced(new SocketDoor(port), 1, 2, 0, 0, "uka")) {
      WireBytes call = peer.request(Methods.REGISTRY, BIND);
      String name = "name-" + owner.port();
      call.u8(0x03).number(name.length()).raw(name.getBytes(StandardCharsets.US_ASCII));
      peer.message(RawPeer.CALL, call.raw(owner.stub()).toArray());
      assertThat(peer.reply()[0]).isEqualTo((byte) RawPeer.RETURNED);
    }
  }

  /** The owner is told over the connection of the call, which has answered that. */
  @Test
  public void callersGoOnAfterAWhile() throws Exception {
    Owner owner = owner(0);
    Callable<Remote> lookup =
        () -> LocateRegistry.getRegistry("127.0.0.1", owner.port()).lookup("any");
    List<FutureTask<Remote>> callers = List.of(new FutureTask<>(lookup), new FutureTask<>(lookup));
    for (FutureTask<Remote> each : callers) {
      new Thread(each, "caller").start();
    }
    for (FutureTask<Remote> each : callers) {
      assertThat(each.get(MOST_SECONDS, TimeUnit.SECONDS)).isNotNull();
    }
    assertThat(owner.told.get()).isPositive();
  }
}
