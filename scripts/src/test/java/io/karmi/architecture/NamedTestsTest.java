package io.karmi.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.Test;

/** Pages that say what is promised name tests that exist. */
public class NamedTestsTest {
  private static final Path TOP = Path.of("..");
  private static final List<String> PAGES =
      List.of(
          "limits.md",
          "threat-model.md",
          "hostile-bytes.md",
          "connections.md",
          "calls.md",
          "security.md",
          "measurements/attacks.md");
  private static final Pattern NAME =
      Pattern.compile("`(?:[a-z.]+\\.)?([A-Z]\\w+(?:Test|Contract))`");
  private static final int DEEPEST = 12;

  @Test
  public void everyTestThatAPageNamesExists() throws IOException {
    Set<String> missing = new TreeSet<>();
    Set<String> sources = sources();
    for (String page : PAGES) {
      Matcher named = NAME.matcher(Files.readString(TOP.resolve("docs").resolve(page)));
      while (named.find()) {
        if (!sources.contains(named.group(1) + ".java")) {
          missing.add(page + ": " + named.group(1));
        }
      }
    }
    assertThat(missing).isEmpty();
  }

  @Test
  public void everyRowOfWaitsNamesATest() throws IOException {
    String page = Files.readString(TOP.resolve("docs").resolve("limits.md"));
    String waits = page.substring(page.indexOf("## Waits"));
    List<String> rows =
        waits.lines().filter(line -> line.startsWith("| ")).skip(1).collect(Collectors.toList());
    assertThat(rows).hasSizeGreaterThan(15).allMatch(row -> NAME.matcher(row).find());
  }

  private static Set<String> sources() throws IOException {
    try (Stream<Path> files = Files.find(TOP, DEEPEST, (path, all) -> isSource(path))) {
      return files.map(path -> path.getFileName().toString()).collect(Collectors.toSet());
    }
  }

  private static boolean isSource(Path path) {
    return path.toString().endsWith(".java") && path.toString().contains("src");
  }
}
