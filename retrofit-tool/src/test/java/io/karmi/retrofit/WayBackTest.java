package io.karmi.retrofit;

import static org.assertj.core.api.Assertions.assertThat;

import io.karmi.kit.Jvm;
import io.karmi.retrofit.kit.Jars;
import io.karmi.retrofit.kit.Sources;
import java.io.File;
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
 * A program that has run with KaRMI, without any setting, runs on without it with all its data: it
 * has written what it would have written without, byte for byte.
 */
public class WayBackTest {
  @ClassRule public static final TemporaryFolder FOLDER = new TemporaryFolder();

  private static final Path SOURCES = Path.of("src/test/programs/wayback");

  /** Graphs that a run writes, each by a stream of its own: many with KaRMI. */
  private static final int FEW = 30;

  private static final int MANY = 1000;

  private static Path root;
  private static Path karmi;
  private static List<Object> plain;

  /** What three runs without KaRMI leave, and print. */
  private static Path expected;

  private static final List<String> PRINTED = new ArrayList<>();

  @BeforeClass
  public static void runOnTheJdkAlone() throws Exception {
    root = FOLDER.getRoot().toPath();
    karmi = Jars.karmi(root);
    Path classes = root.resolve("classes");
    List<String> units = new ArrayList<>();
    try (Stream<Path> files = Files.list(SOURCES)) {
      for (Path file : (Iterable<Path>) files.sorted()::iterator) {
        units.add(Files.readString(file));
      }
    }
    Sources.compile(classes, List.of(), units.toArray(new String[0]));
    plain = List.of("-cp", classes);
    expected = Files.createDirectory(root.resolve("expected"));
    for (int run = 1; run <= 3; run++) {
      PRINTED.add(run(plain, expected, run));
    }
    assertThat(PRINTED.get(1)).contains("end of zip 1", "end of journal");
    assertThat(PRINTED.get(2).lines().filter(line -> line.startsWith("2."))).hasSize(MANY);
  }

  private static String java(List<Object> options, Object... program) throws Exception {
    List<Object> arguments = new ArrayList<>(options);
    arguments.addAll(List.of(program));
    Jvm.Result result = Jvm.java(arguments.toArray());
    assertThat(result.err()).as("%s", arguments).isEmpty();
    assertThat(result.exit()).as("%s printed %s", arguments, result.out()).isZero();
    return result.out();
  }

  private static String run(List<Object> options, Path folder, int run) throws Exception {
    return java(options, "wayback.Store", folder, run, run == 2 ? MANY : FEW);
  }

  private static void retrofit(Object... arguments) throws Exception {
    List<Object> command = List.of("-cp", karmi, "io.karmi.retrofit.cli.KarmiRetrofit");
    java(command, arguments);
  }

  /** The second of three runs is with KaRMI; files and output of all are as without. */
  private static void goesThereAndBack(String name, List<Object> swapped) throws Exception {
    Path folder = Files.createDirectory(root.resolve("store-" + name));
    assertThat(run(plain, folder, 1)).isEmpty();
    assertThat(run(swapped, folder, 2)).isEqualTo(PRINTED.get(1));
    assertThat(run(plain, folder, 3)).isEqualTo(PRINTED.get(2));
    try (Stream<Path> files = Files.list(expected)) {
      for (Path file : (Iterable<Path>) files::iterator) {
        assertThat(folder.resolve(file.getFileName())).hasSameBinaryContentAs(file);
      }
    }
  }

  @Test
  public void fromTheAgent() throws Exception {
    goesThereAndBack("agent", with("-javaagent:" + karmi));
  }

  @Test
  public void fromTheAgentWithWeaving() throws Exception {
    goesThereAndBack("weaving", with("-javaagent:" + karmi + "=weave"));
  }

  @Test
  public void fromTheAgentForStreamsAlone() throws Exception {
    goesThereAndBack("streams", with("-javaagent:" + karmi + "=only=serialization"));
  }

  @Test
  public void fromTheBootPath() throws Exception {
    Path boot = root.resolve("boot");
    retrofit("--boot", boot);
    goesThereAndBack("boot", with("@" + boot.resolve("java.args")));
  }

  @Test
  public void fromRewrittenClasses() throws Exception {
    for (String option : List.of("--no-weave", "--weave")) {
      Path out = root.resolve("rewritten" + option);
      retrofit(option, plain.get(1), "-o", out);
      goesThereAndBack("rewritten" + option, List.of("-cp", out + File.pathSeparator + karmi));
    }
  }

  /** But whoever has KaRMI reads both formats, in one file, too. */
  @Test
  public void notFromUkasFormat() throws Exception {
    Path folder = Files.createDirectory(root.resolve("store-uka"));
    run(plain, folder, 1);
    run(with("-javaagent:" + karmi, "-Duka.format=uka"), folder, 2);
    Jvm.Result result = Jvm.java(plain.get(0), plain.get(1), "wayback.Store", folder, 3, FEW);
    assertThat(result.err()).contains("invalid stream header: 554B4101");
    String again = run(with("-javaagent:" + karmi), folder, 3);
    assertThat(again).isEqualTo(PRINTED.get(2));
  }

  private static List<Object> with(String... options) {
    List<Object> all = new ArrayList<>(List.of((Object[]) options));
    all.addAll(plain);
    return all;
  }

  @Test
  public void aParentAndItsChildTalkWhicheverHasTheAgent() throws Exception {
    List<Object> agent = with("-javaagent:" + karmi);
    String expected = pipe(plain, plain);
    assertThat(expected).contains("\n198 ").endsWith("child ends with 0\n");
    assertThat(pipe(agent, plain)).isEqualTo(expected);
    assertThat(pipe(plain, agent)).isEqualTo(expected);
  }

  private static String pipe(List<Object> parent, List<Object> child) throws Exception {
    List<Object> command = new ArrayList<>();
    command.add("wayback.Pipe");
    command.add(Path.of(System.getProperty("java.home"), "bin", "java"));
    command.add("-XX:TieredStopAtLevel=1");
    command.addAll(child);
    command.add("wayback.Pipe");
    return java(parent, command.toArray());
  }
}
