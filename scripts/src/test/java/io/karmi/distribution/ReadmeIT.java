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
import java.util.stream.Stream;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** The programs that README.md and other pages show, with the commands that they show. */
public class ReadmeIT {
  private static final Path README = Path.of("..", "README.md");
  private static final Path DOCS = Path.of("..", "docs");
  private static final Pattern PROGRAM =
      Pattern.compile(
          "```java\n(?<source>import .*?)```\n\n```\n(?<commands>javac.*?)```", Pattern.DOTALL);
  private static final Pattern PROCESSOR =
      Pattern.compile("```\n(?<command>javac [^\n]*-processorpath [^\n]*)\n```");

  /** A link to a file, up to the place in it. */
  private static final Pattern LINK =
      Pattern.compile("\\]\\((?!https?:)([^)#\\s]+)(#[^)\\s]*)?\\)");

  private static final Path LIBRARIES = Path.of("target", "karmi", "lib").toAbsolutePath();

  @Rule public final TemporaryFolder folder = new TemporaryFolder();

  private List<List<String>> commands = List.of();

  /** A command as it is shown, with this JDK's tools, the packaged jar and files of the test. */
  private List<String> command(String shown) {
    List<String> words = new ArrayList<>();
    for (String word : shown.replaceFirst(" *#.*", "").trim().split(" +")) {
      words.add(
          word.replace("lib/", LIBRARIES + "/")
              .replaceFirst("^classes$", folder.getRoot() + "/classes")
              .replaceFirst("^(\\w+\\.java)$", folder.getRoot() + "/$1")
              .replaceFirst("^app/\\*\\.java$", folder.getRoot() + "/Clock.java"));
    }
    words.set(0, Path.of(System.getProperty("java.home"), "bin", words.get(0)).toString());
    return words;
  }

  /** Takes a page's program and commands, for a port that is free. */
  private void take(Path page, String name) throws Exception {
    String port = String.valueOf(FreePort.any());
    Matcher shown = PROGRAM.matcher(Files.readString(page));
    String type = "public class " + name.replace(".java", " ");
    do {
      assertThat(shown.find()).as("%s shows %s", page, name).isTrue();
    } while (!shown.group("source").contains(type));
    String source = shown.group("source").replace("2099", port);
    Files.writeString(folder.getRoot().toPath().resolve(name), source);
    commands =
        Arrays.stream(shown.group("commands").replace("2099", port).split("\n"))
            .map(this::command)
            .toList();
  }

  private Run end(List<String> command) throws Exception {
    Run run = new Run(folder, command);
    assertThat(run.awaitEnd()).as(run.output()).isZero();
    return run;
  }

  @Test
  public void linksOfThePackagedPagesLeadToPackagedFiles() throws Exception {
    Path home = LIBRARIES.getParent();
    List<String> broken = new ArrayList<>();
    try (Stream<Path> files = Files.walk(home)) {
      for (Path page : files.filter(file -> file.toString().endsWith(".md")).toList()) {
        Matcher link = LINK.matcher(Files.readString(page));
        while (link.find()) {
          if (!Files.exists(page.resolveSibling(link.group(1)))) {
            broken.add(home.relativize(page) + " " + link.group(1));
          }
        }
      }
    }
    assertThat(broken).isEmpty();
  }

  @Test
  public void theProgramOfTheReadmeRunsBeforeAndAfter() throws Exception {
    take(README, "Hello.java");
    assertThat(commands).hasSize(4);
    end(commands.get(0));
    for (List<String> serving : commands.subList(1, 3)) {
      Run serve = new Run(folder, serving);
      try {
        assertCalled(commands.get(3));
      } finally {
        serve.kill();
        serve.awaitEnd(); // its port is free then
      }
    }
  }

  /** The program shown prints nothing when it serves, so the call is made until it is answered. */
  private void assertCalled(List<String> command) throws Exception {
    long deadline = System.nanoTime() + 60_000_000_000L;
    Run call = new Run(folder, command);
    while (call.awaitEnd() != 0 && System.nanoTime() < deadline) {
      call = new Run(folder, command);
    }
    assertThat(call.output()).isEqualToIgnoringNewLines("Hello, world");
  }

  @Test
  public void theProgramOfTheExchangeSpaceRunsAsItIsShown() throws Exception {
    take(DOCS.resolve("exchange.md"), "Prices.java");
    assertThat(commands).hasSize(3);
    end(commands.get(0));
    Run own = new Run(folder, exchanging(commands.get(1)));
    try {
      own.awaitLine("put");
      Run read = end(exchanging(commands.get(2)));
      assertThat(read.output()).isEqualToIgnoringNewLines("tea costs 3");
    } finally {
      own.kill();
    }
  }

  @Test
  public void theServiceOfTheExchangeSpaceRunsAsItIsShown() throws Exception {
    take(DOCS.resolve("exchange-uses.md"), "Shop.java");
    assertThat(commands).hasSize(3);
    end(commands.get(0));
    Run serve = new Run(folder, exchanging(commands.get(1)));
    try {
      serve.awaitLine("serves");
      Run call = end(exchanging(commands.get(2)));
      assertThat(call.output()).isEqualToIgnoringNewLines("tea costs 3");
    } finally {
      serve.kill();
    }
  }

  /** With the class path in the folder of the test, and the groups' files as well. */
  private List<String> exchanging(List<String> command) {
    List<String> words = new ArrayList<>(command);
    words.replaceAll(word -> word.replace(":classes", ":" + folder.getRoot() + "/classes"));
    words.add(1, "-Dkarmi.exchange.dir=" + folder.getRoot());
    return words;
  }

  @Test
  public void theProgramOfMessagesRunsAsItIsShown() throws Exception {
    take(DOCS.resolve("messaging.md"), "Shop.java");
    assertThat(commands).hasSize(3);
    end(commands.get(0));
    Run open = new Run(folder, commands.get(1));
    try {
      open.awaitLine("open");
      Run visit = end(commands.get(2));
      assertThat(visit.output()).isEqualToIgnoringNewLines("tea and coffee");
      open.awaitLine("ordered: Order[number=1, item=tea]");
    } finally {
      open.kill();
    }
  }

  @Test
  public void theProgramOfChannelsRunsAsItIsShown() throws Exception {
    take(DOCS.resolve("channels.md"), "Feed.java");
    assertThat(commands).hasSize(3);
    end(commands.get(0));
    Run take = new Run(folder, commands.get(1));
    try {
      take.awaitLine("ready");
      Run send = end(commands.get(2));
      assertThat(send.output()).isEqualToIgnoringNewLines("2000.0");
    } finally {
      take.kill();
    }
  }

  @Test
  public void theAnnotationProcessorWorksByTheCommandThatIsShown() throws Exception {
    Matcher shown = PROCESSOR.matcher(Files.readString(DOCS.resolve("stubs.md")));
    assertThat(shown.find()).isTrue();
    Path root = folder.getRoot().toPath();
    Files.writeString(
        root.resolve("Clock.java"),
        "package app; public interface Clock extends java.rmi.Remote {"
            + " long now() throws java.rmi.RemoteException; }");
    end(command(shown.group("command")));
    assertThat(root.resolve("classes/app/Clock_KStub.class")).exists();
  }
}
