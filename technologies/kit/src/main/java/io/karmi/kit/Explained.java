package io.karmi.kit;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What {@code karmi-java --explain} says of a program, to compare with what the agent does while
 * that program runs. Immutable.
 */
public final class Explained {
  private static final Pattern OPENS =
      Pattern.compile("(?ms)^  opens or extends Object\\S+Stream:(.*?)(?=^  \\S|^\\S|^$)");
  private static final Pattern REWIRED =
      Pattern.compile("karmi: (\\S+): .* -> io\\.karmi\\.uka\\.Rewired\\S+");
  private static final Pattern LOADED =
      Pattern.compile("^\\[[^]]*]\\S* *(\\S+) source: (?!jrt:).*");

  /** Classes that are named below a use. */
  private static final String NAME = "        ";

  private final String text;

  private Explained(String text) {
    this.text = text;
  }

  /**
   * Asks for the explanation of a program.
   *
   * @param karmi the agent
   * @param launch arguments of {@code java}
   */
  public static Explained of(Path karmi, String... launch)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.addAll(List.of("-cp", karmi.toString()));
    command.addAll(List.of("io.karmi.retrofit.cli.Explain", "--explain=all"));
    command.addAll(List.of(launch));
    Jvm.Result result = Jvm.java(command.toArray());
    if (result.exit() != 0) {
      throw new AssertionError(result.toString());
    }
    return new Explained(result.out());
  }

  /** All that it says. */
  public String text() {
    return text;
  }

  /**
   * The agent with what {@link #rewired} and the summary need, and the log of {@link #rewires}.
   *
   * @param log file for the names of the classes that are loaded
   */
  public static List<String> options(Path karmi, Path log) {
    return List.of(
        "-javaagent:" + karmi + "=trace,summary", "-Xlog:class+load:file=" + log + "::filecount=0");
  }

  /** Classes of the program, of those that were loaded, that it says to open streams. */
  public Set<String> rewires(Path log) throws IOException {
    Set<String> names = new TreeSet<>();
    Matcher part = OPENS.matcher(text);
    while (part.find()) {
      part.group(1)
          .lines()
          .filter(line -> line.startsWith(NAME))
          .forEach(line -> names.add(line.strip()));
    }
    try (Stream<String> lines = Files.lines(log)) {
      names.retainAll(matches(LOADED, lines));
    }
    return names;
  }

  /** Classes whose streams the agent has changed, by what a program with it printed. */
  public static Set<String> rewired(Stream<String> lines) {
    return matches(REWIRED, lines);
  }

  private static Set<String> matches(Pattern pattern, Stream<String> lines) {
    return lines
        .map(pattern::matcher)
        .filter(Matcher::find)
        .map(found -> found.group(1))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  @Override
  public String toString() {
    return text;
  }
}
