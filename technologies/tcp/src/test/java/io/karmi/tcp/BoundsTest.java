package io.karmi.tcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.karmi.connection.call.FrameHeader;
import io.karmi.connection.channel.Handshake;
import io.karmi.connection.guard.Slot;
import io.karmi.contract.Callee;
import io.karmi.contract.Nodes;
import io.karmi.contract.hostile.RawPeer;
import io.karmi.contract.hostile.SocketDoor;
import io.karmi.id.NodeId;
import io.karmi.id.ObjectId;
import io.karmi.id.TechnologyId;
import io.karmi.kit.Deadline;
import io.karmi.kit.KeptLog;
import io.karmi.marshal.Arguments;
import io.karmi.marshal.CallOutput;
import io.karmi.technology.Technology;
import io.karmi.uka.buffer.OutputBuffer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.rmi.ConnectIOException;
import java.rmi.MarshalException;
import java.rmi.UnmarshalException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.logging.Level;
import org.junit.After;
import org.junit.Test;

/** What one peer can make a node spend, and for how long one waits for another. */
public class BoundsTest {
  private final TcpTechnology client = Wire.open(Nodes.caller());

  @After
  public void close() {
    client.close();
  }

  @Test
  public void connectionsThatAreBeingOpenedCountAndGiveWay() throws Exception {
    Callee node = Nodes.successor();
    try (TcpTechnology server =
        Wire.open(node, "karmi.maxConnections", "3", "karmi.handshakeTimeout", "600000")) {
      ObjectId target = Nodes.object(node, server.listen(0));
      List<Socket> silent = new ArrayList<>();
      for (int i = 0; i < 3; i++) {
        silent.add(Wire.connect(target.technology(0)));
      }
      Deadline.await("all are there", () -> server.limit().present() == 3);
      Deadline.await("one gives way", () -> isServed(target));
      assertThat(server.limit().present()).isEqualTo(3);
      byte[] told = silent.get(0).getInputStream().readAllBytes();
      assertThat(new String(told, StandardCharsets.UTF_8))
          .as("the oldest is told why, and closed")
          .contains("karmi.maxConnections");
      for (Socket each : silent) {
        each.close();
      }
      Deadline.await("they are gone", () -> server.limit().present() == 1);
    }
  }

  @Test
  public void silentConnectionsGiveWayAfterTheHandshakeTimeout() throws Exception {
    Callee node = Nodes.successor();
    try (TcpTechnology server =
            Wire.open(node, "karmi.maxConnections", "1", "karmi.handshakeTimeout", "100");
        Socket silent = Wire.connect(server.listen(0))) {
      Deadline.await("it is closed", () -> isAtEnd(silent) && server.limit().present() == 0);
      ObjectId target = Nodes.object(node, server.listen(0));
      Deadline.await("an introduction comes in time, and is served", () -> isServed(target));
    }
  }

  private boolean isServed(ObjectId target) throws Exception {
    try {
      return Nodes.next(client, target, 1) == 2;
    } catch (ConnectIOException e) {
      return false;
    }
  }

  private static boolean isAtEnd(Socket socket) {
    try {
      return socket.getInputStream().read() < 0;
    } catch (IOException e) {
      return true;
    }
  }

  @Test
  public void messageThatBecomesTooLongEndsItsConnectionOnly() throws Exception {
    Callee echo = echo();
    try (TcpTechnology server = Wire.open(echo, "karmi.maxMessageBytes", "1000000")) {
      ObjectId target = Nodes.object(echo, server.listen(0));
      assertThat(echo(client, target, new byte[900_000])).isEqualTo(new byte[900_000]);
      try (KeptLog log = new KeptLog("io.karmi.connection", Level.WARNING)) {
        assertThatThrownBy(() -> echo(client, target, new byte[50_000_000]))
            .isInstanceOf(MarshalException.class)
            .hasMessageContaining("karmi.maxMessageBytes there, and its log");
        Deadline.await("its log says why", () -> !log.lines().isEmpty());
        assertThat(log.lines())
            .allMatch(line -> line.contains("1000000 bytes (karmi.maxMessageBytes)"));
      }
      assertThat(echo(client, target, new byte[900_000])).isEqualTo(new byte[900_000]);
      Deadline.await("one connection is left", () -> server.limit().present() == 1);
    }
  }

  @Test
  public void replyThatBecomesTooLongIsAnUnmarshalException() throws Exception {
    Callee echo = echo();
    try (TcpTechnology server = Wire.open(echo);
        TcpTechnology modest = Wire.open(Nodes.caller(), "karmi.maxMessageBytes", "1000")) {
      ObjectId target = Nodes.object(echo, server.listen(0));
      assertThatThrownBy(() -> echo(modest, target, new byte[2000]))
          .isInstanceOf(UnmarshalException.class)
          .hasRootCauseMessage("a message of more than 1000 bytes (karmi.maxMessageBytes)");
    }
  }

