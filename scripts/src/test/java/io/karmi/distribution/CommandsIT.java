package io.karmi.distribution;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.Assume.assumeTrue;

import io.karmi.kit.Deadline;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.jar.JarFile;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import org.junit.ClassRule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/**
 * What the packaged commands have in common: version, errors of one line, and nothing left behind.
 */
public class CommandsIT {
  private static final Path HOME = Path.of("target", "karmi").toAbsolutePath();
  private static final String JAVA =
      Path.of(System.getProperty("java.home"), "bin", "java").toString();
  private static final String JAR = HOME.resolve("lib/karmi.jar").toString();

  /** What the key Ctrl-C sends. */
  private static final int CONTROL_C = 3;

  @ClassRule public static final TemporaryFolder FOLDER = new TemporaryFolder();

  private static Run command(String name, String... arguments) throws Exception {
    List<String> line = new ArrayList<>(List.of(HOME.resolve("bin").resolve(name).toString()));
    line.addAll(List.of(arguments));
    return new Run(FOLDER, line);
  }

  private static void assertFails(int status, String said, String name, String... arguments)
      throws Exception {
    Run run = command(name, arguments);
    assertThat(run.awaitEnd()).as(run.output()).isEqualTo(status);
    assertThat(run.output()).startsWith(name).contains(said).hasLineCount(1);
  }

  @Test
  public void jarSaysWhatItIsAndHowToUseIt() throws Exception {
    Run run = new Run(FOLDER, List.of(JAVA, "-jar", JAR));
    assertThat(run.awaitEnd()).as(run.output()).isZero();
    assertThat(run.output()).startsWith("This is KaRMI").contains("-javaagent:karmi.jar");
  }

  @Test
  public void eachJarHasTheLicencesOfWhatIsInIt() throws Exception {
    String license = Files.readString(HOME.resolve("LICENSE"));
    try (Stream<Path> files = Files.list(HOME.resolve("lib"))) {
      for (Path each :
          files.filter(file -> file.getFileName().toString().startsWith("karmi")).toList()) {
        try (JarFile jar = new JarFile(each.toFile())) {
          assertThat(text(jar, "META-INF/LICENSE")).as("%s", each).isEqualTo(license);
          if (jar.getEntry("io/karmi/shaded/asm/ClassReader.class") != null) {
            assertThat(text(jar, "META-INF/LICENSE-ASM")).as("%s", each).contains("France Telecom");
          }
        }
      }
    }
  }

  private static String text(JarFile jar, String name) throws IOException {
    ZipEntry entry = jar.getEntry(name);
    return entry == null ? "" : new String(jar.getInputStream(entry).readAllBytes(), UTF_8);
  }

  @Test
  public void eachJarThatCanBeRunSaysTheSameVersionCommitAndJdk() throws Exception {
    Run command = command("karmi-registry", "--version");
    assertThat(command.awaitEnd()).isZero();
    for (String jar : List.of(JAR, HOME.resolve("lib/karmic.jar").toString())) {
      Run version = new Run(FOLDER, List.of(JAVA, "-jar", jar, "--version"));
      assertThat(version.awaitEnd()).isZero();
      assertThat(version.output()).startsWith("KaRMI ").isEqualTo(command.output());
    }
  }

  @Test
  public void errorsAreOneLineThatSaysWhatIsWrong() throws Exception {
    assertFails(1, "app.jar is not there", "karmi-retrofit", "app.jar", "-o", "x.jar");
    assertFails(2, "no output is given", "karmi-retrofit", JAR);
    assertFails(1, "nosuch.json is not there", "karmi-bench", "compare", "nosuch.json", "b.json");
    assertFails(2, "there is no kernel nope()", "karmi-bench", "rmi", "--kernels", "nope()");
    assertFails(2, "nope", "karmi-bench", "nope");
    assertFails(2, "--help", "karmic", "--nope");
    assertFails(2, "there is no command nope", "karmi-bench", "nope", "--help");
    assertFails(1, "in a clone of the sources", "karmi-bench", "engines");
    assertFails(2, "karmi-registry --help", "karmi-registry", "nope");
    assertFails(2, "karmi-exchange --help", "karmi-exchange", "nope");
    assertFails(2, "not host:port: nope", "karmi-exchange", "list", "nope");
    assertFails(1, "at localhost:1: Connection refused", "karmi-exchange", "list", "localhost:1");
    assertFails(1, "at localhost:1 does not answer", "karmi-registry", "--objects", "1");
    assertFails(1, "gone.jar is not there", "karmi-java", "--explain", "-jar", "gone.jar");
    assertFails(2, "nope", "karmi-bench", "messaging", "--technologies", "nope");
    assertFails(1, "/proc/nope", "karmi-bench", "rmi", "--short", "--json", "/proc/nope/a.json");
  }

