package io.karmi.engines.flink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.karmi.benchmarks.results.Results;
import io.karmi.benchmarks.results.ResultsFile;
import io.karmi.engines.EnginesMain;
import io.karmi.engines.Sizes;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** The command with workers of Flink, on little data. */
public class FlinkWorkloadsIT {
  @Rule public final TemporaryFolder folder = new TemporaryFolder();

  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();

  @Test
  public void stateAndNetworkAreMeasuredOnEachSerializerWithEqualResults() throws Exception {
    String json = folder.getRoot() + "/engines.json";
    int exit =
        EnginesMain.run(
            new String[] {
              "--stack=java,kryo,kryo-registered,uka,uka-slim,uka-classes",
              "--workload=flink-state,flink-network",
              "--sizes=" + Sizes.SMALL,
              "--rounds=2",
              "--warm-up=1",
              "--heap=512m",
              "--json=" + json
            },
            new PrintStream(out, true, StandardCharsets.UTF_8),
            new PrintStream(err, true, StandardCharsets.UTF_8));
    assertThat(exit).as("%s%s", out, err).isZero();
    Results results = ResultsFile.read(Path.of(json));
    assertThat(results.kernels())
        .containsExactly(
            "flink state: put",
            "flink state: get",
            "flink snapshot: write",
            "flink snapshot: restore",
            "flink network: write",
            "flink network: read");
    for (String stack :
        new String[] {"java", "kryo", "kryo-reg", "uka", "uka-slim", "uka-classes"}) {
      for (String kernel : results.kernels()) {
        var cell = results.cell(kernel, stack).orElseThrow();
        assertThat(cell.rounds()).hasSize(2);
        assertThat(cell.calmMicros()).as("%s of %s", kernel, stack).isPositive();
        assertThat(cell.observation()).isEqualTo(Orders.make(800).observation());
      }
    }
    for (String kernel :
        new String[] {"flink state: put", "flink snapshot: write", "flink network: write"}) {
      double java = results.cell(kernel, "java").orElseThrow().wireBytes();
      assertThat(results.cell(kernel, "uka").orElseThrow().wireBytes())
          .as(kernel)
          .isPositive()
          .isLessThan(java);
      double typed = results.cell(kernel, "uka-classes").orElseThrow().wireBytes();
      double slim = results.cell(kernel, "uka-slim").orElseThrow().wireBytes();
      assertThat(slim).as(kernel).isBetween(typed, 1.15 * typed);
      assertThat(results.cell(kernel, "uka").orElseThrow().wireBytes())
          .as(kernel)
          .isGreaterThan(slim);
    }
  }

  @Test
  public void recordsThatDifferAreAnError() {
    Orders orders = Orders.make(20);
    assertThatThrownBy(() -> orders.compare("flink state: get", Orders.observation(20, 1)))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContainingAll("flink state: get", "20 records, 1, not", orders.observation());
  }
}
