package io.karmi.distribution;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.BeforeClass;
import org.junit.ClassRule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.commons.ClassRemapper;

/**
 * What the integration tests compare with stock RMI, in class files that name KaRMI's twins, is the
 * same when the JDK's own RMI is changed: by the agent, and by the patch on the boot path. One pair
 * of JVMs runs all programs of a delivery, one after the other, each under a loader of its own.
 */
public class DifferenceIT {
  private static final Path HOME = Path.of("target", "karmi").toAbsolutePath();
  private static final Path RUNTIME = Path.of("..", "karmi-runtime").toAbsolutePath();
  private static final Path PROGRAM_CLASSES =
      RUNTIME.resolve("integration-tests/target/test-classes");

  /** Where the programs' launcher has its ports from. */
  private static final Path TEST_KIT =
      Path.of("..", "technologies", "kit", "target", "classes").toAbsolutePath();

  /**
   * The last one halts its server. Those that take seconds each are left to the integration tests.
   */
  private static final List<String> PROGRAMS =
      List.of(
          "Exceptions",
          "Messages",
          "Signatures",
          "Exports",
          "Callers",
          "Ports",
          "HandWritten",
          "Loaders",
          "Filters",
          "Stored",
          "Relics",
          "Mixed",
          "Leaks",
          "Sockets",
          "Logged",
          "Failures");

  private static final String READY = "ready ";

  /** More than this many things are seen: no program has stopped before its end. */
  private static final int MANY = 300;

  @ClassRule public static final TemporaryFolder FOLDER = new TemporaryFolder();

  private static List<String> onStock;

  @BeforeClass
  public static void runOnStock() throws Exception {
    assertThat(PROGRAM_CLASSES).as("compile the integration tests first").isDirectory();
    List<String> java = List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    onStock = observed(java, java);
    assertThat(onStock.stream().filter(line -> line.startsWith("begins ")))
        .as("no program ends the JVM of those behind it")
        .hasSameSizeAs(PROGRAMS);
    assertThat(onStock).hasSizeGreaterThan(MANY);
  }

  @Test
  public void programsSeeTheSameWithTheAgent() throws Exception {
    List<String> java = List.of(karmiJava(), "--via=agent");
    assertThat(observed(java, java)).isEqualTo(onStock);
  }

  @Test
  public void programsSeeTheSameWithTheBootPathPatched() throws Exception {
    List<String> java = List.of(karmiJava(), "--via=boot");
    assertThat(observed(java, java)).isEqualTo(onStock);
  }

  private static String karmiJava() {
    return HOME.resolve("bin").resolve("karmi-java").toString();
  }

  /** All that both ends print, the server's lines first. */
  private static List<String> observed(List<String> serverJava, List<String> clientJava)
      throws Exception {
    String[] anyPorts = new String[PROGRAMS.size()];
    Arrays.fill(anyPorts, "0");
    Run server = start(serverJava, "serve", anyPorts);
    try {
      String[] ports = server.awaitLine(READY).substring(READY.length()).split(" ");
      Run client = start(clientJava, "call", ports);
      try {
        assertThat(client.awaitEnd()).as(client.output()).isZero();
        List<String> lines = new ArrayList<>();
        server.output().lines().filter(l -> !l.startsWith(READY)).forEach(lines::add);
        client.output().lines().forEach(lines::add);
        return lines;
      } finally {
        client.kill();
      }
    } finally {
      server.kill();
    }
  }

  private static Run start(List<String> java, String end, String[] ports) throws IOException {
    List<String> command = new ArrayList<>(java);
    command.add("-Djava.rmi.server.hostname=127.0.0.1");
    command.add("-Dfile.encoding=UTF-8");
    command.add("-Dstdout.encoding=UTF-8");
    command.add("-XX:TieredStopAtLevel=1"); // over before the second compiler has paid
    command.add("-cp");
    command.add(classPath());
    command.add("io.karmi.difference.Launcher");
    command.add("stock"); // the class files as they are
    command.add(end);
    for (int i = 0; i < ports.length; i++) {
      command.add("io.karmi.difference.programs." + PROGRAMS.get(i));
      command.add(ports[i]);
    }
    return new Run(FOLDER, command);
  }

  /** The programs, and what their loader needs; nothing of KaRMI. */
  private static String classPath() {
    List<String> entries =
        new ArrayList<>(List.of(PROGRAM_CLASSES.toString(), TEST_KIT.toString()));
    for (Class<?> library : List.of(ClassWriter.class, ClassRemapper.class)) {
      entries.add(
          Path.of(library.getProtectionDomain().getCodeSource().getLocation().getPath())
              .toString());
    }
    return String.join(File.pathSeparator, entries);
  }
}
