package io.karmi.distribution;

import static org.assertj.core.api.Assertions.assertThat;

import io.karmi.benchmarks.results.Results;
import io.karmi.benchmarks.results.ResultsFile;
import io.karmi.benchmarks.stacks.Constellations;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.jar.JarFile;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.junit.ClassRule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/**
 * What is prepared before a program starts: stubs by karmic, woven classes, the JDK's class caches.
 * Runs what the build packaged.
 */
public class AheadOfTimeIT {
  private static final Path HOME = Path.of("target", "karmi").toAbsolutePath();

  private static final String JAVA =
      Path.of(System.getProperty("java.home"), "bin", "java").toString();

  /** Loaded in KaRMI's JVMs, and not in those of stock RMI, which makes proxies. */
  private static final String AGENT = "io.karmi.retrofit.agent.Agent ";

  /** The remote interfaces of the kernels and of the three applications. */
  private static final List<String> REMOTE_OBJECTS =
      List.of(
          "kernels.Ping",
          "kernels.PingPong",
          "kernels.Pong",
          "kernels.Barrier",
          "kernels.Meter",
          "applications.Multipliers",
          "applications.Multiplier",
          "applications.Merger",
          "applications.ParaffinMolecules",
          "applications.SorWorkers",
          "applications.SorBlock");

  /** By server and client; fewer are no log of a run. */
  private static final int LEAST_CLASSES_LOADED = 1_000;

  @ClassRule public static final TemporaryFolder FOLDER = new TemporaryFolder();

  @Test
  public void theWholeCollectionRunsWithKarmicsStubsAndNoClassIsMadeAtRunTime() throws Exception {
    Path root = FOLDER.newFolder("benchmarks").toPath();
    String stubs = root.resolve("stubs").toString();
    run("karmic", "-d", stubs, "--scan", HOME.resolve("lib/karmi-benchmarks.jar").toString());
    List<String> kernels = kernels();
    assertThat(kernels).contains("hamming", "paraffins", "sor").hasSizeGreaterThan(60);
    run(
        "karmi-bench",
        "rmi",
        "--stacks=karmi-uka",
        "--kernels=" + String.join(";", kernels),
        "--forks=1",
        "--rounds=1",
        "--warm-up=1",
        "--settle=1",
        "--measure=1",
        "--processors=asleep",
        "--class-path=" + stubs,
        "--jvm-options=-Dkarmi.codegen=off -XX:TieredStopAtLevel=1 -Xlog:class+load:file="
            + root
            + "/loaded-%p.log",
        "--json=" + root.resolve("rmi.json"),
        "--html=" + root.resolve("index.html"));
    Results results = ResultsFile.read(root.resolve("rmi.json"));
    assertThat(results.kernels()).hasSameElementsAs(kernels);
    List<String> loaded = loaded(root);
    assertThat(loaded).hasSizeGreaterThan(LEAST_CLASSES_LOADED);
    assertThat(REMOTE_OBJECTS)
        .as("the programs' stubs and skeletons are karmic's")
        .allSatisfy(
            name ->
                assertThat(loaded)
                    .anyMatch(line -> line.contains(name + "_KStub") && line.contains(stubs))
                    .anyMatch(line -> line.contains(name + "_KSkel") && line.contains(stubs)));
    assertThat(loaded.stream().filter(AheadOfTimeIT::isMadeByKarmi).toList()).isEmpty();
  }

  /** All with one client or a star of four, and of each type of array the ends of the range. */
  private static List<String> kernels() {
    return Constellations.payloads().stream()
        .filter(name -> !name.matches(".*\\[(200|500|2000|5000)].*"))
        .toList();
  }

