package io.karmi.retrofit.agent;

import static org.assertj.core.api.Assertions.assertThat;

import io.karmi.kit.Jvm;
import io.karmi.retrofit.kit.Jars;
import io.karmi.retrofit.kit.Sources;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jacoco.agent.AgentJar;
import org.jacoco.core.data.ExecutionData;
import org.jacoco.core.tools.ExecFileLoader;
import org.junit.BeforeClass;
import org.junit.ClassRule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/**
 * The agents that most tests run under, JaCoCo's and Mockito's, do their work beside KaRMI's
 * whichever comes first. What Mockito's cannot do is in docs/differences.md.
 */
public class BesideOtherAgentsTest {
  @ClassRule public static final TemporaryFolder FOLDER = new TemporaryFolder();

  /** What the generated stub of an interface adds to its name, and the generated skeleton. */
  private static final String GENERATED = ".*_K(Stub|Skel)(\\$.*)?";

  private static String karmi;
  private static String mockito;
  private static String classPath;

  @BeforeClass
  public static void build() throws Exception {
    Path root = FOLDER.getRoot().toPath();
    karmi = "-javaagent:" + Jars.karmi(root);
    List<String> libraries =
        Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
            .filter(each -> each.matches(".*(mockito-core|byte-buddy|objenesis)-.*\\.jar"))
            .toList();
    mockito =
        "-javaagent:"
            + libraries.stream().filter(each -> each.contains("mockito-core")).findFirst().get();
    String path = String.join(File.pathSeparator, libraries);
    Path classes = root.resolve("classes");
    Sources.compile(classes, List.of("-cp", path), sources());
    classPath = classes + File.pathSeparator + path;
  }

  private static String[] sources() throws IOException {
    try (Stream<Path> files = Files.list(Path.of("src", "test", "programs", "beside"))) {
      List<String> units = new ArrayList<>();
      for (Path each : (Iterable<Path>) files::iterator) {
        units.add(Files.readString(each));
      }
      return units.toArray(String[]::new);
    }
  }

  private static List<String> run(String main, String... agents) throws Exception {
    return result(main, agents).out().lines().toList();
  }

  private static Jvm.Result result(String main, String... agents) throws Exception {
    List<Object> command = new ArrayList<>(List.of(agents));
    command.add("-Djava.rmi.server.hostname=127.0.0.1");
    command.add("-Dnet.bytebuddy.experimental=true"); // for class files newer than it knows
    command.addAll(List.of("-cp", classPath, main));
    Jvm.Result result = Jvm.java(command.toArray());
    assertThat(result.exit()).as(result.out() + result.err()).isZero();
    return result;
  }

  /** Identity of each class in a coverage file, which depends on its bytes, and its probes. */
  private static Map<String, String> covered(Path file) throws IOException {
    ExecFileLoader loader = new ExecFileLoader();
    loader.load(file.toFile());
    Map<String, String> probes = new TreeMap<>();
    for (ExecutionData each : loader.getExecutionDataStore().getContents()) {
      if (!each.getName().matches(GENERATED)) {
        probes.put(each.getName(), each.getId() + " " + Arrays.toString(each.getProbes()));
      }
    }
    return probes;
  }

  @Test
  public void coverageIsTheSameAndSoAreTheProgramsAnswers() throws Exception {
    Path root = FOLDER.getRoot().toPath();
    Path agent = root.resolve("jacocoagent.jar");
    AgentJar.extractTo(agent.toFile());
    String jacoco = "-javaagent:" + agent + "=destfile=" + root;
    List<String> stock = run("beside.Covered", jacoco + "/stock.exec");
    assertThat(stock).last().isEqualTo("java.lang.IllegalStateException: empty");
    assertThat(run("beside.Covered", jacoco + "/first.exec", karmi)).isEqualTo(stock);
    assertThat(run("beside.Covered", karmi, jacoco + "/second.exec")).isEqualTo(stock);
    Map<String, String> covered = covered(root.resolve("stock.exec"));
    assertThat(covered)
        .containsOnlyKeys(
            "beside/Basket",
            "beside/Basket$Empty",
            "beside/Basket$Line",
            "beside/Covered",
            "beside/Covered$Counter");
    assertThat(covered.get("beside/Basket")).contains("true").contains("false");
    assertThat(covered(root.resolve("first.exec"))).isEqualTo(covered);
    assertThat(covered(root.resolve("second.exec"))).isEqualTo(covered);
  }

  @Test
  public void anAgentBehindIsNotToldToBeKarmiOnceMore() throws Exception {
    assertThat(result("beside.Covered", karmi + "=exclude=none.*", mockito).err())
        .doesNotContain("karmi:");
  }

  @Test
  public void coverageIsTheSameBehindAnAgentThatIsGivenTwice() throws Exception {
    Path root = FOLDER.getRoot().toPath();
    Path agent = root.resolve("behind-two.jar");
    AgentJar.extractTo(agent.toFile());
    String jacoco = "-javaagent:" + agent + "=destfile=" + root;
    run("beside.Covered", jacoco + "/alone.exec");
    run("beside.Covered", karmi, karmi, jacoco + "/behind-two.exec");
    assertThat(covered(root.resolve("behind-two.exec")))
        .isEqualTo(covered(root.resolve("alone.exec")));
  }

  @Test
  public void mocksAnswerAsOnStockButForCreationsOfAStream() throws Exception {
    List<String> expected = new ArrayList<>(run("beside.Mocked", mockito));
    assertThat(expected)
        .contains("remote interface: 7", "final class: 8", "exported: 250", "serializable: 11");
    int creation = expected.indexOf("constructor of a stream: stubbed");
    assertThat(creation).as("on stock").isPositive();
    expected.set(creation, "constructor of a stream: a stream");
    assertThat(run("beside.Mocked", karmi, mockito)).isEqualTo(expected);
    assertThat(run("beside.Mocked", mockito, karmi)).isEqualTo(expected);
  }
}
