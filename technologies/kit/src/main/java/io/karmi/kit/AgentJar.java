package io.karmi.kit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The {@code karmi.jar} of the system property of that name, as a copy of this JVM's own. A JVM has
 * its agent's jar mapped, and is killed by SIGBUS if another build writes that file meanwhile.
 */
public final class AgentJar {
  private static final Path COPY = copied(Path.of(System.getProperty("karmi.jar")));

  private AgentJar() {}

  /** The absolute path of the copy, which is deleted when this JVM ends. */
  public static Path path() {
    return COPY;
  }

  private static Path copied(Path jar) {
    try {
      Path folder = Files.createTempDirectory("agent").toAbsolutePath();
      folder.toFile().deleteOnExit();
      /* Under another name the agent's JVM would say that class data sharing ends. */
      Path copy = Files.copy(jar, folder.resolve("karmi.jar"));
      copy.toFile().deleteOnExit();
      return copy;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
