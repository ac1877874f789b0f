package io.karmi.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.Test;

/** docs/decisions/README.md lists every decision, and every decision looks like one. */
public class DecisionsTest {
  private static final Path FOLDER = Path.of("..", "docs", "decisions");
  private static final Pattern PAGE = Pattern.compile("(\\d{4})-[a-z0-9-]+\\.md");
  private static final Pattern ROW =
      Pattern.compile("(?m)^\\| (\\d+) \\|(?: \\[(.*)\\]\\((.*)\\))? \\| (.*) \\|$");
  private static final Pattern DATE =
      Pattern.compile("(?m)^(Date: )?(2026-\\d\\d(-\\d\\d)?|November 2026)[.,] ");
  private static final Pattern LINK = Pattern.compile("\\]\\(([^)#:]+\\.md)(#[^)]*)?\\)");

  /** Not needed in the end. */
  private static final String GIVEN_UP = "given up";

  /** Of work that is under way: the page may be there already, and the row is written last. */
  private static final String SET_ASIDE = "set aside";

  private record Row(String title, String page, String status) {}

  private static Map<Integer, Row> rows() throws IOException {
    Map<Integer, Row> rows = new TreeMap<>();
    Matcher found = ROW.matcher(Files.readString(FOLDER.resolve("README.md")));
    while (found.find()) {
      int number = Integer.parseInt(found.group(1));
      Row row = new Row(found.group(2), found.group(3), found.group(4));
      assertThat(rows.put(number, row)).as("second row of " + number).isNull();
    }
    return rows;
  }

  private static Map<Integer, Path> pages() throws IOException {
    Map<Integer, Path> pages = new TreeMap<>();
    try (Stream<Path> files = Files.list(FOLDER)) {
      for (Path file : (Iterable<Path>) files::iterator) {
        Matcher name = PAGE.matcher(file.getFileName().toString());
        if (name.matches()) {
          int number = Integer.parseInt(name.group(1));
          assertThat(pages.put(number, file)).as("second page of " + number).isNull();
        } else {
          assertThat(file).hasFileName("README.md");
        }
      }
    }
    return pages;
  }

  @Test
  public void numbersHaveNoGaps() throws IOException {
    List<Integer> expected = new ArrayList<>();
    Map<Integer, Row> rows = rows();
    for (int number = 1; number <= rows.size(); number++) {
      expected.add(number);
    }
    assertThat(rows.keySet()).hasSizeGreaterThan(20).containsExactlyElementsOf(expected);
  }

  @Test
  public void everyPageHasARowAndEveryRowAPageOrIsGivenUp() throws IOException {
    Map<Integer, Path> pages = pages();
    Map<Integer, Row> rows = rows();
    assertThat(rows.keySet()).containsAll(pages.keySet());
    rows.forEach(
        (number, row) -> {
          if (row.page() == null) {
            assertThat(row.status()).as("status of " + number).isIn(GIVEN_UP, SET_ASIDE);
            assertThat(row.status().equals(GIVEN_UP) && pages.containsKey(number))
                .as("page " + number + ", which is given up")
                .isFalse();
          } else {
            assertThat(pages.get(number)).as("page " + number).hasFileName(row.page());
          }
        });
  }

  @Test
  public void everyPageBeginsWithItsNumberTitleDateAndStatus() throws IOException {
    Map<Integer, Row> rows = rows();
    for (Map.Entry<Integer, Path> page : pages().entrySet()) {
      List<String> lines = Files.readAllLines(page.getValue());
      Row row = rows.get(page.getKey());
      if (row.page() == null) {
        continue;
      }
      assertThat(lines.get(0))
          .as(page.getValue().toString())
          .matches("# 0*" + page.getKey() + "[.:] " + Pattern.quote(row.title()));
      assertThat(lines.get(2)).as(page.getValue().toString()).containsPattern(DATE);
      assertThat(lines.get(2).toLowerCase(java.util.Locale.ROOT))
          .as(page.getValue().toString())
          .containsAnyOf("in force", "accepted", "superseded", "given up");
    }
  }

  @Test
  public void linksBetweenPagesLeadSomewhere() throws IOException {
    Path docs = Path.of("..", "docs");
    List<Path> all = new ArrayList<>(List.of(Path.of("..", "README.md")));
    all.add(Path.of("..", "SECURITY.md"));
    try (Stream<Path> files = Files.walk(docs)) {
      files.filter(file -> file.toString().endsWith(".md")).forEach(all::add);
    }
    for (Path page : all) {
      Matcher links = LINK.matcher(Files.readString(page));
      while (links.find()) {
        assertThat(page.resolveSibling(links.group(1))).as("link in " + page).exists();
      }
    }
  }
}