  /** The files' names are too long there, as a disk may be too small. */
  @Test
  public void bootPatchThatCannotBeWrittenLeavesNoFolder() throws Exception {
    String deep = FOLDER.newFolder().toString();
    while (deep.length() < 4060) {
      deep += "/" + "a".repeat(Math.min(200, 4079 - deep.length()));
    }
    assertFails(1, "too long", "karmi-retrofit", "--boot", deep);
    assertThat(Path.of(deep)).doesNotExist();
    assertThat(Path.of(deep).getParent()).isEmptyDirectory();
  }

  @Test
  public void commandThatIsTerminatedLeavesNoJvmBehind() throws Exception {
    Run run =
        command(
            "karmi-bench",
            "rmi",
            "--short",
            "--json",
            FOLDER.newFolder().toPath().resolve("rmi.json").toString());
    try {
      Deadline.await("it has started two JVMs", () -> run.descendants().size() >= 2);
      List<ProcessHandle> children = run.descendants();
      run.terminate();
      assertThat(run.awaitEnd()).isNotZero();
      for (ProcessHandle each : children) {
        each.onExit().get(30, TimeUnit.SECONDS);
      }
    } finally {
      run.descendants().forEach(ProcessHandle::destroyForcibly);
      run.kill();
    }
  }

  /** The key is pressed at a terminal of the command's own. */
  @Test
  public void commandThatIsInterruptedByControlCLeavesNothingBehind() throws Exception {
    assumeTrue("script, which makes terminals, is there", Run.isThere("script"));
    Path work = FOLDER.newFolder().toPath();
    Path temporary = FOLDER.newFolder().toPath();
    Path bin = HOME.resolve("bin");
    String json = work.resolve("rmi.json").toString();
    assertEndsByControlC(temporary, "part 1", 3, bin + "/karmi-bench rmi --short --json " + json);
    assertEndsByControlC(temporary, "1 of", 2, bin + "/karmi-bench startup");
    assertEndsByControlC(temporary, "listens", 1, bin + "/karmi-registry 0");
    String jars = HOME.resolve("lib/benchmarks").toString();
    String output = work.resolve("out").toString();
    assertEndsByControlC(temporary, "%", 1, bin + "/karmi-retrofit " + jars + " -o " + output);
    assertThat(work).isEmptyDirectory();
  }

  /**
   * Presses the key as soon as the command has written this and has so many JVMs, its own among
   * them.
   *
   * @param temporary folder of temporary files; afterwards none is left, only the directory that
   *     all JVMs of the user share for their sockets
   */
  private static void assertEndsByControlC(Path temporary, String says, int jvms, String line)
      throws Exception {
    ProcessBuilder builder =
        new ProcessBuilder(
            "env",
            "--default-signal=INT", // what a shell has started in the background ignores it
            "script",
            "-q",
            "-e",
            "-c",
            "exec " + line,
            "/dev/null");
    builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
    builder.environment().put("JDK_JAVA_OPTIONS", "-Djava.io.tmpdir=" + temporary);
    Path said = FOLDER.newFile().toPath();
    Process process = builder.redirectErrorStream(true).redirectOutput(said.toFile()).start();
    List<ProcessHandle> children = List.of();
    try {
      Deadline.await(
          line,
          () -> process.descendants().count() >= jvms && Files.readString(said).contains(says));
      children = process.descendants().toList();
      process.getOutputStream().write(CONTROL_C);
      process.getOutputStream().flush();
      assertThat(process.waitFor(60, TimeUnit.SECONDS)).as("%s ends", line).isTrue();
      // 130, or 1 where the key has also ended a JVM that was just being started.
      assertThat(process.exitValue()).as("%s: %s", line, Files.readString(said)).isNotZero();
      for (ProcessHandle each : children) {
        each.onExit().get(60, TimeUnit.SECONDS);
      }
      assertThat(files(temporary)).as("left by %s", line).isEmpty();
    } finally {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      children.forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly();
    }
  }

