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
import java.security.InvalidAlgorithmParameterException;
import java.security.KeyStore;
import java.security.KeyStoreException;
import java.security.NoSuchAlgorithmException;
import java.security.Provider;
import java.security.Security;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.Date;
import java.util.List;
import javax.net.ssl.ManagerFactoryParameters;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLServerSocket;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.TrustManagerFactorySpi;
import javax.net.ssl.X509TrustManager;
import org.junit.BeforeClass;
import org.junit.ClassRule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/**
 * Sessions of TLS that are resumed when the certificates of their whole handshake have expired, or
 * are trusted no more for another reason.
 */
public class TlsResumedSessionsTest {
  @ClassRule public static final TemporaryFolder FOLDER = new TemporaryFolder();

  private static final List<String> PROTOCOLS = List.of("TLSv1.3", "TLSv1.2");
  private static final String ALGORITHM = "ssl.TrustManagerFactory.algorithm";
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
                .hasMessageContaining("not trusted any more");
          }
        }
      }
    }
  }

  @Test
  public void callerWhoseCertificateIsTrustedNoMoreIsRefused() throws Exception {
    withWithdrawnTrust(
        withdraw -> {
          try (TcpTechnology server = Wire.open(Nodes.successor(), "karmi.tls", member)) {
            int port = Wire.port(server.listen(0));
            SSLContext caller = certificates.context("member");
            for (String protocol : PROTOCOLS) {
              assertThat(answer(caller, protocol, port)).as(protocol).isEqualTo('K');
            }
            withdraw.run();
            for (String protocol : PROTOCOLS) {
              assertThat(answer(caller, protocol, port)).as(protocol).isNegative();
            }
          }
        });
  }

  @Test
  public void calleeWhoseCertificateIsTrustedNoMoreIsRefused() throws Exception {
    withWithdrawnTrust(
        withdraw -> {
          Tls tls = Tls.of(member);
          try (ServerSocket server =
              certificates.context("member").getServerSocketFactory().createServerSocket(0)) {
            new Thread(() -> answerAll(server)).start();
            HostAddress address = new HostAddress("127.0.0.1", server.getLocalPort());
            connect(tls, address);
            withdraw.run();
            assertThatThrownBy(() -> connect(tls, address))
                .isInstanceOf(SSLHandshakeException.class)
                .hasMessageContaining("revoked");
          }
        });
  }

  /** A test with trust that can be withdrawn. */
  private interface Withdrawing {
    void test(Runnable withdraw) throws Exception;
  }

  private static void withWithdrawnTrust(Withdrawing body) throws Exception {
    String before = Security.getProperty(ALGORITHM);
    Provider provider = new Revoking();
    Security.addProvider(provider);
    Security.setProperty(ALGORITHM, Revoking.NAME);
    try {
      body.test(() -> RevocableTrust.revoked = true);
    } finally {
      RevocableTrust.revoked = false;
      Security.setProperty(ALGORITHM, before);
      Security.removeProvider(provider.getName());
    }
  }

  private static final class Revoking extends Provider {
    static final String NAME = "Revocable";
    private static final long serialVersionUID = 1;

    Revoking() {
      super(NAME, "1", "trust managers that are told of a revocation");
      put("TrustManagerFactory." + NAME, RevocableTrust.class.getName());
    }
  }

  /** Trusts as the JDK's does, until all certificates are revoked. */
  public static final class RevocableTrust extends TrustManagerFactorySpi {
    private static volatile boolean revoked;
    private X509TrustManager trust;

    @Override
    protected void engineInit(KeyStore store) throws KeyStoreException {
      try {
        TrustManagerFactory factory = TrustManagerFactory.getInstance("PKIX");
        factory.init(store);
        trust = (X509TrustManager) factory.getTrustManagers()[0];
      } catch (NoSuchAlgorithmException e) {
        throw new KeyStoreException(e);
      }
    }

    @Override
    protected void engineInit(ManagerFactoryParameters parameters)
        throws InvalidAlgorithmParameterException {
      throw new InvalidAlgorithmParameterException("a key store is expected");
    }

    @Override
    protected TrustManager[] engineGetTrustManagers() {
      return new TrustManager[] {
        new X509TrustManager() {
          @Override
          public void checkClientTrusted(X509Certificate[] chain, String type)
              throws CertificateException {
            checkRevocation();
            trust.checkClientTrusted(chain, type);
          }

          @Override
          public void checkServerTrusted(X509Certificate[] chain, String type)
              throws CertificateException {
            checkRevocation();
            trust.checkServerTrusted(chain, type);
          }

          @Override
          public X509Certificate[] getAcceptedIssuers() {
            return trust.getAcceptedIssuers();
          }
        }
      };
    }

    private static void checkRevocation() throws CertificateException {
      if (revoked) {
        throw new CertificateException("revoked");
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
