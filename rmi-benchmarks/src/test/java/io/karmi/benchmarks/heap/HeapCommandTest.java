package io.karmi.benchmarks.heap;

import static org.assertj.core.api.Assertions.assertThat;

import io.karmi.benchmarks.results.Cell;
import io.karmi.benchmarks.results.Results;
import io.karmi.benchmarks.results.ResultsFile;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** {@code karmi-bench heap}: each way carries the same graphs, and its numbers are written. */
public class HeapCommandTest {
  @Rule public final TemporaryFolder folder = new TemporaryFolder();
  private final ByteArrayOutputStream text = new ByteArrayOutputStream();
  private final PrintStream out = new PrintStream(text, true, StandardCharsets.UTF_8);

  /** That all ways have carried equal graphs and have ranked alike is checked by the command. */
  @Test
  public void eachWayHasItsNumberInEachFigure() throws Exception {
    Path file = folder.getRoot().toPath().resolve("heap.json");
    int status =
        HeapCommand.COMMAND.run(
            new String[] {
              "--figure=8,10,t2,t3,t4,t5",
              "--technology=tcp",
              "--rounds=1",
              "--graphs=5",
              "--json=" + file
            },
            out,
            out);
    assertThat(status).as("%s", text).isZero();
    Results results = ResultsFile.read(file);
    assertThat(ways(results, "8 floats 512"))
        .containsExactly("jdk", "kryo", "fory", "uka", "channel", "messages-tcp");
    assertThat(ways(results, "10 pairs 65536"))
        .contains("elements", "stream-4096", "stream-65536", "stream-1048576");
    assertThat(ways(results, "t2 1-1-1 write")).containsExactly("jdk", "kryo", "fory", "uka");
    assertThat(ways(results, "t4 ycsb 95:5")).contains("uka", "messages-tcp", "calls-tcp");
    assertThat(ways(results, "t5 pagerank updates, 3 JVMs")).contains("uka", "elements");
    assertThat(results.cells()).allMatch(cell -> cell.calmMicros() > 0 && cell.cpuNanos() > 0);
    /* 1,024 pairs as UKA and as the JDK write them, where what is sent is the graph. */
    for (String part : List.of("write", "send", "receive", "read")) {
      String kernel = "t3 pairs 1024 " + part;
      assertThat(cell(results, kernel, "uka").sentBytes()).isBetween(10_000.0, 12_000.0);
      assertThat(cell(results, kernel, "jdk").sentBytes()).isBetween(30_000.0, 32_000.0);
    }
    assertThat(text.toString(StandardCharsets.UTF_8)).contains("figure 1", "100 Gb/s");
  }

  private static List<String> ways(Results results, String kernel) {
    return results.cells().stream()
        .filter(cell -> cell.kernel().equals(kernel))
        .map(Cell::stack)
        .toList();
  }

  private static Cell cell(Results results, String kernel, String way) {
    return results.cell(kernel, way).orElseThrow();
  }
}
