package io.karmi.benchmarks.stacks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.Assume.assumeTrue;

import io.karmi.benchmarks.kernels.KernelServer;
import io.karmi.benchmarks.results.Results;
import io.karmi.kit.Cable;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
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

  private Cable cable;

  @Before
  public void makeHosts() throws Exception {
    cable = Cable.lay("kb", 7).orElse(null);
    assumeTrue("network namespaces cannot be made here (root, iproute2)", cable != null);
  }

  @After
  public void removeHosts() throws Exception {
    if (cable != null) {
      cable.close();
    }
  }

  @Test
  public void kernelsStarsAndWorkersCrossHosts() throws Exception {
    String hosts =
        cable.hosts().stream()
            .map(each -> each + "=" + cable.address(each))
            .collect(Collectors.joining(","));
    Path root = folder.getRoot().toPath();
    Path programs =
        Path.of(KernelServer.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    Place place =
        new Place(
            root,
            root.resolve("logs"),
            List.of(programs),
            List.of(),
            CampaignTest.FIRST_COMPILER_ONLY,
            Hosts.parse(hosts, SHELL));
    List<KernelName> kernels = new ArrayList<>();
    for (String name :
        List.of("ping(tree(15))", "pingpong(null)", "star(null) from 2", "sor on 2")) {
      kernels.add(new KernelName(name));
    }
    List<Stack> stacks = List.of(Stack.RMI, Stack.DIRMI, Stack.GRPC, Stack.SOCKET);
    long before = cable.transmitted();
    Results results =
        new Campaign(
                new Plan(stacks, kernels, 1, 1, 10, 10, 10, 600),
                place,
                null,
                line -> {},
                false,
                MemoryForJvms.ofThisMachine())
            .run(false);
    assertThat(results.kernels()).hasSize(kernels.size());
    assertThat(results.cell("ping(tree(15))", "socket")).isPresent();
    assertThat(results.conditions().hosts()).isEqualTo(cable.hosts());
    assertThat(cable.transmitted() - before).as("bytes over the cable").isGreaterThan(100_000);
  }
}
