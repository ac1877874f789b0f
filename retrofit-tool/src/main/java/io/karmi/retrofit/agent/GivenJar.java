package io.karmi.retrofit.agent;

import io.karmi.cli.Version;
import java.io.File;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.jar.JarFile;
import java.util.jar.Manifest;
import org.jspecify.annotations.Nullable;

/**
 * The jar that the command line gives as the agent. Where it has another name than {@code
 * karmi.jar} and a jar of that name lies beside it, the manifest puts that one on the boot class
 * path, and its classes run in place of the agent's.
 */
final class GivenJar {
  private static final String OPTION = "-javaagent:";
  private static final String ON_BOOT_PATH = "karmi.jar";

  private GivenJar() {}

  /**
   * One line if another version runs than that of the given jar. Once a package is open.
   *
   * @param agent name of the agent's class
   */
  static @Nullable String difference(String agent) {
    try {
      String[] arguments =
          (String[])
              Class.forName("jdk.internal.misc.VM").getMethod("getRuntimeArguments").invoke(null);
      return difference(agent, agents(arguments));
    } catch (ReflectiveOperationException | IOException e) {
      return null; // cannot be known
    }
  }

  /** Paths of the agents of a command line of the JVM. */
  private static List<String> agents(String[] arguments) {
    List<String> agents = new ArrayList<>();
    for (String each : arguments) {
      if (each.startsWith(OPTION)) {
        String agent = each.substring(OPTION.length());
        int options = agent.indexOf('=');
        agents.add(options < 0 ? agent : agent.substring(0, options));
      }
    }
    return agents;
  }

  private static @Nullable String difference(String agent, List<String> agents) throws IOException {
    for (String each : agents) {
      if (new File(each).getName().equals(ON_BOOT_PATH)) {
        return null;
      }
    }
    for (String each : agents) {
      try (JarFile jar = new JarFile(each)) {
        Manifest manifest = jar.getManifest();
        if (agent.equals(manifest.getMainAttributes().getValue("Premain-Class"))) {
          String given = Version.of(jar);
          return given.equals(Version.own()) ? null : text(each, given);
        }
      }
    }
    return null;
  }

  private static String text(String agent, String version) {
    return String.format(
        "karmi: %s of the agent %s does not run, but %s of the %s beside it; remove that one, or"
            + " put the agent in its place",
        version, agent, Version.own(), ON_BOOT_PATH);
  }
}
