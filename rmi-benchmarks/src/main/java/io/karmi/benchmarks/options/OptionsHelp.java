package io.karmi.benchmarks.options;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.commons.cli.Option;
import org.apache.commons.cli.Options;
import org.jspecify.annotations.Nullable;

/** The help of a command whose options say themselves what they mean. */
public final class OptionsHelp {
  /** Longest line, in characters. */
  private static final int WIDTH = 100;

  private OptionsHelp() {}

  /** An option with a long name, and with a value if that has a name. */
  public static Option option(String name, @Nullable String value, String text) {
    return Option.builder().longOpt(name).hasArg(value != null).argName(value).desc(text).get();
  }

  /** Usage, what the command does, and a table of the options in the order they were added. */
  public static String of(String usage, String does, Options options) {
    Collection<Option> all = options.getOptions();
    int column = all.stream().mapToInt(each -> named(each).length()).max().orElse(0) + 3;
    List<String> lines = new ArrayList<>(List.of("usage: " + usage, ""));
    lines.addAll(wrapped(does, WIDTH));
    lines.add("");
    for (Option each : all) {
      String before = named(each);
      for (String line : wrapped(each.getDescription(), WIDTH - column)) {
        lines.add(before + " ".repeat(column - before.length()) + line);
        before = "";
      }
    }
    return lines.stream().collect(Collectors.joining("\n", "", "\n"));
  }

  private static String named(Option option) {
    return "  --" + option.getLongOpt() + (option.hasArg() ? " " + option.getArgName() : "");
  }

  private static List<String> wrapped(String text, int width) {
    List<String> lines = new ArrayList<>();
    StringBuilder line = new StringBuilder();
    for (String word : text.split(" ")) {
      if (!line.isEmpty() && line.length() + 1 + word.length() > width) {
        lines.add(line.toString());
        line.setLength(0);
      }
      line.append(line.isEmpty() ? "" : " ").append(word);
    }
    lines.add(line.toString());
    return lines;
  }
}
