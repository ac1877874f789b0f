package io.karmi.distribution;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.junit.BeforeClass;
import org.junit.ClassRule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/**
 * Programs that were compiled against the JDK alone give the same output however KaRMI is swapped
 * in: by karmi-java (agent and boot path), by -javaagent, and after karmi-retrofit. Runs what the
 * build packaged.
 */
public class SwappedInIT {
  private static final Path HOME = Path.of("target", "karmi").toAbsolutePath();
  private static final String JAR = HOME.resolve("lib").resolve("karmi.jar").toString();
  private static final String JAVA =
      Path.of(System.getProperty("java.home"), "bin", "java").toString();

  /** Such JVMs are over before the second compiler pays. */
  private static final String FIRST_COMPILER_ONLY = "-XX:TieredStopAtLevel=1";

  private static final String KARMI = "io.karmi.";
  private static final String UKA = "io.karmi.uka.";

  private static final int STREAM = 0;
  private static final int REFERENCE = 1;
  private static final int RMI_STREAM = 2;

  @ClassRule public static final TemporaryFolder FOLDER = new TemporaryFolder();

  private static String programs;

  /** What the chat's client says with both ends on stock RMI. */
  private static String stockChat;

  /** How java is started, up to and with the class path, by the name of the way. */
  private static final Map<String, List<String>> WAYS = new LinkedHashMap<>();

  @BeforeClass
  public static void compileAndRewire() throws Exception {
    Path root = FOLDER.getRoot().toPath();
    programs = root.resolve("programs").toString();
    compile(Path.of("src", "test", "programs"), programs);
    String rewired = root.resolve("rewired").toString();
    Run retrofit = new Run(FOLDER, List.of(command("karmi-retrofit"), programs, "-o", rewired));
    assertThat(retrofit.awaitEnd()).as(retrofit.output()).isZero();
    addWay("agent by karmi-java", programs, command("karmi-java"));
    addWay("boot path", programs, command("karmi-java"), "--via=boot");
    addWay("agent by hand", programs, JAVA, "-javaagent:" + JAR);
    addWay("rewritten", rewired + ":" + JAR, JAVA);
    stockChat = chat(stock(), stock());
    assertThat(stockChat).contains("Ada heard", "client frame true");
  }

  private static void addWay(String name, String classPath, String... java) {
    WAYS.put(name, onClassPath(classPath, java));
  }

  private static List<String> onClassPath(String classPath, String... java) {
    return join(List.of(java), FIRST_COMPILER_ONLY, "-cp", classPath);
  }

  @Test
  public void objectsArriveAsWithout() throws Exception {
    String expected = outputOf(stock(), "app.Objects");
    assertThat(expected).contains("same true, cycle true", "java.io.NotSerializableException");
    for (Map.Entry<String, List<String>> way : WAYS.entrySet()) {
      assertThat(outputOf(way.getValue(), "app.Objects")).as(way.getKey()).isEqualTo(expected);
    }
  }

  @Test
  public void remoteCallsWorkAsWithout() throws Exception {
    for (Map.Entry<String, List<String>> way : WAYS.entrySet()) {
      assertThat(chat(way.getValue(), way.getValue())).as(way.getKey()).isEqualTo(stockChat);
    }
  }

  @Test
  public void programsWithoutKarmiAreServedAndCalled() throws Exception {
    for (Map.Entry<String, List<String>> way : WAYS.entrySet()) {
      assertThat(chat(way.getValue(), stock())).as("server: %s", way.getKey()).isEqualTo(stockChat);
      assertThat(chat(stock(), way.getValue())).as("client: %s", way.getKey()).isEqualTo(stockChat);
    }
  }

  @Test
  public void everyWayReallySwapsIn() throws Exception {
    assertThat(outputOf(stock(), "app.Swapped")).doesNotContain("karmi");
    for (Map.Entry<String, List<String>> way : WAYS.entrySet()) {
      List<String> seen = swapped(way.getValue());
      /* The boot path leaves the program's classes alone. */
      boolean boot = way.getKey().equals("boot path");
      assertThat(seen.get(STREAM)).as(way.getKey()).startsWith(boot ? "java.io." : UKA);
      assertThat(seen.get(REFERENCE)).as(way.getKey()).startsWith(KARMI);
    }
  }

  @Test
  public void onlySwapsInNoMoreThanItSays() throws Exception {
    for (String via : List.of("--via=agent", "--via=boot")) {
      String java = command("karmi-java");
      List<String> streams = swapped(onClassPath(programs, java, via, "--only=serialization"));
      assertThat(streams.get(RMI_STREAM)).as(via).startsWith(UKA);
      assertThat(streams.get(REFERENCE)).as(via).startsWith("sun.rmi.");
      List<String> rmi = swapped(onClassPath(programs, java, via, "--only=rmi"));
      assertThat(rmi).as(via).filteredOn(name -> name.startsWith(UKA)).isEmpty();
      assertThat(rmi.get(REFERENCE)).as(via).startsWith(KARMI);
    }
  }

  /**
   * What the program that looks has seen: whose streams, whose RMI, whose streams under the stock
   * RMI.
   */
  private static List<String> swapped(List<String> java) throws Exception {
    List<String> lines = outputOf(java, "app.Swapped").lines().toList();
    assertThat(lines).hasSize(3);
    return lines;
  }

  /**
   * Runs the chat's server and client; returns the client's output. Both JVMs must end by
   * themselves.
   */
  private static String chat(List<String> serverJava, List<String> clientJava) throws Exception {
    Run server = new Run(FOLDER, join(serverJava, "app.ChatServer"));
    try {
      String port = server.awaitLine("port ");
      String output = outputOf(clientJava, "app.ChatClient", port.substring("port ".length()));
      assertThat(server.awaitEnd()).as(server.output()).isZero();
      assertThat(server.output()).hasLineCount(1);
      return output;
    } finally {
      server.kill();
    }
  }

  private static String outputOf(List<String> java, String... rest) throws Exception {
    Run run = new Run(FOLDER, join(java, rest));
    try {
      assertThat(run.awaitEnd()).as("%s %s printed %s", java, List.of(rest), run.output()).isZero();
      return run.output();
    } finally {
      run.kill();
    }
  }

  private static List<String> stock() {
    return onClassPath(programs, JAVA);
  }

  private static String command(String name) {
    return HOME.resolve("bin").resolve(name).toString();
  }

  private static List<String> join(List<String> first, String... rest) {
    List<String> all = new ArrayList<>(first);
    all.addAll(Arrays.asList(rest));
    return all;
  }

  private static void compile(Path sources, String classes) throws IOException {
    List<String> arguments = new ArrayList<>(List.of("-nowarn", "-d", classes));
    try (Stream<Path> files = Files.walk(sources)) {
      files.filter(f -> f.toString().endsWith(".java")).forEach(f -> arguments.add(f.toString()));
    }
    int result =
        ToolProvider.getSystemJavaCompiler()
            .run(null, null, null, arguments.toArray(String[]::new));
    assertThat(result).isZero();
  }
}
