package io.karmi.benchmarks.stacks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.Assume.assumeTrue;

import io.karmi.benchmarks.kernels.KernelServer;
import io.karmi.benchmarks.results.Results;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.After;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/**
 * The collection on two hosts: network namespaces of this machine, joined by a virtual cable. They
 * have no other way to each other, and none to this machine.
 */
public class NamespacesTest {
  private static final String SHELL = "ip netns exec {host} sh -c {command}";

  @Rule public final TemporaryFolder folder = new TemporaryFolder();

  private final String prefix = "kb" + ProcessHandle.current().pid() % 100_000;
  private final String first = prefix + "a";
  private final String second = prefix + "b";
  private final List<String> made = new ArrayList<>();

  @Before
  public void makeHosts() throws Exception {
    boolean can = succeeds("ip", "netns", "add", first);
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

  @Test
  public void kernelsStarsAndWorkersCrossHosts() throws Exception {
    String hosts = first + "=" + address(first) + "," + second + "=" + address(second);
    Path root = folder.getRoot().toPath();
    Path programs =
        Path.of(KernelServer.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    Place place =
        new Place(
            root,
            root.resolve("logs"),
            List.of(programs),
            List.of(),
            List.of(),
            Hosts.parse(hosts, SHELL));
    List<KernelName> kernels = new ArrayList<>();
    for (String name :
        List.of("ping(tree(15))", "pingpong(null)", "star(null) from 2", "sor on 2")) {
      kernels.add(new KernelName(name));
    }
    List<Stack> stacks = List.of(Stack.RMI, Stack.DIRMI, Stack.GRPC, Stack.SOCKET);
    long before = transmitted();
    Results results =
        new Campaign(new Plan(stacks, kernels, 1, 1, 10, 10, 10, 600), place, null, line -> {})
            .run(false);
    assertThat(results.kernels()).hasSize(kernels.size());
    assertThat(results.cell("ping(tree(15))", "socket")).isPresent();
    assertThat(results.conditions().hosts()).containsExactly(first, second);
    assertThat(transmitted() - before).as("bytes over the cable").isGreaterThan(100_000);
  }

  /** Bytes that the first host has sent over the cable. */
  private long transmitted() throws Exception {
    String counter = "/sys/class/net/" + first + "/statistics/tx_bytes";
    Path out = folder.newFile().toPath();
    Process cat =
        new ProcessBuilder("ip", "netns", "exec", first, "cat", counter)
            .redirectOutput(out.toFile())
            .start();
    assertThat(cat.waitFor(60, TimeUnit.SECONDS)).isTrue();
    return Long.parseLong(Files.readString(out).strip());
  }

  @After
  public void removeHosts() throws Exception {
    for (String host : made) {
      run("ip", "netns", "del", host);
    }
  }

  private String address(String host) {
    return "10.213.7." + (host.equals(first) ? 1 : 2);
  }

  private static void run(String... command) throws Exception {
    assertThat(succeeds(command)).as(String.join(" ", command)).isTrue();
  }

  private static boolean succeeds(String... command) throws Exception {
    try {
      Process process =
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start();
      return process.waitFor(60, TimeUnit.SECONDS) && process.exitValue() == 0;
    } catch (java.io.IOException e) {
      return false;
    }
  }
}
