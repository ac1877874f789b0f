package io.karmi.uka.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.karmi.uka.codec.PlatformCodecs.Row;
import io.karmi.uka.engine.read.ReadType;
import io.karmi.uka.strategy.GeneralMarshaler;
import io.karmi.uka.type.ClassDescription;
import io.karmi.uka.type.LocalClass;
import java.io.IOException;
import java.io.ObjectStreamConstants;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.Test;

public class PlatformCodecsTest {
  /** What codecs of the JDK's classes, and of classes of libraries, have to be. */
  private static final Set<String> KINDS = Set.of("PlatformCodec", "LibraryCodec");

  private static final Path MAIN = Path.of("src", "main", "java", "io", "karmi", "uka");

  private static final Pattern SWITCHED = Pattern.compile("case \"(java\\.[^\"]+)\"");

  /** How the page of the format tells flags. */
  private static final Map<Integer, String> FLAGS =
      Map.of(
          (int) ObjectStreamConstants.SC_SERIALIZABLE,
          "",
          ObjectStreamConstants.SC_SERIALIZABLE | ObjectStreamConstants.SC_WRITE_METHOD,
          "w",
          ObjectStreamConstants.SC_EXTERNALIZABLE | ObjectStreamConstants.SC_BLOCK_DATA,
          "x",
          ObjectStreamConstants.SC_SERIALIZABLE | ObjectStreamConstants.SC_ENUM,
          "enum");

  private static final Pattern NUMBERED = Pattern.compile("^\\| \\d+ \\| `");

  /** A row's codec made anew, in a line of its own. */
  private static final Pattern CODEC = Pattern.compile("PlatformCodec [A-Z_]+ = new (\\w+)\\(");

  @Test
  public void eachRowWithACodecHasWhatWritesIt() throws Exception {
    List<String> general = new ArrayList<>();
    for (Row row : PlatformCodecs.table()) {
      if (row.codec() != null) {
        LocalClass type = LocalClass.of(Class.forName(row.name()));
        assertThat(Strategies.INSTANCE.marshaler(type.type)).as(row.name()).isNotNull();
        if (PlatformCodecs.marshaler(type) == null
            || PlatformCodecs.marshaler(type) instanceof GeneralMarshaler) {
          general.add(row.name());
        }
      }
    }
    assertThat(general).isEmpty();
  }

  @Test
  public void aClassOutsideTheTableIsWrittenAsAnyOther() {
    assertThat(PlatformCodecs.marshaler(LocalClass.of(java.util.Locale.class))).isNull();
    assertThatThrownBy(() -> PlatformCodecs.shortForm("java.util.Locale"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("java.util.Locale");
  }

  @Test
  public void onlyClassesThatHaveANumberHaveAShortForm() {
    for (Row row : PlatformCodecs.table()) {
      if (row.hasShortForm()) {
        assertThat(row.description()).as(row.name()).isNotNull();
        assertThat(row.codec()).as(row.name()).isNotNull();
        assertThat(PlatformCodecs.DESCRIPTIONS.hasShortForm(row.description()))
            .as(row.name())
            .isTrue();
      }
    }
  }

  @Test
  public void whatIsReplacedIsNotReadByTheCodecOfItsReplacement() throws Exception {
    for (Row row : PlatformCodecs.table()) {
      if (row.description() == null) {
        LocalClass local = LocalClass.of(Class.forName(row.name()));
        ReadType type = new ReadType();
        type.bind(local.description(), local.type, null, null);
        assertThat(PlatformCodecs.reader(type, local)).as(row.name()).isNull();
      }
    }
  }

  @Test
  public void rowsWithoutANumberComeLast() {
    List<Boolean> numbered =
        PlatformCodecs.table().stream()
            .map(row -> row.description() != null)
            .collect(Collectors.toList());
    assertThat(numbered.subList(0, numbered.lastIndexOf(true) + 1)).doesNotContain(false);
  }

  @Test
  public void thePageOfTheFormatHasEachNumberWithItsDescription() throws IOException {
    String page = Files.readString(Path.of("..", "docs", "wire-format.md"));
    String section =
        page.substring(
            page.indexOf("\n## 1.10 Classes of the platform"), page.indexOf("\n## 1.11 "));
    List<String> onThePage =
        section
            .lines()
            .filter(line -> NUMBERED.matcher(line).find())
            .map(line -> line.replaceAll(" +", " "))
            .collect(Collectors.toList());
    List<String> inTheTable = new ArrayList<>();
    for (Row row : PlatformCodecs.table()) {
      ClassDescription description = row.description();
      if (description != null) {
        inTheTable.add(line(inTheTable.size(), description));
      }
    }
    assertThat(onThePage).isEqualTo(inTheTable);
  }

  private static String line(int number, ClassDescription description) {
    String fields =
        Stream.of(description.fields)
            .map(field -> "`" + field.signature() + " " + field.name() + "`")
            .collect(Collectors.joining(", "));
    return String.join(
            " | ",
            "| " + number,
            "`" + description.name + "`",
            FLAGS.get(description.flags),
            Long.toString(description.serialVersionUid),
            fields + " |")
        .replaceAll(" +", " ");
  }

  /** What a codec is asked for is in the table; no class is chosen by its name anywhere else. */
  @Test
  public void classesOfThePlatformAreChosenByTheTableAndItsCodecsOnly() throws IOException {
    Set<String> listed = PlatformCodecs.table().stream().map(Row::name).collect(Collectors.toSet());
    Set<String> choosing = new TreeSet<>();
    for (Path file : sources()) {
      Matcher matcher = SWITCHED.matcher(Files.readString(file));
      while (matcher.find()) {
        if (listed.contains(matcher.group(1))) {
          choosing.add(MAIN.relativize(file).toString().replace('\\', '/'));
        }
      }
    }
    assertThat(choosing).isNotEmpty().allMatch(name -> name.matches("codec/\\w+Codec\\.java"));
  }

  @Test
  public void eachCodecIsInTheTable() throws IOException {
    Set<String> made = new TreeSet<>();
    Matcher matcher =
        CODEC.matcher(Files.readString(MAIN.resolve("codec").resolve("PlatformCodecs.java")));
    while (matcher.find()) {
      made.add(matcher.group(1));
    }
    Set<String> used =
        PlatformCodecs.table().stream()
            .map(Row::codec)
            .filter(codec -> codec != null)
            .map(codec -> codec.getClass().getSimpleName())
            .collect(Collectors.toCollection(TreeSet::new));
    Set<String> files = new TreeSet<>();
    for (Path file : sources()) {
      String name = file.getFileName().toString().replace(".java", "");
      if (name.endsWith("Codec") && !KINDS.contains(name)) {
        files.add(name);
      }
    }
    assertThat(used).isEqualTo(files).isEqualTo(made);
  }

  private static List<Path> sources() throws IOException {
    try (Stream<Path> files = Files.walk(MAIN)) {
      return files.filter(file -> file.toString().endsWith(".java")).collect(Collectors.toList());
    }
  }
}
