package io.karmi.tcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.karmi.connection.channel.HostAddress;
import io.karmi.contract.Nodes;
import io.karmi.contract.hostile.RawPeer;
import io.karmi.kit.Certificates;
import io.karmi.kit.Deadline;
import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.util.Date;
import java.util.List;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLServerSocket;
import javax.net.ssl.SSLSocket;
import org.junit.BeforeClass;
import org.junit.ClassRule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** Sessions of TLS that are resumed when the certificates of their whole handshake have expired. */
public class TlsResumedSessionsTest {
  @ClassRule public static final TemporaryFolder FOLDER = new TemporaryFolder();

  private static final List<String> PROTOCOLS = List.of("TLSv1.3", "TLSv1.2");
  private static final String LOOPBACK = "ip:127.0.0.1";
  private static final byte[] HELLO = RawPeer.hello(1, 2, "uka");

  private static Certificates certificates;
  private static String member;

  @BeforeClass
  public static void makeCertificates() throws Exception {
    certificates = new Certificates(FOLDER.getRoot().toPath());
    certificates.makeAuthority("authority");
    certificates.makeMember("member", "authority", LOOPBACK);
    member = certificates.node("member", "authority");
  }

  /** A member for some seconds; returns when its certificate expires. */
  private static Date makeBrief(String name, int seconds) throws Exception {
    String begin = "-1d+" + seconds + "S";
    certificates.makeMember(name, "authority", LOOPBACK, "-startdate", begin, "-validity", "1");
    certificates.node(name, "authority");
    KeyStore keys =
        KeyStore.getInstance(new File(FOLDER.getRoot(), name + ".keys"), "secret".toCharArray());
    return ((X509Certificate) keys.getCertificate(name)).getNotAfter();
  }

  private static void awaitEnd(Date certificate) throws InterruptedException {
    Deadline.await("the certificate has expired", () -> new Date().after(certificate));
  }

  @Test
  public void callerWhoseCertificateHasExpiredIsRefused() throws Exception {
    try (TcpTechnology server = Wire.open(Nodes.successor(), "karmi.tls", member)) {
      assertRefusedWhenExpired("node", Wire.port(server.listen(0)), 'K');
    }
  }

  @Test
  public void callerOfStockRmiWhoseCertificateHasExpiredIsRefused() throws Exception {
    TlsSockets sockets =
        new TlsSockets(Tls.of(member), TcpSettings.from(Nodes.settings("karmi.tls", member)));
    try (ServerSocket server = sockets.createServerSocket(0)) {
      new Thread(() -> answerAll(server)).start();
      assertRefusedWhenExpired("stock", server.getLocalPort(), HELLO[0]);
    }
  }

  private static void assertRefusedWhenExpired(String prefix, int port, int answer)
      throws Exception {
    for (String protocol : PROTOCOLS) {
      boolean served = false;
      for (int seconds = 4; !served; seconds *= 2) { // more on a busy machine
        String name = prefix + protocol + seconds;
        Date end = makeBrief(name, seconds);
        SSLContext brief = certificates.context(name);
        served = answer(brief, protocol, port) == answer;
        if (served) {
          awaitEnd(end);
          assertThat(answer(brief, protocol, port)).as(protocol).isNegative();
        }
      }
    }
  }

  /** The first byte that a port answers; negative if it answers nothing. */
  private static int answer(SSLContext from, String protocol, int port) {
    try (SSLSocket socket = (SSLSocket) from.getSocketFactory().createSocket("127.0.0.1", port)) {
      socket.setSoTimeout(60_000);
      socket.setEnabledProtocols(new String[] {protocol});
      socket.getOutputStream().write(HELLO);
      return socket.getInputStream().read();
    } catch (IOException e) {
      return -1;
    }
  }

  /** Answers the first byte of each connection with the same. */
  private static void answerAll(ServerSocket server) {
    while (!server.isClosed()) {
      try (Socket accepted = server.accept()) {
        accepted.getOutputStream().write(accepted.getInputStream().read());
      } catch (IOException e) {
        // it is closed, or the other end was refused
      }
    }
  }

  @Test
  public void calleeWhoseCertificateHasExpiredIsRefused() throws Exception {
    Tls tls = Tls.of(member);
    for (String protocol : PROTOCOLS) {
      boolean served = false;
      for (int seconds = 4; !served; seconds *= 2) {
        String name = "callee" + protocol + seconds;
        Date end = makeBrief(name, seconds);
        try (SSLServerSocket server =
            (SSLServerSocket)
                certificates.context(name).getServerSocketFactory().createServerSocket(0)) {
          server.setEnabledProtocols(new String[] {protocol});
          new Thread(() -> answerAll(server)).start();
          HostAddress address = new HostAddress("127.0.0.1", server.getLocalPort());
          served = isServed(tls, address);
          if (served) {
            awaitEnd(end);
            assertThatThrownBy(() -> connect(tls, address))
                .isInstanceOf(SSLHandshakeException.class)
                .hasMessageContaining("expired");
          }
        }
      }
    }
  }

  private static boolean isServed(Tls tls, HostAddress address) {
    try {
      connect(tls, address);
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  private static void connect(Tls tls, HostAddress address) throws IOException {
    InetAddress here = InetAddress.getByName(address.host());
    try (Socket plain = new Socket(here, address.port());
        SSLSocket socket = tls.connect(plain, address)) {
      socket.getOutputStream().write(HELLO[0]);
      assertThat(socket.getInputStream().read()).isEqualTo(HELLO[0]);
    }
  }
}
