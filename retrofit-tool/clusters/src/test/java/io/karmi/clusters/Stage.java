package io.karmi.clusters;

import io.karmi.kit.AgentJar;
import java.nio.file.Path;
import java.util.List;

/** How far a member has moved, as docs/migrating.md says, with the options that it takes. */
enum Stage {
  /** Knows nothing of KaRMI. */
  STOCK("jdk", List.of()),

  /** Has the agent and no setting: reads both formats and writes that of the JDK. */
  AGENT("jdk", List.of(agent())),

  /** Reads both formats and writes that of UKA, for which all members must have the agent. */
  UKA("uka", List.of(agent(), "-Duka.format=uka"));

  /** The format that it writes, as the command {@code format} of a member names it. */
  final String writes;

  /** Options of its JVM. */
  final List<String> options;

  Stage(String writes, List<String> options) {
    this.writes = writes;
    this.options = options;
  }

  private static String agent() {
    return "-javaagent:" + jar();
  }

  /** The agent. */
  static Path jar() {
    return AgentJar.path();
  }
}
