package io.karmi.retrofit;

import static org.assertj.core.api.Assertions.assertThat;

import io.karmi.kit.Jvm;
import io.karmi.retrofit.kit.Jars;
import io.karmi.retrofit.kit.Sources;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.BeforeClass;
import org.junit.ClassRule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** Libraries of others, each at real work, do the same on every delivery as on the JDK alone. */
public class RealCodeTest {
  @ClassRule public static final TemporaryFolder FOLDER = new TemporaryFolder();

  private static final Path PROGRAM = Path.of("src/test/programs/realcode");

  private static final String UKA = "-Duka.format=uka";

  private static Path root;
  private static Path karmi;
  private static List<Path> classPath;
  private static String stock;

  @BeforeClass
  public static void runOnTheJdkAlone() throws Exception {
    root = FOLDER.getRoot().toPath();
    karmi = Jars.karmi(root);
    classPath = new ArrayList<>(libraries());
    Path classes = root.resolve("classes");
    Sources.compile(classes, List.of("-cp", joined(classPath)), units());
    classPath.add(classes);
    stock = output(run("stock", classPath));
    assertThat(stock.lines().map(line -> line.replaceAll(":.*", "")))
        .containsExactly("collections4", "ehcache", "guava", "h2", "lang3", "spring", "tomcat");
    assertThat(stock).contains("tomcat: 1:order9.5").contains("stored 3:order9.5");
  }

  private static List<Path> libraries() {
    List<Path> jars = new ArrayList<>();
    for (String each : System.getProperty("java.class.path").split(File.pathSeparator)) {
      boolean used =
          each.matches(
              ".*(commons-collections4|commons-lang3|guava|failureaccess|ehcache|cache-api|slf4j-api"
                  + "|h2|tomcat|spring)-[^/\\\\]*\\.jar");
      if (used) {
        jars.add(Path.of(each));
      }
    }
    return jars;
  }

  private static String[] units() throws IOException {
    try (Stream<Path> files = Files.list(PROGRAM)) {
      List<String> units = new ArrayList<>();
      for (Path file : (Iterable<Path>) files.sorted()::iterator) {
        units.add(Files.readString(file));
      }
      return units.toArray(new String[0]);
    }
  }

  private static String joined(List<Path> paths) {
    return String.join(File.pathSeparator, paths.stream().map(Path::toString).toList());
  }

  private static Jvm.Result run(String name, List<Path> path, Object... options) throws Exception {
    Path directory = Files.createDirectories(root.resolve("work-" + name));
    List<Object> arguments = new ArrayList<>(List.of(options));
    arguments.addAll(List.of("-cp", joined(path), "realcode.RealCode", directory));
    return Jvm.java(arguments.toArray());
  }

  private static String output(Jvm.Result result) {
    assertThat(result.exit()).as(result.out() + result.err()).isZero();
    return result.out();
  }

  private static void karmiRetrofit(Object... arguments) throws Exception {
    List<Object> all =
        new ArrayList<>(List.of("-cp", karmi, "io.karmi.retrofit.cli.KarmiRetrofit"));
    all.addAll(List.of(arguments));
    output(Jvm.java(all.toArray()));
  }

  private static List<Path> rewritten(String name, String... options) throws Exception {
    Path out = root.resolve(name);
    List<Object> arguments = new ArrayList<>(List.of((Object[]) options));
    arguments.addAll(classPath);
    arguments.add("-o");
    arguments.add(out);
    karmiRetrofit(arguments.toArray());
    List<Path> path = new ArrayList<>();
    for (Path each : classPath) {
      path.add(out.resolve(each.getFileName()));
    }
    path.add(karmi);
    return path;
  }

  @Test
  public void agent() throws Exception {
    assertThat(output(run("agent", classPath, "-javaagent:" + karmi))).isEqualTo(stock);
  }

  @Test
  public void agentWithWeaving() throws Exception {
    assertThat(output(run("weave", classPath, "-javaagent:" + karmi + "=weave"))).isEqualTo(stock);
  }

  @Test
  public void agentInUkasFormat() throws Exception {
    assertThat(output(run("uka", classPath, UKA, "-javaagent:" + karmi))).isEqualTo(stock);
  }

  @Test
  public void bootPath() throws Exception {
    Path boot = root.resolve("boot");
    karmiRetrofit("--boot", boot);
    assertThat(output(run("boot", classPath, "@" + boot.resolve("java.args")))).isEqualTo(stock);
  }

  @Test
  public void rewrittenOnDisk() throws Exception {
    assertThat(output(run("disk", rewritten("rewritten")))).isEqualTo(stock);
  }

  @Test
  public void wovenOnDisk() throws Exception {
    assertThat(output(run("woven", rewritten("wovenout", "--weave"), UKA))).isEqualTo(stock);
  }
}
