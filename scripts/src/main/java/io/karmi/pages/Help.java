package io.karmi.pages;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The help of a command, taken apart. It is the one table of its options: what a user reads there
 * is what is completed.
 *
 * @param name the command, with the name behind it where it has several
 * @param usage the ways to call it, one a line
 * @param blocks the rest, in parts that an empty line separates
 */
record Help(String name, List<String> usage, List<List<String>> blocks) {
  private static final String USAGE = "usage:";

  /**
   * {@code -n}, {@code -name}, {@code --name}, also with {@code =one|two} or {@code [=one]}. A
   * single word behind {@code =} stands for what the user gives.
   */
  private static final Pattern OPTION =
      Pattern.compile(
          "(?<![\\w-])(--?[A-Za-z][A-Za-z-]*\\w)"
              + "(?:(\\[)?=([a-z]+(?:\\|[a-z]+)*)(?![a-z,/.\\d]))?"
              + "|(?<![\\w-])-[a-z](?!\\w)");

  /** The beginning of a line that explains an option; the rest is its text. */
  private static final Pattern EXPLAINED =
      Pattern.compile("^\\s{0,12}(-\\S+(?:,? (?:--?\\S+|<?[A-Z][A-Z/]*>?))*)(?:\\s{2,}(.*))?$");

  /** An option of a command with what it means. */
  record Explained(String option, String text) {}

  static Help of(String name, String text) {
    List<String> usage = new ArrayList<>();
    List<List<String>> blocks = new ArrayList<>();
    List<String> block = new ArrayList<>();
    boolean inUsage = false;
    for (String line : text.lines().toList()) {
      String stripped = line.strip();
      if (stripped.startsWith(USAGE)) {
        inUsage = true;
        usage.add(stripped.substring(USAGE.length()).strip());
      } else if (inUsage && line.startsWith("       ")) {
        boolean another = stripped.startsWith(name.split(" ")[0]);
        int last = usage.size() - 1;
        if (another) {
          usage.add(stripped);
        } else {
          usage.set(last, usage.get(last) + " " + stripped);
        }
      } else if (stripped.isEmpty()) {
        inUsage = false;
        if (!block.isEmpty()) {
          blocks.add(block);
          block = new ArrayList<>();
        }
      } else {
        inUsage = false;
        block.add(line);
      }
    }
    if (!block.isEmpty()) {
      blocks.add(block);
    }
    return new Help(name, usage, blocks);
  }

  /** The first sentence, for the head of the page. */
  String summary() {
    for (List<String> block : blocks) {
      String text = String.join(" ", block).replaceAll("\\s+", " ").strip();
      if (!text.startsWith("-")) {
        Matcher sentence = Pattern.compile("^(.*?)[.:;](?: |$)").matcher(text);
        return sentence.find() ? sentence.group(1) : text;
      }
    }
    return name;
  }

  /** Options that are explained in a block; empty if it is text. */
  static List<Explained> explained(List<String> block) {
    List<Explained> found = new ArrayList<>();
    for (String line : block) {
      Matcher option = EXPLAINED.matcher(line);
      if (option.matches()) {
        found.add(
            new Explained(option.group(1), option.group(2) == null ? "" : option.group(2).strip()));
      } else if (found.isEmpty()) {
        /* A headline of a table. */
        if (!line.strip().startsWith("Options")) {
          return List.of();
        }
      } else {
        Explained last = found.remove(found.size() - 1);
        found.add(new Explained(last.option(), (last.text() + " " + line.strip()).strip()));
      }
    }
    return found;
  }

  /** All words that begin with a hyphen, with their values where these are listed. */
  Map<String, List<String>> options() {
    Map<String, List<String>> options = new LinkedHashMap<>();
    for (String each : usage) {
      find(each, options, false);
    }
    for (List<String> block : blocks) {
      explained(block).forEach(each -> find(each.option(), options, true));
    }
    for (String each : List.of("--help", "--version", "--trace")) {
      boolean isNamed = blocks.toString().contains(each);
      if (isNamed || name.contains(" ") || each.equals("--help")) {
        options.computeIfAbsent(each, word -> new ArrayList<>());
      }
    }
    return options;
  }

  private static void find(String place, Map<String, List<String>> options, boolean explained) {
    Matcher option = OPTION.matcher(place);
    while (option.find()) {
      String word = option.group(1) == null ? option.group() : option.group(1);
      List<String> values = options.computeIfAbsent(word, each -> new ArrayList<>());
      String listed = option.group(3);
      if (listed != null && (explained || option.group(2) != null || listed.contains("|"))) {
        for (String value : listed.split("\\|")) {
          if (!values.contains(value)) {
            values.add(value);
          }
        }
      }
    }
  }

  /** Words that ask for something, by the usage. */
  List<String> verbs() {
    return usage.stream()
        .map(Pattern.compile(Pattern.quote(name) + " ([a-z]+)( .*)?")::matcher)
        .filter(Matcher::matches)
        .map(verb -> verb.group(1))
        .distinct()
        .toList();
  }

  /** Names below this one with a help of their own, which a block of the help lists. */
  List<String> commands() {
    TreeSet<String> commands = new TreeSet<>();
    for (List<String> block : blocks) {
      if (block.get(0).equals("Commands:")) {
        for (String line : block) {
          Matcher command = Pattern.compile("^  ([a-z]+) {2,}.*").matcher(line);
          if (command.matches()) {
            commands.add(command.group(1));
          }
        }
      }
    }
    return List.copyOf(commands);
  }
}
