package io.karmi.benchmarks.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.karmi.benchmarks.results.Results;
import io.karmi.benchmarks.results.SampleResults;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;
import org.w3c.dom.Element;

public class ReportTest {
  @Rule public final TemporaryFolder folder = new TemporaryFolder();

  private final Results results = SampleResults.of("2026-11-01T00:00:00Z", 1);

  @Test
  public void theFirstLineSaysWhatKarmiSaves() throws Exception {
    assertThat(TextTable.of(results).lines().findFirst().orElseThrow())
        .matches(
            "KaRMI \\+ UKA saves \\d+ to \\d+ % of stock RMI's time: the middle half of 35 kernels,"
                + " \\d+ to \\d+ % at the 99th percentile; it is faster on 35");
  }

  @Test
  public void theTableHasARowPerKernelAndStack() throws Exception {
    String table = TextTable.of(results);
    assertThat(table)
        .contains(
            "ping(tree(15))",
            "stock RMI",
            "KaRMI + UKA",
            "over TCP on one host: saves",
            "; faster on 35")
        .contains("a machine <&>, 2 processors, kept awake");
    assertThat(table.lines().filter(line -> line.contains(" stock RMI  "))).hasSize(35);
  }

  @Test
  public void eachFigureLinksToItsMethodAndNumbersHaveTheirForms() throws Exception {
    String page = page(List.of(results));
    assertThat(page).contains("<a href=\"#method-0\">", "<h3 id=\"method-0\">");
    assertThat(page).contains("started once, for at most 9 rounds");
    assertThat(page).doesNotContainPattern("\\b1 (times|rounds|forks|kernels|stacks)\\b");
  }

  @Test
  public void thePageEscapesWhatItQuotes() throws Exception {
    String page = page(List.of(results));
    assertThat(page).contains("a machine &lt;&amp;&gt;", "patched &lt;&amp;&gt;", "</html>");
    assertThat(page).doesNotContain("<&>");
  }

  @Test
  public void thePageNeedsNothingFromElsewhere() throws Exception {
    String page = page(List.of(results));
    assertThat(page)
        .contains("default-src 'none'")
        .doesNotContain("<script", "@import", "url(http", "src=")
        .doesNotContainPattern("href=\"(?!data:,)[^#]");
  }

  @Test
  public void everyFigureIsThereInFourLooksAndAsAFile() throws Exception {
    Path page = folder.getRoot().toPath().resolve("report").resolve("index.html");
    HtmlReport.write(List.of(results), page);
    String text = Files.readString(page);
    List<String> names =
        List.of(
            "figure-4",
            "figure-5",
            "table-3",
            "speed-up-hamming",
            "speed-up-paraffins",
            "speed-up-sor");
    for (String name : names) {
      for (String file : List.of(name + ".svg", name + "-dark.svg")) {
        assertThat(elements(page.resolveSibling(file), "text")).as(file).isGreaterThan(3);
      }
    }
    for (String look : List.of("light", "dark", "light-narrow", "dark-narrow")) {
      assertThat(text.split("class=\"look " + look + "\"", -1)).hasSizeGreaterThan(names.size());
    }
  }

  @Test
  public void figure4HasACirclePerConstellationAndARowPerContestant() throws Exception {
    Path page = folder.getRoot().toPath().resolve("index.html");
    HtmlReport.write(List.of(results), page);
    int stacks = 3;
    int kernels = 35;
    assertThat(elements(page.resolveSibling("figure-4.svg"), "path"))
        .as("one circle each, the dot of the median, and two borders")
        .isBetween(stacks * (kernels + 1), stacks * (kernels + 1) + 8);
    assertThat(Files.readString(page.resolveSibling("figure-4.svg")))
        .contains("KaRMI + UKA", "RMI + UKA", "Dirmi")
        .doesNotContain("raw socket");
  }

  @Test
  public void theTicksOfTable3EndWithItsBars() throws Exception {
    Path page = folder.getRoot().toPath().resolve("index.html");
    HtmlReport.write(List.of(results), page);
    assertThat(Files.readString(page.resolveSibling("table-3.svg")))
        .as("a picture whose longest bar is stock RMI's own")
        .contains(">0.9<", ">1.0<")
        .doesNotContain(">1.1<", ">1.2<");
  }

