package io.karmi.pages;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
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
   * {@code -n}, {@code -name}, {@code --name}, also with values: {@code =one|two} for one of them,
   * {@code =one,two} for several, or {@code [=one]}. A single word behind {@code =} stands for what
   * the user gives.
   */
  private static final Pattern OPTION =
      Pattern.compile(
          "(?<![\\w-])(--?[A-Za-z][A-Za-z-]*\\w)"
              + "(?:(\\[)?(=)(?:(\\w+(?:\\|\\w+)*|\\w+(?:,\\w+)+)(?![\\w,|/.]))?)?"
              + "|(?<![\\w-])-[A-Za-z](?!\\w)");

  /** Values in the text of an option: {@code [one|two]} or {@code [one, two]}. */
  private static final Pattern VALUES = Pattern.compile("\\[([\\w-]+(?:(?:\\||, )[\\w-]+)+)\\]");

  /** What separates values: of the first only one can be given. */
  private static final Pattern SEPARATOR = Pattern.compile("\\||, ?");

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

  /** All options of the command, by their names. */
  Map<String, Choice> options() {
    Map<String, Choice> options = new LinkedHashMap<>();
    for (String each : usage) {
      find(each, options, false);
    }
    for (List<String> block : blocks) {
      for (Explained each : explained(block)) {
        find(each.option(), options, true).forEach(option -> option.add(each.text()));
      }
    }
    for (String each : List.of("--help", "--version", "--trace")) {
      boolean isNamed = blocks.toString().contains(each);
      if (isNamed || name.contains(" ") || each.equals("--help")) {
        options.computeIfAbsent(each, word -> new Choice());
      }
    }
    return options;
  }

  /** Adds the options that a text names, and returns them. */
  private static List<Choice> find(String text, Map<String, Choice> options, boolean explained) {
    List<Choice> found = new ArrayList<>();
    Matcher option = OPTION.matcher(text);
    while (option.find()) {
      String word = option.group(1) == null ? option.group() : option.group(1);
      Choice choice = options.computeIfAbsent(word, each -> new Choice());
      boolean isOptional = option.group(2) != null;
      choice.isOptional |= isOptional;
      choice.isAttached |= option.group(3) != null && !isOptional;
      String values = option.group(4);
      if (values != null && (explained || isOptional || SEPARATOR.matcher(values).find())) {
        choice.addValues(values);
      }
      found.add(choice);
    }
    return found;
  }

  /** The values of an option that its help lists; none where the user gives a name of his own. */
  static final class Choice {
    private final Set<String> values = new LinkedHashSet<>();
    private boolean isList;
    private boolean isOptional;
    private boolean isAttached;

    private void add(String text) {
      Matcher listed = VALUES.matcher(text);
      while (listed.find()) {
        addValues(listed.group(1));
      }
    }

    private void addValues(String listed) {
      isList |= listed.contains(",");
      values.addAll(List.of(SEPARATOR.split(listed)));
    }

    Set<String> values() {
      return values;
    }

    /** Whether several can be given, with commas between them. */
    boolean isList() {
      return isList;
    }

    /** Whether the option's name is a word of its own. */
    boolean standsAlone() {
      return values.isEmpty() || isOptional || !isAttached;
    }

    /** Whether a value can be the next word. */
    boolean isBeforeValue() {
      return !values.isEmpty() && !isOptional && !isAttached;
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