  @Test
  public void wovenClassesMarshalThemselvesWhereNoCodeIsGenerated() throws Exception {
    Path root = FOLDER.newFolder("woven").toPath();
    Path classes = Files.createDirectory(root.resolve("classes"));
    String source = Path.of("src", "test", "programs", "app", "Objects.java").toString();
    assertThat(
            ToolProvider.getSystemJavaCompiler()
                .run(null, null, null, "-proc:none", "-d", classes.toString(), source))
        .isZero();
    String woven = root.resolve("rewired").toString();
    assertThat(run("karmi-retrofit", "--weave", "--report", classes.toString(), "-o", woven))
        .contains("woven");
    String jar = HOME.resolve("lib").resolve("karmi.jar").toString();
    Path log = root.resolve("loaded.log");
    String expected = output(JAVA, "-cp", classes.toString(), "app.Objects");
    assertThat(
            output(
                JAVA,
                "-Dkarmi.codegen=off",
                "-Duka.format=uka",
                "-Xlog:class+load:file=" + log,
                "-cp",
                woven + File.pathSeparator + jar,
                "app.Objects"))
        .isEqualTo(expected);
    assertThat(Files.readAllLines(log))
        .anyMatch(line -> line.contains("io.karmi.uka.SelfMarshallingAccess$WovenClass "))
        .noneMatch(AheadOfTimeIT::isMadeByKarmi);
  }

  @Test
  public void startupComparesWhatIsPreparedWithStockRmi() throws Exception {
    String printed = run("karmi-bench", "startup", "--rounds=1");
    String cache = Runtime.version().feature() >= 25 ? "AOT cache" : "shared archive";
    for (String title :
        List.of(
            "stock RMI",
            "KaRMI by its agent",
            "KaRMI, stubs and woven classes",
            "stock RMI, " + cache,
            "KaRMI, stubs and woven classes, " + cache)) {
      assertThat(printed.lines())
          .as(title)
          .anyMatch(line -> line.matches(title + "( +\\d+ +[+-]\\d+ +[+-]\\d+){2}"));
    }
  }

  @Test
  public void karmisJarHasTheReachabilityMetadataOfItsModules() throws Exception {
    try (JarFile jar = new JarFile(HOME.resolve("lib").resolve("karmi.jar").toFile())) {
      for (String module :
          List.of(
              "uka-serialization", "karmi-runtime", "technology-connection", "technology-shm")) {
        String file = "META-INF/native-image/io.karmi/" + module + "/reachability-metadata.json";
        assertThat(jar.getEntry(file)).as(file).isNotNull();
      }
    }
  }

  @Test
  public void karmicGivesTheJvmItsOptions() throws Exception {
    assertThat(run("karmic", "-J-Duser.language=en", "-J-version")).contains("version");
    Run wrong = new Run(FOLDER, command("karmic", "-J-XX:NoSuchOption=1", "-nowrite", "app.No"));
    assertThat(wrong.awaitEnd()).isEqualTo(1);
    assertThat(wrong.output()).contains("NoSuchOption");
  }

  /**
   * One that is in no file; those that the JDK makes for lambdas and method handles do not count.
   */
  private static boolean isMadeByKarmi(String line) {
    boolean inFile = line.matches(".*source: (jrt:|file:|shared objects file|jar:|.*\\.jar).*");
    boolean ofJdk =
        line.contains("$$Lambda") || line.contains("LambdaForm") || line.contains("$Species_");
    boolean ours = line.contains("io.karmi") || line.contains("$Proxy");
    return ours && !inFile && !ofJdk;
  }

  /** The lines of the logs of KaRMI's JVMs. */
  private static List<String> loaded(Path root) throws IOException {
    List<String> lines = new ArrayList<>();
    try (Stream<Path> files = Files.list(root)) {
      for (Path each : (Iterable<Path>) files::iterator) {
        if (each.getFileName().toString().startsWith("loaded-")) {
          List<String> ofOneJvm = Files.readAllLines(each);
          if (ofOneJvm.stream().anyMatch(line -> line.contains(AGENT))) {
            lines.addAll(ofOneJvm);
          }
        }
      }
    }
    return lines;
  }

  private static String output(String... command) throws Exception {
    Run run = new Run(FOLDER, List.of(command));
    assertThat(run.awaitEnd()).as(run.output()).isZero();
    return run.output();
  }

  private static String run(String name, String... arguments) throws Exception {
    Run run = new Run(FOLDER, command(name, arguments));
    assertThat(run.awaitEnd()).as(run.output()).isZero();
    return run.output();
  }

  private static List<String> command(String name, String... arguments) {
    List<String> command = new ArrayList<>(List.of(HOME.resolve("bin").resolve(name).toString()));
    command.addAll(Arrays.asList(arguments));
    return command;
  }
}
