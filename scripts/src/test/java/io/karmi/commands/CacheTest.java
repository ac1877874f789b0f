package io.karmi.commands;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.Assume.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** Whose code {@code karmi-java --via=boot} runs: that of the user who runs it, and no other's. */
public class CacheTest {
  private static final String UNSET = "";

  @Rule public final TemporaryFolder folder = new TemporaryFolder();

  private Path root;
  private Path karmi;
  private Path java;
  private Path cache;

  /** How a command ended. */
  private record Outcome(int status, String out, String err) {}

  /**
   * An unpacked distribution, and a JDK that patches by writing the file that a patch ends with.
   */
  @Before
  public void unpack() throws IOException {
    root = folder.getRoot().toPath();
    permit(root, "rwx------");
    karmi = Files.createDirectory(root.resolve("karmi"));
    Files.createDirectory(karmi.resolve("lib"));
    Files.writeString(karmi.resolve("lib/karmi.jar"), "one");
    Files.createDirectory(karmi.resolve("bin"));
    for (String script : List.of("karmi-java", "karmi-common.sh")) {
      Files.copy(Path.of(script), karmi.resolve("bin").resolve(script));
    }
    java = Files.createDirectories(root.resolve("jdk/bin")).resolve("java");
    Files.writeString(java.resolveSibling("../release"), "JAVA_VERSION=\"17.0.1\"\n");
    Files.writeString(
        java,
        """
        #!/bin/sh
        case $1 in
          -cp) mkdir -p "$5" && cp "$2" "$5/java.args" ;;
          *) echo "runs $*"; echo "by $(cat "${1#@}")"; echo "umask $(umask)" ;;
        esac
        """);
    assertThat(java.toFile().setExecutable(true)).isTrue();
    cache = root.resolve("cache");
  }

