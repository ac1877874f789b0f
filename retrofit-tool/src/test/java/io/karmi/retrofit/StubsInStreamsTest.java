package io.karmi.retrofit;

import static org.assertj.core.api.Assertions.assertThat;

import io.karmi.kit.FreePort;
import io.karmi.kit.Jvm;
import io.karmi.retrofit.kit.Jars;
import io.karmi.retrofit.kit.Sources;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.BeforeClass;
import org.junit.ClassRule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/**
 * Stubs that a program writes with its own streams are read by JVMs with KaRMI and without, and
 * both call the object. The programs show the same as with no KaRMI at all.
 */
public class StubsInStreamsTest {
  @ClassRule public static final TemporaryFolder FOLDER = new TemporaryFolder();

  private static final Path SOURCES = Path.of("src/test/programs/stubs");
  private static final String VIA = "via ";

  private static Path root;
  private static String classes;
  private static String agent;
  private static String boot;

  /** What a reader shows of the server's files where nothing has KaRMI, and of a client's. */
  private static final List<String> OF_SERVER =
      List.of(
          "stub: wall",
          "stub equals: true",
          "list: walltower",
          "list same: true",
          "registry: [tower, wall]",
          "registry finds: true",
          "marshalled: wall",
          "marshalled equals: true",
          "again: true",
          "session: walltower",
          "session object: class stubs.Server$Tower",
          "replaced: tower",
          "beans: true");

  private static final List<String> OF_CLIENT = OF_SERVER.subList(0, 9);

  /** The JDK's stub of a registry looks up stubs of stock RMI; only KaRMI's streams replace it. */
  private static final List<String> BY_JDKS_STREAM =
      OF_SERVER.stream()
          .map(line -> line.replace("registry finds: true", "registry finds: false"))
          .toList();

  @BeforeClass
  public static void build() throws Exception {
    root = FOLDER.getRoot().toPath();
    Path karmi = Jars.karmi(root);
    List<String> units = new ArrayList<>();
    try (Stream<Path> files = Files.list(SOURCES)) {
      for (Path file : (Iterable<Path>) files.sorted()::iterator) {
        units.add(Files.readString(file));
      }
    }
    classes =
        Sources.compile(root.resolve("classes"), List.of(), units.toArray(new String[0]))
            .toString();
    agent = "-javaagent:" + karmi;
    Path folder = root.resolve("boot");
    Jvm.Result made =
        Jvm.java("-cp", karmi, "io.karmi.retrofit.cli.KarmiRetrofit", "--boot", folder);
    assertThat(made.exit()).as(made.err()).isZero();
    boot = "@" + folder.resolve("java.args");
  }

  /** A server that has written its files; without KaRMI if the way to swap it in is null. */
  private static final class Served implements AutoCloseable {
    final Path folder = Files.createTempDirectory(root, "served");
    final String port = Integer.toString(FreePort.any());
    final Jvm server;

    Served(String swap) throws Exception {
      server = start(swap, "stubs.Server", folder.toString(), port);
      server.awaitLine("ready");
    }

    List<String> read(String swap) throws Exception {
      return read(swap, folder);
    }

    List<String> read(String swap, Path from) throws Exception {
      return ask("read", swap, from);
    }

    List<String> ask(String command, String swap, Path from) throws Exception {
      try (Jvm client = start(swap, "stubs.Client", command, from.toString(), port)) {
        return client.everything();
      }
    }

    Path writtenBy(String swap) throws Exception {
      Path to = Files.createTempDirectory(root, "written");
      try (Jvm client = start(swap, "stubs.Client", "write", to.toString(), port)) {
        assertThat(client.everything()).isEmpty();
      }
      return to;
    }

    @Override
    public void close() {
      server.close();
    }
  }

  private static Jvm start(String swap, String... program) throws Exception {
    List<String> arguments = new ArrayList<>(List.of("-XX:TieredStopAtLevel=1"));
    arguments.add("-Djava.rmi.server.hostname=127.0.0.1");
    if (swap != null) {
      arguments.addAll(List.of(swap.split(" ")));
    }
    arguments.addAll(List.of(program));
    Path jdk = Path.of(System.getProperty("java.home"));
    return Jvm.start(jdk, classes, arguments.toArray(new String[0]));
  }

