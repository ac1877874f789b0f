package io.karmi.benchmarks.stacks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.karmi.benchmarks.kernels.KernelServer;
import io.karmi.benchmarks.measure.Measurement;
import io.karmi.benchmarks.measure.Task;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** The programs on stock RMI, in two JVMs. */
public class TwoJvmsTest {
  private static final List<String> KERNELS =
      List.of("ping()", "ping(int, int)", "ping(null)", "ping(tree(15))", "hamming");

  @Rule public final TemporaryFolder folder = new TemporaryFolder();

  @Test
  public void everyKernelIsMeasuredAndBothJvmsEnd() throws Exception {
    RmiBenchmark.Plan plan = new RmiBenchmark.Plan(List.of(Stack.RMI), KERNELS, 2, 20, 20, 600);
    Map<Stack, List<Measurement>> measured = new RmiBenchmark(plan, place(), line -> {}).run();
    assertThat(measured.get(Stack.RMI))
        .hasSize(2 * KERNELS.size())
        .allSatisfy(
            m -> {
              assertThat(m.medianNanos()).isPositive();
              assertThat(m.p99Nanos()).isGreaterThanOrEqualTo(m.medianNanos());
            });
    assertThat(measured.get(Stack.RMI).subList(0, KERNELS.size()))
        .as("the first round, which counts")
        .allSatisfy(m -> assertThat(m.allocatedBytes()).isPositive());
  }

  @Test
  public void aRoundThatWouldExceedTheBudgetIsNotBegun() throws Exception {
    RmiBenchmark.Plan plan =
        new RmiBenchmark.Plan(List.of(Stack.RMI), List.of("ping()"), 100_000, 10, 10, 1);
    assertThat(new RmiBenchmark(plan, place(), line -> {}).run().get(Stack.RMI))
        .as("rounds of some 20 ms each, within a second that starts two JVMs as well")
        .hasSizeBetween(1, 100);
  }

  @Test
  public void aFailingClientIsReportedWithWhatItPrinted() {
    assertThatThrownBy(
            () -> {
              try (TwoJvms jvms = TwoJvms.start(Stack.RMI, place())) {
                jvms.measure(new Task("nonsense", 1, 1, false));
              }
            })
        .isInstanceOf(TwoJvms.RunFailedException.class)
        .hasMessageContaining("the client ended with 1")
        .hasMessageContaining("nonsense");
  }

  private TwoJvms.Place place() throws Exception {
    Path root = folder.getRoot().toPath();
    Path programs =
        Path.of(KernelServer.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    return new TwoJvms.Place(root, root.resolve("logs"), programs);
  }
}
