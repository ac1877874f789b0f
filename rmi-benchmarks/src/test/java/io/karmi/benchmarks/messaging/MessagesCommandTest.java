package io.karmi.benchmarks.messaging;

import static org.assertj.core.api.Assertions.assertThat;

import io.karmi.benchmarks.results.Results;
import io.karmi.benchmarks.results.ResultsFile;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

public class MessagesCommandTest {
  @Rule public final TemporaryFolder folder = new TemporaryFolder();
  private final ByteArrayOutputStream text = new ByteArrayOutputStream();
  private final PrintStream out = new PrintStream(text, true, StandardCharsets.UTF_8);

  @Test
  public void shortRunFillsTheTableAndTheFile() throws Exception {
    Path file = folder.getRoot().toPath().resolve("messages.json");
    int status =
        MessagesCommand.run(
            new String[] {
              "--technologies=tcp,loopback", "--rounds=1", "--millis=20", "--json=" + file
            },
            out,
            out);
    assertThat(status).as("%s", text).isZero();
    Results results = ResultsFile.read(file);
    assertThat(results.kernels()).hasSize(MessageKernel.values().length);
    for (MessageKernel kernel : MessageKernel.values()) {
      assertThat(results.cell(kernel.title, "messages-tcp")).as(kernel.title).isPresent();
      assertThat(results.cell(kernel.title, "loopback")).as(kernel.title).isPresent();
      assertThat(text.toString(StandardCharsets.UTF_8)).contains(kernel.title);
    }
    for (MessageKernel kernel : MessageKernel.values()) {
      assertThat(results.cell(kernel.title, "messages-tcp").orElseThrow().cpuNanos() > 0)
          .as("processor time of %s", kernel.title)
          .isEqualTo(kernel.isOneWay());
    }
    for (String peer : new String[] {"socket", "netty", "aeron-udp", "aeron-ipc"}) {
      assertThat(results.cell(MessageKernel.BYTES_64.title, peer)).as(peer).isPresent();
      assertThat(results.cell(MessageKernel.REQUEST.title, peer)).as(peer).isPresent();
      assertThat(results.cell(MessageKernel.MEGABYTE.title, peer)).as(peer).isPresent();
    }
    assertThat(results.cell(MessageKernel.BYTES_64_BY_16.title, "calls-tcp")).isPresent();
  }

  @Test
  public void wrongOptionsAreRefused() {
    assertThat(MessagesCommand.run(new String[] {"--rounds=none"}, out, out)).isEqualTo(2);
    assertThat(MessagesCommand.run(new String[] {"--no-such-option"}, out, out)).isEqualTo(2);
  }
}