  @Test
  public void connectionOnWhichNothingComesIsClosed() throws Exception {
    Callee node = Nodes.successor();
    try (TcpTechnology server = Wire.open(node, "karmi.readTimeout", "300")) {
      ObjectId target = Nodes.object(node, server.listen(0));
      try (Socket idle = introduced(target);
          Socket half = introduced(target)) {
        half.getOutputStream().write(new byte[] {FrameHeader.CALL, 100, 0, 0, 1});
        Deadline.await("both are closed", () -> server.limit().present() == 0);
        assertThat(isAtEnd(idle)).isTrue();
        assertThat(isAtEnd(half)).isTrue();
      }
      assertThat(node.calls()).isZero();
    }
  }

  @Test
  public void halfAMessageIsGivenUpLongBeforeTheReadTimeout() throws Exception {
    Callee node = Nodes.successor();
    try (TcpTechnology server = Wire.open(node, "karmi.messageTimeout", "300")) {
      ObjectId target = Nodes.object(node, server.listen(0));
      try (Socket idle = introduced(target);
          Socket half = introduced(target)) {
        half.getOutputStream().write(new byte[] {FrameHeader.CALL, 100, 0, 0, 1});
        Deadline.await("one is closed", () -> server.limit().present() == 1);
        assertThat(isAtEnd(half)).isTrue();
        assertThat(idle.isClosed()).isFalse();
      }
      assertThat(node.calls()).isZero();
    }
  }

  @Test
  public void whoDoesNotReadHisReplyIsNotWaitedFor() throws Exception {
    Callee generous =
        new Callee(
            (call, in, out) -> {
              in.endArguments();
              out.beginResult();
              out.writeObject(new byte[64 << 20]);
            });
    try (TcpTechnology server = Wire.open(generous, "karmi.writeTimeout", "300")) {
      ObjectId target = Nodes.object(generous, server.listen(0));
      try (Socket stubborn = introduced(target)) {
        OutputBuffer call = new OutputBuffer(64);
        call.writeLong(Callee.OBJECT);
        call.writeVarInt(0);
        call.writeVarInt(1);
        call.writeLong(1);
        call.writeVarInt(0);
        byte[] header = new byte[FrameHeader.HEADER_BYTES];
        FrameHeader.putHeader(header, 0, FrameHeader.CALL, call.position);
        stubborn.getOutputStream().write(header);
        stubborn.getOutputStream().write(call.bytes, 0, call.position);
        Deadline.await("it is called", () -> generous.calls() == 1);
        Deadline.await("its connection is closed", () -> server.limit().present() == 0);
      }
    }
  }

  @Test
  public void calleeThatTakesNothingOfARequestIsNotWaitedForEvenWithoutSignsOfLife()
      throws Exception {
    InetAddress host = InetAddress.getByName("localhost");
    try (ServerSocket listening = new ServerSocket(0, 1, host);
        TcpTechnology hasty = Wire.open(Nodes.caller(), "karmi.writeTimeout", "300")) {
      FutureTask<RawPeer> deaf = new FutureTask<>(() -> introducedAt(listening));
      new Thread(deaf).start();
      ObjectId target = Wire.anybody(hasty, listening.getLocalPort());
      FutureTask<Object> call = new FutureTask<>(() -> echo(hasty, target, new byte[64 << 20]));
      new Thread(call).start();
      assertThatThrownBy(() -> call.get(60, TimeUnit.SECONDS))
          .cause()
          .isInstanceOf(MarshalException.class)
          .hasMessageContaining("call to " + host.getHostAddress())
          .hasMessageContaining("nothing taken for 300 ms (karmi.writeTimeout)")
          .hasMessageContaining("has not been executed");
      assertThat(hasty.counters()).containsEntry("connectionsOpened", 0L);
      deaf.get(60, TimeUnit.SECONDS).close();
    }
  }

  /** A node that says that it gives no signs of life, and reads no call. */
  private static RawPeer introducedAt(ServerSocket listening) throws IOException {
    RawPeer peer = RawPeer.accepted(SocketDoor.channel(listening.accept()));
    peer.readHello();
    peer.send(RawPeer.hello(1, 2, "uka"));
    return peer;
  }

  @Test
  public void peerThatDescribesTooManyTypesIsToldToBeginAfresh() throws Exception {
    Callee taking =
        new Callee(
            (call, in, out) -> {
              int count = ((Object[]) in.readObject()).length;
              in.endArguments();
              out.beginResult();
              out.writeInt(count);
            });
    try (TcpTechnology server = Wire.open(taking)) {
      ObjectId target = Nodes.object(taking, server.listen(0));
      assertThat(flagsOfReplyTo(target, 9_000) & FrameHeader.RENEW).isZero();
      assertThat(flagsOfReplyTo(target, 11_000) & FrameHeader.RENEW).isNotZero();
    }
  }

