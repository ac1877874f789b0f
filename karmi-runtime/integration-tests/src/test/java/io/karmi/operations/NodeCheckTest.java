package io.karmi.operations;

import static org.assertj.core.api.Assertions.assertThat;

import io.karmi.kit.Certificates;
import io.karmi.kit.FreePort;
import io.karmi.kit.Jvm;
import java.io.File;
import java.net.ServerSocket;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.ClassRule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** What an operator asks of a node from outside. */
public class NodeCheckTest {
  @ClassRule public static final TemporaryFolder FOLDER = new TemporaryFolder();

  private static final String MAIN = "io.karmi.registry.KarmiRegistry";

  private static List<String> check(String... optionsAndArguments) throws Exception {
    List<String> command = new ArrayList<>(List.of("-Xshare:auto"));
    List<String> arguments = new ArrayList<>();
    for (String each : optionsAndArguments) {
      (each.startsWith("-D") ? command : arguments).add(each);
    }
    command.add(MAIN);
    command.addAll(arguments);
    try (Jvm jvm = Jvm.start(command.toArray(new String[0]))) {
      return jvm.everything();
    }
  }

  private static Jvm registry(String... options) throws Exception {
    List<String> command = new ArrayList<>(List.of(options));
    command.addAll(List.of(MAIN, String.valueOf(FreePort.any())));
    return Jvm.start(command.toArray(new String[0]));
  }

  private static String address(Jvm registry) throws Exception {
    String ways = registry.awaitLine("karmi-registry listens on ");
    return ways.replaceAll(".*tcp ([^ ,]+).*", "$1");
  }

  @Test
  public void pingMeasuresEachTechnologyThatBothHave() throws Exception {
    try (Jvm registry = registry("-Dkarmi.technologies=shm,uds,tcp")) {
      String address = address(registry);
      List<String> all = check("-Dkarmi.technologies=shm,uds,tcp", "--ping", address);
      assertThat(all).anyMatch(line -> line.matches("shm( +[0-9.]+){3} +calls go this way"));
      assertThat(all).anyMatch(line -> line.matches("uds( +[0-9.]+){3} *"));
      assertThat(all).anyMatch(line -> line.matches("tcp( +[0-9.]+){3} *"));
      List<String> narrow = check("-Dkarmi.technologies=tcp", "--ping", address);
      assertThat(narrow).anyMatch(line -> line.matches("tcp( +[0-9.]+){3} +calls go this way"));
      assertThat(narrow).anyMatch(line -> line.matches("uds +not reached: this node .*"));
    }
  }

  @Test
  public void whatANodeSaysOfItselfCannotSteerTheTerminal() throws Exception {
    String folder = FOLDER.newFolder() + "/a\u001b[2J\nforged = 1";
    try (Jvm registry = registry("-Dkarmi.uds.directory=" + folder)) {
      assertThat(check("--settings", address(registry)))
          .noneMatch(line -> line.contains("\u001b") || line.startsWith("forged"))
          .anyMatch(line -> line.contains("a\\u001b[2J\\u000aforged = 1"));
    }
  }

  @Test
  public void pingSaysWhyAConnectionFails() throws Exception {
    Path sockets = FOLDER.newFolder("sockets").toPath();
    Files.setPosixFilePermissions(sockets, PosixFilePermissions.fromString("rwx------"));
    String[] both = {"-Dkarmi.technologies=uds,tcp", "-Dkarmi.uds.directory=" + sockets};
    try (Jvm registry = registry(both)) {
      String address = address(registry);
      refuseAll(sockets);
      List<String> lines = check(both[0], both[1], "--ping", address);
      assertThat(lines)
          .anyMatch(line -> line.matches("uds +not reached: \\S+: .*[Cc]onnection refused.*"))
          .anyMatch(line -> line.matches("tcp( +[0-9.]+){3} +calls go this way"))
          .noneMatch(line -> line.contains("is not seen"));
    }
  }

