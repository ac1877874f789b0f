package io.karmi.benchmarks.stacks;

import static org.assertj.core.api.Assertions.assertThat;

import io.karmi.benchmarks.kernels.KernelServer;
import io.karmi.benchmarks.measure.Measurement;
import io.karmi.benchmarks.measure.Task;
import io.karmi.benchmarks.payloads.Payload;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/**
 * The largest numbers of JVMs in the collection: 16 clients of a star, 8 workers of an application.
 * Each runs a few times, in small JVMs that start fast.
 */
public class ManyJvmsTest {
  private static final List<String> SMALL =
      List.of("-Xmx32m", "-Xss512k", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1");

  @Rule public final TemporaryFolder folder = new TemporaryFolder();

  @Test
  public void sixteenClientsCallOneServerAndEachGetsItsAnswer() throws Exception {
    KernelName star = new KernelName("star(tree(15)) from 16");
    try (Jvms jvms = Jvms.start(List.of(Stack.RMI), place(), star).get(Stack.RMI)) {
      Object[] sent = {Payload.TREE_15.create()};
      assertThat(measure(jvms, star.text()).observation())
          .isEqualTo("hash " + Arrays.deepHashCode(sent));
      jvms.end();
    }
    assertThat(logs()).hasSize(1 + 16).contains("rmi-client-15.log");
  }

  @Test
  public void eachApplicationSolvesItsProblemOnEightWorkersAsOnOne() throws Exception {
    try (Jvms jvms =
        Jvms.start(List.of(Stack.RMI), place(), new KernelName("sor on 8")).get(Stack.RMI)) {
      for (String application : List.of("hamming", "paraffins", "sor")) {
        Measurement onEight = measure(jvms, application + " on 8");
        assertThat(onEight.kernel()).isEqualTo(application + " on 8");
        assertThat(onEight.times().median()).isPositive();
        assertThat(onEight.observation()).isEqualTo(measure(jvms, application).observation());
      }
      jvms.end();
    }
    assertThat(logs()).hasSize(8 + 1).contains("rmi-server-7.log");
  }

  private static Measurement measure(Jvms jvms, String kernel) throws Exception {
    return jvms.measure(new Task(kernel, 1, 1, false));
  }

  private Place place() throws Exception {
    Path programs =
        Path.of(KernelServer.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    return new Place(
        folder.getRoot().toPath(), logFolder(), List.of(programs), List.of(), SMALL, Hosts.local());
  }

  private Path logFolder() {
    return folder.getRoot().toPath().resolve("logs");
  }

  /** One for each JVM. */
  private List<String> logs() throws IOException {
    try (Stream<Path> all = Files.list(logFolder())) {
      return all.map(path -> path.getFileName().toString()).toList();
    }
  }
}
