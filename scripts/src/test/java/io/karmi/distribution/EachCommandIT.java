package io.karmi.distribution;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.Assume.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.ClassRule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;
import org.junit.runner.RunWith;
import org.junit.runners.Parameterized;
import org.junit.runners.Parameterized.Parameters;

/** What each packaged command has in common with the others. */
@RunWith(Parameterized.class)
public class EachCommandIT {
  private static final Path HOME = Path.of("target", "karmi").toAbsolutePath();
  private static final Path BASH = HOME.resolve("completion/karmi.bash");

  @ClassRule public static final TemporaryFolder FOLDER = new TemporaryFolder();

  private final String command;

  public EachCommandIT(String command) {
    this.command = command;
  }

  @Parameters(name = "{0}")
  public static String[] commands() {
    String[] names = HOME.resolve("bin").toFile().list((folder, name) -> !name.endsWith(".sh"));
    assertThat(names).isNotEmpty();
    return names;
  }

  private Run run(String... arguments) throws Exception {
    List<String> line = new ArrayList<>(List.of(HOME.resolve("bin").resolve(command).toString()));
    line.addAll(List.of(arguments));
    return new Run(FOLDER, line);
  }

  private static String outputOf(Run run, int status) throws Exception {
    assertThat(run.awaitEnd()).as(run.output()).isEqualTo(status);
    return run.output();
  }

  @Test
  public void helpIsPlainTextUnderBothNames() throws Exception {
    Run brief = run("-h");
    String help = outputOf(run("--help"), 0);
    assertThat(help).startsWith("usage: ").contains("exit status").doesNotContain("\u001b");
    assertThat(outputOf(brief, 0)).isEqualTo(help);
  }

  /** Also where plain Maven has built it, as here; sources that are no clone have no commit. */
  @Test
  public void versionNamesCommitAndJdk() throws Exception {
    String commit = "unknown (built without git)";
    if (Files.exists(Path.of("..", ".git")) && Run.isThere("git")) {
      Run git = new Run(FOLDER, List.of("git", "rev-parse", "--short=12", "HEAD"));
      commit = outputOf(git, 0).strip();
    }
    String jdk = "JDK " + Runtime.version() + " (" + System.getProperty("java.home") + ")";
    assertThat(outputOf(run("--version"), 0).strip().replace("+, JDK", ", JDK"))
        .matches("KaRMI \\S+, .*")
        .endsWith(", commit " + commit + ", " + jdk);
  }

  @Test
  public void wrongUsageIsOneLineThatLeadsToTheHelp() throws Exception {
    /* What karmi-java does not know is java's own. */
    String wrong = command.equals("karmi-java") ? "--via=nope" : "--nope";
    String said = outputOf(run(wrong), 2);
    assertThat(said).startsWith(command).contains("--help").hasLineCount(1);
  }

  @Test
  public void traceIsShownForEachErrorThatIsAskedToShowIt() throws Exception {
    String gone = FOLDER.getRoot() + "/gone";
    List<String> fails =
        switch (command) {
          case "karmi-java" -> List.of("--explain", "-jar", gone);
          case "karmi-retrofit" -> List.of(gone, "-o", gone + ".jar");
          case "karmic" -> List.of("--scan", brokenJar());
          case "karmi-registry" -> List.of("--health", "localhost:1");
          case "karmi-exchange" -> List.of("list", "localhost:1");
          default -> List.of("compare", gone, gone);
        };
    assertThat(outputOf(run(fails.toArray(new String[0])), 1)).startsWith(command).hasLineCount(1);
    assertThat(outputOf(run(traced(fails)), 1)).startsWith(command).contains("\n\tat io.karmi.");
    if (!command.equals("karmi-java")) { // its script finds what is wrong with its own options
      assertThat(outputOf(run(traced(List.of("--nope"))), 2)).contains("\n\tat io.karmi.");
    }
  }

  @Test
  public void outputThatAFullDiskDoesNotTakeIsAnErrorOfOneLine() throws Exception {
    assumeTrue("/dev/full is there", Files.exists(Path.of("/dev/full")));
    assertSaysThatTheDiskIsFull("--help");
    assertSaysThatTheDiskIsFull("--version");
    String jar = HOME.resolve("lib/karmi-opentelemetry.jar").toString();
    switch (command) {
      case "karmi-java" -> assertSaysThatTheDiskIsFull("--explain", "-jar", jar);
      case "karmi-retrofit" -> {
        assertSaysThatTheDiskIsFull("--explain", jar);
        assertSaysThatTheDiskIsFull("--dry-run", jar);
      }
      case "karmi-bench" -> {
        assertSaysThatTheDiskIsFull("rmi", "--help");
        assertSaysThatTheDiskIsFull("engines", "--help");
      }
      default -> {} // what they print else, they print for a server
    }
  }

