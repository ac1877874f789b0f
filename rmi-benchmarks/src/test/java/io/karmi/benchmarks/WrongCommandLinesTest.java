package io.karmi.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.karmi.benchmarks.exchange.ExchangeCommand;
import io.karmi.benchmarks.heap.HeapCommand;
import io.karmi.benchmarks.messaging.MessagesCommand;
import io.karmi.benchmarks.options.CommandLines;
import io.karmi.benchmarks.options.EnginesOptions;
import io.karmi.benchmarks.options.Subcommand;
import io.karmi.benchmarks.serialization.SerializationMain;
import io.karmi.benchmarks.stacks.Hosts;
import io.karmi.benchmarks.stacks.Stack;
import io.karmi.benchmarks.startup.StartupCommand;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** What is wrong with a command line is said before anything is measured. */
public class WrongCommandLinesTest {
  @Rule public final TemporaryFolder folder = new TemporaryFolder();

  private static void assertRefused(Subcommand command, String said, String... arguments) {
    ByteArrayOutputStream text = new ByteArrayOutputStream();
    PrintStream out = new PrintStream(text, true, StandardCharsets.UTF_8);
    assertThat(command.run(arguments, out, out)).as("%s", text).isEqualTo(2);
    assertThat(text.toString(StandardCharsets.UTF_8)).contains(said, "--help").hasLineCount(1);
  }

  @Test
  public void wordThatIsNoOptionIsRefused() {
    assertRefused(StartupCommand.COMMAND, "unexpected extra", "extra");
    assertRefused(MessagesCommand.COMMAND, "unexpected extra", "extra");
    assertRefused(ExchangeCommand.COMMAND, "unexpected extra", "extra");
    assertRefused(HeapCommand.COMMAND, "unexpected extra", "extra");
    assertRefused(SerializationMain.COMMAND, "unexpected extra", "extra");
  }

  @Test
  public void valueThatIsNoneOfTheOptionIsNamed() {
    assertRefused(MessagesCommand.COMMAND, "loopback, nodes, not nope", "--technologies=tcp,nope");
    assertRefused(MessagesCommand.COMMAND, "from 1 to 999, not x", "--rounds=x");
    assertRefused(ExchangeCommand.COMMAND, "not nope", "--figure=g6,nope");
    assertRefused(ExchangeCommand.COMMAND, "from 1 to 999, not x", "--rounds=x");
    assertRefused(ExchangeCommand.COMMAND, "--table is 3", "--table=4");
    assertRefused(ExchangeCommand.COMMAND, "like 100m or 5.5g, not fast", "--rate=fast");
    assertRefused(HeapCommand.COMMAND, "t4, t5, not 6", "--figure=7,6");
    assertRefused(HeapCommand.COMMAND, "shm, ucx, not nope", "--technology=tcp,nope");
    assertRefused(HeapCommand.COMMAND, "from 1 to 999, not 0", "--rounds=0");
    assertRefused(StartupCommand.COMMAND, "from 1 to 999, not 0", "--rounds=0");
    assertRefused(SerializationMain.COMMAND, "from 1 to 9999999, not x", "--millis=x");
  }

  @Test
  public void fileThatCannotBeWrittenIsNamed() throws Exception {
    Path file = folder.newFile("file").toPath();
    assertThatThrownBy(() -> CommandLines.checkOutput(file.resolve("x.json").toString()))
        .isInstanceOf(IOException.class)
        .hasMessageContaining(file.toString());
    assertThatThrownBy(() -> CommandLines.checkOutput(folder.getRoot().toString()))
        .hasMessageContaining("is a directory");
    CommandLines.checkOutput("-");
    Path below = folder.getRoot().toPath().resolve("made").resolve("x.json");
    CommandLines.checkOutput(below.toString());
    assertThat(below.getParent()).isEmptyDirectory();
  }

  @Test
  public void optionsAreThoseOfTheHelp() {
    assertThat(MessagesCommand.COMMAND.options().getOptions())
        .extracting(option -> option.getLongOpt() + option.hasArg())
        .containsExactlyInAnyOrder(
            "technologiestrue",
            "roundstrue",
            "millistrue",
            "jsontrue",
            "nodestrue",
            "ratetrue",
            "loopbackfalse",
            "helpfalse");
    assertThat(RmiCommand.COMMAND.options().getOption("kernels").hasArg()).isTrue();
    assertThat(RmiCommand.COMMAND.options().getOption("afresh").hasArg()).isFalse();
  }

  @Test
  public void helpNamesEachStackAndTheUsualShell() {
    assertThat(RmiOptions.HELP.replaceAll("\\s+", " "))
        .contains(Arrays.stream(Stack.values()).map(Stack::optionName).toList().toString())
        .contains(Hosts.SSH);
  }

  @Test
  public void helpIsATableWithOneColumnForWhatTheOptionsMean() {
    assertThat(RmiOptions.HELP)
        .startsWith("usage: karmi-bench rmi [options]\n\nMeasures calls between JVMs");
    for (String help : List.of(RmiOptions.HELP, EnginesOptions.HELP)) {
      assertThat(help.lines()).noneMatch(line -> line.endsWith(" ") || line.length() > 100);
      String table = help.substring(help.indexOf("  --help"));
      int column = table.indexOf("this text");
      assertThat(table.lines())
          .allMatch(line -> line.charAt(column) != ' ' && line.charAt(column - 1) == ' ');
    }
  }
}
