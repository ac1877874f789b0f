package io.karmi.tcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.karmi.contract.Callee;
import io.karmi.id.ObjectId;
import io.karmi.technology.ForeignPeerException;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.rmi.ConnectIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.BeforeClass;
import org.junit.ClassRule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** Connections with TLS: two nodes that know each other, and a third that nobody knows. */
public class TlsTest {
  @ClassRule public static final TemporaryFolder FOLDER = new TemporaryFolder();

  private static String first;
  private static String second;
  private static String stranger;

  @BeforeClass
  public static void makeCertificates() throws Exception {
    for (String name : List.of("first", "second", "stranger")) {
      keytool(
          name + ".keys", "-genkeypair", "-alias", name, "-keyalg", "EC", "-dname", "CN=" + name);
      keytool(name + ".keys", "-exportcert", "-alias", name, "-file", path(name + ".crt"));
    }
    first = node("first", "second");
    second = node("second", "first");
    stranger = node("stranger", "first");
  }

  private static String node(String name, String trusted) throws Exception {
    keytool(
        name + ".trust",
        "-importcert",
        "-noprompt",
        "-alias",
        trusted,
        "-file",
        path(trusted + ".crt"));
    Path file = FOLDER.getRoot().toPath().resolve(name + ".tls");
    Files.writeString(
        file,
        "keyStore="
            + name
            + ".keys\nkeyStorePassword=secret\n"
            + "trustStore="
            + name
            + ".trust\ntrustStorePassword=secret\n");
    return file.toString();
  }

  private static String path(String name) {
    return new File(FOLDER.getRoot(), name).getPath();
  }

  private static void keytool(String store, String... arguments) throws Exception {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
    command.addAll(List.of(arguments));
    command.addAll(List.of("-keystore", path(store), "-storetype", "PKCS12"));
    command.addAll(List.of("-storepass", "secret"));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes());
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).as(said).isZero();
  }

  @Test
  public void nodesThatTrustEachOtherCall() throws Exception {
    Callee node = Wire.successor();
    try (TcpTechnology server = Wire.open(node, "karmi.tls", first);
        TcpTechnology client = Wire.open(Wire.caller(), "karmi.tls", second)) {
      ObjectId target = Wire.object(node, server.listen(0));
      for (int i = 0; i < 100; i++) {
        assertThat(Wire.next(client, target, i)).isEqualTo(i + 1);
      }
      long idle = System.nanoTime();
      Wire.await(
          "the connection was checked while idle", () -> System.nanoTime() - idle > 700_000_000);
      assertThat(Wire.next(client, target, 1)).isEqualTo(2);
      assertThat(server.connections().acceptedCount()).as("one connection served all").isEqualTo(1);
    }
  }

  @Test
  public void nodeWithoutTlsIsToldSo() throws Exception {
    Callee node = Wire.successor();
    try (TcpTechnology server = Wire.open(node, "karmi.tls", first);
        TcpTechnology client = Wire.open(Wire.caller())) {
      ObjectId target = Wire.object(node, server.listen(0));
      assertThatThrownBy(() -> Wire.next(client, target, 1))
          .isInstanceOf(ConnectIOException.class)
          .isNotInstanceOf(ForeignPeerException.class)
          .hasMessageContaining("requires TLS: karmi.tls is set there, and not at");
      assertThat(node.calls()).isZero();
    }
  }

  @Test
  public void nodeWithTlsDoesNotFallBack() throws Exception {
    Callee node = Wire.successor();
    try (TcpTechnology server = Wire.open(node);
        TcpTechnology client = Wire.open(Wire.caller(), "karmi.tls", second)) {
      ObjectId target = Wire.object(node, server.listen(0));
      assertThatThrownBy(() -> Wire.next(client, target, 1))
          .isInstanceOf(ConnectIOException.class)
          .isNotInstanceOf(ForeignPeerException.class)
          .hasMessageContaining("no TLS with")
          .hasMessageContaining("this node has karmi.tls=" + second);
      assertThat(node.calls()).isZero();
      try (TcpTechnology plain = Wire.open(Wire.caller())) {
        assertThat(Wire.next(plain, Wire.object(node, server.listen(0)), 1)).isEqualTo(2);
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
    Callee node = Wire.successor();
    try (TcpTechnology server = Wire.open(node, "karmi.tls", ofServer);
        TcpTechnology client = Wire.open(Wire.caller(), "karmi.tls", ofClient)) {
      ObjectId target = Wire.object(node, server.listen(0));
      assertThatThrownBy(() -> Wire.next(client, target, 1))
          .isInstanceOf(ConnectIOException.class)
          .hasMessageContaining("no TLS with");
      assertThat(node.calls()).isZero();
      Wire.await("nothing is left", () -> server.admission().present() == 0);
    }
  }

  @Test
  public void nodeWhoseSettingIsOfNoUseNeitherListensNorConnects() throws Exception {
    String missing = path("missing.tls");
    Callee node = Wire.successor();
    try (TcpTechnology broken = Wire.open(Wire.caller(), "karmi.tls", missing);
        TcpTechnology server = Wire.open(node)) {
      assertThatThrownBy(() -> broken.listen(0))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("karmi.tls=" + missing + " cannot be used");
      ObjectId target = Wire.object(node, server.listen(0));
      assertThatThrownBy(() -> Wire.next(broken, target, 1))
          .isInstanceOf(ConnectIOException.class)
          .hasStackTraceContaining("karmi.tls=" + missing + " cannot be used");
      assertThat(node.calls()).isZero();
    }
  }
}
