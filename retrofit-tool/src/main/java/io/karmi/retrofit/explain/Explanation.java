package io.karmi.retrofit.explain;

import io.karmi.cli.OneLine;
import io.karmi.retrofit.jar.ClassWalk;
import io.karmi.retrofit.rewrite.ClassVersions;
import io.karmi.retrofit.rewrite.Outcome;
import io.karmi.retrofit.rewrite.Transformer;
import io.karmi.retrofit.rules.RetrofitOptions;
import io.karmi.retrofit.rules.RuleSet;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.Collection;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * What KaRMI swaps in, and what stays, in all classes of a program. Not thread-safe.
 *
 * <p>Of streams it asks the transformer that the agent uses, so that both know the same.
 */
public final class Explanation {
  /** Classes of a jar that are named unless all are asked for. */
  private static final int NAMED = 3;

  private final Way way;
  private final RetrofitOptions options;
  private final Transformer streams =
      new Transformer(RuleSet.inPlace(RetrofitOptions.defaults()), RetrofitOptions.defaults());
  private final Set<String> places = new TreeSet<>();
  private final Map<Use, Map<String, Set<String>>> uses = new EnumMap<>(Use.class);
  private final Map<Framework, String> frameworks = new EnumMap<>(Framework.class);
  private final Map<String, String> left = new TreeMap<>();
  private final Map<String, String> notes = new TreeMap<>();
  private final Map<Path, IOException> unread = new TreeMap<>();
  private int classes;
  private @Nullable String main;
  private boolean mainSeen;

  /** An explanation of what this way does under these options. */
  public Explanation(Way way, RetrofitOptions options) {
    this.way = way;
    this.options = options;
  }

  /** Reads jars and directories, as far as they can be read; returns why what was not. */
  public Collection<IOException> read(Collection<Path> roots) throws IOException {
    ClassWalk walk = new ClassWalk(this::see, unread::put);
    for (Path each : roots) {
      walk.walk(each);
    }
    return noteUnread();
  }

  private Collection<IOException> noteUnread() {
    for (Path each : unread.keySet()) {
      notes.put(OneLine.printable(each.toString()), "was not read to its end");
    }
    return unread.values();
  }

  /**
   * Reads what a command line starts, as far as it can be read; returns why what was not.
   *
   * @throws IOException if what was read has no main class; the reason, if something was not read
   */
  public Collection<IOException> read(Launch launch) throws IOException {
    main = launch.mainClass();
    ClassWalk walk = new ClassWalk(this::see, unread::put);
    for (Path each : launch.roots()) {
      walk.walkElement(each);
    }
    if (main != null && !mainSeen && ClassLoader.getSystemResource(main + ".class") == null) {
      String problem =
          "the class " + main.replace('/', '.') + " is not on the class path: check -cp";
      throw unread.isEmpty() ? new IOException(problem) : unread.values().iterator().next();
    }
    for (String each : launch.missing) {
      notes.put(OneLine.printable(each), "is not there; the JVM ignores it");
    }
    for (String each : launch.agents) {
      notes.put(each, "another agent; KaRMI's may stand before or behind it");
    }
    if (launch.property("com.sun.management.jmxremote.port") != null) {
      notes.put(
          "com.sun.management.jmxremote.port",
          "the JDK's JMX agent stays on stock RMI (docs/recipes/jmx.md)");
    }
    String format = launch.property("uka.format");
    if ("uka".equals(format)) {
      notes.put(
          "uka.format=uka",
          "the program's streams write UKA's format, which only KaRMI reads"
              + " (docs/migrating.md#to-ukas-format)");
    }
    return noteUnread();
  }

  private void see(String named, String name, byte[] bytes) {
    String place = OneLine.printable(named);
    places.add(place);
    classes++;
    mainSeen |= name.equals(main);
    if (RuleSet.isKarmi(name)) {
      return;
    }
    Framework framework = Framework.of(name);
    if (framework != null) {
      frameworks.putIfAbsent(framework, place);
    }
    String className = OneLine.printable(name.replace('/', '.'));
    try {
      for (Use each : usesOf(bytes, place, className)) {
        uses.computeIfAbsent(each, use -> new TreeMap<>())
            .computeIfAbsent(place, at -> new TreeSet<>())
            .add(className);
      }
    } catch (RuntimeException e) { // ASM's for what is no class file, or too new a one
      left.put(place + " " + className, OneLine.printable("left as it is: " + e));
    }
  }

