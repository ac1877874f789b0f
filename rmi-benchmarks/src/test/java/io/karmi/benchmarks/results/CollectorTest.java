package io.karmi.benchmarks.results;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.karmi.benchmarks.measure.Measurement;
import io.karmi.benchmarks.measure.Percentiles;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

public class CollectorTest {
  @Rule public final TemporaryFolder folder = new TemporaryFolder();

  private final Collector collector =
      new Collector(
          SampleResults.conditions("now"),
          List.of(
              new Results.StackRow("rmi", "stock RMI", "", false),
              new Results.StackRow("karmi-uka", "KaRMI + UKA", "", false),
              new Results.StackRow("socket", "raw socket", "", true)));

  @Test
  public void aResultThatDiffersFromStocksIsRefused() throws Exception {
    collector.add("rmi", measured(20, "hash 1"));
    assertThatThrownBy(() -> collector.add("karmi-uka", measured(10, "hash 2")))
        .isInstanceOf(RunFailedException.class)
        .hasMessageContaining("KaRMI + UKA")
        .hasMessageContaining("stock RMI")
        .hasMessageContaining("hash 2, not hash 1");
  }

  @Test
  public void aResultThatChangesFromRoundToRoundIsRefused() throws Exception {
    collector.add("rmi", measured(20, "hash 1"));
    assertThatThrownBy(() -> collector.add("rmi", measured(20, "hash 2")))
        .isInstanceOf(RunFailedException.class);
  }

  @Test
  public void aFloorReturnsOnlyBytesAndIsNotCompared() throws Exception {
    collector.add("rmi", measured(20, "hash 1"));
    collector.add("socket", measured(5, "40 bytes there, 20 back"));
    Results results = collector.results(true);
    assertThat(results.cells()).hasSize(2);
    assertThat(results.contestants()).extracting(Results.StackRow::name).containsOnly("karmi-uka");
  }

  @Test
  public void roundsOfAllForksAreOneCell() throws Exception {
    collector.add("rmi", measured(20, "hash 1"));
    collector.add("rmi", measured(30, "hash 1"));
    collector.add("karmi-uka", measured(5, "hash 1"));
    Results results = collector.results(true);
    assertThat(results.cell("ping()", "rmi").orElseThrow().medianMicros()).containsExactly(20, 30);
    assertThat(results.savedPercent("ping()", "karmi-uka")).contains(75.0);
  }

  @Test
  public void whatIsCountedIsThatOfTheRoundWithTheLeast() throws Exception {
    for (double nanos :
        new double[] {Measurement.UNCOUNTED, 300, 200, Measurement.UNCOUNTED, 400}) {
      Measurement round = measured(20, "hash 1");
      collector.add(
          "rmi",
          new Measurement(
              round.kernel(), round.times(), nanos, nanos, nanos, nanos, round.observation()));
    }
    Cell cell = collector.cell("ping()", "rmi").orElseThrow();
    assertThat(cell.cpuNanos()).isEqualTo(200);
    assertThat(cell.wireBytes()).isEqualTo(400);
  }

  @Test
  public void aFileHoldsEverything() throws Exception {
    collector.add("rmi", measured(20, "hash 1"));
    collector.done("fork 1");
    collector.apart("ping()");
    Results results = collector.results(false);
    Path file = folder.getRoot().toPath().resolve("sub").resolve("results.json");
    ResultsFile.write(results, file.toString());
    assertThat(ResultsFile.read(file)).isEqualTo(results);
    Collector next = new Collector(ResultsFile.read(file));
    assertThat(next.isDone("fork 1")).isTrue();
    assertThat(next.results(false)).isEqualTo(results);
  }

  @Test
  public void aFileFromBeforeStacksWereMeasuredApartIsRead() throws Exception {
    collector.add("rmi", measured(20, "hash 1"));
    Path file = folder.getRoot().toPath().resolve("old.json");
    ResultsFile.write(collector.results(true), file.toString());
    String written = Files.readString(file);
    assertThat(written).contains("\"apart\": []");
    Files.writeString(file, written.replace("\"apart\": []", "\"other\": 1"));
    assertThat(ResultsFile.read(file).apart()).isEmpty();
  }

  @Test
  public void aFileOfAnotherKindIsNamed() throws Exception {
    Path file = folder.getRoot().toPath().resolve("other.json");
    for (String text : List.of("[1]", "{}", "", "{\"format\": 99}")) {
      Files.writeString(file, text);
      assertThatThrownBy(() -> ResultsFile.read(file))
          .isInstanceOf(java.io.IOException.class)
          .hasMessageContaining("other.json");
    }
  }

  private static Measurement measured(int micros, String observation) {
    double nanos = micros * 1000;
    return new Measurement(
        "ping()", new Percentiles(nanos, nanos, nanos, nanos), 100, 200, 32, 16, observation);
  }
}
