package io.karmi.retrofit.explain;

/** The ways by which KaRMI gets into a program. */
public enum Way {
  /** {@code -javaagent}. */
  AGENT,
  /** Patch of the JDK on the boot path; the program's own classes stay. */
  BOOT,
  /** Rewritten jars; the JDK stays. */
  JARS
}
