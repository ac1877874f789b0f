package io.karmi.trust;

import static org.assertj.core.api.Assertions.assertThat;

import io.karmi.id.ObjectId;
import io.karmi.kit.Jvm;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.Test;

/** Who knows no number has no object read: docs/hostile-bytes.md lists what may be reached. */
public class EntryPointsTest {
  private static final String MAIN = Exposed.class.getName();
  private static final int LAST_WELL_KNOWN = 15;

  private static Set<Long> documented() throws Exception {
    Path page = Path.of("").toAbsolutePath();
    while (!Files.exists(page.resolve("docs/hostile-bytes.md"))) {
      page = page.getParent();
    }
    Matcher rows =
        Pattern.compile("(?m)^\\| object (\\d+),")
            .matcher(Files.readString(page.resolve("docs/hostile-bytes.md")));
    Set<Long> numbers = new TreeSet<>();
    while (rows.find()) {
      numbers.add(Long.parseLong(rows.group(1)));
    }
    return numbers;
  }

  @Test
  public void everyWellKnownNumberHasAnEntry() throws Exception {
    Set<Long> declared = new TreeSet<>();
    for (Field field : ObjectId.class.getDeclaredFields()) {
      if (Modifier.isStatic(field.getModifiers())
          && Modifier.isPublic(field.getModifiers())
          && field.getType() == long.class
          && ObjectId.isWellKnown(field.getLong(null))) {
        declared.add(field.getLong(null));
      }
    }
    assertThat(declared).isNotEmpty().isEqualTo(documented());
    assertThat(ObjectId.isWellKnown(LAST_WELL_KNOWN)).isTrue();
    assertThat(ObjectId.isWellKnown(LAST_WELL_KNOWN + 1)).isFalse();
  }

  private static List<String> attacked(String... options) throws Exception {
    List<String> all = new ArrayList<>(List.of(options));
    all.addAll(List.of(MAIN, "serve"));
    try (Jvm server = Jvm.start(all.toArray(new String[0]));
        Jvm stranger = Jvm.start(MAIN, "attack", server.awaitLine("port "))) {
      List<String> outcomes = stranger.everything();
      assertThat(outcomes).contains("over");
      assertThat(server.awaitLinesWith("EVIL", 1))
          .as("read once, by the object that declares it: the attack can be seen")
          .hasSize(1);
      return outcomes;
    }
  }

  @Test
  public void strangersHaveNoObjectReadAndOnlyDocumentedNumbersAnswer() throws Exception {
    List<String> outcomes = attacked();
    Set<Long> answering = new TreeSet<>();
    Pattern line = Pattern.compile("object (\\d+) .*: (.*)");
    for (String outcome : outcomes) {
      Matcher parts = line.matcher(outcome);
      if (parts.matches() && !parts.group(2).contains("no such object in table")) {
        answering.add(Long.parseLong(parts.group(1)));
      }
    }
    assertThat(documented()).containsAll(answering);
    assertThat(answering).contains(ObjectId.REGISTRY, ObjectId.COLLECTOR, ObjectId.COUNTERPARTS);
  }

  @Test
  public void nodeThatRefusesStockPeersTellsNothingAboutThem() throws Exception {
    List<String> outcomes = attacked("-Dkarmi.jrmp=false");
    assertThat(outcomes)
        .filteredOn(line -> line.startsWith("object " + ObjectId.COUNTERPARTS + " "))
        .isNotEmpty()
        .allMatch(line -> line.contains("no such object in table"));
  }
}
