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
import java.util.stream.Stream;
import org.junit.Test;

/** docs/operations.md names every system property that the runtime reads. */
public class SettingsTest {
  private static final Pattern PROPERTY = Pattern.compile("\"(karmi(\\.[a-zA-Z]+)+)\\.?\"");
  private static final List<String> MODULES =
      List.of(
          "karmi-runtime",
          "technologies/connection",
          "technologies/tcp",
          "technologies/uds",
          "technologies/shm",
          "technologies/ucx");

  @Test
  public void everyPropertyOfTheRuntimeIsDocumented() throws IOException {
    Set<String> properties = new TreeSet<>();
    for (String module : MODULES) {
      try (Stream<Path> files = Files.walk(Path.of("..", module, "src", "main", "java"))) {
        for (Path file : (Iterable<Path>) files.filter(Files::isRegularFile)::iterator) {
          Matcher found = PROPERTY.matcher(Files.readString(file));
          while (found.find()) {
            properties.add(found.group(1));
          }
        }
      }
    }
    assertThat(properties).contains("karmi.tls", "karmi.maxConnections");
    String documented = Files.readString(Path.of("..", "docs", "operations.md"));
    assertThat(properties).allSatisfy(name -> assertThat(documented).contains("`" + name));
  }
}
