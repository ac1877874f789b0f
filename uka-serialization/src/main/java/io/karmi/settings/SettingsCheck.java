package io.karmi.settings;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Check of what a process has set: names that begin with {@code karmi.}, {@code uka.} or {@code
 * KARMI_}, in other letters too, and the JDK's numbers that KaRMI follows.
 *
 * <p>A name that is unknown, or a value that is not allowed, is ignored with one warning. It is
 * refused where it decides about security, or where the name that was probably meant does.
 *
 * <p>Immutable.
 */
public final class SettingsCheck {
  /** Begin names of properties that belong to tests and benchmarks of KaRMI. */
  private static final List<String> OF_TESTS =
      List.of("karmi.test.", "karmi.bench.", "karmi.stress.", "karmi.home", "karmi.jar");

  /** Begin names of variables that belong to KaRMI's commands and tests. */
  private static final List<String> OF_COMMANDS =
      List.of(
          "KARMI_BIN",
          "KARMI_CACHE",
          "KARMI_COMMAND",
          "KARMI_HOME",
          "KARMI_JAR",
          "KARMI_LEAST_",
          "KARMI_NEWEST_",
          "KARMI_TEST_");

  /** Names that Kubernetes gives a pod for services whose names begin with {@code karmi}. */
  private static final String OF_SERVICES =
      ".*_SERVICE_(HOST|PORT)(_.*)?|.*_PORT(_\\d+_(TCP|UDP|SCTP)(_(PROTO|PORT|ADDR))?)?";

  /** What users of other programs call {@code karmi.tls}. */
  private static final String OTHER_NAME_OF_TLS = "ssl";

  private final List<String> warnings = new ArrayList<>();
  private final List<String> refusals = new ArrayList<>();
  private final boolean streamsOnly;
  private final Map<String, String> properties;
  private final Map<String, String> environment;
  private final Map<String, Setting> rows = new HashMap<>();
  private final Map<String, Setting> variables = new HashMap<>();

  private SettingsCheck(
      Map<String, String> properties, Map<String, String> environment, boolean streamsOnly) {
    this.properties = properties;
    this.environment = environment;
    this.streamsOnly = streamsOnly;
    if (!properties.isEmpty() || !environment.isEmpty()) {
      check();
    }
  }

  private void check() {
    for (Setting each : Settings.all()) {
      rows.put(each.name(), each);
      if (each.isOwn()) {
        variables.put(each.environment(), each);
      }
    }
    for (Map.Entry<String, String> each : properties.entrySet()) {
      checkProperty(each.getKey(), each.getValue());
    }
    for (Map.Entry<String, String> each : environment.entrySet()) {
      checkVariable(each.getKey(), each.getValue());
    }
  }

  /** Checks all that this process has set. */
  public static SettingsCheck ofNode() {
    return new SettingsCheck(ownProperties(), Variables.ALL, false);
  }

  /** Checks what concerns object streams, which may be used alone. */
  public static SettingsCheck ofStreams() {
    return new SettingsCheck(ownProperties(), Variables.ALL, true);
  }

  /** Checks other settings than those of this process. */
  static SettingsCheck of(
      Map<String, String> properties, Map<String, String> environment, boolean streamsOnly) {
    return new SettingsCheck(new TreeMap<>(properties), new TreeMap<>(environment), streamsOnly);
  }

  /** Those of KaRMI, and those of the JDK that it follows. */
  private static Map<String, String> ownProperties() {
    Map<String, String> own = new TreeMap<>();
    for (Object name : System.getProperties().keySet()) {
      if (name instanceof String text
          && (Setting.isOwn(text) || Variables.isLike(Variables.OWN, text))) {
        add(own, text);
      }
    }
    for (Setting each : Settings.all()) {
      add(own, each.isOwn() ? null : each.name());
      for (String other : each.others()) {
        add(own, other);
      }
    }
    return own;
  }

  private static void add(Map<String, String> own, @Nullable String name) {
    String value = name == null ? null : System.getProperty(name);
    if (name != null && value != null) {
      own.put(name, value);
    }
  }

  private void checkProperty(String name, String value) {
    Setting row = rows.get(name);
    if (row != null) {
      if (row.isOfStreams() || !streamsOnly) {
        checkValue(row, name, value);
      }
    } else if (Variables.isLike(Variables.OWN, name)) {
      checkLike(name, Variables.OWN + name.substring(Variables.OWN.length()), rows, false);
    } else if (!Setting.isOwn(name)) {
      checkNumberOfJdk(name, value);
    } else if (!beginsLike(name, OF_TESTS)
        && (!streamsOnly || name.startsWith(Setting.OF_STREAMS))) {
      unknown(name, meant(name, rows), false);
    }
  }

  private void checkVariable(String name, String value) {
    Setting row = variables.get(name);
    if (row != null) {
      if ((row.isOfStreams() || !streamsOnly) && !properties.containsKey(row.name())) {
        checkValue(row, name, value);
      }
    } else if (!name.startsWith(Variables.PREFIX)) {
      String upper = Variables.PREFIX + name.substring(Variables.PREFIX.length());
      checkLike(name, upper.toUpperCase(Locale.ROOT), variables, true);
    } else if (!beginsLike(name, OF_COMMANDS)
        && !name.matches(OF_SERVICES)
        && (!streamsOnly || name.startsWith(Variables.name(Setting.OF_STREAMS)))) {
      unknown(name, meant(name, variables), true);
    }
  }

