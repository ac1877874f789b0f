package io.karmi.ring.stress;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.Test;

/**
 * Runs the tests of this module, in a JVM of jcstress's own that starts others with all kinds of
 * compilation. {@code -Dstress.mode} is jcstress's {@code -m}: quick, default or tough.
 */
public class RingStressTest {
  @Test
  public void threadsSeeNothingThatIsForbidden() throws Exception {
    Path results = Files.createDirectories(Path.of("target", "jcstress"));
    Process stress =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                "org.openjdk.jcstress.Main",
                "-m",
                System.getProperty("stress.mode", "quick"),
                "-r",
                results.toString())
            .redirectErrorStream(true)
            .start();
    List<String> lines;
    try (BufferedReader out =
        new BufferedReader(
            new InputStreamReader(stress.getInputStream(), StandardCharsets.UTF_8))) {
      lines = out.lines().toList();
    }
    Files.write(results.resolve("output.txt"), lines);
    assertThat(stress.waitFor()).as("see %s", results).isZero();
    assertThat(lines).anyMatch(line -> line.contains("Failed tests: No matches"));
    assertThat(lines).noneMatch(line -> line.contains("[FAILED]"));
  }
}