  @Test
  public void aPeerThatIsAheadIsShown() throws Exception {
    String page = page(List.of(results));
    String ahead =
        page.substring(page.indexOf("is ahead of KaRMI"), page.indexOf("<h3>Everything"));
    assertThat(ahead).contains("ping(32 int)", "Dirmi").doesNotContain("raw socket");
  }

  @Test
  public void theHeadlineIsThatOfTheAgentAlone() throws Exception {
    Results alone = SampleResults.withAgentAlone("2026-11-01T00:00:00Z");
    String table = TextTable.of(alone, true);
    assertThat(table.lines().findFirst().orElseThrow())
        .matches(
            "KaRMI saves \\d+ to \\d+ % of stock RMI's time between JVMs on one host, with nothing"
                + " changed but the agent: the middle half of 35 kernels, .* at the 99th percentile;"
                + " it is faster on 35");
    assertThat(table)
        .as("brief")
        .contains("KaRMI + UKA, over TCP on one host: saves", "shared memory on one host: saves")
        .contains("the calmest eighth of all")
        .doesNotContain("ping(tree(15))")
        .as("without the legend of columns that are not there")
        .doesNotContain("+-%", "x floor", "wire:");
    assertThat(page(List.of(alone)))
        .contains("is ahead of KaRMI<", "is ahead of KaRMI + UKA<", "<td>85 %</td>");
  }

  @Test
  public void serializersAreOnThePageWithTheirFlags() throws Exception {
    String page = page(List.of(results, SampleResults.ofSerialization()));
    String part = page.substring(page.indexOf("<h2>Serialization"));
    assertThat(part)
        .containsPattern("UKA saves \\d+ to \\d+ % of JDK")
        .contains("fst-3.jar: --add-opens=some/thing")
        .contains("0.402 (90 %)", "is ahead of UKA", "3 forks of each stack")
        .doesNotContain("Table 3", "p99", "× floor");
  }

  @Test
  public void whatWasNotMeasuredAtTheSameTimeIsNamed() throws Exception {
    Results apart =
        new Results(
            Results.FORMAT,
            results.conditions(),
            results.stacks(),
            results.cells(),
            List.of(),
            true,
            List.of("sor on 8"));
    assertThat(page(List.of(apart)))
        .contains("for sor on 8 the stacks did not all run at the same time");
    assertThat(TextTable.of(apart, true)).contains("in turn, each at least twice: sor on 8");
    assertThat(page(List.of(results))).doesNotContain("at the same time");
  }

  @Test
  public void severalRunsAreOnOnePage() throws Exception {
    Results other = SampleResults.of("2026-11-02T00:00:00Z", 2);
    assertThat(page(List.of(results, other)))
        .contains("2026-11-01T00:00:00Z", "2026-11-02T00:00:00Z");
    assertThat(folder.getRoot().toPath().resolve("run-2-figure-4.svg")).exists();
  }

  @Test
  public void aComparisonShowsRatiosWithTheirConfidence() throws Exception {
    Comparison comparison = Comparison.of(results, SampleResults.of("2026-11-02T00:00:00Z", 0.8));
    assertThat(comparison.toText())
        .containsPattern(
            "ping\\(32 int\\) +stock RMI +42.8 +34.3 +0.80 +0.\\d\\d to 0.\\d\\d faster")
        .contains("KaRMI + UKA   geometric mean of later / earlier over 35 kernels: 0.800");
  }

  private String page(List<Results> runs) throws Exception {
    Path page = folder.getRoot().toPath().resolve("index.html");
    HtmlReport.write(runs, page);
    return Files.readString(page);
  }

  private static int elements(Path svg, String name) throws Exception {
    byte[] bytes = Files.readString(svg).getBytes(StandardCharsets.UTF_8);
    Element root =
        DocumentBuilderFactory.newInstance()
            .newDocumentBuilder()
            .parse(new ByteArrayInputStream(bytes))
            .getDocumentElement();
    return root.getElementsByTagName(name).getLength();
  }
}