  /** The files of the reader that is on another host are in a folder of their own. */
  @Test
  public void exchangeThatIsTerminatedLeavesNoFolderBehind() throws Exception {
    Path temporary = Files.createTempDirectory(FOLDER.getRoot().toPath(), "exchange");
    Run run =
        new Run(
            FOLDER,
            List.of(
                "env",
                "JDK_JAVA_OPTIONS=-Djava.io.tmpdir=" + temporary,
                HOME.resolve("bin/karmi-bench").toString(),
                "exchange",
                "--figure=g6"));
    try {
      Deadline.await(
          "an owner and three readers run, one of them with a folder",
          () -> run.descendants().size() >= 4 && !folders(temporary).isEmpty());
      run.terminate();
      assertThat(run.awaitEnd()).isNotZero();
      assertThat(folders(temporary)).isEmpty();
    } finally {
      run.descendants().forEach(ProcessHandle::destroyForcibly);
      run.kill();
    }
  }

  /** Folders of the benchmark's own among those of temporary files. */
  private static List<Path> folders(Path folder) throws IOException {
    try (Stream<Path> all = Files.list(folder)) {
      return all.filter(each -> each.getFileName().toString().matches("karmi-bench.*")).toList();
    }
  }

  @Test
  public void rewritingThatIsTerminatedLeavesNoFileBehind() throws Exception {
    Path work = FOLDER.newFolder().toPath();
    Path temporary = FOLDER.newFolder().toPath();
    Run run =
        new Run(
            FOLDER,
            List.of(
                JAVA,
                "-Djava.io.tmpdir=" + temporary,
                "-cp",
                JAR,
                "io.karmi.retrofit.cli.KarmiRetrofit",
                HOME.resolve("lib/benchmarks").toString(),
                "-o",
                work.resolve("out").toString()));
    try {
      Deadline.await("it writes", () -> has(work) && has(temporary));
      run.terminate();
      assertThat(run.awaitEnd()).isNotZero();
      assertThat(work).isEmptyDirectory();
      assertThat(temporary).isEmptyDirectory();
    } finally {
      run.kill();
    }
  }

  private static List<Path> files(Path folder) throws IOException {
    try (Stream<Path> walk = Files.walk(folder)) {
      return walk.filter(each -> !Files.isDirectory(each) && !each.toString().contains("hsperf"))
          .toList();
    }
  }

  private static boolean has(Path folder) {
    String[] names = folder.toFile().list((at, name) -> !name.startsWith("hsperf"));
    return names != null && names.length > 0;
  }

  @Test
  public void wrongSecuritySettingStopsAProgramUnderTheAgent() throws Exception {
    Path program = FOLDER.newFolder().toPath().resolve("Serve.java");
    Files.writeString(
        program,
        "import java.rmi.Remote; import java.rmi.server.UnicastRemoteObject;"
            + " public class Serve implements Remote { public static void main(String... none)"
            + " throws Exception { for (int i = 0; i < 2; i++) { try {"
            + " UnicastRemoteObject.exportObject(new Serve(), 0); System.out.println(\"served\"); }"
            + " catch (java.rmi.server.ExportException e) { System.out.println(e.getMessage()); } }"
            + " java.rmi.registry.LocateRegistry.getRegistry(1).list(); } }");
    Run run =
        new Run(
            FOLDER,
            List.of(
                JAVA, "-javaagent:" + JAR, "-Dkarmi.serialFilter=Interface", program.toString()));
    assertThat(run.awaitEnd()).isEqualTo(1);
    String line = "KaRMI does not start: karmi.serialFilter=Interface is none of its values";
    assertThat(run.output().lines().filter(each -> each.contains(line)).count())
        .as(run.output())
        .isGreaterThanOrEqualTo(3);
    assertThat(run.output()).doesNotContain("served");
  }
}
