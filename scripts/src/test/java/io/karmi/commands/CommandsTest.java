package io.karmi.commands;

import static org.assertj.core.api.Assertions.assertThat;

import io.karmi.kit.Deadline;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** What the commands say when something is wrong with the machine, before any of KaRMI runs. */
public class CommandsTest {
  private static final List<String> COMMANDS =
      List.of(
          "karmi-java",
          "karmi-retrofit",
          "karmic",
          "karmi-registry",
          "karmi-exchange",
          "karmi-bench");

  /** What is on each Debian: of the packages coreutils, sed and grep. */
  private static final List<String> BARE =
      List.of(
          "basename",
          "cat",
          "date",
          "dirname",
          "grep",
          "head",
          "id",
          "ls",
          "mkdir",
          "mkfifo",
          "mktemp",
          "readlink",
          "rm",
          "rmdir",
          "sed",
          "sleep",
          "tail",
          "tee");

  @Rule public final TemporaryFolder folder = new TemporaryFolder();

  /** How a command ended. */
  private record Outcome(int status, String out, String err) {}

  @Test
  public void everyCommandNamesAJavaHomeThatIsNone() throws Exception {
    for (String command : COMMANDS) {
      Outcome outcome = run(Map.of("JAVA_HOME", "/no/jdk/here"), command, "-version");
      assertThat(outcome.status()).as(command).isEqualTo(1);
      assertThat(outcome.err()).contains("JAVA_HOME", "/no/jdk/here").hasLineCount(1);
    }
  }

  @Test
  public void quickstartSaysWhatItCannotUseBeforeItBuilds() throws Exception {
    Outcome noJdk = run(Map.of("JAVA_HOME", "/no/jdk/here"), "quickstart");
    assertThat(noJdk.status()).isEqualTo(1);
    assertThat(noJdk.err()).contains("JAVA_HOME is /no/jdk/here").hasLineCount(1);
    Map<String, String> readOnly = Map.of("MAVEN_OPTS", "-Dmaven.repo.local=/proc/nope");
    Outcome noFolder = run(readOnly, "quickstart");
    assertThat(noFolder.status()).isEqualTo(1);
    assertThat(noFolder.err())
        .contains("cannot write into /proc/nope", "maven.repo.local")
        .hasLineCount(1);
  }

  /** Maven takes the home of the user's account, and not the variable. */
  @Test
  public void quickstartNamesTheRepositoryThatMavenTakes() throws Exception {
    Path jdk = fakeJdk("17.0.1");
    Files.writeString(
        jdk.resolve("bin/java"),
        "#!/bin/sh\necho 'openjdk version \"17.0.1\"' >&2\necho '    user.home = /proc/nope' >&2\n");
    Map<String, String> environment =
        Map.of("JAVA_HOME", jdk.toString(), "MAVEN_OPTS", "", "HOME", folder.getRoot().toString());
    Outcome outcome = run(environment, "quickstart");
    assertThat(outcome.status()).isEqualTo(1);
    assertThat(outcome.err()).contains("cannot write into /proc/nope/.m2/repository");
  }

  @Test
  public void everyCommandRefusesAJavaThatIsTooOld() throws Exception {
    Path old = fakeJava("1.8.0_402");
    for (String command : COMMANDS) {
      Outcome outcome = run(Map.of("JAVA_HOME", old.toString()), command, "-version");
      assertThat(outcome.status()).as(command).isEqualTo(1);
      assertThat(outcome.err()).contains("Java 8", "17 or later").hasLineCount(1);
    }
  }

  @Test
  public void javaOnThePathIsCheckedToo() throws Exception {
    Path old = fakeJava("11.0.22");
    String path = old.resolve("bin") + ":" + System.getenv("PATH");
    Outcome outcome = run(Map.of("JAVA_HOME", "", "PATH", path), "karmi-java", "-version");
    assertThat(outcome.status()).isEqualTo(1);
    assertThat(outcome.err()).contains("Java 11", "17 or later").hasLineCount(1);
  }

