package io.karmi.uka.semantics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.Assume.assumeTrue;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import javax.tools.ToolProvider;
import org.junit.ClassRule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** Value classes, a preview of JDK 28, in a JVM that has them. Boxes are among them there. */
public class ValueClassesTest {
  private static final int RELEASE = Runtime.version().feature();
  private static final int FIRST_RELEASE = 28;

  @ClassRule public static final TemporaryFolder FOLDER = new TemporaryFolder();

  @Test
  public void theirObjectsAreWrittenReadAndRefusedAsByTheJdk() throws Exception {
    assumeTrue("this JDK has value classes", RELEASE >= FIRST_RELEASE);
    List<String> lines = run(compile());
    assertThat(lines)
        .hasSize(11)
        .allSatisfy(
            line -> {
              List<String> ways = Arrays.asList(line.split("\t")).subList(1, 4);
              assertThat(ways).containsOnly(ways.get(0));
            })
        .anySatisfy(line -> assertThat(line).startsWith("Number\tjava.io.InvalidClassException"))
        .anySatisfy(line -> assertThat(line).startsWith("Integer\t70000 true"));
  }

  private static String compile() throws Exception {
    String classes = FOLDER.newFolder("classes").toString();
    int result =
        ToolProvider.getSystemJavaCompiler()
            .run(
                null,
                null,
                null,
                "--enable-preview",
                "--release",
                Integer.toString(RELEASE),
                "-nowarn",
                "-cp",
                System.getProperty("java.class.path"),
                "-d",
                classes,
                Path.of("src", "test", "programs", "Values.java").toString());
    assertThat(result).as("compiled").isZero();
    return classes;
  }

  private static List<String> run(String classes) throws Exception {
    Path output = FOLDER.newFile("output").toPath();
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-preview",
                "-cp",
                classes + File.pathSeparator + System.getProperty("java.class.path"),
                "Values")
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    try {
      assertThat(process.waitFor(5, TimeUnit.MINUTES)).as("it ends").isTrue();
      assertThat(process.exitValue()).as(Files.readString(output)).isZero();
      return Files.readAllLines(output);
    } finally {
      process.destroyForcibly();
    }
  }
}
