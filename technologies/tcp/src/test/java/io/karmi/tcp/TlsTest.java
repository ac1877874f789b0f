package io.karmi.tcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.karmi.connection.guard.Slot;
import io.karmi.contract.Callee;
import io.karmi.contract.Nodes;
import io.karmi.id.ObjectId;
import io.karmi.id.TechnologyId;
import io.karmi.kit.Certificates;
import io.karmi.kit.Deadline;
import io.karmi.technology.ForeignPeerException;
import io.karmi.technology.Technology;
import java.io.File;
import java.io.IOException;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.rmi.ConnectIOException;
import java.rmi.RemoteException;
import java.util.List;
import java.util.Objects;
import org.junit.BeforeClass;
import org.junit.ClassRule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** Connections with TLS: two nodes that know each other, and a third that neither knows. */
public class TlsTest {
  @ClassRule public static final TemporaryFolder FOLDER = new TemporaryFolder();

  private static Certificates certificates;
  private static String first;
  private static String second;
  private static String stranger;

  @BeforeClass
  public static void makeCertificates() throws Exception {
    certificates = new Certificates(FOLDER.getRoot().toPath());
    for (String name : List.of("first", "second", "stranger")) {
      certificates.make(name);
    }
    first = certificates.node("first", "second");
    second = certificates.node("second", "first");
    stranger = certificates.node("stranger", "first");
  }

  private static String path(String name) {
    return new File(FOLDER.getRoot(), name).getPath();
  }

  /** The object at the address that the certificates name. */
  private static ObjectId atLoopback(Callee node, Technology server) throws IOException {
    int port = Wire.port(server.listen(0));
    return Nodes.object(node, new TechnologyId("tcp", "127.0.0.1:" + port));
  }

  @Test
  public void nodesThatTrustEachOtherCall() throws Exception {
    Callee node = Nodes.successor();
    try (TcpTechnology server = Wire.open(node, "karmi.tls", first);
        TcpTechnology client = Wire.open(Nodes.caller(), "karmi.tls", second)) {
      ObjectId target = atLoopback(node, server);
      for (int i = 0; i < 100; i++) {
        assertThat(Nodes.next(client, target, i)).isEqualTo(i + 1);
      }
      long idle = System.nanoTime();
      Deadline.await(
          "the connection was checked while idle", () -> System.nanoTime() - idle > 700_000_000);
      assertThat(Nodes.next(client, target, 1)).isEqualTo(2);
      assertThat(server.connections().acceptedCount()).as("one connection served all").isEqualTo(1);
    }
  }

  @Test
  public void nodeWithoutTlsIsToldSo() throws Exception {
    Callee node = Nodes.successor();
    try (TcpTechnology server = Wire.open(node, "karmi.tls", first);
        TcpTechnology client = Wire.open(Nodes.caller())) {
      ObjectId target = atLoopback(node, server);
      assertThatThrownBy(() -> Nodes.next(client, target, 1))
          .isInstanceOf(ConnectIOException.class)
          .isNotInstanceOf(ForeignPeerException.class)
          .hasMessageContaining("requires TLS: karmi.tls is set there, and not at");
      assertThat(node.calls()).isZero();
    }
  }

  @Test
  public void nodeForWhichThereIsNoPlaceIsToldSo() throws Exception {
    Callee node = Nodes.successor();
    try (TcpTechnology server = Wire.open(node, "karmi.tls", first, "karmi.maxConnections", "1");
        TcpTechnology client = Wire.open(Nodes.caller(), "karmi.tls", second);
        TcpTechnology plain = Wire.open(Nodes.caller())) {
      ObjectId target = atLoopback(node, server);
      Slot only =
          Objects.requireNonNull(server.limit().enter(new SocketArrival(new Socket(), false)));
      assertThat(only.pass(new AdmissionTest.Busy())).isTrue();
      for (int i = 0; i < 100; i++) {
        assertThatThrownBy(() -> Nodes.next(client, target, 1))
            .isInstanceOf(ConnectIOException.class)
            .isNotInstanceOf(ForeignPeerException.class)
            .hasMessageContaining("refuses this connection")
            .hasMessageContaining("karmi.maxConnections");
        assertThatThrownBy(() -> Nodes.next(plain, target, 1))
            .isInstanceOf(ConnectIOException.class)
            .isNotInstanceOf(ForeignPeerException.class)
            .hasMessageContaining("requires TLS");
      }
      only.giveBack();
      assertThat(Nodes.next(client, target, 1)).isEqualTo(2);
    }
  }

  @Test
  public void nodeWithTlsDoesNotFallBack() throws Exception {
    Callee node = Nodes.successor();
    try (TcpTechnology server = Wire.open(node);
        TcpTechnology client = Wire.open(Nodes.caller(), "karmi.tls", second)) {
      ObjectId target = atLoopback(node, server);
      assertThatThrownBy(() -> Nodes.next(client, target, 1))
          .isInstanceOf(ConnectIOException.class)
          .isNotInstanceOf(ForeignPeerException.class)
          .hasMessageContaining("no TLS with")
          .hasMessageContaining("this node has karmi.tls=" + second);
      assertThat(node.calls()).isZero();
      try (TcpTechnology plain = Wire.open(Nodes.caller())) {
        assertThat(Nodes.next(plain, atLoopback(node, server), 1)).isEqualTo(2);
      }
    }
  }

