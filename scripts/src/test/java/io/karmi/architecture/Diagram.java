package io.karmi.architecture;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One mermaid diagram of docs/architecture.md: packages, and which imports which.
 *
 * @param base the package that the nodes' names are relative to
 * @param arrows for each node, in the order of the diagram, the nodes it may import
 */
record Diagram(String base, Map<String, Set<String>> arrows) {
  private static final String ROOT = "root";
  private static final Pattern BLOCK = Pattern.compile("```mermaid\\R(.*?)```", Pattern.DOTALL);
  private static final Pattern BASE =
      Pattern.compile("^\\s*%% package (\\S+)\\s*$", Pattern.MULTILINE);
  private static final Pattern ARROW =
      Pattern.compile("^\\s*([\\w.]+) --> ([\\w.]+)\\s*$", Pattern.MULTILINE);

  private static final Pattern LIMIT =
      Pattern.compile("^\\| `(io\\.karmi[\\w.]*)` \\| (\\d+) \\|$", Pattern.MULTILINE);

  /** The head of a table of limits, which goes on to the next empty line. */
  private static final String LIMITS = "(?ms)^\\| package \\| %s \\|$(.*?)(^$|\\z)";

  private static final Pattern PUBLIC = Pattern.compile("(?ms)^\\| package \\| for \\|$(.*?)^$");

  private static final Pattern PUBLIC_ROW =
      Pattern.compile("^\\| `(io\\.karmi[\\w.]*)` \\|", Pattern.MULTILINE);

  /** A package that neither imports another one of the diagram nor is imported yet. */
  private static final Pattern ALONE = Pattern.compile("^\\s*([\\w.]+)\\s*$", Pattern.MULTILINE);

  /** All diagrams of a Markdown text that name their package. */
  static List<Diagram> allIn(String markdown) {
    List<Diagram> diagrams = new ArrayList<>();
    Matcher block = BLOCK.matcher(markdown);
    while (block.find()) {
      Matcher base = BASE.matcher(block.group(1));
      if (base.find()) {
        diagrams.add(new Diagram(base.group(1), arrowsIn(block.group(1))));
      }
    }
    return diagrams;
  }

  /** The rows of the table of limits: a package, and how many of its classes may form a cycle. */
  static Map<String, Integer> cycleLimitsIn(String markdown) {
    return limitsIn(markdown, "classes");
  }

  /** The rows of the table of large packages: how many files each may have. */
  static Map<String, Integer> sizeLimitsIn(String markdown) {
    return limitsIn(markdown, "files");
  }

  /** The packages of the public API. */
  static Set<String> publicPackagesIn(String markdown) {
    Set<String> packages = new LinkedHashSet<>();
    Matcher table = PUBLIC.matcher(markdown);
    Matcher row = PUBLIC_ROW.matcher(table.find() ? table.group(1) : "");
    while (row.find()) {
      packages.add(row.group(1));
    }
    return packages;
  }

  private static Map<String, Integer> limitsIn(String markdown, String what) {
    Map<String, Integer> limits = new LinkedHashMap<>();
    Matcher table = Pattern.compile(String.format(LIMITS, what)).matcher(markdown);
    Matcher row = LIMIT.matcher(table.find() ? table.group(1) : "");
    while (row.find()) {
      limits.put(row.group(1), Integer.valueOf(row.group(2)));
    }
    return limits;
  }

  private static Map<String, Set<String>> arrowsIn(String block) {
    Map<String, Set<String>> arrows = new LinkedHashMap<>();
    Matcher arrow = ARROW.matcher(block);
    while (arrow.find()) {
      arrows.computeIfAbsent(arrow.group(1), node -> new LinkedHashSet<>()).add(arrow.group(2));
      arrows.computeIfAbsent(arrow.group(2), node -> new LinkedHashSet<>());
    }
    Matcher alone = ALONE.matcher(block);
    while (alone.find()) {
      arrows.computeIfAbsent(alone.group(1), node -> new LinkedHashSet<>());
    }
    return arrows;
  }

  boolean covers(String packageName) {
    return packageName.equals(base) || packageName.startsWith(base + ".");
  }

  /**
   * The node that {@code packageName} belongs to: the longest that fits; null if the diagram has
   * none.
   */
  String nodeOf(String packageName) {
    if (packageName.equals(base)) {
      return arrows.containsKey(ROOT) ? ROOT : null;
    }
    for (String name = packageName.substring(base.length() + 1);
        !name.isEmpty();
        name = parent(name)) {
      if (arrows.containsKey(name)) {
        return name;
      }
    }
    return null;
  }

  private static String parent(String name) {
    return name.contains(".") ? name.substring(0, name.lastIndexOf('.')) : "";
  }

  boolean allows(String from, String to) {
    return from.equals(to) || arrows.get(from).contains(to);
  }

  /** A node that can be reached from itself, or null: imports run down only. */
  String nodeOnCycle() {
    for (String node : arrows.keySet()) {
      if (reaches(node, node, new LinkedHashSet<>())) {
        return node;
      }
    }
    return null;
  }

  private boolean reaches(String from, String to, Set<String> seen) {
    for (String next : arrows.get(from)) {
      if (next.equals(to) || (seen.add(next) && reaches(next, to, seen))) {
        return true;
      }
    }
    return false;
  }
}
