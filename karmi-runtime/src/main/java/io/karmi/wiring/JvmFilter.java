package io.karmi.wiring;

import java.io.ObjectInputFilter;
import java.security.Security;
import org.jspecify.annotations.Nullable;

/**
 * The filter of the JVM, as it was asked for. JDK 17 logs that it cannot make one of a pattern, and
 * reads all objects without.
 */
final class JvmFilter {
  private static final String NAME = "jdk.serialFilter";

  private JvmFilter() {}

  /**
   * One line that says why there is no such filter; null if there is one, or none was asked for.
   */
  static @Nullable String refusal() {
    for (Object name : System.getProperties().keySet()) {
      if (NAME.equalsIgnoreCase(String.valueOf(name)) && !NAME.equals(name)) {
        return name
            + " is no property of the JDK: correct the name to "
            + NAME
            + ", or take it away";
      }
    }
    String pattern = System.getProperty(NAME, Security.getProperty(NAME));
    if (pattern == null || pattern.isEmpty()) {
      return null;
    }
    try {
      ObjectInputFilter.Config.createFilter(pattern);
      return null;
    } catch (IllegalArgumentException e) {
      return NAME + "=" + pattern + " is no filter: " + e.getMessage();
    }
  }
}
