package io.karmi.retrofit.agent;

import io.karmi.retrofit.rules.RuleSet;
import java.util.Set;

/**
 * Stream classes of java.io that are changed for programs under a security manager, which then need
 * no more permissions for UKA's streams than for java.io's. There are none where the JVM cannot
 * have a security manager.
 */
final class StreamPermissions {
  private static final int FIRST_JDK_WITHOUT_SECURITY_MANAGERS = 24;
  private static final int FIRST_JDK_THAT_DISALLOWS_THEM = 18;

  private StreamPermissions() {}

  /** Internal names of these classes. */
  static Set<String> streams(RuleSet rules) {
    return mayHaveSecurityManager() ? rules.creations().keySet() : Set.of();
  }

  private static boolean mayHaveSecurityManager() {
    int jdk = Runtime.version().feature();
    if (jdk >= FIRST_JDK_WITHOUT_SECURITY_MANAGERS) {
      return false;
    }
    String given = System.getProperty("java.security.manager");
    return given == null ? jdk < FIRST_JDK_THAT_DISALLOWS_THEM : !given.equals("disallow");
  }
}