  @Test
  public void technologyThatIsNamedAndMissingIsToldInALineAndByPing() throws Exception {
    Path services = FOLDER.newFolder("META-INF", "services").toPath();
    Files.writeString(
        services.resolve("io.karmi.technology.TechnologyProvider"),
        DisabledProvider.class.getName());
    String classPath = FOLDER.getRoot() + File.pathSeparator + Jvm.classPath();
    String wanted = "-Dkarmi.technologies=disabled,tcp";
    Path jdk = Path.of(System.getProperty("java.home"));
    try (Jvm registry = registry("-Dkarmi.technologies=tcp");
        Jvm ping = Jvm.start(jdk, classPath, wanted, MAIN, "--ping", address(registry))) {
      String reason = ": the device is not plugged in";
      assertThat(ping.everything())
          .containsOnlyOnce("WARNING: network disabled is not used" + reason)
          .contains("disabled   not used here" + reason)
          .anyMatch(line -> line.matches("tcp( +[0-9.]+){3} +calls go this way"))
          .noneMatch(line -> line.startsWith("\tat "));
    }
  }

  @Test
  public void registryNeedsATechnologyWithPorts() throws Exception {
    String local = "-Dkarmi.technologies=uds";
    String why = "none of the technologies of this node, [uds], ";
    try (Jvm registry = registry(local)) {
      assertThat(registry.everything())
          .anyMatch(line -> line.contains("no network of this node has ports: add tcp"));
    }
    try (Jvm registry = registry()) {
      assertThat(check(local, "--health", address(registry)))
          .anyMatch(line -> line.contains(why + "finds others by host and port: add tcp"));
    }
  }

  /** In place of each socket one at which no process listens any more. */
  private static void refuseAll(Path sockets) throws Exception {
    List<Path> all;
    try (Stream<Path> files = Files.list(sockets)) {
      all = files.collect(Collectors.toList());
    }
    assertThat(all).isNotEmpty();
    for (Path socket : all) {
      Files.delete(socket);
      try (ServerSocketChannel dead = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
        dead.bind(UnixDomainSocketAddress.of(socket));
      }
    }
  }

  @Test
  public void healthOfANodeIsWhetherItAnswers() throws Exception {
    try (Jvm registry = registry()) {
      String address = address(registry);
      assertThat(check("--health", address))
          .contains("karmi-registry: the node at " + address + " answers");
      registry.signal("STOP");
      try {
        assertThat(
                check(
                    "-Dkarmi.handshakeTimeout=1000",
                    "-Dkarmi.callTimeout=1000",
                    "--health",
                    address))
            .anyMatch(line -> line.contains("does not answer"));
      } finally {
        registry.signal("CONT");
      }
      registry.kill();
      assertThat(check("--health", address)).anyMatch(line -> line.contains("does not answer"));
    }
  }

  /** What listens there says nothing: another program, or one that has been stopped. */
  @Test
  public void commandsGiveUpWhatDoesNotAnswer() throws Exception {
    try (ServerSocket silent = new ServerSocket(0)) {
      String address = "localhost:" + silent.getLocalPort();
      String list = "io.karmi.exchange.server.KarmiExchange";
      try (Jvm exchange = Jvm.start(list, "list", address);
          Jvm registry = Jvm.start(MAIN, "--health", address)) {
        assertThat(exchange.everything())
            .anyMatch(line -> line.contains("no server of an exchange space answers at"));
        assertThat(registry.everything())
            .anyMatch(line -> line.matches("(?!.*(deadline of .*){2}).* does not answer: .*"));
      }
    }
  }

  @Test
  public void registriesWithTlsAreCheckedWithTheSameSettings() throws Exception {
    Certificates certificates = new Certificates(FOLDER.getRoot().toPath());
    certificates.make("server");
    certificates.make("client");
    String serving = "-Dkarmi.tls=" + certificates.node("server", "client", "server");
    String calling = "-Dkarmi.tls=" + certificates.node("client", "server", "client");
    try (Jvm registry = registry(serving)) {
      String address = address(registry);
      assertThat(check(calling, "--health", address)).anyMatch(line -> line.endsWith("answers"));
      assertThat(check(calling, "--ping", address))
          .anyMatch(line -> line.matches("tcp( +[0-9.]+){3} +calls go this way"));
      assertThat(check("--health", address)).anyMatch(line -> line.contains("karmi.tls"));
    }
  }
}