  /**
   * A name that begins nearly as KaRMI's may be another program's, unless the rest is near, too.
   */
  private void checkLike(String name, String wanted, Map<String, Setting> names, boolean variable) {
    Setting meant = names.containsKey(wanted) ? names.get(wanted) : meant(wanted, names);
    boolean other = beginsLike(wanted, OF_TESTS) || beginsLike(wanted, OF_COMMANDS);
    if (meant != null && !other && !streamsOnly) {
      unknown(name, meant, variable);
    }
  }

  private void checkNumberOfJdk(String name, String value) {
    for (Setting each : Settings.all()) {
      if (!streamsOnly && List.of(each.others()).contains(name)) {
        NumberSetting row = (NumberSetting) each;
        if (row.parse(name, value) == null && !properties.containsKey(row.name())) {
          ignored(name + "=" + value + " is no whole number", row);
        }
      }
    }
  }

  private static boolean beginsLike(String name, List<String> beginnings) {
    for (String each : beginnings) {
      if (name.startsWith(each)) {
        return true;
      }
    }
    return false;
  }

  private void checkValue(Setting row, String as, String value) {
    if (row.allows(value)) {
      return;
    }
    String problem =
        row.isOwn() ? row.problem(as, value) : as + "=" + value + " is no whole number";
    if (!row.isOfSecurity()) {
      ignored(problem, row);
    } else if (!streamsOnly) {
      refusals.add(problem); // streams read theirs each time, and refuse it then
    }
  }

  private void ignored(String problem, Setting row) {
    String used = "its default";
    if (row instanceof NumberSetting) {
      long number = ((NumberSetting) row).get(this::value);
      used = number < 0 ? used : String.valueOf(number);
    } else if (row instanceof WordSetting) {
      used = row.byDefault().replace("`", "");
    }
    warnings.add(problem + "; it is ignored: " + used + " is used");
  }

  private @Nullable String value(@Nullable String name) {
    String set = properties.get(name);
    return set != null || name == null ? set : environment.get(Variables.name(name));
  }

  private void unknown(String name, @Nullable Setting meant, boolean variable) {
    if (meant == null) {
      warnings.add(name + " is no setting of KaRMI, and is ignored (docs/settings.md has all)");
      return;
    }
    String nearest = variable ? meant.environment() : meant.name();
    if (meant.isOfSecurity()) {
      refusals.add(
          name
              + " is no setting of KaRMI; the nearest, "
              + nearest
              + ", decides about security, so correct the name or take it away");
    } else {
      warnings.add(name + " is no setting of KaRMI, and is ignored; the nearest one is " + nearest);
    }
  }

  /** The setting that a wrong name probably means; null if none is near. */
  private static @Nullable Setting meant(String name, Map<String, Setting> names) {
    String wanted = rest(name);
    String first = wanted.toLowerCase(Locale.ROOT).split("[._]", 2)[0];
    if (first.equals(OTHER_NAME_OF_TLS) || first.equals(rest(Settings.TLS.name()))) {
      return Settings.TLS;
    }
    Map<String, Setting> byRest = new TreeMap<>();
    for (Map.Entry<String, Setting> each : names.entrySet()) {
      Setting row = each.getValue();
      String rest = rest(each.getKey());
      boolean akin = prefix(name).equals(prefix(each.getKey()));
      if (row.isOwn() && (akin || !byRest.containsKey(rest))) {
        byRest.put(rest, row);
      }
    }
    String nearest = NearestName.of(wanted, byRest.keySet());
    return nearest == null ? null : byRest.get(nearest);
  }

  /** A name without what all names have in common. */
  private static String rest(String name) {
    return name.substring(prefix(name).length());
  }

  private static String prefix(String name) {
    for (String each : new String[] {Variables.OWN, Setting.OF_STREAMS, Variables.PREFIX}) {
      if (name.startsWith(each)) {
        return each;
      }
    }
    return "";
  }

  /** Lines that say what is ignored. */
  List<String> warnings() {
    return List.copyOf(warnings);
  }

  /** Logs what is ignored, each line once in this process. */
  public SettingsCheck warn() {
    for (String each : warnings) {
      Warnings.log(each);
    }
    return this;
  }

  /** One line that says what is refused; null if nothing is. */
  public @Nullable String refusal() {
    return refusals.isEmpty() ? null : String.join("; ", refusals);
  }

  /** Loaded with its logger only where there is something to say. */
  private static final class Warnings {
    private static final System.Logger LOG = System.getLogger("io.karmi.settings");

    /** Lines that were logged: a few, as the process itself sets the names. */
    private static final Set<String> SAID = ConcurrentHashMap.newKeySet();

    private Warnings() {}

    static void log(String line) {
      if (SAID.add(line)) {
        LOG.log(System.Logger.Level.WARNING, line);
      }
    }
  }
}
