package io.karmi.engines;

import static org.assertj.core.api.Assertions.assertThat;

import examples.spark.Job;
import io.karmi.benchmarks.options.EnginesOptions;
import io.karmi.benchmarks.results.Results;
import io.karmi.benchmarks.results.ResultsFile;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** The command with real workers, on little data. */
public class EnginesMainIT {
  @Rule public final TemporaryFolder folder = new TemporaryFolder();

  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();

  private int run(String... arguments) throws Exception {
    return EnginesMain.run(
        arguments,
        new PrintStream(out, true, StandardCharsets.UTF_8),
        new PrintStream(err, true, StandardCharsets.UTF_8));
  }

  @Test
  public void workloadsAreMeasuredOnEachContestant() throws Exception {
    String json = folder.getRoot() + "/engines.json";
    int exit =
        run(
            "--stack=java,uka,uka-exchange",
            "--workload=media,shuffle8,shuffle32,sort32,broadcast,PAGERANK",
            "--sizes=" + Sizes.SMALL,
            "--rounds=2",
            "--job-rounds=1",
            "--warm-up=1",
            "--json=" + json);
    assertThat(exit).as("%s%s", out, err).isZero();
    Results results = ResultsFile.read(Path.of(json));
    assertThat(results.kernels())
        .containsExactly(
            "media cache",
            "media cache: write",
            "media cache: 2 reads",
            "shuffle to 8: write",
            "shuffle to 8: read",
            "shuffle to 32: write",
            "shuffle to 32: read",
            "sorting shuffle to 32: write",
            "sorting shuffle to 32: read",
            "broadcast: write",
            "broadcast: read",
            "PAGERANK: whole process");
    for (String stack : new String[] {"java", "uka", "uka-exchange"}) {
      var cache = results.cell("media cache", stack).orElseThrow();
      assertThat(cache.rounds()).hasSize(2);
      assertThat(cache.calmMicros()).isPositive();
      assertThat(cache.wireBytes()).isPositive();
      assertThat(cache.observation()).isEqualTo("400 records, 400");
      assertThat(results.cell("PAGERANK: whole process", stack).orElseThrow().observation())
          .contains(" pages, ranks add up to ");
    }
    assertThat(results.cell("media cache", "uka").orElseThrow().wireBytes())
        .isLessThan(results.cell("media cache", "java").orElseThrow().wireBytes());
    assertThat(out.toString(StandardCharsets.UTF_8))
        .contains("media cache")
        .doesNotContain("kryo ");
  }

  @Test
  public void scalasValuesAreMeasuredAndComeBackFromEachSerializer() throws Exception {
    String json = folder.getRoot() + "/engines.json";
    int exit =
        run(
            "--workload=scala",
            "--sizes=" + Sizes.SMALL,
            "--rounds=2",
            "--warm-up=0",
            "--json=" + json);
    assertThat(exit).as("%s%s", out, err).isZero();
    assertThat(ResultsFile.read(Path.of(json)).kernels())
        .hasSize(2 * ScalaValue.Kind.values().length)
        .contains("Vector: write", "case class: read");
  }

  @Test
  public void theHelpNamesEachWorkloadAndStack() {
    assertThat(EnginesOptions.HELP.replaceAll("\\s+", " "))
        .contains("[" + String.join(", ", Engine.allWorkloads()) + "]")
        .contains(
            Arrays.stream(Contestant.values())
                .map(each -> each.name().toLowerCase(Locale.ROOT).replace('_', '-'))
                .collect(Collectors.joining(", ", "[", "]")));
  }

  @Test
  public void everyJobOfTheExamplesIsAWorkload() {
    for (Job job : Job.values()) {
      assertThat(Engine.allWorkloads()).contains(job.name());
    }
  }

  @Test
  public void twoMillionRecordsHaveAName() {
    assertThat(Sizes.parse("full")).isEqualTo(new Sizes(50_000, 2_000_000, 100));
    assertThat(Sizes.parse(Sizes.FULL.toString())).isEqualTo(Sizes.FULL);
  }

  @Test
  public void whatIsUnknownIsRefusedByName() throws Exception {
    assertThat(run("--workload=tea")).isEqualTo(2);
    assertThat(run("--stack=tea")).isEqualTo(2);
    assertThat(run("--rounds=many")).isEqualTo(2);
    assertThat(run("--heap=all")).isEqualTo(2);
    assertThat(run("--sizes=1,2")).isEqualTo(2);
    assertThat(run("--sizes=400,3,1")).isEqualTo(2);
    assertThat(err.toString(StandardCharsets.UTF_8))
        .contains(
            "tea", "--rounds is a number", "not many", "--heap=all", "--sizes=1,2", "400,3,1");
  }
}
