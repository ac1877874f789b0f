package io.karmi.spark;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** The example that broadcasts a group of an exchange space, by the command that is shown. */
public class SharedTableIT {
  private static final long DEADLINE_SECONDS = 480;
  private static final Path EXAMPLE = Path.of("..", "..", "..", "scripts", "examples", "exchange");

  @Rule public final TemporaryFolder folder = new TemporaryFolder();

  @Test
  public void executorsOfAHostFetchABroadcastGroupOnce() throws Exception {
    File out = folder.newFile("out");
    File err = folder.newFile("err");
    ProcessBuilder builder =
        new ProcessBuilder("sh", EXAMPLE.resolve("run.sh").toAbsolutePath().toString())
            .redirectOutput(out)
            .redirectError(err);
    builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
    builder
        .environment()
        .put(
            "JAVA_TOOL_OPTIONS",
            "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"); // over before more pays
    Process driver = builder.start();
    try {
      boolean ended = driver.waitFor(DEADLINE_SECONDS, TimeUnit.SECONDS);
      String said = Files.readString(out.toPath()) + Files.readString(err.toPath());
      assertThat(ended).as(said).isTrue();
      assertThat(driver.exitValue()).as(said).isZero();
      assertThat(Files.readAllLines(out.toPath()))
          .as(said)
          .containsSubsequence("executors 2", "fetches 1", "right true");
    } finally {
      driver.descendants().forEach(ProcessHandle::destroyForcibly);
      driver.destroyForcibly();
    }
  }
}
