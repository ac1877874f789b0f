package io.karmi.clusters;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.Assume.assumeTrue;

import io.karmi.kit.Jvm;
import io.karmi.kit.Recipe;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.After;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** The Kotlin compiler's daemon, which its clients call by RMI, with a client of its own. */
public class KotlinDaemonIT {
  /** The daemon ends by itself where a client is slow to call it; that one then starts another. */
  private static final int MOST_ATTEMPTS = 5;

  private static final String SOURCE =
      """
      package demo
      data class Hello(val name: String)
      @Deprecated("old") fun old() = Hello("world")
      fun main() {
        println(old())
      }
      """;

  @Rule public final TemporaryFolder folder = new TemporaryFolder();

  /** What a compilation has given. */
  private record Compiled(List<String> messages, Map<String, String> files) {}

  /** Jars of the compiler, of its daemon and of its client. */
  private static String compiler() throws IOException {
    try (Stream<Path> jars = Files.list(Path.of("target", "kotlin").toAbsolutePath())) {
      return jars.map(Path::toString).sorted().collect(Collectors.joining(File.pathSeparator));
    }
  }

  /** The option of the page by which a client starts its daemon with the agent. */
  private static List<String> agent() throws IOException {
    String jar = "/opt/karmi/lib/karmi.jar";
    String own = Stage.AGENT.options.get(0).replaceFirst("^-javaagent:", "");
    List<String> words =
        Recipe.read("kotlin-daemon").command("java -javaagent:" + jar, Map.of(jar, own));
    assertThat(words.get(1)).isEqualTo(Stage.AGENT.options.get(0));
    return words.subList(1, 3);
  }

  private Compiled compile(String name, List<String> agent) throws Exception {
    Path source = Files.writeString(folder.newFolder(name).toPath().resolve("Main.kt"), SOURCE);
    Path classes = folder.newFolder(name + "-classes").toPath();
    Path runs = folder.newFolder(name + "-daemon").toPath();
    String quick =
        "-Xmx300m,-XX:TieredStopAtLevel=1,-XX:+UseSerialGC,-Djava.io.tmpdir=" + folder.getRoot();
    String option = "-Dkotlin.daemon.jvm.options=";
    List<String> arguments = new ArrayList<>(List.of("-XX:TieredStopAtLevel=1"));
    if (agent.isEmpty()) {
      arguments.add(option + quick);
    } else {
      arguments.add(agent.get(0));
      assertThat(agent.get(1)).startsWith(option);
      arguments.add(agent.get(1) + ',' + quick);
    }
    arguments.addAll(
        List.of(
            "org.jetbrains.kotlin.daemon.client.KotlinCompilerClient",
            "--daemon-compilerClasspath=" + compiler(),
            "--daemon-runFilesPath=" + runs,
            "--daemon-autoshutdownIdleSeconds=5",
            "-no-reflect",
            "-no-stdlib"));
    arguments.addAll(
        List.of("-cp", Path.of("target/kotlin/kotlin-stdlib.jar").toAbsolutePath() + ""));
    arguments.addAll(List.of("-module-name", "demo", "-d", classes.toString(), source.toString()));
    Jvm client = client(arguments);
    for (int i = 1; client.linesWith("Compilation succeeded").isEmpty() && i < MOST_ATTEMPTS; i++) {
      client = client(arguments);
    }
    boolean compiled = !client.linesWith("Compilation succeeded, result code: 0").isEmpty();
    assumeTrue("the compiler does not run on this JDK", compiled || !agent.isEmpty());
    assertThat(compiled).as("%s", client.lines()).isTrue();
    return new Compiled(
        client.linesWith("WARNING").stream()
            .map(line -> line.replace("/" + name + "/", "/"))
            .toList(),
        contents(classes));
  }

  private static Jvm client(List<String> arguments) throws Exception {
    try (Jvm client =
        Jvm.start(
            Path.of(System.getProperty("java.home")),
            compiler(),
            arguments.toArray(String[]::new))) {
      client.ended();
      return client;
    }
  }

  /** Daemons end some seconds after their clients; the folder goes now. */
  @After
  public void endDaemons() {
    String own = folder.getRoot().toString();
    ProcessHandle.allProcesses()
        .filter(each -> each.info().commandLine().orElse("").contains(own))
        .forEach(
            each -> {
              each.destroyForcibly();
              each.onExit().join();
            });
  }

  private static Map<String, String> contents(Path classes) throws IOException {
    Map<String, String> contents = new TreeMap<>();
    try (Stream<Path> files = Files.walk(classes)) {
      for (Path each : (Iterable<Path>) files.filter(Files::isRegularFile)::iterator) {
        String bytes = Base64.getEncoder().encodeToString(Files.readAllBytes(each));
        contents.put(classes.relativize(each).toString(), bytes);
      }
    }
    return contents;
  }

  @Test
  public void daemonAndClientCompileAsOnStockRmi() throws Exception {
    Compiled onStock = compile("stock", List.of());
    assertThat(onStock.messages()).anyMatch(line -> line.contains("deprecated"));
    assertThat(onStock.files()).containsKeys("demo/Hello.class", "demo/MainKt.class");
    assertThat(compile("agent", agent())).isEqualTo(onStock);
  }
}
