package io.karmi.consumers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.Assume.assumeTrue;

import io.karmi.kit.Jvm;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** The lines for Gradle that docs/building.md shows, in a build without a network. */
public class GradleIT {
  private static final int DEADLINE_SECONDS = 300;

  /** Line of Gradle's: others take each a JDK of their time, and other lines in BUILD. */
  private static final String TESTED = "Gradle 4.4";

  private static final String BUILD =
      """
      plugins { id "application" }
      repositories { mavenLocal() }
      mainClassName = "app.Main"
      ext.karmiVersion = "@karmi@"
      """;

  private static final String MAIN =
      """
      package app;
      import java.io.*;
      public class Main {
        public static void main(String[] arguments) throws Exception {
          ObjectOutputStream out = new ObjectOutputStream(new ByteArrayOutputStream());
          System.out.println("stream of KaRMI's " + out.getClass().getName().startsWith("io.karmi."));
        }
      }
      """;

  private static final String CLOCK =
      """
      package app;
      public interface Clock extends java.rmi.Remote {
        long time() throws java.rmi.RemoteException;
      }
      """;

  @Rule public final TemporaryFolder folder = new TemporaryFolder();

  @Test
  public void theShownLinesMakeStubsRunTheAgentAndRewriteTheJar() throws Exception {
    String gradle = onThePath("gradle");
    assumeTrue("gradle is on the path", !gradle.isEmpty());
    assumeTrue(
        "it is the tested Gradle",
        print(folder.getRoot().toPath(), gradle, "--version").contains(TESTED));
    Consumer consumer =
        new Consumer(folder.getRoot().toPath())
            .with("settings.gradle", "rootProject.name = 'app'\n")
            .with("build.gradle", BUILD + Consumer.shown("```groovy"))
            .with("src/main/java/app/Main.java", MAIN)
            .with("src/main/java/app/Clock.java", CLOCK);
    String said =
        print(
            consumer.folder(),
            gradle,
            "-Dmaven.repo.local=" + consumer.repository(),
            "-g",
            folder.newFolder("home").toString(),
            "--no-daemon",
            "--offline",
            "run",
            "retrofit");
    assertThat(said).contains("stream of KaRMI's true");
    Path built = consumer.folder().resolve("build");
    assertThat(built.resolve("classes/java/main/app/Clock_KStub.class")).isRegularFile();
    String path =
        built.resolve("libs/app-karmi.jar")
            + File.pathSeparator
            + consumer.installed("karmi", "jar");
    assertThat(Jvm.java("-cp", path, "app.Main").out()).contains("stream of KaRMI's true");
  }

  /** What a program prints, which ends well. */
  private String print(Path directory, String... command) throws Exception {
    Path printed = folder.newFile().toPath();
    ProcessBuilder program =
        new ProcessBuilder(command)
            .directory(directory.toFile())
            .redirectErrorStream(true)
            .redirectOutput(printed.toFile());
    program.environment().put("JAVA_HOME", System.getProperty("java.home"));
    Process process = program.start();
    try {
      assertThat(process.waitFor(DEADLINE_SECONDS, TimeUnit.SECONDS)).as("ended in time").isTrue();
    } finally {
      process.destroyForcibly();
    }
    String said = Files.readString(printed);
    assertThat(process.exitValue()).as("%s", said).isZero();
    return said;
  }

  /** The file of a program; empty if there is none. */
  private static String onThePath(String program) {
    return Stream.of(System.getenv("PATH").split(File.pathSeparator))
        .map(each -> Path.of(each, program))
        .filter(Files::isExecutable)
        .map(Path::toString)
        .findFirst()
        .orElse("");
  }
}
