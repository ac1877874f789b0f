package io.karmi.distribution;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.Assume.assumeTrue;

import io.karmi.benchmarks.results.Cell;
import io.karmi.benchmarks.results.Results;
import io.karmi.benchmarks.results.ResultsFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
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

  private final String prefix = "kh" + ProcessHandle.current().pid() % 100_000;
  private final String first = prefix + "a";
  private final String second = prefix + "b";
  private final List<String> made = new ArrayList<>();

  @Before
  public void makeHosts() throws Exception {
    boolean can = makes(first);
    if (!can) {
      System.err.println("skipped: network namespaces cannot be made here (root, iproute2)");
    }
    assumeTrue("network namespaces cannot be made here", can);
    made.add(first);
    run("ip", "netns", "add", second);
    made.add(second);
    run(
        "ip", "link", "add", first, "netns", first, "type", "veth", "peer", second, "netns",
        second);
    for (String host : List.of(first, second)) {
      run("ip", "-n", host, "addr", "add", address(host) + "/24", "dev", host);
      run("ip", "-n", host, "link", "set", host, "up");
      run("ip", "-n", host, "link", "set", "lo", "up");
    }
  }

  @After
  public void removeHosts() throws Exception {
    for (String host : made) {
      run("ip", "netns", "del", host);
    }
  }

  @Test
  public void theAgentAloneCallsOtherHostsOverTcp() throws Exception {
    for (String host : made) {
      Files.createDirectory(folder.getRoot().toPath().resolve(host));
    }
    Path json = folder.getRoot().toPath().resolve("rmi.json");
    long before = transmitted();
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
        "--hosts=" + first + "=" + address(first) + "," + second + "=" + address(second),
        "--remote-shell=ip netns exec {host} env XDG_RUNTIME_DIR="
            + folder.getRoot()
            + "/{host} sh -c {command}",
        "--json=" + json,
        "--html=" + folder.getRoot().toPath().resolve("index.html"));
    long sent = transmitted() - before;
    Results results = ResultsFile.read(json);
    assertThat(results.cells()).extracting(Cell::kernel).hasSameElementsAs(KERNELS);
    assertThat(results.conditions().hosts()).containsExactly(first, second);
    assertThat(sent).as("bytes of the calls' arguments over the cable").isGreaterThan(100_000);
  }

  /** Bytes that the first host has sent over the cable. */
  private long transmitted() throws Exception {
    String counter = "/sys/class/net/" + first + "/statistics/tx_bytes";
    return Long.parseLong(run("ip", "netns", "exec", first, "cat", counter).strip());
  }

  private String address(String host) {
    return "10.213.8." + (host.equals(first) ? 1 : 2);
  }

  private boolean makes(String host) throws Exception {
    try {
      return new Run(folder, List.of("ip", "netns", "add", host)).awaitEnd() == 0;
    } catch (IOException e) {
      return false; // there is no such command
    }
  }

  private String run(String... command) throws Exception {
    Run run = new Run(folder, List.of(command));
    assertThat(run.awaitEnd()).as("%s: %s", List.of(command), run.output()).isZero();
    return run.output();
  }
}
