package io.karmi.uka.semantics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.Assume.assumeTrue;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
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
    String classes = compile();
    checkAll(run(classes));
    checkAll(run(classes, "--add-exports=java.base/jdk.internal.misc=ALL-UNNAMED")); // as agents do
  }

  private static void checkAll(List<String> lines) {
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

  private static List<String> run(String classes, String... options) throws Exception {
    Path output = FOLDER.newFile().toPath();
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("--enable-preview");
    command.addAll(List.of(options));
    command.add("-cp");
    command.add(classes + File.pathSeparator + System.getProperty("java.class.path"));
    command.add("Values");
    Process process =
        new ProcessBuilder(command)
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
