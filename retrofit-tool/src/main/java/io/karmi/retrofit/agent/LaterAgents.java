package io.karmi.retrofit.agent;

import java.io.IOException;
import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Agents that come behind this one on the command line. They see classes of the program as they
 * were compiled, as without KaRMI: JaCoCo's, for one, knows a class by its bytes.
 *
 * <p>The JVM asks agents in the order in which they were loaded. So this one is loaded once more
 * when the others have begun, as the {@code java} command loads the agent of an executable jar, and
 * its transformer moves there. Where that fails it stays in front.
 */
final class LaterAgents {
  /**
   * Internal name of a class that the {@code java} command loads between the last agent of the
   * command line and the program's main class.
   */
  static final String LAUNCHER = "sun/launcher/LauncherHelper";

  private static final FileAttribute<?> OWN =
      PosixFilePermissions.asFileAttribute(
          EnumSet.of(PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE));

  private final String agent;
  private final Instrumentation first;
  private final InputStreamWatch watch;
  private @Nullable ClassFileTransformer transformer;
  private boolean present;

  /** Whether the agent is just being loaded once more, by this class. */
  private boolean loading;

  /**
   * None so far.
   *
   * @param agent the class that is loaded once more
   * @param first what it was given when it was loaded first
   */
  LaterAgents(Class<?> agent, Instrumentation first, InputStreamWatch watch) {
    this.agent = agent.getName();
    this.first = first;
    this.watch = watch;
  }

  void precede(ClassFileTransformer added) {
    transformer = added;
    first.addTransformer(added, false);
  }

  /** A class is loaded that is not the JDK's: before the launcher, it is an agent's. */
  void loadClass() {
    present = true;
  }

  /** All have begun: if there are any, the agent is loaded once more, which leads to a move. */
  void haveBegun() {
    if (!present || transformer == null) {
      return;
    }
    try {
      Class<?> jdks = Class.forName("sun.instrument.InstrumentationImpl");
      Map<String, Set<Module>> opened =
          Map.of(jdks.getPackageName(), Set.of(LaterAgents.class.getModule()));
      first.redefineModule(jdks.getModule(), Set.of(), Map.of(), opened, Set.of(), Map.of());
      Method load = jdks.getDeclaredMethod("loadAgent", String.class);
      load.setAccessible(true);
      Path jar = jar();
      loading = true;
      try {
        load.invoke(null, jar.toString());
      } finally {
        loading = false;
        Files.delete(jar);
      }
    } catch (ReflectiveOperationException | IOException | RuntimeException e) {
      Trace.stays(e);
    }
  }

  private Path jar() throws IOException {
    return write(Path.of(System.getProperty("java.io.tmpdir")), AgentManifest.jar(agent));
  }

  /** A new file that its user alone may write, with any umask: it is loaded as code. */
  static Path write(Path directory, byte[] jar) throws IOException {
    Path file = directory.resolve("karmi-" + Long.toHexString(System.nanoTime()) + ".jar");
    boolean posix = directory.getFileSystem().supportedFileAttributeViews().contains("posix");
    Files.createFile(file, posix ? new FileAttribute<?>[] {OWN} : new FileAttribute<?>[0]);
    return Files.write(file, jar);
  }

  /**
   * Moves the transformer to the agent that {@link #haveBegun} loads; once.
   *
   * @return false if another has loaded it, as a command line does that gives the agent twice
   */
  boolean follow(Instrumentation last) {
    ClassFileTransformer moved = transformer;
    if (loading && moved != null) {
      transformer = null;
      watch.hasOthersBefore();
      first.removeTransformer(moved);
      last.addTransformer(moved, false);
    }
    return loading;
  }
}
