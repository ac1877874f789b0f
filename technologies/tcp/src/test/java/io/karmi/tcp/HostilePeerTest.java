package io.karmi.tcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.karmi.connection.call.FrameHeader;
import io.karmi.connection.channel.Handshake;
import io.karmi.contract.Callee;
import io.karmi.contract.Nodes;
import io.karmi.id.NodeId;
import io.karmi.id.TechnologyId;
import io.karmi.kit.FreePort;
import io.karmi.technology.ForeignPeerException;
import io.karmi.uka.buffer.OutputBuffer;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.rmi.ConnectException;
import java.rmi.ConnectIOException;
import java.rmi.UnmarshalException;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.After;
import org.junit.Before;
import org.junit.Test;

/** Peers that send what no peer should send, or nothing. */
public class HostilePeerTest {
  private final Callee serverNode = Nodes.successor();
  private final Callee clientNode = Nodes.caller();
  private TcpTechnology server;
  private TcpTechnology client;
  private TechnologyId way;

  @Before
  public void open() throws IOException {
    server = Wire.open(serverNode);
    client = Wire.open(clientNode);
    way = server.listen(0);
  }

  @After
  public void close() {
    client.close();
    server.close();
  }

  @Test
  public void strangerIsDisconnectedAndOthersAreServed() throws Exception {
    Random random = new Random(42);
    for (int i = 0; i < 50; i++) {
      byte[] garbage = new byte[1 + random.nextInt(200)];
      random.nextBytes(garbage);
      try (Socket socket = Wire.connect(way)) {
        socket.getOutputStream().write(garbage);
        socket.shutdownOutput();
        assertDisconnected(socket);
      }
    }
    assertServes();
  }

  @Test
  public void halfAnIntroductionIsDisconnectedInTime() throws Exception {
    try (TcpTechnology hasty = Wire.open(serverNode, "karmi.handshakeTimeout", "500");
        Socket socket = Wire.connect(hasty.listen(0))) {
      socket.getOutputStream().write("KRM".getBytes(StandardCharsets.US_ASCII));
      assertDisconnected(socket);
    }
    assertServes();
  }

  @Test
  public void frameThatLiesAboutItsLengthIsDisconnectedWithoutAllocation() throws Exception {
    try (Socket socket = introduced()) {
      byte[] header = new byte[FrameHeader.HEADER_BYTES];
      FrameHeader.putHeader(header, 0, FrameHeader.CALL, FrameHeader.MAXIMUM_BODY);
      socket.getOutputStream().write(header);
      socket.getOutputStream().write(new byte[100]);
      socket.shutdownOutput();
      assertDisconnected(socket);
    }
    assertServes();
  }

  @Test
  public void framesOfUnknownKindsAreDisconnected() throws Exception {
    for (int first : new int[] {0, 4, 0x42, 0x81, 0xFF}) {
      try (Socket socket = introduced()) {
        socket.getOutputStream().write(new byte[] {(byte) first, 0, 0, 0});
        assertDisconnected(socket);
      }
    }
    assertServes();
  }

  @Test
  public void replyThatNobodyWaitsForIsDisconnected() throws Exception {
    try (Socket socket = introduced()) {
      socket.getOutputStream().write(new byte[] {FrameHeader.REPLY, 1, 0, 0, 0});
      assertDisconnected(socket);
    }
    assertServes();
  }

  @Test
  public void callOfAnInterfaceThatWasNotAnnouncedIsDisconnected() throws Exception {
    OutputBuffer call = new OutputBuffer(64);
    call.writeLong(Callee.OBJECT);
    call.writeVarInt(5);
    assertDisconnectedAfter(call);
    call.position = 8;
    call.writeVarInt(0);
    call.writeVarInt(Integer.MAX_VALUE);
    assertDisconnectedAfter(call);
    call.position = 9;
    call.writeVarInt(1);
    call.writeLong(1);
    call.writeVarInt(7);
    assertDisconnectedAfter(call);
    assertServes();
  }

  @Test
  public void randomCallsHarmNobody() throws Exception {
    Random random = new Random(7);
    for (int i = 0; i < 200; i++) {
      byte[] body = new byte[1 + random.nextInt(60)];
      random.nextBytes(body);
      try (Socket socket = introduced()) {
        byte[] header = new byte[FrameHeader.HEADER_BYTES];
        FrameHeader.putHeader(header, 0, FrameHeader.CALL, body.length);
        socket.getOutputStream().write(header);
        socket.getOutputStream().write(body);
        socket.shutdownOutput();
        assertDisconnected(socket);
      }
    }
    assertServes();
  }

  @Test
  public void whoClosesAtOnceIsForeign() throws Exception {
    try (ServerSocket stranger = listening(socket -> socket.close())) {
      assertThatThrownBy(() -> Nodes.next(client, Wire.anybody(client, stranger.getLocalPort()), 1))
          .isInstanceOf(ForeignPeerException.class);
    }
  }

