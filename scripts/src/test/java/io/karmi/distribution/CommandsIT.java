package io.karmi.distribution;

import static org.assertj.core.api.Assertions.assertThat;

import io.karmi.kit.Deadline;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
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
  public void errorsAreOneLineThatSaysWhatIsWrong() throws Exception {
    assertFails(1, "app.jar is not there", "karmi-retrofit", "app.jar", "-o", "x.jar");
    assertFails(2, "no output is given", "karmi-retrofit", JAR);
    assertFails(1, "nosuch.json is not there", "karmi-bench", "compare", "nosuch.json", "b.json");
    assertFails(2, "there is no kernel nope()", "karmi-bench", "rmi", "--kernels", "nope()");
    assertFails(2, "nope", "karmi-bench", "nope");
    assertFails(2, "--help", "karmic", "--nope");
    assertFails(2, "karmi-registry --help", "karmi-registry", "nope");
    assertFails(2, "karmi-exchange --help", "karmi-exchange", "nope");
    assertFails(2, "no host:port: nope", "karmi-exchange", "list", "nope");
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

  private static boolean has(Path folder) {
    String[] names = folder.toFile().list((at, name) -> !name.startsWith("hsperf"));
    return names != null && names.length > 0;
  }

  @Test
  public void wrongSecuritySettingStopsAProgramUnderTheAgent() throws Exception {
    Path program = FOLDER.newFolder().toPath().resolve("Serve.java");
    java.nio.file.Files.writeString(
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
