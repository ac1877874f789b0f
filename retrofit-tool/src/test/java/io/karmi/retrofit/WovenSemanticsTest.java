package io.karmi.retrofit;

import static org.assertj.core.api.Assertions.assertThat;

import io.karmi.kit.Jvm;
import io.karmi.retrofit.rewrite.Outcome;
import io.karmi.retrofit.rewrite.Transformer;
import io.karmi.retrofit.rules.RetrofitOptions;
import io.karmi.retrofit.rules.RuleSet;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.Test;

/**
 * The tests of serialization's semantics with their programs woven: what they observe is what they
 * observe with the JDK's streams, and the bytes in the JDK's format are the same.
 */
public class WovenSemanticsTest {
  private static final Path TEST_CLASSES = Path.of("../uka-serialization/target/test-classes");
  private static final String PACKAGE = "io/karmi/uka/semantics";
  private static final Pattern RAN = Pattern.compile("OK \\((\\d+) tests\\)");

  /** What the JVM of these tests calls for each class of its programs. */
  public static final class Weaving
      implements BiFunction<byte[], Function<String, byte[]>, byte[]> {
    private final Transformer transformer;

    /** For the JVM, which makes it by name. */
    public Weaving() {
      RetrofitOptions options = RetrofitOptions.parse("only=serialization,weave");
      transformer = new Transformer(RuleSet.onDisk(options), options);
    }

    @Override
    public byte[] apply(byte[] classFile, Function<String, byte[]> others) {
      Outcome outcome = transformer.transform(classFile, others::apply);
      if (outcome.note() != null) {
        throw new AssertionError(outcome.note());
      }
      if (outcome.changes().contains("woven")) {
        System.err.println("woven");
      }
      return outcome.isChanged() ? outcome.bytes() : classFile;
    }
  }

  @Test
  public void weavingChangesNoResult() throws Exception {
    List<Object> arguments = new ArrayList<>();
    arguments.add("-cp");
    arguments.add(TEST_CLASSES + File.pathSeparator + System.getProperty("java.class.path"));
    arguments.add("-Dkarmi.test.versions=" + System.getProperty("karmi.test.versions"));
    arguments.add("-Dsemantics.weaver=" + Weaving.class.getName());
    arguments.add("-Drandom.programs=0+16");
    arguments.add("org.junit.runner.JUnitCore");
    arguments.addAll(programs());
    Jvm.Result result = Jvm.java(arguments.toArray());
    Matcher ran = RAN.matcher(result.out());
    assertThat(ran.find()).as(result.out()).isTrue();
    assertThat(Integer.parseInt(ran.group(1))).as("tests").isGreaterThan(400);
    assertThat(result.err().lines().filter("woven"::equals).count())
        .as("classes woven")
        .isGreaterThan(200);
  }

  /** Those of the tests that compare worlds. */
  private static List<String> programs() throws Exception {
    assertThat(TEST_CLASSES).as("compile the tests of uka-serialization first").isDirectory();
    List<String> programs = new ArrayList<>();
    try (Stream<Path> files = Files.list(TEST_CLASSES.resolve(PACKAGE))) {
      for (Path file : (Iterable<Path>) files.sorted()::iterator) {
        String name = file.getFileName().toString();
        boolean compares =
            new String(Files.readAllBytes(file), java.nio.charset.StandardCharsets.ISO_8859_1)
                .contains("differential/SameProgram");
        boolean inModules = name.equals("NamedModulesTest.class"); // they do not require KaRMI
        if (name.endsWith("Test.class") && compares && !inModules) {
          programs.add(PACKAGE.replace('/', '.') + "." + name.replace(".class", ""));
        }
      }
    }
    return programs;
  }
}
