package io.karmi.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import io.karmi.benchmarks.results.ResultsFile;
import io.karmi.benchmarks.results.SampleResults;
import io.karmi.benchmarks.stacks.Constellations;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** The commands that read files: what they print, and how they end. */
public class ReportCommandTest {
  @Rule public final TemporaryFolder folder = new TemporaryFolder();

  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();
  private Path earlier;
  private Path later;

  @Before
  public void writeFiles() throws Exception {
    earlier = folder.getRoot().toPath().resolve("earlier.json");
    later = folder.getRoot().toPath().resolve("later.json");
    ResultsFile.write(SampleResults.of("2026-11-01T00:00:00Z", 1), earlier.toString());
    ResultsFile.write(SampleResults.of("2026-11-02T00:00:00Z", 2), later.toString());
  }

  @Test
  public void reportWritesThePageItIsTold() throws Exception {
    Path page = folder.getRoot().toPath().resolve("pages").resolve("both.html");
    String[] arguments = {"--html", page.toString(), later.toString()};
    assertThat(ReportCommand.REPORT.run(arguments, print(out), print(err))).isZero();
    assertThat(Files.readString(page)).contains("2026-11-02T00:00:00Z");
    assertThat(page.resolveSibling("figure-4.svg")).exists();
  }

  @Test
  public void reportFillsTheMeasuredPartOfAReadmeAndNothingElse() throws Exception {
    Path readme = folder.getRoot().toPath().resolve("README.md");
    Path run = folder.getRoot().toPath().resolve("run.json");
    ResultsFile.write(SampleResults.withAgentAlone("2026-11-03T00:00:00Z"), run.toString());
    String before = "# A title\n<!-- measured: filled by a command -->\n";
    String after = "<!-- end of what was measured -->\nThe end.\n";
    Files.writeString(readme, before + "old numbers\n" + after);
    for (int time = 0; time < 2; time++) {
      assertThat(report(readme, run, later)).as(err.toString(StandardCharsets.UTF_8)).isZero();
    }
    String text = Files.readString(readme);
    assertThat(text).startsWith(before).endsWith(after).doesNotContain("old numbers");
    assertThat(text)
        .contains(
            "Measured were 35 kernels and payloads of "
                + Constellations.all().size()
                + " in the collection.",
            "Each was measured in 9 rounds")
        .contains("| stack | configuration | JDK 17 | JDK 17 | the paper |")
        .contains("| KaRMI | the agent alone | 80 % (35) | – | 85 % |")
        .contains("| KaRMI + UKA | by the agent | 34 % (35) | 34 % (35) | 45 % |")
        .contains("| call | JDK | stock RMI | KaRMI | raw socket |")
        .contains(
            "| `ping()` | JDK 17 | 40.2 | 8.08 | 12.1 |\n| `ping()` | JDK 17 | 80.4 | – | 24.1 |")
        .contains("srcset=\"pictures/figure-4-dark.svg\"", "src=\"pictures/figure-4.svg\"");
    assertThat(readme.resolveSibling("pictures").resolve("figure-4-dark.svg")).exists();
  }

  @Test
  public void aReadmeWithoutAPlaceForItIsOneAndLeftAsItIs() throws Exception {
    Path readme = folder.getRoot().toPath().resolve("README.md");
    Files.writeString(readme, "no place");
    assertThat(report(readme, later, earlier)).isEqualTo(1);
    assertThat(err.toString(StandardCharsets.UTF_8)).contains("README.md", "measured");
    assertThat(Files.readString(readme)).isEqualTo("no place");
  }

  private int report(Path readme, Path... runs) {
    Path root = folder.getRoot().toPath();
    String[] arguments = {
      "--html=" + root.resolve("page").resolve("index.html"),
      "--readme=" + readme,
      "--pictures=" + root.resolve("pictures"),
      runs[0].toString(),
      runs[1].toString()
    };
    return ReportCommand.REPORT.run(arguments, print(out), print(err));
  }

  @Test
  public void comparePrintsRatios() throws Exception {
    String[] arguments = {earlier.toString(), later.toString()};
    assertThat(ReportCommand.COMPARE.run(arguments, print(out), print(err))).isZero();
    assertThat(out.toString(StandardCharsets.UTF_8)).contains("2.00", "slower", "geometric mean");
  }

  @Test
  public void wrongUsageIsTwoAndOneLine() throws Exception {
    assertThat(ReportCommand.COMPARE.run(new String[] {"one.json"}, print(out), print(err)))
        .isEqualTo(2);
    assertThat(err.toString(StandardCharsets.UTF_8)).contains("two files").hasLineCount(1);
    err.reset();
    assertThat(ReportCommand.REPORT.run(new String[] {}, print(out), print(err))).isEqualTo(2);
    assertThat(err.toString(StandardCharsets.UTF_8)).hasLineCount(1);
  }

  @Test
  public void aFileThatIsNotThereIsOneAndNamed() throws Exception {
    String[] arguments = {earlier.toString(), "absent.json"};
    assertThat(ReportCommand.COMPARE.run(arguments, print(out), print(err))).isEqualTo(1);
    assertThat(err.toString(StandardCharsets.UTF_8)).contains("absent.json").hasLineCount(1);
  }

  private static PrintStream print(ByteArrayOutputStream bytes) {
    return new PrintStream(bytes, true, StandardCharsets.UTF_8);
  }
}
