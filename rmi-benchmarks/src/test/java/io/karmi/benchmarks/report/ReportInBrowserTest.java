package io.karmi.benchmarks.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.Assume.assumeTrue;

import com.google.gson.Gson;
import io.karmi.benchmarks.results.SampleResults;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** The report as people see it: in Chromium, where it is installed. */
public class ReportInBrowserTest {
  private static final Pattern SEEN = Pattern.compile("SEEN(\\{.*?})END", Pattern.DOTALL);

  /** Below this many pixels the words of a picture are hard to read. */
  private static final double READABLE = 9;

  /** The smallest text of the page itself, in pixels. */
  private static final double MINIMUM_BODY_TEXT = 12;

  /** Of text and what is behind it, as WCAG 2.1 counts it and asks for in level AA. */
  private static final double MINIMUM_CONTRAST = 4.5;

  /** Texts in the page; fewer are no page. */
  private static final int MINIMUM_TEXTS = 100;

  @Rule public final TemporaryFolder folder = new TemporaryFolder();

  private Path page;
  private Browser browser;

  /** What {@code measure.html} prints. */
  private record Seen(
      int bodyTexts,
      double smallestBodyText,
      double leastContrast,
      List<String> cutOff,
      int pageWidth,
      int windowWidth,
      int tables,
      List<String> tablesThatDoNotScroll,
      List<String> looks,
      int figures,
      int allFigures,
      List<String> wordsCutOff,
      double smallestWord,
      String background,
      String text,
      int scripts) {}

  @Before
  public void writeReport() throws Exception {
    Path root = folder.getRoot().toPath();
    Optional<Browser> found = Browser.find(root);
    if (found.isEmpty()) {
      System.err.println("skipped: no Chromium on the PATH (Debian: apt-get install chromium)");
    }
    assumeTrue("no Chromium on the PATH", found.isPresent());
    browser = found.orElseThrow();
    page = root.resolve("index.html");
    HtmlReport.write(
        List.of(
            SampleResults.withSlowPeer("2026-11-02T00:00:00Z"), SampleResults.ofSerialization()),
        page);
    try (InputStream measure = ReportInBrowserTest.class.getResourceAsStream("measure.html")) {
      Files.write(root.resolve("measure.html"), measure.readAllBytes());
    }
  }

  @Test
  public void aPhoneShowsTheNarrowLookInLight() throws Exception {
    assertReadable(400, false, "look light-narrow", "rgb(255, 255, 255)");
  }

  @Test
  public void aPhoneShowsTheNarrowLookInDark() throws Exception {
    assertReadable(400, true, "look dark-narrow", "rgb(22, 24, 29)");
  }

  @Test
  public void aTabletShowsTheWideLookInLight() throws Exception {
    assertReadable(800, false, "look light", "rgb(255, 255, 255)");
  }

  @Test
  public void aTabletShowsTheWideLookInDark() throws Exception {
    assertReadable(800, true, "look dark", "rgb(22, 24, 29)");
  }

  @Test
  public void aDesktopShowsTheWideLookInLight() throws Exception {
    assertReadable(1600, false, "look light", "rgb(255, 255, 255)");
  }

  @Test
  public void aDesktopShowsTheWideLookInDark() throws Exception {
    assertReadable(1600, true, "look dark", "rgb(22, 24, 29)");
  }

  @Test
  public void aRequestOfAPageIsNoticed() throws Exception {
    Path asking = folder.getRoot().toPath().resolve("asking.html");
    Files.writeString(asking, "<img src='http://elsewhere.invalid/a.png'><script>oops()</script>");
    Browser.Visit visit = browser.visit(asking, 400, false, "--dump-dom");
    assertThat(visit.requests()).anyMatch(request -> request.contains("elsewhere.invalid"));
    assertThat(visit.log()).contains("oops is not defined");
  }

  private void assertReadable(int width, boolean dark, String look, String background)
      throws Exception {
    Browser.Visit visit =
        browser.visit(page.resolveSibling("measure.html"), width, dark, "--dump-dom");
    Seen seen = seen(visit.printed());
    assertThat(seen.looks()).containsExactly(look);
    assertThat(seen.figures()).as("each figure once").isEqualTo(seen.allFigures()).isPositive();
    assertThat(seen.background()).isEqualTo(background);
    assertThat(seen.windowWidth()).isEqualTo(width);
    assertThat(seen.pageWidth())
        .as("no sideways scrolling")
        .isLessThanOrEqualTo(seen.windowWidth());
    assertThat(seen.tables()).isPositive();
    assertThat(seen.tablesThatDoNotScroll()).as("tables that are cut off").isEmpty();
    assertThat(seen.cutOff()).as("texts that do not fit").isEmpty();
    assertThat(seen.bodyTexts()).as("texts of the page").isGreaterThan(MINIMUM_TEXTS);
    assertThat(seen.smallestBodyText())
        .as("pixels of the smallest text")
        .isGreaterThanOrEqualTo(MINIMUM_BODY_TEXT);
    assertThat(seen.leastContrast())
        .as("contrast of the palest text")
        .isGreaterThanOrEqualTo(MINIMUM_CONTRAST);
    assertThat(seen.wordsCutOff()).as("words that a picture cuts off").isEmpty();
    assertThat(seen.smallestWord()).as("pixels of the smallest word").isGreaterThan(READABLE);
    assertThat(seen.scripts()).isZero();
    assertThat(visit.requests()).isEmpty();
    assertThat(visit.log()).doesNotContain("CONSOLE");
  }

  private static Seen seen(String printed) {
    Matcher json = SEEN.matcher(printed);
    assertThat(json.find()).as("what the page prints: %s", printed).isTrue();
    return new Gson().fromJson(json.group(1).replace("&amp;", "&"), Seen.class);
  }
}