  @Test
  public void wrongOptionsOfKarmiJavaAreWrongUsage() throws Exception {
    for (String option : List.of("--via=magic", "--only=network", "--via", "--only")) {
      Outcome outcome = run(Map.of(), "karmi-java", option, "-version");
      assertThat(outcome.status()).isEqualTo(2);
      assertThat(outcome.err()).contains(option.substring(option.indexOf('=') + 1)).hasLineCount(1);
    }
    assertThat(run(Map.of(), "karmi-java").status()).as("nothing to run").isEqualTo(2);
  }

  @Test
  public void aJdkIsFetchedByVersionIntoAFolder() throws Exception {
    String into = folder.getRoot() + "/none";
    for (List<String> wrong : List.of(List.<String>of(), List.of("27"), List.of("x27", into))) {
      Outcome outcome = run(Map.of(), "newest-jdk", wrong.toArray(new String[0]));
      assertThat(outcome.status()).as("%s", wrong).isEqualTo(2);
      assertThat(outcome.err()).contains("newest-jdk --help").hasLineCount(1);
    }
    String home = fakeJava("27.0.1").toString();
    Outcome there = run(Map.of("PATH", "/usr/bin:/bin"), "newest-jdk", "27", home);
    assertThat(there.status()).as("is there already: %s", there.err()).isZero();
  }

  @Test
  public void helpNeedsNoJava() throws Exception {
    for (String command :
        List.of("karmi-java", "quickstart", "publish", "verify", "newest-jdk", "earlier")) {
      Outcome outcome = run(Map.of("JAVA_HOME", "/no/jdk/here"), command, "--help");
      assertThat(outcome.status()).as(command).isZero();
      assertThat(outcome.out())
          .startsWith("usage: ")
          .contains("-h", "--help  ", "--version  ", "exit status: ")
          .doesNotEndWith("\n\n");
      assertThat(outcome.out().lines()).allMatch(line -> line.length() <= 100);
      assertThat(outcome.err()).isEmpty();
    }
  }

  @Test
  public void scriptsThatBuildTakeNoOtherJdkThanTheOneThatIsNamed() throws Exception {
    for (String command : List.of("quickstart", "verify", "publish")) {
      Outcome outcome = run(Map.of("JAVA_HOME", "/no/jdk/here"), command);
      assertThat(outcome.status()).as(command).isEqualTo(1);
      assertThat(outcome.err()).contains("JAVA_HOME", "/no/jdk/here").hasLineCount(1);
    }
  }

  @Test
  public void scriptsThatBuildSayTheirVersionWithoutABuild() throws Exception {
    for (String command : List.of("quickstart", "verify", "publish", "newest-jdk", "earlier")) {
      Outcome outcome = run(Map.of("JAVA_HOME", "/no/jdk/here"), command, "--version");
      assertThat(outcome.status()).as(command).isZero();
      assertThat(outcome.out()).matches("KaRMI \\S+, commit \\S.*, no JDK\\s+");
    }
    String jdk = fakeJdk("17.0.1").toString();
    assertThat(run(Map.of("JAVA_HOME", jdk), "verify", "--version").out())
        .endsWith(", JDK 17.0.1 (" + jdk + ")\n");
  }

  @Test
  public void scriptsRefuseWhatTheyDoNotKnow() throws Exception {
    for (String command : List.of("quickstart", "publish", "newest-jdk", "earlier")) {
      Outcome outcome = run(Map.of(), command, "--nope");
      assertThat(outcome.status()).as(command).isEqualTo(2);
      assertThat(outcome.err()).contains("--nope", command + " --help").hasLineCount(1);
    }
  }

