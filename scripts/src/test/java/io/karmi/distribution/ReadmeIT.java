package io.karmi.distribution;

import static org.assertj.core.api.Assertions.assertThat;

import io.karmi.kit.FreePort;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.ClassRule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** The program of messages that README.md shows, with the commands that it shows. */
public class ReadmeIT {
  private static final Path README = Path.of("..", "README.md");
  private static final Pattern PROGRAM =
      Pattern.compile(
          "```java\n(?<source>.*?)```\n\n```\n(?<commands>javac.*?)```", Pattern.DOTALL);
  private static final Path LIBRARIES = Path.of("target", "karmi", "lib").toAbsolutePath();

  @ClassRule public static final TemporaryFolder FOLDER = new TemporaryFolder();

  /** A command as it is shown, with this JDK's tools, the packaged jar and a port that is free. */
  private static List<String> command(String shown, int port) {
    List<String> words = new ArrayList<>();
    for (String word : shown.replaceFirst(" *#.*", "").split(" ")) {
      words.add(
          word.replace("lib/", LIBRARIES + "/")
              .replaceFirst("^2099$", String.valueOf(port))
              .replaceFirst("^classes$", FOLDER.getRoot() + "/classes")
              .replaceFirst("^Shop.java$", FOLDER.getRoot() + "/Shop.java"));
    }
    words.set(0, Path.of(System.getProperty("java.home"), "bin", words.get(0)).toString());
    return words;
  }

  @Test
  public void theProgramOfMessagesRunsAsItIsShown() throws Exception {
    Matcher shown = PROGRAM.matcher(Files.readString(README));
    assertThat(shown.find()).isTrue();
    Files.writeString(FOLDER.getRoot().toPath().resolve("Shop.java"), shown.group("source"));
    int port = FreePort.any();
    List<List<String>> commands =
        Arrays.stream(shown.group("commands").split("\n"))
            .map(line -> command(line, port))
            .toList();
    assertThat(commands).hasSize(3);
    Run compiler = new Run(FOLDER, commands.get(0));
    assertThat(compiler.awaitEnd()).as(compiler.output()).isZero();
    Run open = new Run(FOLDER, commands.get(1));
    try {
      open.awaitLine("open");
      Run visit = new Run(FOLDER, commands.get(2));
      assertThat(visit.awaitEnd()).as(visit.output()).isZero();
      assertThat(visit.output()).isEqualToIgnoringNewLines("tea and coffee");
      open.awaitLine("ordered: Order[number=1, item=tea]");
    } finally {
      open.kill();
    }
  }
}
