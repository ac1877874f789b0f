package io.karmi.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.Test;

/**
 * The pages of docs/ are found from the README, short enough to read, and link to what is there.
 */
public class DocsTest {
  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

  /** Links from one page to the next, from the README on. */
  private static final int MOST_STEPS = 2;

  private static final long MOST_BYTES = 15 << 10;

  /** Half a page. */
  private static final long MOST_BYTES_OF_A_RECIPE = 1_700;

  /** It is looked up, not read. */
  private static final Path WIRE_FORMAT = ROOT.resolve("docs/wire-format.md");

  private static final Pattern LINK = Pattern.compile("\\]\\(([^)\\s]+)\\)");

  private static List<Path> pages() throws IOException {
    try (Stream<Path> all = Files.walk(ROOT.resolve("docs"))) {
      return all.filter(each -> each.toString().endsWith(".md")).sorted().toList();
    }
  }

  /** Links to files, without those to other sites. */
  private static List<String> links(Path page) throws IOException {
    Matcher link = LINK.matcher(Files.readString(page));
    return link.results()
        .map(found -> found.group(1))
        .filter(each -> !each.matches("[a-z]+:.*"))
        .toList();
  }

  private static Path target(Path page, String link) {
    String file = link.replaceFirst("#.*", "");
    return file.isEmpty() ? page : page.resolveSibling(file).normalize();
  }

  @Test
  public void everyPageIsReachedFromTheReadmeInTwoSteps() throws IOException {
    Set<Path> reached = new TreeSet<>(Set.of(ROOT.resolve("README.md")));
    for (int i = 0; i < MOST_STEPS; i++) {
      for (Path page : List.copyOf(reached)) {
        if (page.toString().endsWith(".md")) {
          for (String link : links(page)) {
            reached.add(target(page, link));
          }
        }
      }
    }
    assertThat(pages()).isSubsetOf(reached);
  }

  @Test
  public void recipesAreHalfAPage() throws IOException {
    for (Path page : pages()) {
      if (page.getParent().endsWith("recipes")) {
        assertThat(Files.size(page)).as("%s", page).isLessThanOrEqualTo(MOST_BYTES_OF_A_RECIPE);
      }
    }
  }

  @Test
  public void noPageIsOver15KilobytesButTheWireFormat() throws IOException {
    for (Path page : pages()) {
      if (!page.equals(WIRE_FORMAT)) {
        assertThat(Files.size(page)).as("bytes of %s", page).isLessThanOrEqualTo(MOST_BYTES);
      }
    }
  }

  @Test
  public void linksLeadToFilesAndHeadings() throws IOException {
    Set<String> broken = new TreeSet<>();
    List<Path> all =
        Stream.concat(
                pages().stream(),
                Stream.of("README.md", "CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md")
                    .map(ROOT::resolve))
            .toList();
    for (Path page : all) {
      for (String link : links(page)) {
        Path target = target(page, link);
        boolean isThere = Files.exists(target);
        if (isThere && link.contains("#") && target.toString().endsWith(".md")) {
          isThere = headings(target).contains(link.substring(link.indexOf('#') + 1));
        }
        if (!isThere) {
          broken.add(ROOT.relativize(page) + " -> " + link);
        }
      }
    }
    assertThat(broken).isEmpty();
  }

  /** Names by which a page's headings are linked to. */
  private static Set<String> headings(Path page) throws IOException {
    return Files.readAllLines(page).stream()
        .filter(line -> line.startsWith("#"))
        .map(
            line ->
                line.replaceFirst("^#+ ", "")
                    .replaceAll("\\[([^]]*)]\\([^)]*\\)", "$1")
                    .toLowerCase(Locale.ROOT)
                    .replaceAll("[^\\p{L}\\p{N} _-]", "")
                    .replace(' ', '-'))
        .collect(Collectors.toSet());
  }
}
