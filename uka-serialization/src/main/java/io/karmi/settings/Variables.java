package io.karmi.settings;

import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Environment variables whose names begin with {@code KARMI_}; there are none in most processes.
 */
final class Variables {
  static final Map<String, String> ALL = find();

  private Variables() {}

  private static Map<String, String> find() {
    Map<String, String> own = new TreeMap<>();
    for (Map.Entry<String, String> each : System.getenv().entrySet()) {
      if (each.getKey().startsWith(Setting.ENVIRONMENT)) {
        own.put(each.getKey(), each.getValue());
      }
    }
    return own;
  }

  /** The value of the variable that means the same as a property; null if it is not set. */
  static @Nullable String of(String property) {
    return ALL.isEmpty() ? null : ALL.get(Setting.environmentName(property));
  }
}
