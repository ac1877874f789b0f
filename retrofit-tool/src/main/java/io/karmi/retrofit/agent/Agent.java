package io.karmi.retrofit.agent;

import java.io.IOException;
import java.lang.instrument.Instrumentation;
import java.lang.reflect.InvocationTargetException;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.jar.JarFile;
import org.jspecify.annotations.Nullable;

/**
 * Entry point of the agent: {@code -javaagent:karmi.jar[=options]}, attach, and {@code
 * Launcher-Agent-Class}.
 *
 * <p>The manifest's {@code Boot-Class-Path} puts the jar on the boot class path. If the jar has
 * been renamed, this class appends it, and calls its own copy in the boot loader.
 */
public final class Agent {
  private Agent() {}

  /**
   * Called before {@code main}. If the options are wrong, or the agent cannot be installed, the JVM
   * ends with one line on standard error and exit code 1.
   */
  public static void premain(@Nullable String arguments, Instrumentation instrumentation) {
    try {
      start(arguments, instrumentation, false);
    } catch (IllegalArgumentException | IllegalStateException e) {
      /* Thrown, it would be printed with its stack and three failed assertions of the JVM's. */
      System.err.println(e.getMessage());
      RefusedStart.end(instrumentation);
    }
  }

  /**
   * Called when attached to a running JVM, or by the launcher of an executable jar.
   *
   * @throws IllegalArgumentException if the options are wrong; the attachment then fails, and the
   *     JVM goes on unchanged
   */
  public static void agentmain(@Nullable String arguments, Instrumentation instrumentation) {
    start(arguments, instrumentation, true);
  }

  /**
   * Installs KaRMI, whichever loader this class is from. A second call, by an agent that is given
   * twice, installs nothing; it says so if its options are others.
   *
   * @param attached whether classes of the program may be loaded already
   * @throws IllegalArgumentException if the options are wrong; nothing is installed then
   */
  public static void start(
      @Nullable String arguments, Instrumentation instrumentation, boolean attached) {
    if (Agent.class.getClassLoader() == null) {
      Installation.install(Agent.class, arguments, instrumentation, attached);
      return;
    }
    try {
      Path jar = Path.of(Agent.class.getProtectionDomain().getCodeSource().getLocation().toURI());
      instrumentation.appendToBootstrapClassLoaderSearch(new JarFile(jar.toFile()));
      Class.forName(Agent.class.getName(), true, null)
          .getMethod("start", String.class, Instrumentation.class, boolean.class)
          .invoke(null, arguments, instrumentation, attached);
    } catch (InvocationTargetException e) {
      throw e.getCause() instanceof RuntimeException
          ? (RuntimeException) e.getCause()
          : new IllegalStateException(e.getCause());
    } catch (ReflectiveOperationException | IOException | URISyntaxException e) {
      throw new IllegalStateException(
          "karmi: cannot put the agent's jar on the boot class path; name it karmi.jar or give"
              + " -Xbootclasspath/a",
          e);
    }
  }
}
