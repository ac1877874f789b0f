package io.karmi.clusters;

import java.nio.file.Path;
import java.util.List;

/** How far a member has moved: the steps of docs/migrating.md, with the options that each takes. */
enum Stage {
  /** Step 0: knows nothing of KaRMI. */
  STOCK("jdk", List.of()),

  /** Step 1: reads both formats and writes that of the JDK. */
  READING("jdk", List.of(agent(), "-Duka.format=jdk")),

  /** Step 2: reads both formats and writes that of UKA. */
  MOVED("uka", List.of(agent()));

  /** The format that it writes, as the command {@code format} of a member names it. */
  final String writes;

  /** Options of its JVM. */
  final List<String> options;

  Stage(String writes, List<String> options) {
    this.writes = writes;
    this.options = options;
  }

  private static String agent() {
    return "-javaagent:" + Path.of(System.getProperty("karmi.jar")).toAbsolutePath().normalize();
  }
}