  /** As behind {@code | head}: nothing is wrong, and nothing is said. */
  @Test
  public void readerThatHasSeenEnoughIsNoError() throws Exception {
    Path status = FOLDER.newFile().toPath();
    String line = "{ \"$0\" --version; echo $? >\"$1\"; } | exec true";
    String program = HOME.resolve("bin").resolve(command).toString();
    Run run = new Run(FOLDER, List.of("sh", "-c", line, program, status.toString()));
    assertThat(outputOf(run, 0)).isEmpty();
    assertThat(status).hasContent("0");
  }

  private void assertSaysThatTheDiskIsFull(String... arguments) throws Exception {
    List<String> line = new ArrayList<>(List.of("sh", "-c", "\"$0\" \"$@\" >/dev/full"));
    line.add(HOME.resolve("bin").resolve(command).toString());
    line.addAll(List.of(arguments));
    assertThat(outputOf(new Run(FOLDER, line), 1))
        .startsWith("karmi") // karmi-java --version is the jar's
        .contains(": cannot write to standard output")
        .hasLineCount(1);
  }

  private static String[] traced(List<String> arguments) {
    List<String> all = new ArrayList<>(List.of("--trace"));
    all.addAll(arguments);
    return all.toArray(new String[0]);
  }

  private static String brokenJar() throws Exception {
    return Files.writeString(FOLDER.newFile().toPath().resolveSibling("broken.jar"), "no jar")
        .toString();
  }

  @Test
  public void manualPageHasWhatTheHelpHas() throws Exception {
    String page = Files.readString(HOME.resolve("man/man1/" + command + ".1"));
    assertThat(page)
        .startsWith(".TH ")
        .containsPattern(".SH NAME\n" + command + " \\\\- [a-z]+( \\S+){4,}\n.SH SYNOPSIS")
        .containsPattern(".SH SYNOPSIS\n(\\.[^\n]+\n)+" + command.replace("-", "\\\\-") + " ");
    String help = outputOf(run("--help"), 0);
    Matcher word = Pattern.compile("(?m)^ {0,12}(--?[A-Za-z-]+|[a-z]+(?= {2,}))").matcher(help);
    while (word.find()) {
      assertThat(page).contains(word.group(1).replace("-", "\\-"));
    }
    assumeTrue("groff is there", Run.isThere("groff"));
    Run checked =
        new Run(
            FOLDER,
            List.of(
                "groff",
                "-man",
                "-ww",
                "-z",
                HOME.resolve("man/man1/" + command + ".1").toString()));
    assertThat(outputOf(checked, 0)).as("warnings").isEmpty();
  }

  @Test
  public void bashCompletesItsOptions() throws Exception {
    assumeTrue("bash is there", Run.isThere("bash"));
    assertThat(completed("--v")).contains("--version");
    assertThat(completed("--h")).contains("--help");
  }

