package io.karmi.retrofit.agent;

import io.karmi.retrofit.rules.RuleSet;
import java.util.Set;

/**
 * Which of java.io's own classes change so that a program under a security manager can create UKA's
 * streams with no more permissions than java.io's: none where the JVM cannot have one.
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
