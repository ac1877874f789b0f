package io.karmi.distribution;

import static org.assertj.core.api.Assertions.assertThat;

import io.karmi.kit.FreePort;
import java.nio.file.Path;
import java.util.List;
import org.junit.ClassRule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** What {@code karmi-registry} answers to the scripts of an operator; runs what was packaged. */
public class NodeCheckIT {
  private static final String COMMAND =
      Path.of("target", "karmi", "bin", "karmi-registry").toAbsolutePath().toString();

  @ClassRule public static final TemporaryFolder FOLDER = new TemporaryFolder();

  private static Run run(String... arguments) throws Exception {
    List<String> command = new java.util.ArrayList<>(List.of(COMMAND));
    command.addAll(List.of(arguments));
    return new Run(FOLDER, command);
  }

  @Test
  public void whatIsNoAddressIsWrongUsage() throws Exception {
    for (String wrong : List.of("", "localhost", "localhost:", "localhost:0", "a:b:1", ":1099")) {
      Run check = run("--health", wrong);
      assertThat(check.awaitEnd()).as("status for '%s'", wrong).isEqualTo(2);
      assertThat(check.output()).contains("see karmi-registry --help").hasLineCount(1);
    }
  }

  @Test
  public void healthIsTheExitStatus() throws Exception {
    String address = "localhost:" + FreePort.any();
    assertThat(run("--health", address).awaitEnd()).as("nothing listens").isEqualTo(1);
    Run registry = run(address.substring(address.indexOf(':') + 1));
    try {
      registry.awaitLine("karmi-registry listens on");
      assertThat(run("--health", address).awaitEnd()).as("a registry listens").isZero();
      Run ping = run("--ping", address);
      assertThat(ping.awaitEnd()).isZero();
      assertThat(ping.output()).contains("p99 us", "calls go this way");
    } finally {
      registry.kill();
    }
  }
}
