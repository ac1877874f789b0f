package io.karmi.hostile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.karmi.contract.hostile.RawPeer;
import io.karmi.contract.hostile.SocketDoor;
import io.karmi.kit.Certificates;
import io.karmi.kit.Jvm;
import java.io.IOException;
import java.io.StreamCorruptedException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.BeforeClass;
import org.junit.ClassRule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** A program's own {@code RMISocketFactory} together with {@code karmi.tls}. */
public class OwnTlsSocketsTest {
  @ClassRule public static final TemporaryFolder FOLDER = new TemporaryFolder();

  private static final String MAIN = OwnTlsSocketsMain.class.getName();
  private static final int TLS_HANDSHAKE = 0x16;

  /** What a client of JRMP says first, and what a server that speaks it answers. */
  private static final byte[] JRMP = {'J', 'R', 'M', 'I', 0, 2, 0x4B};

  private static final int PROTOCOL_ACK = 0x4E;

  private static String tls;

  @BeforeClass
  public static void makeCertificate() throws Exception {
    Certificates certificates = new Certificates(FOLDER.getRoot().toPath());
    certificates.make("node");
    tls = "-Dkarmi.tls=" + certificates.node("node", "node");
  }

  @Test
  public void callsGoThroughTheProgramsSocketsAndNeverInClear() throws Exception {
    try (Jvm server = Jvm.start(tls, MAIN, "serve")) {
      String port = server.awaitLine("port ");
      try (Jvm client = Jvm.start(tls, MAIN, "call", port)) {
        assertThat(client.awaitLine("outcome ")).isEqualTo(OwnTlsSocketsMain.SECRET);
        for (Jvm each : new Jvm[] {client, server}) {
          String[] seen = each.ask("seen", "seen ").split(" streams, ");
          assertThat(Integer.parseInt(seen[0])).as("streams of the program's sockets").isPositive();
          assertThat(seen[1]).isEqualTo("0 in clear, 0 with the secret");
        }
      }
    }
  }

  @Test
  public void clearCallsAreNotAccepted() throws Exception {
    try (Jvm server = Jvm.start(tls, MAIN, "serve")) {
      int port = Integer.parseInt(server.awaitLine("port "));
      assertThat(server.awaitLine("filtered "))
          .as("an export by way of stock RMI, whose sockets would be clear")
          .contains("karmi.tls");
      assertThatThrownBy(() -> RawPeer.introduced(new SocketDoor(port), 1, 2))
          .isInstanceOf(StreamCorruptedException.class)
          .hasMessageContaining("requires TLS");
      assertThat(answerTo(port, JRMP)).as("answer to JRMP").isNotEqualTo(PROTOCOL_ACK);
      try (Jvm clear = Jvm.start(MAIN, "call", String.valueOf(port))) {
        assertThat(clear.awaitLine("outcome ")).contains("requires TLS");
      }
      assertThat(server.ask("calls", "calls ")).isEqualTo("0");
    }
  }

  /** The first byte that the node answers; negative if it closes the connection. */
  private static int answerTo(int port, byte[] said) throws IOException {
    try (Socket socket = new Socket(InetAddress.getByName("127.0.0.1"), port)) {
      socket.setSoTimeout(60_000);
      socket.getOutputStream().write(said);
      socket.shutdownOutput();
      return socket.getInputStream().read();
    } catch (java.net.SocketException e) {
      return -1;
    }
  }

  @Test
  public void callsOfCalleesInClearAreNotMade() throws Exception {
    try (ServerSocket listening = new ServerSocket(0, 10, InetAddress.getByName("127.0.0.1"))) {
      FutureTask<byte[]> heard =
          new FutureTask<>(
              () -> {
                try (Socket socket = listening.accept()) {
                  byte[] first = socket.getInputStream().readNBytes(1);
                  socket.getOutputStream().write(RawPeer.hello(1, 2, "uka"));
                  return first;
                }
              });
      Thread thread = new Thread(heard, "listens in clear");
      thread.setDaemon(true);
      thread.start();
      try (Jvm client = Jvm.start(tls, MAIN, "call", String.valueOf(listening.getLocalPort()))) {
        assertThat(client.awaitLine("outcome "))
            .contains("no TLS with 127.0.0.1:" + listening.getLocalPort());
        byte[] first = heard.get(60, TimeUnit.SECONDS);
        assertThat(first).as("what leaves first").containsExactly(TLS_HANDSHAKE);
        assertThat(client.ask("seen", "seen ")).contains(" 0 with the secret");
      }
    }
  }

  /** What the others rely on: without TLS the sockets see the secret. */
  @Test
  public void socketsOfNodesWithoutTlsSeeTheSecret() throws Exception {
    try (Jvm server = Jvm.start(MAIN, "serve");
        Jvm client = Jvm.start(MAIN, "call", server.awaitLine("port "))) {
      assertThat(client.awaitLine("outcome ")).isEqualTo(OwnTlsSocketsMain.SECRET);
      assertThat(client.ask("seen", "seen ")).doesNotContain(" 0 in clear", " 0 with the secret");
      assertThat(server.ask("seen", "seen ")).doesNotContain(" 0 in clear", " 0 with the secret");
    }
  }
}
