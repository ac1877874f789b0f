package io.karmi.distribution;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.Assume.assumeTrue;

import io.karmi.benchmarks.results.Cell;
import io.karmi.benchmarks.results.Results;
import io.karmi.benchmarks.results.ResultsFile;
import io.karmi.kit.Cable;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.After;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/**
 * The collection on KaRMI and two hosts: network namespaces of this machine, joined by a virtual
 * cable. As on machines of their own, neither sees the Unix domain sockets of the other.
 */
public class HostsIT {
  private static final Path HOME = Path.of("target", "karmi").toAbsolutePath();

  private static final List<String> KERNELS =
      List.of("ping(tree(15))", "pingpong(null)", "star(null) from 2", "sor on 2");

  @Rule public final TemporaryFolder folder = new TemporaryFolder();

  private Cable cable;

  @Before
  public void makeHosts() throws Exception {
    cable = Cable.lay("kh", 8).orElse(null);
    assumeTrue("network namespaces cannot be made here (root, iproute2)", cable != null);
  }

  @After
  public void removeHosts() throws Exception {
    if (cable != null) {
      cable.close();
    }
  }

  @Test
  public void theAgentAloneCallsOtherHostsOverTcp() throws Exception {
    for (String host : cable.hosts()) {
      Files.createDirectory(folder.getRoot().toPath().resolve(host));
    }
    String hosts =
        cable.hosts().stream()
            .map(each -> each + "=" + cable.address(each))
            .collect(Collectors.joining(","));
    Path json = folder.getRoot().toPath().resolve("rmi.json");
    long before = cable.transmitted();
    run(
        HOME.resolve("bin/karmi-bench").toString(),
        "rmi",
        "--stacks=karmi",
        "--kernels=" + String.join(";", KERNELS),
        "--forks=1",
        "--rounds=1",
        "--warm-up=10",
        "--measure=10",
        "--processors=asleep",
        "--hosts=" + hosts,
        "--remote-shell=ip netns exec {host} env XDG_RUNTIME_DIR="
            + folder.getRoot()
            + "/{host} sh -c {command}",
        "--json=" + json,
        "--html=" + folder.getRoot().toPath().resolve("index.html"));
    long sent = cable.transmitted() - before;
    Results results = ResultsFile.read(json);
    assertThat(results.cells()).extracting(Cell::kernel).hasSameElementsAs(KERNELS);
    assertThat(results.conditions().hosts()).isEqualTo(cable.hosts());
    assertThat(sent).as("bytes of the calls' arguments over the cable").isGreaterThan(100_000);
  }

  private void run(String... command) throws Exception {
    Run run = new Run(folder, List.of(command));
    assertThat(run.awaitEnd()).as("%s: %s", List.of(command), run.output()).isZero();
  }
}
