package io.karmi.benchmarks.startup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** The program of the startup benchmark that has a server and a client. */
public class RemoteStartupTest {
  @Rule public final TemporaryFolder folder = new TemporaryFolder();

  @Test
  public void serverAndClientEndAndTheirTimesAreTaken() throws Exception {
    RemoteProgram program =
        new RemoteProgram(folder.getRoot().toPath(), Path.of("there-is-no-karmi.jar"));
    List<String> options = List.of("-cp", program.writeStock());
    RemoteProgram.Times times = program.run(options, options);
    assertThat(times.serverReady()).isPositive();
    assertThat(times.clientDone()).isPositive();
    if (Files.exists(Path.of("/proc/self/stat"))) {
      assertThat(times.serverCpu()).as("a JVM takes more than a step").isPositive();
      assertThat(times.clientCpu()).isPositive();
    }
  }

  @Test
  public void aProgramThatFailsIsNoMeasurement() throws Exception {
    RemoteProgram program =
        new RemoteProgram(folder.getRoot().toPath(), Path.of("there-is-no-karmi.jar"));
    List<String> options = List.of("-cp", program.writeStock());
    assertThatThrownBy(() -> program.run(List.of("-cp", "nowhere"), options))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("the server failed");
    assertThatThrownBy(() -> program.run(options, List.of("-cp", "nowhere")))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("the client failed");
  }

  @Test
  public void aWrongNumberIsTwoAndOneLine() throws Exception {
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    int exit =
        StartupCommand.COMMAND.run(
            new String[] {"--rounds=many"}, System.out, new PrintStream(err, true));
    assertThat(exit).isEqualTo(2);
    assertThat(err.toString(StandardCharsets.UTF_8).strip())
        .startsWith("karmi-bench startup: --rounds is a number")
        .hasLineCount(1);
  }
}