  @Test
  public void aCacheIsMadeForItsUserAlone() throws Exception {
    Outcome outcome = run("KARMI_CACHE", cache);
    assertThat(outcome.err()).isEmpty();
    assertThat(outcome.out()).contains("by one");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(cache)))
        .isEqualTo("rwx------");
  }

  @Test
  public void theProgramKeepsItsUsersMask() throws Exception {
    String mask = run("KARMI_CACHE", cache).out().replaceAll("(?s).*umask (\\d+).*", "$1");
    assertThat(mask).isEqualTo(shell("umask").out().strip()).isNotEqualTo("0077");
  }

  @Test
  public void withoutAHomeNoFolderIsGuessed() throws Exception {
    Outcome outcome =
        run(Map.of("HOME", UNSET, "XDG_CACHE_HOME", UNSET, "KARMI_CACHE", UNSET, "TMPDIR", root));
    assertRefused(outcome, "HOME", "KARMI_CACHE");
  }

  @Test
  public void aHomeIsUsedWhereNothingElseIsNamed() throws Exception {
    Path home = Files.createDirectory(root.resolve("home"));
    Outcome outcome = run(Map.of("HOME", home, "XDG_CACHE_HOME", UNSET, "KARMI_CACHE", UNSET));
    assertThat(outcome.err()).isEmpty();
    assertThat(home.resolve(".cache/karmi")).isNotEmptyDirectory();
  }

  @Test
  public void aCacheThatOthersWriteIsRefused() throws Exception {
    for (String mode : List.of("rwxrwxr-x", "rwx----w-", "rwxrwxrwx")) {
      Files.createDirectories(cache);
      permit(cache, mode);
      assertRefused(run("KARMI_CACHE", cache), cache.toRealPath().toString(), mode);
    }
  }

  @Test
  public void aPatchThatOthersWriteIsRefused() throws Exception {
    run("KARMI_CACHE", cache);
    Path patch;
    try (var list = Files.list(cache)) {
      patch = list.findFirst().orElseThrow();
    }
    permit(patch, "rwxrwxrwx");
    assertRefused(run("KARMI_CACHE", cache), patch.getFileName().toString());
  }

  @Test
  public void aFolderAboveThatOthersWriteIsRefused() throws Exception {
    Path above = Files.createDirectory(root.resolve("above"));
    permit(above, "rwxrwxrwx");
    assertRefused(run("KARMI_CACHE", above.resolve("a/b")), above.toRealPath().toString());
    assertThat(shell("chmod 1777 '" + above + "'").status()).isZero();
    assertThat(run("KARMI_CACHE", above.resolve("a/b")).out())
        .as("in a sticky folder, as the temporary one, nothing of ours is exchanged")
        .contains("by one");
  }

  @Test
  public void aLinkIsFollowedToWhatItNames() throws Exception {
    Path target = Files.createDirectory(root.resolve("target"));
    permit(target, "rwxrwxrwx");
    Files.createSymbolicLink(cache, target);
    assertRefused(run("KARMI_CACHE", cache), target.toRealPath().toString());
  }

  @Test
  public void anotherUsersFoldersAreRefused() throws Exception {
    assumeTrue("only root gives folders away", shell("id -u").out().strip().equals("0"));
    run("KARMI_CACHE", cache);
    assertThat(shell("chown 65534 '" + cache + "'").status()).isZero();
    assertRefused(run("KARMI_CACHE", cache), "65534");
    Path above = Files.createDirectory(root.resolve("above"));
    Files.createDirectory(above.resolve("cache"));
    assertThat(shell("chown 65534 '" + above + "'").status()).isZero();
    assertRefused(run("KARMI_CACHE", above.resolve("cache")), above.toRealPath().toString());
  }

  @Test
  public void anotherKarmiOfTheSameSizeAndTimeGetsAPatchOfItsOwn() throws Exception {
    Path jar = karmi.resolve("lib/karmi.jar");
    FileTime time = Files.getLastModifiedTime(jar);
    assertThat(run("KARMI_CACHE", cache).out()).contains("by one");
    Files.writeString(jar, "two");
    Files.setLastModifiedTime(jar, time);
    assertThat(run("KARMI_CACHE", cache).out()).contains("by two");
  }

  private static void assertRefused(Outcome outcome, String... named) {
    assertThat(outcome.status()).as(outcome.out() + outcome.err()).isEqualTo(1);
    assertThat(outcome.out()).as("nothing runs").isEmpty();
    assertThat(outcome.err()).contains(named).contains("KARMI_CACHE").hasLineCount(1);
  }

  private static void permit(Path directory, String mode) throws IOException {
    Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString(mode));
  }

  private Outcome run(String variable, Path value) throws Exception {
    return run(Map.of(variable, value));
  }

  private Outcome run(Map<String, Object> environment) throws Exception {
    Map<String, Object> all = new HashMap<>(environment);
    all.put("JAVA_HOME", root.resolve("jdk"));
    String command = karmi.resolve("bin/karmi-java").toString();
    return start(all, command, "--via=boot", "-cp", "app", "App");
  }

  private Outcome shell(String line) throws Exception {
    return start(Map.of(), "sh", "-c", line);
  }

  private Outcome start(Map<String, Object> environment, String... line) throws Exception {
    Path out = Files.createTempFile(root, "run", ".out");
    Path err = Files.createTempFile(root, "run", ".err");
    ProcessBuilder builder = new ProcessBuilder(line);
    environment.forEach(
        (name, value) -> {
          if (value.equals(UNSET)) {
            builder.environment().remove(name);
          } else {
            builder.environment().put(name, value.toString());
          }
        });
    builder.redirectOutput(out.toFile()).redirectError(err.toFile());
    Process process = builder.start();
    try {
      assertThat(process.waitFor(60, TimeUnit.SECONDS)).as(String.join(" ", line)).isTrue();
    } finally {
      process.destroyForcibly();
    }
    return new Outcome(process.exitValue(), Files.readString(out), Files.readString(err));
  }
}
