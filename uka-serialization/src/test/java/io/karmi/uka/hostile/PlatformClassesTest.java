package io.karmi.uka.hostile;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.concurrent.TimeUnit;
import org.junit.Test;

/** Every serializable class of the platform is read under limits, in a JVM of its own. */
public class PlatformClassesTest {
  @Test
  public void noForgedObjectOfThePlatformWaitsOrTakesMoreThanASecondAMegabyteAndAThread()
      throws IOException, InterruptedException {
    File output = File.createTempFile("classes", ".txt");
    /* As under the agent: fields of all modules are reached. */
    Process process =
        new ProcessBuilder(
                System.getProperty("java.home") + "/bin/java",
                "--add-exports=java.base/jdk.internal.misc=ALL-UNNAMED",
                "--add-opens=java.management/javax.management=ALL-UNNAMED",
                "-Xmx128m",
                System.getProperty("karmi.test.option", "-XX:TieredStopAtLevel=1"),
                "-cp",
                System.getProperty("java.class.path"),
                PlatformClassesMain.class.getName())
            .redirectErrorStream(true)
            .redirectOutput(output)
            .start();
    try {
      assertThat(process.waitFor(10, TimeUnit.MINUTES)).as("it ends").isTrue();
      String printed = Files.readString(output.toPath(), StandardCharsets.UTF_8);
      assertThat(process.exitValue()).as(printed).isZero();
      assertThat(printed).contains("findings: 0");
    } finally {
      process.destroyForcibly();
      output.delete();
    }
  }
}
