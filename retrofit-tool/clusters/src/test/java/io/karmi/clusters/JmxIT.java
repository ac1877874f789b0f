package io.karmi.clusters;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.Assume.assumeTrue;

import io.karmi.kit.FreePort;
import io.karmi.kit.Jvm;
import io.karmi.kit.Recipe;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** JMX by one port that a firewall lets through, as docs/recipes/jmx.md says. */
public class JmxIT {
  /** State of a socket in the kernel's tables: it listens. */
  private static final String LISTENS = "0A";

  @Rule public final TemporaryFolder folder = new TemporaryFolder();

  private final String port;

  /** Chooses the port. */
  public JmxIT() throws IOException {
    port = Integer.toString(FreePort.any());
  }

  private List<String> words(String beginning) throws IOException {
    Map<String, Object> here =
        Map.of(
            "shop.example",
            "127.0.0.1",
            "9010",
            port,
            "/etc/jmx.",
            folder.getRoot() + "/jmx.",
            "karmi/lib/karmi.jar",
            Stage.jar());
    return Recipe.read("jmx").command(beginning, here);
  }

  private static Jvm start(List<String> options, String... arguments) throws IOException {
    List<String> all = new ArrayList<>(options);
    all.add("-XX:TieredStopAtLevel=1"); // over before the second compiler pays
    all.add("members.ManagedMain");
    all.addAll(List.of(arguments));
    return Jvm.start(all.toArray(String[]::new));
  }

  private static List<String> answers(Stage stage, String... arguments) throws Exception {
    try (Jvm console = start(stage.options, arguments)) {
      assertThat(console.ended()).isTrue();
      List<String> answers = console.linesWith("= ");
      assertThat(answers).as("%s", console.lines()).isNotEmpty();
      return answers;
    }
  }

  /** Ports at which a process listens. */
  private static Set<String> listening(Jvm jvm) throws IOException {
    Path process = Path.of("/proc", Long.toString(jvm.pid()));
    assumeTrue("no tables of sockets here", Files.isReadable(process.resolve("net/tcp")));
    Set<String> own = new HashSet<>();
    try (Stream<Path> files = Files.list(process.resolve("fd"))) {
      for (Path each : (Iterable<Path>) files::iterator) {
        try {
          own.add(Files.readSymbolicLink(each).toString());
        } catch (IOException e) {
          continue; // it was closed meanwhile
        }
      }
    }
    Set<String> ports = new TreeSet<>();
    for (String table : List.of("net/tcp", "net/tcp6")) {
      for (String line : Files.readAllLines(process.resolve(table))) {
        String[] columns = line.strip().split("\\s+");
        if (columns[3].equals(LISTENS) && own.contains("socket:[" + columns[9] + "]")) {
          String address = columns[1];
          int hexadecimal = address.lastIndexOf(':') + 1;
          ports.add(String.valueOf(Integer.parseInt(address.substring(hexadecimal), 16)));
        }
      }
    }
    return ports;
  }

  private void write(String name, String text) throws IOException {
    Path file = folder.getRoot().toPath().resolve(name);
    Files.writeString(file, text);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
  }

  @Test
  public void consolesReadAllByTheJdksConnectorAtOnePort() throws Exception {
    write("jmx.password", "admin secret\n");
    write("jmx.access", "admin readwrite\n");
    List<String> command = words("java -javaagent:karmi/lib/karmi.jar");
    List<String> properties = command.subList(2, command.indexOf("-jar"));
    String url = words("jconsole service:jmx:rmi:///jndi/rmi://shop.example:9010/jmxrmi").get(1);
    List<List<String>> all = new ArrayList<>();
    for (Stage stage : List.of(Stage.STOCK, Stage.AGENT)) {
      List<String> options = new ArrayList<>(stage.options);
      options.addAll(properties);
      try (Jvm managed = start(options, "serve")) {
        managed.awaitLine("= ready");
        all.add(answers(Stage.STOCK, "console", url, "admin"));
        all.add(answers(Stage.AGENT, "console", url, "admin"));
        assertThat(listening(managed)).contains(port);
      }
    }
    assertThat(all.get(0)).hasSize(4).first().isEqualTo("= items 5");
    assertThat(all).containsOnly(all.get(0));
  }

  @Test
  public void programAndConsoleShareOnePortByKarmisConnector() throws Exception {
    String url = words("jconsole -J-javaagent:karmi/lib/karmi.jar").get(2);
    try (Jvm managed = start(Stage.AGENT.options, "serve", port, url)) {
      managed.awaitLine("= ready");
      assertThat(answers(Stage.AGENT, "console", url)).hasSize(4).first().isEqualTo("= items 5");
      assertThat(answers(Stage.AGENT, "ring", port)).containsExactly("= rung 1");
      assertThat(answers(Stage.STOCK, "ring", port)).containsExactly("= rung 2");
      assertThat(listening(managed)).containsExactly(port);
    }
  }
}