  /** Behind {@code =}, as a word of its own, and behind a comma where several can be given. */
  @Test
  public void bashCompletesListedValues() throws Exception {
    assumeTrue("bash is there", Run.isThere("bash"));
    switch (command) {
      case "karmi-java" -> {
        assertThat(completed("--via", "=", "b")).containsExactly("boot");
        assertThat(completed("--only", "=")).containsExactly("serialization", "rmi");
        assertThat(completed("--explain")).containsExactly("--explain", "--explain=all");
      }
      case "karmi-retrofit" -> {
        assertThat(completed("--only", "=", "r")).containsExactly("rmi");
        assertThat(completed("--only", "")).containsExactly("serialization", "rmi");
        assertThat(completed("--only", "rmi,s")).isEmpty();
      }
      case "karmi-bench" -> {
        assertThat(completed("ser")).containsExactly("serialization");
        assertThat(completed("--qu")).containsExactly("--quick");
        assertThat(completed("rmi", "--qu")).containsExactly("--quick");
        assertThat(completed("rmi", "--processors", "a")).containsExactly("awake", "asleep");
        assertThat(completed("rmi", "--kernels", "t")).containsExactly("table3");
        assertThat(completed("--stacks", "rmi,karmi-u"))
            .containsExactly("rmi,karmi-uka", "rmi,karmi-uds", "rmi,karmi-ucx");
        assertThat(completed("rmi", "--technology", "=", "sh")).containsExactly("shm");
        assertThat(completed("heap", "--figure", "=", "7,t5,1"))
            .containsExactly("7,t5,10", "7,t5,11");
        assertThat(completed("heap", "--technology", "=", "uc")).containsExactly("ucx");
        assertThat(completed("exchange", "--figure", "=", "z")).containsExactly("z11", "z13");
        assertThat(completed("messaging", "--technologies", "=", "u"))
            .containsExactly("uds", "ucx");
        assertThat(completed("serialization", "--payload", "=", "PA"))
            .containsExactly("PAPERS", "PAIRS_1024");
        assertThat(completed("serialization", "--stack", "=", "JDK,KR"))
            .containsExactly("JDK,KRYO");
        assertThat(completed("serialization", "--variety", "=", "")).containsExactly("ONE", "ALL");
        assertThat(completed("engines", "--stack", "java,kryo-"))
            .containsExactly("java,kryo-registered");
        assertThat(completed("engines", "--workload", "=", "fl"))
            .containsExactly("flink-state", "flink-network");
      }
      default -> assertThat(completed("--")).noneMatch(each -> each.contains("="));
    }
  }

  /** Those at the beginning of a line of the help: one that it explains. */
  @Test
  public void bashCompletesEachOptionThatTheHelpExplains() throws Exception {
    assumeTrue("bash is there", Run.isThere("bash"));
    assertCompletesWhatItExplains();
    if (command.equals("karmi-bench")) {
      for (String below : completed("")) {
        if (below.matches("[a-z]+")) {
          assertCompletesWhatItExplains(below);
        }
      }
    }
  }

  private void assertCompletesWhatItExplains(String... below) throws Exception {
    List<String> line = new ArrayList<>(List.of(below));
    line.add("--help");
    Matcher explained =
        Pattern.compile("(?m)(?:^(?=--)|^ {1,6}(?:-\\w, )?|\\[)(--?[A-Za-z][a-z-]*)")
            .matcher(outputOf(run(line.toArray(new String[0])), 0));
    line.set(below.length, "-");
    List<String> words = completed(line.toArray(new String[0]));
    while (explained.find()) {
      String option = explained.group(1);
      assertThat(words).anyMatch(each -> each.equals(option) || each.startsWith(option + "="));
    }
  }

  private List<String> completed(String... words) throws Exception {
    String script =
        "source '"
            + BASH
            + "'; COMP_WORDS=(\"$@\"); COMP_CWORD=$(($# - 1)); _karmi; printf '%s\\n' \"${COMPREPLY[@]}\"";
    List<String> line = new ArrayList<>(List.of("bash", "-c", script, "bash", command));
    line.addAll(List.of(words));
    return outputOf(new Run(FOLDER, line), 0).lines().filter(each -> !each.isEmpty()).toList();
  }

  /** A shell at a terminal of its own, at which the key Tab is pressed. */
  @Test
  public void zshCompletesItsOptionsAndTheirValues() throws Exception {
    assumeTrue("zsh is there", Run.isThere("zsh"));
    Map<String, String> typed = new LinkedHashMap<>(Map.of(" --ve", " --version"));
    switch (command) {
      case "karmi-java" -> typed.put(" --via=b", " --via=boot");
      case "karmi-retrofit" -> typed.put(" --only r", " --only rmi");
      case "karmi-bench" -> {
        typed.put(" --qu", " --quick");
        typed.put(" rmi --processors aw", " rmi --processors awake");
        typed.put(" messaging --technologies=tcp,lo", " messaging --technologies=tcp,loopback");
      }
      default -> typed.put(" --hel", " --help");
    }
    List<String> line =
        new ArrayList<>(List.of("timeout", "120", "zsh", "-f", "src/test/programs/tab.zsh"));
    line.add(HOME.resolve("completion").toString());
    typed.keySet().forEach(each -> line.add(command + each));
    Run shell = new Run(FOLDER, line);
    List<String> lines =
        outputOf(shell, 0)
            .lines()
            .filter(each -> each.contains("LINE<"))
            .map(each -> each.replaceFirst(".*LINE<(.*?) *>.*", "$1"))
            .toList();
    assertThat(lines)
        .as(shell.output())
        .containsExactlyElementsOf(typed.values().stream().map(command::concat).toList());
  }
}