  @Test
  public void whoClosesInsideItsIntroductionIsNot() throws Exception {
    byte[] beginning = "KRMI".getBytes(StandardCharsets.US_ASCII);
    try (ServerSocket cut =
        listening(
            socket -> {
              socket.getInputStream().readNBytes(4);
              socket.getOutputStream().write(beginning);
              socket.shutdownOutput();
              socket.getInputStream().transferTo(OutputStream.nullOutputStream());
              socket.close();
            })) {
      assertThatThrownBy(() -> Nodes.next(client, Wire.anybody(client, cut.getLocalPort()), 1))
          .isInstanceOf(ConnectIOException.class)
          .isNotInstanceOf(ForeignPeerException.class);
    }
  }

  @Test
  public void whoAnswersSomethingElseSpeaksNoRmi() throws Exception {
    byte[] greeting = "HTTP/1.1 400 Bad Request\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
    try (ServerSocket stranger =
        listening(
            socket -> {
              socket.getOutputStream().write(greeting);
              socket.close();
            })) {
      assertThatThrownBy(() -> Nodes.next(client, Wire.anybody(client, stranger.getLocalPort()), 1))
          .isInstanceOf(ConnectIOException.class)
          .isNotInstanceOf(ForeignPeerException.class);
    }
  }

  @Test
  public void whoSaysNothingIsGivenUpInTime() throws Exception {
    List<Socket> kept = new java.util.concurrent.CopyOnWriteArrayList<>();
    try (ServerSocket stranger = listening(kept::add);
        TcpTechnology hasty = Wire.open(clientNode, "karmi.handshakeTimeout", "500")) {
      assertThatThrownBy(() -> Nodes.next(hasty, Wire.anybody(hasty, stranger.getLocalPort()), 1))
          .isInstanceOf(ConnectIOException.class)
          .isNotInstanceOf(ForeignPeerException.class)
          .hasMessageContaining("500 ms");
    }
  }

  @Test
  public void whoClosesInsideTheReplyIsAnUnmarshalException() throws Exception {
    NodeId node = NodeId.random();
    try (ServerSocket stranger =
        listening(
            socket -> {
              Handshake.read(socket.getInputStream());
              new Handshake(node, List.of("uka")).write(socket.getOutputStream());
              assertThat(socket.getInputStream().read()).isEqualTo(FrameHeader.CALL);
              socket.getOutputStream().write(new byte[] {FrameHeader.REPLY, 5, 0, 0, 0, 1});
              socket.close();
            })) {
      assertThatThrownBy(() -> Nodes.next(client, Wire.anybody(client, stranger.getLocalPort()), 1))
          .isInstanceOf(UnmarshalException.class);
    }
  }

  @Test
  public void nobodyThereIsAConnectException() throws Exception {
    int free = FreePort.any();
    assertThatThrownBy(() -> Nodes.next(client, Wire.anybody(client, free), 1))
        .isInstanceOf(ConnectException.class)
        .hasMessageContaining("Connection refused to host: localhost");
  }

  private interface Stranger {
    void meet(Socket socket) throws IOException;
  }

  /** A server that does the given with each connection. */
  private static ServerSocket listening(Stranger stranger) throws IOException {
    ServerSocket listener = new ServerSocket(0, 50, InetAddress.getByName("localhost"));
    Thread thread =
        new Thread(
            () -> {
              try {
                for (; ; ) {
                  stranger.meet(listener.accept());
                }
              } catch (IOException e) {
                // the test has closed the listener
              }
            });
    thread.setDaemon(true);
    thread.start();
    return listener;
  }

  private Socket introduced() throws IOException {
    Socket socket = Wire.connect(way);
    OutputStream out = socket.getOutputStream();
    new Handshake(NodeId.random(), List.of("uka")).write(out);
    assertThat(Handshake.read(socket.getInputStream()).node).isEqualTo(serverNode.node());
    return socket;
  }

  private void assertDisconnectedAfter(OutputBuffer body) throws IOException {
    try (Socket socket = introduced()) {
      byte[] header = new byte[FrameHeader.HEADER_BYTES];
      FrameHeader.putHeader(header, 0, FrameHeader.CALL, body.position);
      socket.getOutputStream().write(header);
      socket.getOutputStream().write(Arrays.copyOf(body.bytes, body.position));
      socket.shutdownOutput();
      assertDisconnected(socket);
    }
  }

  /** Reads until the other end closes; a reset is as good. */
  private static void assertDisconnected(Socket socket) throws IOException {
    InputStream in = socket.getInputStream();
    try {
      while (in.read() >= 0) {
        // a reply that says what was wrong
      }
    } catch (java.net.SocketTimeoutException e) {
      throw new AssertionError("still connected", e);
    } catch (IOException e) {
      assertThat(e).hasMessageContaining("reset");
    }
  }

  private void assertServes() throws Exception {
    assertThat(Nodes.next(client, Nodes.object(serverNode, way), 41)).isEqualTo(42);
  }
}