  private static void isLike(List<String> expected, List<String> shown, String... via) {
    List<String> all = new ArrayList<>(expected);
    Stream.of(via).map(each -> VIA + each).forEach(all::add);
    assertThat(shown).isEqualTo(all);
  }

  @Test
  public void withoutKarmi() throws Exception {
    try (Served stock = new Served(null)) {
      isLike(OF_SERVER, stock.read(null), "stock RMI", "stock RMI");
      isLike(OF_CLIENT, stock.read(null, stock.writtenBy(null)), "stock RMI", "stock RMI");
    }
  }

  @Test
  public void writtenUnderTheAgent() throws Exception {
    try (Served karmi = new Served(agent)) {
      isLike(OF_SERVER, karmi.read(null), "stock RMI", "stock RMI");
      isLike(OF_SERVER, karmi.read(agent), "KaRMI", "KaRMI");
      isLike(BY_JDKS_STREAM, karmi.read(agent + "=only=rmi"), "KaRMI", "KaRMI");
      isLike(OF_SERVER, karmi.read(agent + " -Duka.format=uka"), "KaRMI", "KaRMI");
      Path relayed = karmi.writtenBy(agent);
      isLike(OF_CLIENT, karmi.read(null, relayed), "stock RMI", "stock RMI");
      isLike(OF_CLIENT, karmi.read(agent, relayed), "KaRMI", "KaRMI");
    }
  }

  @Test
  public void putInByAStreamThatReplacesObjects() throws Exception {
    List<String> shown = List.of("handed over: walltower", "same: true");
    for (String server : new String[] {null, agent, agent + " -Duka.format=uka"}) {
      try (Served served = new Served(server)) {
        assertThat(served.ask("handed", agent, served.folder)).isEqualTo(shown);
        if (server == null || server.equals(agent)) {
          assertThat(served.ask("handed", null, served.folder)).isEqualTo(shown);
        }
      }
    }
  }

  @Test
  public void writtenOnTheBootPath() throws Exception {
    try (Served karmi = new Served(boot)) {
      isLike(OF_SERVER, karmi.read(null), "stock RMI", "stock RMI");
      isLike(BY_JDKS_STREAM, karmi.read(boot), "KaRMI", "KaRMI");
    }
  }

  @Test
  public void writtenWithTheJdksStreamsAndKarmisRmi() throws Exception {
    try (Served karmi = new Served(agent + "=only=rmi")) {
      isLike(OF_SERVER, karmi.read(null), "stock RMI", "stock RMI");
      isLike(OF_SERVER, karmi.read(agent), "KaRMI", "KaRMI");
    }
  }

  /** References that such a JVM has written name no network of KaRMI's. */
  @Test
  public void writtenWithoutKarmiInBetween() throws Exception {
    try (Served karmi = new Served(agent)) {
      Path relayed = karmi.writtenBy(null);
      isLike(OF_CLIENT, karmi.read(null, relayed), "stock RMI", "stock RMI");
      assertThat(karmi.read(agent, relayed))
          .contains("stub: wall", "list: walltower", "registry: [tower, wall]", "via stock RMI");
    }
  }

  @Test
  public void writtenWithoutKarmiAndReadUnderTheAgent() throws Exception {
    try (Served stock = new Served(null)) {
      isLike(OF_SERVER, stock.read(agent), "stock RMI", "stock RMI");
      isLike(OF_CLIENT, stock.read(agent, stock.writtenBy(agent)), "stock RMI", "stock RMI");
    }
  }

  @Test
  public void readersWithoutKarmiKeepTheObjectAlive() throws Exception {
    try (Served karmi = new Served(agent)) {
      for (String reader : new String[] {null, agent}) {
        String folder = karmi.folder.toString();
        try (Jvm holder = start(reader, "stubs.Client", "hold", folder, karmi.port)) {
          holder.awaitLine("held");
          if (reader == null) {
            assertThat(karmi.server.ask("lose", "kept ")).isEqualTo("true");
          }
          assertThat(holder.ask("call", "then ")).isEqualTo("wall");
        }
      }
    }
  }
}
