package io.karmi.spark;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.Test;

/** docs/engines.md has every setting of the serializer, its values and its default. */
public class SettingsTest {
  private static final Pattern IN_CODE = Pattern.compile("\"(spark\\.uka\\.[a-zA-Z.]+)\"");
  private static final Pattern ROW =
      Pattern.compile("(?m)^\\| `(spark\\.uka\\.[a-zA-Z.]+)` \\| (.*?) \\| (.*?) \\| .+ \\|$");

  private static Set<String> settingsInCode() throws IOException {
    Set<String> names = new TreeSet<>();
    try (Stream<Path> files = Files.walk(Path.of("src", "main", "java"))) {
      for (Path file : (Iterable<Path>) files.filter(Files::isRegularFile)::iterator) {
        Matcher found = IN_CODE.matcher(Files.readString(file));
        while (found.find()) {
          names.add(found.group(1));
        }
      }
    }
    return names;
  }

  private record Row(String values, String byDefault) {}

  private static Map<String, Row> rows() throws IOException {
    Path page = Path.of("..", "..", "..", "docs", "engines.md");
    Map<String, Row> rows = new TreeMap<>();
    Matcher found = ROW.matcher(Files.readString(page));
    while (found.find()) {
      Row row = new Row(found.group(2), found.group(3).replace("`", ""));
      assertThat(rows.put(found.group(1), row)).as("second row of " + found.group(1)).isNull();
    }
    return rows;
  }

  @Test
  public void pageHasTheSettingsOfTheCodeAndNoOthers() throws IOException {
    assertThat(settingsInCode()).hasSizeGreaterThan(3).isEqualTo(rows().keySet());
  }

  @Test
  public void defaultsAreThoseOfThePage() throws IOException {
    Map<String, Row> rows = rows();
    UkaSettings asOnThePage =
        UkaSettings.of(
            (name, otherwise) -> {
              if (!name.startsWith("spark.uka.")) {
                return otherwise; // Spark's own
              }
              String value = rows.get(name).byDefault();
              return value.equals("none") ? "" : value;
            });
    assertThat(asOnThePage).isEqualTo(UkaSettings.of((name, otherwise) -> otherwise));
  }

  @Test
  public void everyValueOfThePageIsAccepted() throws IOException {
    rows()
        .forEach(
            (name, row) -> {
              Matcher value = Pattern.compile("`([a-z]+)`").matcher(row.values());
              while (value.find()) {
                String set = value.group(1);
                assertThat(UkaSettings.of((asked, or) -> asked.equals(name) ? set : or))
                    .isNotNull();
              }
            });
  }
}