  /** Sends an array of classes, each described anew. */
  private static int flagsOfReplyTo(ObjectId target, int types) throws IOException {
    try (Socket peer = introduced(target)) {
      OutputBuffer call = new OutputBuffer(100_000);
      call.writeLong(Callee.OBJECT);
      call.writeVarInt(0);
      call.writeVarInt(1);
      call.writeLong(1);
      call.writeVarInt(0);
      call.writeBytes(new byte[] {5, 1, (byte) (0x80 + 19), 0x0B, 0}, 0, 5);
      call.writeVarInt(types);
      for (int i = 0; i < types; i++) {
        call.writeBytes(new byte[] {6, 1, (byte) (0x80 + 11 + i % 7), 0x0B, 0}, 0, 5);
      }
      byte[] header = new byte[FrameHeader.HEADER_BYTES];
      FrameHeader.putHeader(header, 0, FrameHeader.CALL, call.position);
      peer.getOutputStream().write(header);
      peer.getOutputStream().write(call.bytes, 0, call.position);
      byte[] reply = peer.getInputStream().readNBytes(FrameHeader.HEADER_BYTES + 5);
      assertThat(reply[FrameHeader.HEADER_BYTES]).as("outcome").isZero();
      return reply[0];
    }
  }

  @Test
  public void oneHostLeavesRoomForOthers() throws Exception {
    CountDownLatch running = new CountDownLatch(14);
    CountDownLatch over = new CountDownLatch(1);
    Callee node =
        Nodes.successorAfter(
            () -> {
              running.countDown();
              over.await();
            });
    List<RawPeer> greedy = new ArrayList<>();
    try (TcpTechnology server = Wire.open(node, "karmi.maxConnections", "16")) {
      TechnologyId way = server.listen(0);
      ObjectId target = Nodes.object(node, way);
      for (int i = 0; i < 14; i++) {
        greedy.add(RawPeer.introduced(new SocketDoor(Wire.port(way)), 1, i));
        byte[] call = greedy.get(i).request(Callee.OBJECT, 7).int32(1).toArray();
        greedy.get(i).message(RawPeer.CALL, call);
      }
      assertThat(running.await(60, TimeUnit.SECONDS)).as("their calls are executed").isTrue();
      assertThatThrownBy(() -> Nodes.next(client, loopback(target), 1))
          .isInstanceOf(ConnectIOException.class)
          .hasMessageContaining("maximum of 14 for one host (karmi.maxConnectionsPerHost)");
      SocketArrival other =
          new SocketArrival(new Socket(), InetAddress.getByName("192.0.2.1"), false);
      Slot slot = server.limit().enter(other);
      assertThat(slot).as("another host's").isNotNull();
      slot.giveBack();
      over.countDown();
      for (RawPeer each : greedy) {
        each.close();
      }
      Deadline.await("they are gone", () -> server.limit().present() == 0);
      assertThat(Nodes.next(client, loopback(target), 1)).isEqualTo(2);
    } finally {
      over.countDown();
    }
  }

  private static ObjectId loopback(ObjectId target) {
    String address = "localhost:" + Wire.port(target.technology(0));
    return new ObjectId(
        target.node(), target.number(), new io.karmi.id.TechnologyId("tcp", address));
  }

  @Test
  public void longCallOutlastsTheReadTimeout() throws Exception {
    CountDownLatch end = new CountDownLatch(1);
    Callee slow = slow(new CountDownLatch(1), end);
    try (TcpTechnology server = Wire.open(slow, "karmi.readTimeout", "1000")) {
      ObjectId target = Nodes.object(slow, server.listen(0));
      FutureTask<Integer> call = new FutureTask<>(() -> Nodes.next(client, target, 1));
      new Thread(call).start();
      assertThatThrownBy(() -> call.get(4, TimeUnit.SECONDS))
          .isInstanceOf(java.util.concurrent.TimeoutException.class);
      end.countDown();
      assertThat(call.get(20, TimeUnit.SECONDS)).isEqualTo(2);
    }
  }

  /** Adds one, once it may. */
  private static Callee slow(CountDownLatch called, CountDownLatch end) {
    return new Callee(
        (call, in, out) -> {
          int value = in.readInt();
          in.endArguments();
          called.countDown();
          if (!end.await(60, TimeUnit.SECONDS)) {
            throw new IllegalStateException("the test has forgotten this call");
          }
          out.beginResult();
          out.writeInt(value + 1);
        });
  }

  private static Callee echo() {
    return new Callee(
        (call, in, out) -> {
          Object value = in.readObject();
          in.endArguments();
          out.beginResult();
          out.writeObject(value);
        });
  }

  private static Object echo(Technology from, ObjectId target, Object value) throws Exception {
    Arguments one =
        new Arguments() {
          @Override
          public void marshal(CallOutput out) throws IOException {
            out.writeObject(value);
          }
        };
    return from.objectApplicationCall(target, Callee.METHODS, 0, one, Wire.LOADER);
  }

  private static Socket introduced(ObjectId target) throws IOException {
    Socket socket = Wire.connect(target.technology(0));
    new Handshake(NodeId.random(), List.of("uka")).write(socket.getOutputStream());
    assertThat(Handshake.read(socket.getInputStream()).node).isEqualTo(target.node());
    return socket;
  }
}
