package io.karmi.tcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.karmi.contract.Callee;
import io.karmi.contract.Nodes;
import io.karmi.contract.hostile.RawPeer;
import io.karmi.guard.Ledgers;
import io.karmi.id.ObjectId;
import io.karmi.id.TechnologyId;
import io.karmi.kit.Certificates;
import io.karmi.kit.Deadline;
import io.karmi.kit.KeptLog;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.rmi.ConnectIOException;
import java.security.AlgorithmConstraints;
import java.security.AlgorithmParameters;
import java.security.CryptoPrimitive;
import java.security.GeneralSecurityException;
import java.security.Key;
import java.security.KeyStore;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.logging.Level;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509KeyManager;
import org.jspecify.annotations.Nullable;
import org.junit.BeforeClass;
import org.junit.ClassRule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/**
 * Strangers at a port that speaks TLS, and in the place of a callee: those who stall in the
 * handshake, and those with a certificate of the wrong authority or of the wrong host.
 */
public class TlsStrangersTest {
  @ClassRule public static final TemporaryFolder FOLDER = new TemporaryFolder();

  private static final String PASSWORD = "secret";
  private static final String LOOPBACK = "ip:127.0.0.1,dns:localhost";

  /** Long enough for an honest handshake on a busy machine. */
  private static final int HANDSHAKE_MILLIS = 4_000;

  private static final int DRIP_MILLIS = 100;

  private static final int CROWD = 200;

  private static String member;
  private static String other;
  private static String neighbour;
  private static String impostor;
  private static String former;

  /**
   * Four members of an authority, of which one is of another host and one is no member any more,
   * and one of another authority.
   */
  @BeforeClass
  public static void makeCertificates() throws Exception {
    Certificates certificates = new Certificates(FOLDER.getRoot().toPath());
    certificates.makeAuthority("authority");
    certificates.makeAuthority("stranger");
    certificates.makeMember("member", "authority", LOOPBACK);
    certificates.makeMember("elsewhere", "authority", "dns:elsewhere.example,ip:192.0.2.7");
    certificates.makeMember("neighbour", "authority", LOOPBACK);
    certificates.makeMember("impostor", "stranger", LOOPBACK);
    certificates.makeMember("former", "authority", LOOPBACK, "-startdate", "-3d", "-validity", "2");
    member = certificates.node("member", "authority");
    former = certificates.nodeTrustingAs("former", "member");
    other = certificates.nodeTrustingAs("elsewhere", "member");
    neighbour = certificates.nodeTrustingAs("neighbour", "member");
    impostor = certificates.nodeTrustingAs("impostor", "member");
  }

  private static TcpTechnology server(Callee node, String... more) {
    List<String> settings = new ArrayList<>(List.of("karmi.tls", member));
    settings.addAll(List.of("karmi.handshakeTimeout", String.valueOf(HANDSHAKE_MILLIS)));
    settings.addAll(List.of(more)); // the last one counts
    return Wire.open(node, settings.toArray(String[]::new));
  }

  private static TcpTechnology client(String tls) {
    return Wire.open(
        Nodes.caller(),
        "karmi.tls",
        tls,
        "karmi.handshakeTimeout",
        String.valueOf(HANDSHAKE_MILLIS));
  }

  private static ObjectId at(Callee node, int port) {
    return Nodes.object(node, new TechnologyId(Tcp.NAME, "127.0.0.1:" + port));
  }

  /** What a client says first, in one record. */
  private static byte[] clientHello() throws Exception {
    return clientHello("");
  }

  /** The same of one that has no algorithms with such names to agree on keys. */
  private static byte[] clientHello(String lacking) throws Exception {
    return clientHello(lacking, new String[0]);
  }

