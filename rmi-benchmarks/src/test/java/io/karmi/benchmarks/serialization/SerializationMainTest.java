package io.karmi.benchmarks.serialization;

import static org.assertj.core.api.Assertions.assertThat;

import io.karmi.benchmarks.serialization.SerializationPayload.Group;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.Test;

/** Nothing is measured here: the command line alone. */
public class SerializationMainTest {
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();

  @Test
  public void aNameThatIsNotKnownIsTwoAndOneLineWithThoseThatAre() throws Exception {
    assertThat(run("--payload=COMMON,MAP_1001", "--stack=UKA")).isEqualTo(2);
    assertThat(text(err))
        .startsWith("karmi-bench serialization: --payload is of PAPERS, ")
        .contains("MAP_1000", "COMMON")
        .hasLineCount(1);
  }

  @Test
  public void stacksVarietiesAndBenchmarksAreKnownByName() throws Exception {
    for (String option : new String[] {"stack", "variety", "benchmark"}) {
      err.reset();
      assertThat(run("--" + option + "=WRONG", "--stack=UKA")).isEqualTo(2);
      assertThat(text(err)).contains("--" + option + " is of ", ", not WRONG").hasLineCount(1);
    }
  }

  @Test
  public void helpListsTheGroups() throws Exception {
    assertThat(run("--help")).isZero();
    assertThat(text(out)).contains("PAPERS: [INTS_32, ", "COMMON: [CUSTOMERS_100, ");
  }

  @Test
  public void theGeometricMeanStaysOneOfThePapersPayloads() {
    assertThat(Group.PAPERS.payloads())
        .hasSize(17)
        .doesNotContainAnyElementsOf(Group.COMMON.payloads());
    assertThat(SerializationPayload.byName().get("PAPERS")).isEqualTo(Group.PAPERS.payloads());
    assertThat(SerializationPayload.byName().get("MAP_1000"))
        .containsExactly(SerializationPayload.MAP_1000);
  }

  private int run(String... arguments) throws Exception {
    return SerializationMain.COMMAND.run(
        arguments, new PrintStream(out, true), new PrintStream(err, true));
  }

  private static String text(ByteArrayOutputStream stream) {
    return stream.toString(StandardCharsets.UTF_8).strip();
  }
}
