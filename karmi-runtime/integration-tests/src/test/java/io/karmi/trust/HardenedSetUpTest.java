package io.karmi.trust;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;

import io.karmi.contract.hostile.Door;
import io.karmi.contract.hostile.RawPeer;
import io.karmi.contract.hostile.TlsDoor;
import io.karmi.kit.Certificates;
import io.karmi.kit.Jvm;
import java.io.StreamCorruptedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.SSLContext;
import org.junit.After;
import org.junit.Before;
import org.junit.BeforeClass;
import org.junit.ClassRule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** The five lines of docs/threat-model.md, as they stand there, give what it promises. */
public class HardenedSetUpTest {
  @ClassRule public static final TemporaryFolder FOLDER = new TemporaryFolder();

  private static final String MAIN = Hardened.class.getName();
  private static final Pattern SET_UP =
      Pattern.compile("## The hardened set-up.*?\n```\n(.*?)```", Pattern.DOTALL);
  private static final String FILE = "/etc/app/node.tls";

  private static String server;
  private static String client;
  private static String stranger;
  private static SSLContext clientContext;

  private Jvm serving;
  private String port;

  @BeforeClass
  public static void makeCertificates() throws Exception {
    Certificates certificates = new Certificates(FOLDER.getRoot().toPath());
    for (String name : List.of("server", "client", "stranger")) {
      certificates.make(name);
    }
    server = documented(certificates.node("server", "client", "server"));
    client = documented(certificates.node("client", "server"));
    clientContext = certificates.context("client");
    stranger = documented(certificates.node("stranger", "server"));
  }

  /** The document's lines with another name of the file, as an argument file of the launcher. */
  private static String documented(String tls) throws Exception {
    Path page = Path.of("").toAbsolutePath();
    while (!Files.exists(page.resolve("docs/threat-model.md"))) {
      page = page.getParent();
    }
    Matcher block = SET_UP.matcher(Files.readString(page.resolve("docs/threat-model.md")));
    assertThat(block.find()).as("the document has the lines").isTrue();
    List<String> lines = block.group(1).lines().toList();
    assertThat(lines)
        .hasSize(5)
        .allMatch(line -> line.startsWith("-D"))
        .contains("-Dkarmi.tls=" + FILE);
    Path arguments = Path.of(tls + ".args");
    Files.writeString(arguments, block.group(1).replace(FILE, tls));
    return "@" + arguments;
  }

  @Before
  public void serve() throws Exception {
    serving = Jvm.start(server, MAIN, "serve");
    port = serving.awaitLine("port ");
  }

  @After
  public void end() {
    serving.close();
  }

  @Test
  public void clientWithACertificateIsServedWithinTheLimits() throws Exception {
    try (Jvm calling = Jvm.start(client, MAIN, "call", port)) {
      List<String> said = calling.everything();
      assertThat(said).contains("lookup: true", "greet: hello 3", "values: 3", "again: hello 3");
      assertThat(said).filteredOn(line -> line.startsWith("gadget ")).hasSize(1);
      assertThat(said)
          .filteredOn(line -> line.startsWith("gadget ") || line.startsWith("deep "))
          .hasSize(2)
          .allMatch(line -> line.contains("filter status: REJECTED"));
      assertThat(said).filteredOn(line -> line.startsWith("long failed: ")).hasSize(1);
      assertThat(said)
          .filteredOn(line -> line.startsWith("sets failed: "))
          .singleElement(STRING)
          .contains("InvalidObjectException");
    }
    assertThat(serving.awaitLinesWith("CALLED", 3))
        .containsExactly("CALLED greet", "CALLED size", "CALLED greet");
  }

  @Test
  public void peerThatAsksForTheJdksFormatIsRefused() throws Exception {
    Door door = new TlsDoor(Integer.parseInt(port), clientContext);
    assertThatThrownBy(() -> RawPeer.introduced(door, 1, 2, 0, 0, "jdk").close())
        .isInstanceOf(StreamCorruptedException.class)
        .hasMessageStartingWith("refused");
    RawPeer.introduced(door, 1, 2, 0, 0, "jdk", "uka").close();
  }

  @Test
  public void clientWithoutTlsIsRefused() throws Exception {
    assertRefused("requires TLS", MAIN, "call", port);
  }

  @Test
  public void clientWhoseCertificateIsNotTrustedIsRefused() throws Exception {
    assertRefused("no TLS with", stranger, MAIN, "call", port);
    assertThat(serving.awaitLinesWith("WARNING: connection from ", 1))
        .allMatch(line -> line.contains(" refused (karmi.tls): "));
  }

  @Test
  public void clientOnStockRmiIsRefused() throws Exception {
    assertRefused("Exception", MAIN, "stock", port);
  }

  private void assertRefused(String reason, String... arguments) throws Exception {
    try (Jvm calling = Jvm.start(arguments)) {
      List<String> said = calling.everything();
      assertThat(said).filteredOn(line -> line.contains(" failed: ")).hasSize(1);
      assertThat(said).filteredOn(line -> line.contains(": true")).isEmpty();
      assertThat(String.join("\n", said)).contains(reason);
    }
    assertThat(serving.linesWith("CALLED")).isEmpty();
  }
}