  private Set<Use> usesOf(byte[] bytes, String place, String className) {
    if (!options.selects(className)) {
      return Set.of();
    }
    Set<Use> found = EnumSet.noneOf(Use.class);
    found.addAll(ClassUses.of(ClassVersions.reader(bytes)));
    if (streams.mayChange(bytes)) {
      Outcome outcome = streams.transform(bytes, name -> null);
      for (String change : outcome.changes()) {
        if (change.endsWith("RewiredObjectOutputStream")) {
          found.add(Use.OUTPUT_STREAMS);
        } else if (change.endsWith("RewiredObjectInputStream")) {
          found.add(Use.INPUT_STREAMS);
        }
      }
      String remark = outcome.remark();
      if (remark != null) {
        left.put(place + " " + className, remark);
      }
    }
    return found;
  }

  /**
   * Prints it.
   *
   * @param all whether all classes are named
   */
  public void print(PrintStream out, boolean all) {
    out.printf(
        "Read %s in %s. Nothing was run.%n",
        counted(classes, "class", "classes"),
        counted(places.size(), "jar or folder", "jars and folders"));
    print(out, all, true, "Swapped in");
    print(out, all, false, "Stays as it is");
    if (uses.isEmpty()) {
      out.println(
          "\nThese classes open no object stream and use no RMI: KaRMI leaves them as they are.");
    }
    if (!frameworks.isEmpty()) {
      out.println("\nKnown products");
      frameworks.forEach(
          (each, place) -> {
            out.println("  " + each.title + " (" + shortened(place) + ")");
            out.println("      " + each.says);
            out.println("      see " + each.page);
          });
    }
    if (!left.isEmpty() || !notes.isEmpty()) {
      out.println("\nNotes");
      left.entrySet().stream()
          .limit(all ? Long.MAX_VALUE : NAMED)
          .forEach(each -> out.println("  " + each.getKey() + ": " + each.getValue()));
      if (!all && left.size() > NAMED) {
        out.println("  and " + (left.size() - NAMED) + " more classes that are left as they are");
      }
      notes.forEach((what, note) -> out.println("  " + what + ": " + note));
    }
    out.println(
        "\nNot seen: jars that a launcher or server opens by loaders of its own (karmi-retrofit\n"
            + "--explain FOLDER reads all jars of a folder), what reflection or a script names while\n"
            + "the program runs, and whether a factory or filter in a variable is null.\n"
            + "-javaagent:karmi.jar=summary tells at the end of a run what became of them.");
  }

  private void print(PrintStream out, boolean all, boolean swapped, String title) {
    boolean titled = false;
    for (Map.Entry<Use, Map<String, Set<String>>> each : uses.entrySet()) {
      Use use = each.getKey();
      if (use.isSwapped(way, options) != swapped) {
        continue;
      }
      if (!titled) {
        out.println("\n" + title);
        titled = true;
      }
      int count = each.getValue().values().stream().mapToInt(Set::size).sum();
      out.println("  " + use.title + ": " + counted(count, "class", "classes"));
      out.println("      " + use.becomes(way, options) + "\n      see " + use.page);
      each.getValue().forEach((place, names) -> print(out, place, names, all));
    }
  }

  private static void print(PrintStream out, String place, Set<String> names, boolean all) {
    out.println("      in " + shortened(place));
    /* One more line says no more than the last class itself. */
    boolean shortens = !all && names.size() > NAMED + 1;
    names.stream()
        .limit(shortens ? NAMED : names.size())
        .forEach(each -> out.println("        " + each));
    if (shortens) {
      out.println("        and " + (names.size() - NAMED) + " more");
    }
  }

  /** The name of the jar or folder alone. */
  private static String shortened(String place) {
    String name = place.substring(Math.max(place.lastIndexOf('/'), place.lastIndexOf('\\')) + 1);
    return name.isEmpty() ? place : name;
  }

  private static String counted(int count, String one, String many) {
    return String.format(java.util.Locale.ROOT, "%,d %s", count, count == 1 ? one : many);
  }
}