  /** The same with names of protocols that make it longer. */
  private static byte[] clientHello(String lacking, String[] protocols) throws Exception {
    SSLContext context = TlsMaterial.read(other).context;
    SSLEngine engine = context.createSSLEngine("127.0.0.1", 1);
    engine.setUseClientMode(true);
    SSLParameters parameters = engine.getSSLParameters();
    parameters.setAlgorithmConstraints(
        new AlgorithmConstraints() {
          @Override
          public boolean permits(
              Set<CryptoPrimitive> primitives,
              String algorithm,
              @Nullable AlgorithmParameters ignored) {
            return !primitives.contains(CryptoPrimitive.KEY_AGREEMENT)
                || !algorithm.matches(lacking);
          }

          @Override
          public boolean permits(Set<CryptoPrimitive> primitives, Key key) {
            return true;
          }

          @Override
          public boolean permits(
              Set<CryptoPrimitive> primitives,
              String algorithm,
              Key key,
              @Nullable AlgorithmParameters ignored) {
            return permits(primitives, algorithm, ignored);
          }
        });
    parameters.setApplicationProtocols(protocols);
    engine.setSSLParameters(parameters);
    ByteBuffer record = ByteBuffer.allocate(engine.getSession().getPacketBufferSize());
    engine.wrap(ByteBuffer.allocate(0), record);
    return Arrays.copyOf(record.array(), record.position());
  }

  private static Socket stranger(int port, byte[] says) throws IOException {
    Socket socket = new Socket(InetAddress.getByName("127.0.0.1"), port);
    socket.setSoTimeout(20);
    socket.getOutputStream().write(says);
    return socket;
  }

  /** Knows the authority, and falls silent behind the handshake. */
  private static Socket silentMember(int port) throws Exception {
    SSLSocket socket =
        (SSLSocket)
            TlsMaterial.read(other).context.getSocketFactory().createSocket("127.0.0.1", port);
    socket.startHandshake();
    socket.setSoTimeout(20);
    return socket;
  }

  private static boolean isCut(Socket socket) {
    try {
      return socket.getInputStream().read(new byte[1 << 12]) < 0;
    } catch (SocketTimeoutException e) {
      return false;
    } catch (IOException e) {
      return true;
    }
  }

  /** Sends one byte after the other until it is cut; returns how many it has sent. */
  private static int drip(Socket socket, int most) throws InterruptedException {
    for (int sent = 0; sent < most; sent++) {
      try {
        socket.getOutputStream().write(0);
      } catch (IOException e) {
        return sent;
      }
      Thread.sleep(DRIP_MILLIS); // how slow it is, not how long it takes
    }
    return most;
  }

  @Test
  public void strangersWhoStallInTheHandshakeAreCutAndTakeNoPlaceOfOthers() throws Exception {
    Callee node = Nodes.successor();
    byte[] hello = clientHello();
    byte[] half = Arrays.copyOf(hello, hello.length / 2);
    List<Socket> strangers = new ArrayList<>();
    try (TcpTechnology server = server(node, "karmi.maxConnections", "8");
        TcpTechnology client = client(other)) {
      int port = Wire.port(server.listen(0));
      strangers.add(stranger(port, new byte[0]));
      strangers.add(stranger(port, Arrays.copyOf(hello, 1)));
      strangers.add(stranger(port, half));
      strangers.add(stranger(port, hello));
      strangers.add(silentMember(port));
      try (Socket dripping = stranger(port, half)) {
        assertThat(Nodes.next(client, at(node, port), 1)).as("meanwhile").isEqualTo(2);
        int rest = hello.length - half.length;
        assertThat(drip(dripping, rest)).as("bytes of who sends one at a time").isLessThan(rest);
        Deadline.await(
            "those who say nothing more are cut",
            () -> strangers.stream().allMatch(TlsStrangersTest::isCut));
      }
      Deadline.await("their places are free", () -> server.limit().present() == 1);
      assertThat(Nodes.next(client, at(node, port), 1)).isEqualTo(2);
    } finally {
      for (Socket each : strangers) {
        each.close();
      }
    }
  }

