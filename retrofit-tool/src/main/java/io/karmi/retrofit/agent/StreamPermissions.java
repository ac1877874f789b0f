package io.karmi.retrofit.agent;

import io.karmi.retrofit.rules.RuleSet;
import java.util.Set;

/**
 * Classes of java.io that change so that a program under a security manager needs no more
 * permissions for UKA's streams than for java.io's: none where the JVM cannot have a security
 * manager.
 */
final class StreamPermissions {
  private static final int FIRST_JDK_WITHOUT_SECURITY_MANAGERS = 24;
  private static final int FIRST_JDK_THAT_DISALLOWS_THEM = 18;

  private StreamPermissions() {}

  /** Internal names. */
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
