package io.karmi.settings;

import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Environment variables whose names begin with {@code KARMI_}, or nearly so; there are none in most
 * processes.
 */
final class Variables {
  /** Begins the names of KaRMI's properties; variables begin with {@link #PREFIX} in its place. */
  static final String OWN = "karmi.";

  static final String PREFIX = "KARMI_";
  static final Map<String, String> ALL = find();

  private Variables() {}

  private static Map<String, String> find() {
    Map<String, String> own = new TreeMap<>();
    for (Map.Entry<String, String> each : System.getenv().entrySet()) {
      if (each.getKey().startsWith(PREFIX) || isLike(PREFIX, each.getKey())) {
        own.put(each.getKey(), each.getValue());
      }
    }
    return own;
  }

  /** Whether a name begins like others, but for the case or for what is between its words. */
  static boolean isLike(String beginning, String name) {
    int word = beginning.length() - 1;
    return name.length() > word
        && name.regionMatches(true, 0, beginning, 0, word)
        && "._-".indexOf(name.charAt(word)) >= 0
        && !name.startsWith(beginning);
  }

  /** The value of the variable that means the same as a property; null if it is not set. */
  static @Nullable String of(String property) {
    return ALL.isEmpty() ? null : ALL.get(name(property));
  }

  /** Name of the variable with the same meaning as a property. */
  static String name(String property) {
    String rest = property.startsWith(OWN) ? property.substring(OWN.length()) : property;
    StringBuilder name = new StringBuilder(PREFIX);
    for (int i = 0; i < rest.length(); i++) {
      char letter = rest.charAt(i);
      if (Character.isUpperCase(letter)) {
        name.append('_');
      }
      name.append(letter == '.' ? '_' : letter);
    }
    return name.toString().toUpperCase(Locale.ROOT);
  }
}