  @Test
  public void hostsHandshakesThatProveNothingAreComputedNoFasterThanAllowed() throws Exception {
    Callee node = Nodes.successor();
    byte[] hello = clientHello();
    InetAddress crowd = InetAddress.getByName("127.0.0.2");
    List<Socket> strangers = new ArrayList<>();
    try (TcpTechnology server = server(node, "karmi.handshakeTimeout", "60000");
        TcpTechnology client = client(other)) {
      int port = Wire.port(server.listen(0));
      long begin = System.nanoTime();
      for (int i = 0; i < CROWD; i++) {
        Socket socket = new Socket(InetAddress.getByName("127.0.0.1"), port, crowd, 0);
        strangers.add(socket);
        socket.getOutputStream().write(hello);
      }
      assertThat(Nodes.next(client, at(node, port), 1)).as("of another host").isEqualTo(2);
      for (Socket each : strangers) {
        each.setSoTimeout(60_000);
        assertThat(each.getInputStream().read()).as("a handshake goes on").isEqualTo(0x16);
      }
      long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begin);
      assertThat(millis).as("ms for 200 of them, 100 at once and 50 a second").isGreaterThan(1800);
    } finally {
      for (Socket each : strangers) {
        each.close();
      }
    }
  }

  private static String[] tenLongNames() {
    return IntStream.range(0, 10).mapToObj(i -> i + "x".repeat(250)).toArray(String[]::new);
  }

  /** The bytes of a handshake message in records of one byte each. */
  private static byte[] inSingleBytes(byte[] record) {
    ByteArrayOutputStream records = new ByteArrayOutputStream();
    for (int i = 5; i < record.length; i++) {
      records.writeBytes(new byte[] {record[0], record[1], record[2], 0, 1, record[i]});
    }
    return records.toByteArray();
  }

  @Test
  public void handshakeInManyRecordsCountsAsMany() throws Exception {
    Callee node = Nodes.successor();
    byte[] pieces = inSingleBytes(clientHello("", tenLongNames()));
    InetAddress host = InetAddress.getByName("127.0.0.5");
    try (TcpTechnology server = server(node, "karmi.handshakeTimeout", "60000");
        TcpTechnology client = client(other)) {
      int port = Wire.port(server.listen(0));
      takeAll(host);
      long begin = System.nanoTime();
      try (Socket stranger = new Socket(InetAddress.getByName("127.0.0.1"), port, host, 0)) {
        stranger.setSoTimeout(60_000);
        stranger.getOutputStream().write(pieces);
        assertThat(Nodes.next(client, at(node, port), 1)).as("of another host").isEqualTo(2);
        assertThat(stranger.getInputStream().read()).as("the handshake goes on").isEqualTo(0x16);
      }
      long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begin);
      assertThat(millis)
          .as("ms for more than 2500 records, 50 handshakes a second")
          .isGreaterThan(1000);
    }
  }

  @Test
  public void recordsThatCarryNothingCountAsHandshakes() throws Exception {
    byte[] hello = RawPeer.hello(1, 2, "uka");
    InetAddress host = InetAddress.getByName("127.0.0.6");
    try (TcpTechnology server = server(Nodes.successor(), "karmi.handshakeTimeout", "60000")) {
      int port = Wire.port(server.listen(0));
      SSLSocketFactory members = TlsMaterial.read(other).context.getSocketFactory();
      try (SSLSocket member =
          (SSLSocket) members.createSocket(InetAddress.getByName("127.0.0.1"), port, host, 0)) {
        member.setSoTimeout(60_000);
        member.startHandshake();
        takeAll(host);
        long begin = System.nanoTime();
        for (int i = 0; i < 3000; i++) {
          member.startHandshake(); // new keys
        }
        member.getOutputStream().write(hello);
        assertThat(member.getInputStream().read()).as("it goes on").isEqualTo(hello[0]);
        long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begin);
        assertThat(millis).as("ms for 6000 reads, 3200 a second").isGreaterThan(1000);
      }
    }
  }

  @Test
  public void handshakesOfStockRmiThatProveNothingAreAsFew() throws Exception {
    InetAddress host = InetAddress.getByName("127.0.0.4");
    TlsSockets sockets =
        new TlsSockets(Tls.of(member), TcpSettings.from(Nodes.settings("karmi.tls", member)));
    List<Socket> strangers = new ArrayList<>();
    try (ServerSocket server = sockets.createServerSocket(0)) {
      new Thread(() -> readAll(server)).start();
      byte[] hello = clientHello();
      SSLSocketFactory members = TlsMaterial.read(other).context.getSocketFactory();
      InetAddress here = InetAddress.getByName("127.0.0.1");
      takeAll(host);
      long begin = System.nanoTime();
      for (int i = 0; i < 30; i++) {
        Socket stranger = new Socket(here, server.getLocalPort(), host, 0);
        strangers.add(stranger);
        stranger.setSoTimeout(60_000);
        stranger.getOutputStream().write(hello);
      }
      for (Socket each : strangers) {
        assertThat(each.getInputStream().read()).isEqualTo(0x16);
      }
      long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begin);
      assertThat(millis).as("ms for 30 of them, 50 a second").isGreaterThan(500);
      for (int i = 0; i < 2; i++) {
        try (Socket each = members.createSocket(here, server.getLocalPort(), host, 0)) {
          each.setSoTimeout(60_000);
          each.getOutputStream().write(1);
          assertThat(each.getInputStream().read()).as("a member is served").isEqualTo(1);
        }
      }
    } finally {
      for (Socket each : strangers) {
        each.close();
      }
    }
  }

  /** As stock RMI does: each in a thread of its own, which reads and answers. */
  private static void readAll(ServerSocket server) {
    try {
      while (true) {
        Socket accepted = server.accept();
        new Thread(
                () -> {
                  try (accepted) {
                    accepted.getOutputStream().write(accepted.getInputStream().read());
                  } catch (IOException e) {
                    // of a stranger
                  }
                })
            .start();
      }
    } catch (IOException e) {
      return; // it is closed
    }
  }

  @Test
  public void noKeysAreAgreedOnOverFiniteFieldsOfStrangersChoice() throws Exception {
    try (TcpTechnology server = server(Nodes.successor())) {
      int port = Wire.port(server.listen(0));
      assertThat(firstAnswer(port, clientHello("ffdhe.*")))
          .as("to one with curves")
          .isEqualTo(0x16);
      assertThat(firstAnswer(port, clientHello("(secp|sect|x25519|x448|EC|XDH|X25519).*")))
          .as("an alert")
          .isEqualTo(0x15);
    }
  }

  private static void takeAll(InetAddress host) {
    while (Ledgers.handshakes().tryTake(host, 1)) {
      // what is left of a burst
    }
  }

  private static int firstAnswer(int port, byte[] hello) throws IOException {
    try (Socket stranger = stranger(port, hello)) {
      stranger.setSoTimeout(60_000);
      return stranger.getInputStream().read();
    }
  }

  @Test
  public void membersOfOneHostGiveBackWhatTheirHandshakesHaveTaken() throws Exception {
    InetAddress host = InetAddress.getByName("127.0.0.3");
    try (TcpTechnology server = server(Nodes.successor())) {
      int port = Wire.port(server.listen(0));
      SSLSocketFactory members = TlsMaterial.read(other).context.getSocketFactory();
      takeAll(host);
      Ledgers.handshakes().giveBack(host, 20);
      long begin = System.nanoTime();
      for (int i = 0; i < 10; i++) {
        try (Socket member =
            members.createSocket(InetAddress.getByName("127.0.0.1"), port, host, 0)) {
          member.setSoTimeout(60_000);
          member.getOutputStream().write("nonsense".getBytes(StandardCharsets.US_ASCII));
          assertThat(isCut(member)).isTrue();
        }
      }
      long since = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begin) / 20;
      long left = Math.min(20 + since, 100);
      assertThat(Ledgers.handshakes().tryTake(host, left - 5)).as("all but 5 of %d", left).isTrue();
    }
  }

  @Test
  public void membersOfOneHostThatComeAtOnceAllGetIn() throws Exception {
    List<Socket> members = new ArrayList<>();
    try (TcpTechnology server =
        server(
            Nodes.successor(),
            "karmi.handshakeTimeout",
            "60000",
            "karmi.maxConnections",
            String.valueOf(2 * CROWD))) {
      int port = Wire.port(server.listen(0));
      List<FutureTask<Socket>> crowd =
          Stream.generate(() -> new FutureTask<>(() -> silentMember(port))).limit(CROWD).toList();
      crowd.forEach(each -> new Thread(each).start());
      for (FutureTask<Socket> each : crowd) {
        members.add(each.get(60, TimeUnit.SECONDS));
      }
      assertThat(server.limit().present()).isEqualTo(CROWD);
    } finally {
      for (Socket each : members) {
        each.close();
      }
    }
  }

  @Test
  public void calleeWhoStallsInTheHandshakeIsGivenUp() throws Exception {
    try (ServerSocket silent = new ServerSocket(0, 10, InetAddress.getByName("127.0.0.1"));
        TcpTechnology client =
            Wire.open(Nodes.caller(), "karmi.tls", other, "karmi.handshakeTimeout", "500")) {
      int port = silent.getLocalPort();
      assertThatThrownBy(() -> Nodes.next(client, at(Nodes.successor(), port), 1))
          .isInstanceOf(ConnectIOException.class)
          .hasStackTraceContaining("127.0.0.1:" + port + " did not introduce itself in 500 ms");
    }
  }

  @Test
  public void membersOfTheSameAuthorityCall() throws Exception {
    Callee node = Nodes.successor();
    try (TcpTechnology server = server(node);
        TcpTechnology client = client(other)) {
      int port = Wire.port(server.listen(0));
      assertThat(Nodes.next(client, at(node, port), 1)).isEqualTo(2);
    }
  }

  @Test
  public void calleeOfAnotherAuthorityIsRefused() throws Exception {
    Callee node = Nodes.successor();
    try (TcpTechnology server = client(impostor);
        TcpTechnology client = client(other)) {
      int port = Wire.port(server.listen(0));
      assertRefused(client, at(node, port), "no TLS with 127.0.0.1:" + port, "PKIX path");
    }
  }

  @Test
  public void memberWhoseCertificateHasExpiredIsRefusedAtEitherEnd() throws Exception {
    Callee node = Nodes.successor();
    try (TcpTechnology expired = client(former);
        TcpTechnology valid = client(member)) {
      int port = Wire.port(expired.listen(0));
      assertRefused(
          valid, at(node, port), "no TLS with 127.0.0.1:" + port, "validity check failed");
    }
    try (TcpTechnology expired = client(former);
        TcpTechnology valid = server(node)) {
      int port = Wire.port(valid.listen(0));
      assertRefused(expired, at(node, port), "no TLS with 127.0.0.1:" + port);
      Deadline.await("its place is free", () -> valid.limit().present() == 0);
    }
    assertThat(node.calls()).isZero();
  }

  @Test
  public void calleeOfTheAuthorityWithTheNameOfAnotherHostIsRefused() throws Exception {
    Callee node = Nodes.successor();
    try (TcpTechnology server = client(other);
        TcpTechnology client = client(member)) {
      int port = Wire.port(server.listen(0));
      assertRefused(
          client,
          at(node, port),
          "no TLS with 127.0.0.1:" + port,
          "does not name that host",
          "checkHost=false");
    }
  }

  @Test
  public void memberWithTheIdOfABusyNodeGetsNoneOfItsCalls() throws Exception {
    CountDownLatch executes = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    Callee node =
        Nodes.successorAfter(
            () -> {
              executes.countDown();
              assertThat(goOn.await(60, TimeUnit.SECONDS)).isTrue();
            });
    Callee liar =
        new Callee(
            node.node(),
            (call, in, out) -> {
              in.readInt();
              in.endArguments();
              out.beginResult();
              out.writeInt(666);
            });
    try (TcpTechnology server = server(node);
        TcpTechnology elsewhere = Wire.open(liar, "karmi.tls", neighbour);
        TcpTechnology client = client(other)) {
      ObjectId target = at(node, Wire.port(server.listen(0)));
      ObjectId forged = at(liar, Wire.port(elsewhere.listen(0)));
      assertThat(Nodes.next(client, forged, 1)).as("where the reference says").isEqualTo(666);
      FutureTask<Integer> first = call(client, target, 1);
      assertThat(executes.await(60, TimeUnit.SECONDS)).isTrue();
      FutureTask<Integer> second = call(client, target, 2);
      Deadline.await("the node executes both", () -> node.calls() == 2 || second.isDone());
      goOn.countDown();
      assertThat(first.get(60, TimeUnit.SECONDS)).isEqualTo(2);
      assertThat(second.get(60, TimeUnit.SECONDS)).isEqualTo(3);
      assertThat(liar.calls()).as("calls of the one that was forged").isEqualTo(1);
    }
  }

  private static FutureTask<Integer> call(TcpTechnology from, ObjectId target, int value) {
    FutureTask<Integer> call = new FutureTask<>(() -> Nodes.next(from, target, value));
    new Thread(call).start();
    return call;
  }

  private static void assertRefused(TcpTechnology client, ObjectId target, String... texts) {
    assertThatThrownBy(() -> Nodes.next(client, target, 1))
        .isInstanceOf(ConnectIOException.class)
        .message()
        .contains(texts);
  }

  @Test
  public void callerOfAnotherAuthorityIsRefused() throws Exception {
    Callee node = Nodes.successor();
    try (TcpTechnology server = server(node);
        TcpTechnology client = client(impostor);
        KeptLog log = new KeptLog(Tcp.LOG.getName(), Level.ALL)) {
      int port = Wire.port(server.listen(0));
      assertRefused(
          client, at(node, port), "no TLS with 127.0.0.1:" + port, "a certificate that the other");
      assertThat(node.calls()).isZero();
      awaitRefusal(log, "certificate chain"); // the callee has named whom it trusts
      try (Socket insisting = insisting(port)) {
        assertThatThrownBy(() -> insisting.getInputStream().read())
            .as("what a refused peer reads")
            .isInstanceOf(IOException.class);
      }
      awaitRefusal(log, "PKIX path");
      Deadline.await("their places are free", () -> server.limit().present() == 0);
    }
  }

  private static void awaitRefusal(KeptLog log, String reason) throws InterruptedException {
    Deadline.await(
        "the callee's log names the host and the reason, " + reason,
        () ->
            log.lines().stream()
                .anyMatch(
                    line ->
                        line.startsWith("connection from 127.0.0.1 refused")
                            && line.contains(reason)));
  }

  /** Shows the impostor's certificate, whichever the callee trusts. */
  private static Socket insisting(int port) throws Exception {
    KeyStore keys =
        KeyStore.getInstance(new File(FOLDER.getRoot(), "impostor.keys"), PASSWORD.toCharArray());
    X509KeyManager insisting =
        new X509KeyManager() {
          @Override
          public String[] getClientAliases(String keyType, Principal[] issuers) {
            return new String[] {"impostor"};
          }

          @Override
          public String chooseClientAlias(String[] keyType, Principal[] issuers, Socket socket) {
            return "impostor";
          }

          @Override
          public String[] getServerAliases(String keyType, Principal[] issuers) {
            return new String[0];
          }

          @Override
          public @Nullable String chooseServerAlias(
              String keyType, Principal[] issuers, Socket socket) {
            return null;
          }

          @Override
          public X509Certificate[] getCertificateChain(String alias) {
            try {
              return Stream.of(keys.getCertificateChain(alias)).toArray(X509Certificate[]::new);
            } catch (GeneralSecurityException e) {
              throw new IllegalStateException(e);
            }
          }

          @Override
          public PrivateKey getPrivateKey(String alias) {
            try {
              return (PrivateKey) keys.getKey(alias, PASSWORD.toCharArray());
            } catch (GeneralSecurityException e) {
              throw new IllegalStateException(e);
            }
          }
        };
    KeyStore trusted =
        KeyStore.getInstance(new File(FOLDER.getRoot(), "member.trust"), PASSWORD.toCharArray());
    TrustManagerFactory trust =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trust.init(trusted);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(new KeyManager[] {insisting}, trust.getTrustManagers(), null);
    SSLSocket socket = (SSLSocket) context.getSocketFactory().createSocket("127.0.0.1", port);
    socket.setSoTimeout(60_000);
    return socket;
  }
}