  @Test
  public void examplesRefuseWhatTheyDoNotKnowBeforeTheyBuild() throws Exception {
    for (String wrong :
        List.of(
            "flink Q9",
            "flink Q1 nope",
            "flink Q1 uka 0",
            "flink Q3 uka 5x",
            "spark NOPE",
            "spark SORT nope",
            "spark ALL uka -1",
            "spark ALL uka x",
            "exchange 0")) {
      List<String> words = new ArrayList<>(List.of(wrong.split(" ")));
      String script = "examples/" + words.remove(0) + "/run.sh";
      Outcome outcome = run(Map.of("MAVEN_HOME", "/nowhere"), script, words.toArray(String[]::new));
      assertThat(outcome.status()).as(wrong).isEqualTo(2);
      assertThat(outcome.err()).contains("run.sh --help").hasLineCount(1);
    }
  }

  @Test
  public void scriptThatIsTerminatedEndsItsBuild() throws Exception {
    Path maven = fakeMaven("exec sleep 300");
    for (List<String> script : List.of(List.of("quickstart"), List.of("verify", "--jdk-only"))) {
      Path out = folder.newFile().toPath();
      List<String> line = new ArrayList<>(script);
      line.set(0, Path.of(script.get(0)).toAbsolutePath().toString());
      ProcessBuilder builder =
          new ProcessBuilder(line).redirectErrorStream(true).redirectOutput(out.toFile());
      builder.environment().put("MAVEN_HOME", maven.toString());
      Process process = builder.start();
      Path build = maven.resolve("build");
      List<ProcessHandle> children = List.of();
      try {
        Deadline.await("it builds", () -> Files.exists(build));
        children = process.descendants().toList();
        assertThat(children).as(Files.readString(out)).isNotEmpty();
        process.destroy();
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).as("%s ended", line).isTrue();
        assertThat(process.exitValue()).isEqualTo(143);
        for (ProcessHandle each : children) {
          each.onExit().get(60, TimeUnit.SECONDS);
        }
      } finally {
        children.forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
        Files.deleteIfExists(build);
      }
    }
    assertThat(Path.of("..", "target", ".steps")).doesNotExist();
  }

  /** A home of Maven whose builds do this, and leave the file {@code build} in the home. */
  private Path fakeMaven(String does) throws IOException {
    Path home = folder.newFolder("maven").toPath();
    Path mvn = Files.createDirectory(home.resolve("bin")).resolve("mvn");
    Files.writeString(
        mvn,
        "#!/bin/sh\n[ \"$1\" = -v ] && { echo 'Apache Maven 3.9.9'; exit; }\n: >"
            + home.resolve("build")
            + "\n"
            + does
            + "\n");
    assertThat(mvn.toFile().setExecutable(true)).isTrue();
    return home;
  }

  /** A clone with a JDK and a Maven that do nothing, and no other program of the machine. */
  @Test
  public void quickstartNeedsNothingBesideJdkAndMavenThatABareSystemLacks() throws Exception {
    Path clone = folder.newFolder("clone").toPath();
    Files.copy(Path.of("..", "pom.xml"), clone.resolve("pom.xml"));
    Path scripts = Files.createDirectory(clone.resolve("scripts"));
    for (String each : List.of("quickstart", "setup.sh", "karmi-common.sh", "karmi-bench")) {
      Files.copy(Path.of(each), scripts.resolve(each), StandardCopyOption.COPY_ATTRIBUTES);
    }
    Path libraries = Files.createDirectories(scripts.resolve("target/karmi/lib"));
    Files.createFile(libraries.resolve("karmi.jar"));
    Path programs = folder.newFolder("programs").toPath();
    for (String each : BARE) {
      Files.createSymbolicLink(programs.resolve(each), found(each));
    }
    Path jdk = fakeJdk("17.0.1");
    Path maven = fakeMaven("exit 0");
    Map<String, String> environment =
        Map.of(
            "PATH", programs.toString(),
            "JAVA_HOME", jdk.toString(),
            "MAVEN_HOME", maven.toString(),
            "MAVEN_OPTS", "-Dmaven.repo.local=" + folder.getRoot());
    Outcome outcome =
        start(environment, List.of(scripts.resolve("quickstart").toString(), "--short"));
    assertThat(outcome.status()).as("%s", outcome).isZero();
    assertThat(outcome.err())
        .contains("Maven 3.9.9", "downloads about", "built in", "measuring for 20 s")
        .doesNotContain("not found");
    assertThat(outcome.out()).contains("java -javaagent:");
  }

  /** The engines and clusters, which the distribution does not need, have large libraries. */
  @Test
  public void commandInAFreshCloneBuildsTheDistributionAlone() throws Exception {
    Path clone = folder.newFolder("fresh").toPath();
    Files.copy(Path.of("..", "pom.xml"), clone.resolve("pom.xml"));
    Path scripts = Files.createDirectory(clone.resolve("scripts"));
    for (String each : List.of("karmi-java", "karmi-common.sh")) {
      Files.copy(Path.of(each), scripts.resolve(each), StandardCopyOption.COPY_ATTRIBUTES);
    }
    Path asked = clone.resolve("asked");
    Path maven = fakeMaven("echo \"$*\" >" + asked + "; exit 1");
    Map<String, String> environment =
        Map.of(
            "JAVA_HOME",
            fakeJdk("17.0.1").toString(),
            "PATH",
            maven.resolve("bin") + ":" + System.getenv("PATH"));
    Outcome outcome =
        start(environment, List.of(scripts.resolve("karmi-java").toString(), "-jar", "app.jar"));
    assertThat(outcome.status()).as("%s", outcome).isEqualTo(1);
    assertThat(outcome.err()).contains("building the checkout once", "the build failed");
    assertThat(asked).content().contains(" -pl scripts -am package");
  }

  private static Path found(String program) {
    return Stream.of(System.getenv("PATH").split(":"))
        .map(each -> Path.of(each, program))
        .filter(Files::isExecutable)
        .findFirst()
        .orElseThrow(() -> new AssertionError("no " + program));
  }

  @Test
  public void commandsWorkThroughALink() throws Exception {
    Path link = folder.getRoot().toPath().resolve("kj");
    Files.createSymbolicLink(link, Path.of("karmi-java").toAbsolutePath());
    Outcome outcome = start(Map.of(), List.of(link.toString(), "--help"));
    assertThat(outcome.status()).isZero();
    assertThat(outcome.out()).startsWith("usage: karmi-java");
  }

  /** A home whose java says it is of this version. */
  private Path fakeJava(String version) throws IOException {
    Path home = folder.newFolder("jdk-" + version).toPath();
    Path java = Files.createDirectory(home.resolve("bin")).resolve("java");
    Files.writeString(java, "#!/bin/sh\necho 'openjdk version \"" + version + "\"' >&2\n");
    assertThat(java.toFile().setExecutable(true)).isTrue();
    return home;
  }

  /** The same with a compiler. */
  private Path fakeJdk(String version) throws IOException {
    Path home = fakeJava(version);
    Files.copy(
        home.resolve("bin/java"), home.resolve("bin/javac"), StandardCopyOption.COPY_ATTRIBUTES);
    return home;
  }

  private Outcome run(Map<String, String> environment, String command, String... arguments)
      throws Exception {
    List<String> line = new ArrayList<>();
    line.add(Path.of(command).toAbsolutePath().toString());
    line.addAll(List.of(arguments));
    return start(environment, line);
  }

  private Outcome start(Map<String, String> environment, List<String> line) throws Exception {
    Path out = folder.newFile().toPath();
    Path err = folder.newFile().toPath();
    ProcessBuilder builder = new ProcessBuilder(line);
    builder.environment().putAll(environment);
    builder.redirectOutput(out.toFile()).redirectError(err.toFile());
    Process process = builder.start();
    try {
      assertThat(process.waitFor(60, TimeUnit.SECONDS)).as("%s ended", line).isTrue();
    } finally {
      process.destroyForcibly();
    }
    return new Outcome(
        process.exitValue(),
        Files.readString(out, StandardCharsets.UTF_8),
        Files.readString(err, StandardCharsets.UTF_8));
  }
}
