package io.karmi.retrofit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.Assume.assumeTrue;

import io.karmi.kit.Jvm;
import io.karmi.retrofit.kit.Jars;
import io.karmi.retrofit.kit.Sources;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.BeforeClass;
import org.junit.ClassRule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/**
 * Objects of some ninety kinds arrive in every delivery as they do with java.io's streams, and the
 * JVM prints no warning: with the JDK's default settings, with its strictest, and with its caches.
 */
public class FidelityTest {
  @ClassRule public static final TemporaryFolder FOLDER = new TemporaryFolder();

  private static final Path SOURCES = Path.of("src/test/programs/fidelity");
  private static final int JDK = Runtime.version().feature();

  private static Path root;

  /** What the program prints with java.io's streams. */
  private static String stock;

  /** Arguments of each delivery, from the options of the JVM to those of the program. */
  private static final Map<String, List<String>> DELIVERIES = new LinkedHashMap<>();

  @BeforeClass
  public static void deliver() throws Exception {
    root = FOLDER.getRoot().toPath();
    Path karmi = Jars.karmi(root);
    Path program = program();
    stock = run(List.of("-cp", program.toString(), "fidelity.Fidelity"));
    assertThat(stock.lines().filter(line -> line.contains(": failed: ")))
        .containsExactly(
            "not serializable: failed: java.io.NotSerializableException: java.util.WeakHashMap");
    assertThat(stock.lines().filter(line -> line.contains(": first "))).isEmpty();
    assertThat(stock).contains("record with List.of: fidelity.Own$Order Order[id=o1, items=[a, b");
    DELIVERIES.put(
        "agent", List.of("-javaagent:" + karmi, "-cp", "" + program, "fidelity.Fidelity"));
    retrofit(karmi, "--boot", root.resolve("boot"));
    Path options = root.resolve("boot").resolve("java.args");
    DELIVERIES.put("boot path", List.of("@" + options, "-cp", "" + program, "fidelity.Fidelity"));
    Path rewritten = root.resolve("rewritten.jar");
    retrofit(karmi, program, "-o", rewritten);
    DELIVERIES.put("rewritten jar", List.of("-cp", path(rewritten, karmi), "fidelity.Fidelity"));
    DELIVERIES.put(
        "library",
        List.of(
            "-cp",
            path(program, karmi),
            "fidelity.Fidelity",
            "io.karmi.uka.UkaObjectOutputStream",
            "io.karmi.uka.UkaObjectInputStream"));
  }

  private static Path program() throws IOException {
    List<String> units = new ArrayList<>();
    try (Stream<Path> files = Files.list(SOURCES)) {
      for (Path file : (Iterable<Path>) files.sorted()::iterator) {
        units.add(Files.readString(file));
      }
    }
    Path classes = root.resolve("classes");
    Sources.compile(classes, List.of(), units.toArray(new String[0]));
    return Jars.of(root.resolve("program.jar"), Jars.manifest(), classes);
  }

  private static String path(Path program, Path karmi) {
    return program + File.pathSeparator + karmi;
  }

  private static void retrofit(Path karmi, Object... arguments) throws Exception {
    List<String> all =
        new ArrayList<>(List.of("-cp", "" + karmi, "io.karmi.retrofit.cli.KarmiRetrofit"));
    for (Object each : arguments) {
      all.add(each.toString());
    }
    Jvm.Result result = Jvm.java(all.toArray());
    assertThat(result.exit()).as(result.out() + result.err()).isZero();
  }

  /** Runs a program that must end without an error and without a warning; returns its output. */
  private static String run(List<String> arguments) throws Exception {
    Jvm.Result result = Jvm.java(arguments.toArray());
    assertThat(result.err()).as("%s", arguments).isEmpty();
    assertThat(result.exit()).as("%s printed %s", arguments, result.out()).isZero();
    return result.out();
  }

  private static void runAsStock(String delivery, List<String> options) throws Exception {
    List<String> arguments = new ArrayList<>(options);
    arguments.addAll(DELIVERIES.get(delivery));
    List<String> lines = run(arguments).lines().toList();
    assertThat(lines).as("%s %s", delivery, options).isEqualTo(stock.lines().toList());
  }

  /** Options of the JVM by which nothing may pass that the JDK is going to forbid. */
  private static List<String> strict() {
    List<String> options = new ArrayList<>();
    if (JDK >= 26) {
      options.add("--illegal-final-field-mutation=deny");
    }
    if (JDK >= 23) {
      options.add("--sun-misc-unsafe-memory-access=deny");
    }
    if (JDK >= 25) {
      options.add("-XX:+UseCompactObjectHeaders");
    }
    options.add("-XX:+UseZGC");
    return options;
  }

  private static void runAllWays(String delivery) throws Exception {
    runAsStock(delivery, List.of());
    runAsStock(delivery, strict());
  }

  @Test
  public void underTheAgent() throws Exception {
    runAllWays("agent");
  }

  @Test
  public void onTheBootPath() throws Exception {
    runAllWays("boot path");
  }

  @Test
  public void afterRewriting() throws Exception {
    runAllWays("rewritten jar");
  }

  @Test
  public void asLibrary() throws Exception {
    runAllWays("library");
  }

  /** The JVM makes no cache with an agent, nor with the boot path's patch of java.base. */
  @Test
  public void withAnAheadOfTimeCache() throws Exception {
    assumeTrue("this JDK makes no such cache in one step", JDK >= 25);
    for (String delivery : List.of("rewritten jar", "library")) {
      Path cache = root.resolve(delivery + ".aot");
      List<String> made = new ArrayList<>(List.of("-XX:AOTCacheOutput=" + cache));
      made.addAll(DELIVERIES.get(delivery));
      Jvm.Result result = Jvm.java(made.toArray());
      assertThat(result.exit()).as(result.out() + result.err()).isZero();
      assertThat(cache).as(delivery).exists();
      runAsStock(delivery, List.of("-XX:AOTCache=" + cache));
      Files.delete(cache);
    }
  }
}