  @Test
  public void certificateThatTheServerDoesNotTrustIsRefused() throws Exception {
    assertRefused(first, stranger);
  }

  @Test
  public void certificateThatTheClientDoesNotTrustIsRefused() throws Exception {
    assertRefused(stranger, second);
  }

  private static void assertRefused(String ofServer, String ofClient) throws Exception {
    Callee node = Nodes.successor();
    try (TcpTechnology server = Wire.open(node, "karmi.tls", ofServer);
        TcpTechnology client = Wire.open(Nodes.caller(), "karmi.tls", ofClient)) {
      ObjectId target = atLoopback(node, server);
      assertThatThrownBy(() -> Nodes.next(client, target, 1))
          .isInstanceOf(ConnectIOException.class)
          .hasMessageContaining("no TLS with");
      assertThat(node.calls()).isZero();
      Deadline.await("nothing is left", () -> server.limit().present() == 0);
    }
  }

  @Test
  public void nodeWhoseSettingIsOfNoUseNeitherListensNorConnects() throws Exception {
    String missing = path("missing.tls");
    Callee node = Nodes.successor();
    try (TcpTechnology broken = Wire.open(Nodes.caller(), "karmi.tls", missing);
        TcpTechnology server = Wire.open(node)) {
      assertThatThrownBy(() -> broken.listen(0))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("karmi.tls=" + missing + " cannot be used");
      ObjectId target = atLoopback(node, server);
      assertThatThrownBy(() -> Nodes.next(broken, target, 1))
          .isInstanceOf(ConnectIOException.class)
          .hasStackTraceContaining("karmi.tls=" + missing + " cannot be used");
      assertThat(node.calls()).isZero();
    }
  }

  @Test
  public void certificateOfAnotherHostIsRefusedUnlessNobodyChecks() throws Exception {
    certificates.make("elsewhere", "dns:elsewhere.example,ip:192.0.2.7");
    certificates.make("visitor");
    String visitor = certificates.node("visitor", "elsewhere");
    Callee node = Nodes.successor();
    try (TcpTechnology server =
            Wire.open(node, "karmi.tls", certificates.node("elsewhere", "visitor"));
        TcpTechnology client = Wire.open(Nodes.caller(), "karmi.tls", visitor)) {
      ObjectId target = atLoopback(node, server);
      assertThatThrownBy(() -> Nodes.next(client, target, 1))
          .isInstanceOf(ConnectIOException.class)
          .hasMessageContaining("the certificate of 127.0.0.1")
          .hasMessageContaining("does not name that host")
          .hasMessageContaining("checkHost=false");
      assertThat(node.calls()).isZero();
      Files.writeString(Path.of(visitor), "checkHost=false\n", StandardOpenOption.APPEND);
      Deadline.await("the setting is read again", () -> isServed(client, target));
    }
  }

  @Test
  public void certificatesThatChangeAreReadAgain() throws Exception {
    certificates.make("changing");
    certificates.make("joining");
    Callee node = Nodes.successor();
    String joining = certificates.node("joining", "changing");
    try (TcpTechnology server =
        Wire.open(node, "karmi.tls", certificates.node("changing", "stranger"))) {
      ObjectId target = atLoopback(node, server);
      try (TcpTechnology client = Wire.open(Nodes.caller(), "karmi.tls", joining)) {
        assertThatThrownBy(() -> Nodes.next(client, target, 1))
            .isInstanceOf(ConnectIOException.class);
        certificates.trust("changing", "stranger", "joining");
        Deadline.await("the new peer is trusted", () -> isServed(client, target));
        certificates.trust("changing", "stranger");
        Deadline.await("it is trusted no more", () -> !isServedAnew(joining, target));
        assertThat(Nodes.next(client, target, 1)).as("over the open connection").isEqualTo(2);
        Files.writeString(Path.of(path("changing.trust")), "half written");
        assertThat(isServedAnew(joining, target)).as("what was read before is in use").isFalse();
        certificates.trust("changing", "joining");
        Deadline.await("trusted again", () -> isServedAnew(joining, target));
      }
      certificates.make("changing");
      Deadline.await("its new key is not trusted", () -> !isServedAnew(joining, target));
      certificates.trust("joining", "changing");
      Deadline.await("its new key is trusted", () -> isServedAnew(joining, target));
    }
  }

  private static boolean isServedAnew(String tls, ObjectId target) {
    try (TcpTechnology client = Wire.open(Nodes.caller(), "karmi.tls", tls)) {
      return isServed(client, new ObjectId(target.node(), target.number(), target.technology(0)));
    }
  }

  private static boolean isServed(TcpTechnology client, ObjectId target) {
    try {
      return Nodes.next(client, target, 1) == 2;
    } catch (RemoteException e) {
      return false;
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }
}
