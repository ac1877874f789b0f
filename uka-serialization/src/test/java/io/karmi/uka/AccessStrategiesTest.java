package io.karmi.uka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.Assume.assumeTrue;

import io.karmi.uka.differential.Versions;
import io.karmi.uka.differential.World;
import io.karmi.uka.semantics.CollectionElementsTest;
import io.karmi.uka.semantics.ConstructorsTest;
import io.karmi.uka.semantics.EvolutionTest;
import io.karmi.uka.semantics.ExactFieldsTest;
import io.karmi.uka.semantics.FieldsTest;
import io.karmi.uka.semantics.HierarchiesTest;
import io.karmi.uka.semantics.IdentityTest;
import io.karmi.uka.semantics.NamedModulesTest;
import io.karmi.uka.semantics.NumbersTest;
import io.karmi.uka.semantics.PutGetFieldsTest;
import io.karmi.uka.semantics.RandomProgramsTest;
import io.karmi.uka.semantics.RecordsTest;
import io.karmi.uka.semantics.ReplacementTest;
import io.karmi.uka.semantics.SharedValuesTest;
import io.karmi.uka.semantics.TypeErrorsTest;
import io.karmi.uka.semantics.UnsharedTest;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;
import org.junit.runner.JUnitCore;
import org.junit.runner.Result;

/**
 * The part of the tests of semantics that depends on how fields are reached, in a JVM for each way
 * to reach them; and no way makes the JVM print a warning.
 */
public class AccessStrategiesTest {
  private static final int VERSION = Runtime.version().feature();
  private static final String TRACE = "uka access: ";

  private static final Class<?>[] CHECKLIST = {
    CollectionElementsTest.class,
    ConstructorsTest.class,
    EvolutionTest.class,
    ExactFieldsTest.class,
    FieldsTest.class,
    HierarchiesTest.class,
    IdentityTest.class,
    NamedModulesTest.class,
    NumbersTest.class,
    PutGetFieldsTest.class,
    RandomProgramsTest.class,
    RecordsTest.class,
    ReplacementTest.class,
    SharedValuesTest.class,
    TypeErrorsTest.class,
    UnsharedTest.class,
  };

  /** What reaches fields in each of the ways that are taken where none is named. */
  private static final Class<?>[] OF_DEFAULTS = {
    ConstructorsTest.class,
    FieldsTest.class,
    HierarchiesTest.class,
    NamedModulesTest.class,
    RecordsTest.class,
  };

  @Rule public final TemporaryFolder folder = new TemporaryFolder();

  /** Tests whose classes have the loader of this library. */
  private static final Class<?>[] BESIDE_THE_LIBRARY = {
    DeeperThanTheStackTest.class,
    EmbeddedStreamTest.class,
    UkaAwareTest.class,
    WireFormatTest.class,
  };

  /** What each JVM runs: the tests that are named. */
  public static final class Program {
    private Program() {}

    public static void main(String[] tests) throws ClassNotFoundException {
      Class<?>[] classes = new Class<?>[tests.length];
      for (int i = 0; i < tests.length; i++) {
        classes[i] = Class.forName(tests[i]);
      }
      Result result = new JUnitCore().run(classes);
      result.getFailures().forEach(failure -> System.out.println(failure.getTrace()));
      System.out.println(result.getRunCount() + " run");
      System.exit(result.wasSuccessful() ? 0 : 1);
    }
  }

  /** Runs tests in a JVM of their own, and returns what that says on its standard error. */
  private List<String> run(Class<?>[] tests, String... options) throws Exception {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-XX:TieredStopAtLevel=1"); // the second compiler costs more than it saves
    command.add("-Drandom.programs=104+8"); // of one family: its classes are compiled once
    command.add("-D" + World.OURS_ALONE + "=true"); // the JDK reaches fields in its own way
    command.add("-D" + Versions.STORE + "=" + Versions.store());
    command.addAll(List.of(options));
    command.add("-cp");
    command.add(
        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")));
    command.add(Program.class.getName());
    for (Class<?> test : tests) {
      command.add(test.getName());
    }
    Path errors = folder.newFile().toPath();
    Process process = new ProcessBuilder(command).redirectError(errors.toFile()).start();
    try {
      String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      assertThat(process.waitFor(60, TimeUnit.SECONDS)).as("ends").isTrue();
      assertThat(process.exitValue()).as(output).isZero();
      assertThat(output).containsPattern("[1-9]\\d+ run");
    } finally {
      process.destroyForcibly();
    }
    return Files.readAllLines(errors);
  }

  private void runWith(String strategy, Class<?>[] tests, String... options) throws Exception {
    List<String> all = new ArrayList<>(List.of("-Duka.access=" + strategy, "-Duka.trace=access"));
    all.addAll(List.of(options));
    assertThat(run(tests, all.toArray(new String[0])))
        .allMatch(line -> line.startsWith(TRACE))
        .anyMatch(line -> line.startsWith(TRACE + "io.karmi.") && line.endsWith(": " + strategy));
  }

  /** No class becomes a nestmate of one in another module, such as that of another loader. */
  @Test
  public void nestmate() throws Exception {
    runWith("nestmate", BESIDE_THE_LIBRARY);
  }

  @Test
  public void handles() throws Exception {
    runWith("handles", CHECKLIST);
  }

  @Test
  public void internalUnsafe() throws Exception {
    runWith("internal-unsafe", CHECKLIST, "--add-exports=java.base/jdk.internal.misc=ALL-UNNAMED");
  }

  @Test
  public void unsafe() throws Exception {
    assumeTrue("its use is warned of since 24", VERSION < 24);
    runWith("unsafe", CHECKLIST);
  }

  /** Where no strategy is named, it serves the first objects of a class only. */
  @Test
  public void reflection() throws Exception {
    runWith("reflection", CHECKLIST);
  }

  @Test
  public void streams() throws Exception {
    assumeTrue("the JDK has had default methods for streams since 24", VERSION >= 24);
    runWith("streams", CHECKLIST);
  }

  @Test
  public void nothingIsPrintedByDefault() throws Exception {
    assertThat(run(OF_DEFAULTS)).isEmpty();
  }

  @Test
  public void nothingNeedsTheUnsafeThatCanBeDenied() throws Exception {
    assumeTrue("the option is new in 23", VERSION >= 23);
    assertThat(run(CHECKLIST, "--sun-misc-unsafe-memory-access=deny")).isEmpty();
  }
}
