package io.karmi.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.karmi.benchmarks.exchange.ExchangeCommand;
import io.karmi.benchmarks.heap.HeapCommand;
import io.karmi.benchmarks.messaging.MessagesCommand;
import io.karmi.benchmarks.options.CommandLines;
import io.karmi.benchmarks.options.EnginesOptions;
import io.karmi.benchmarks.serialization.SerializationMain;
import io.karmi.benchmarks.startup.StartupCommand;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** What is wrong with a command line is said before anything is measured. */
public class WrongCommandLinesTest {
  @Rule public final TemporaryFolder folder = new TemporaryFolder();

  /** A command of {@code karmi-bench}. */
  @FunctionalInterface
  private interface Started {
    int run(String[] arguments, PrintStream out, PrintStream err) throws Exception;
  }

  private static void assertRefused(Started command, String said, String... arguments)
      throws Exception {
    ByteArrayOutputStream text = new ByteArrayOutputStream();
    PrintStream out = new PrintStream(text, true, StandardCharsets.UTF_8);
    assertThat(command.run(arguments, out, out)).as("%s", text).isEqualTo(2);
    assertThat(text.toString(StandardCharsets.UTF_8)).contains(said, "--help").hasLineCount(1);
  }

  @Test
  public void wordThatIsNoOptionIsRefused() throws Exception {
    assertRefused(StartupCommand::run, "unexpected extra", "extra");
    assertRefused(MessagesCommand::run, "unexpected extra", "extra");
    assertRefused(ExchangeCommand::run, "unexpected extra", "extra");
    assertRefused(HeapCommand::run, "unexpected extra", "extra");
    assertRefused(SerializationMain::run, "unexpected extra", "extra");
  }

  @Test
  public void valueThatIsNoneOfTheOptionIsNamed() throws Exception {
    assertRefused(MessagesCommand::run, "called nope, only tcp", "--technologies=tcp,nope");
    assertRefused(MessagesCommand::run, "from 1 to 999, not x", "--rounds=x");
    assertRefused(ExchangeCommand::run, "not nope", "--figure=g6,nope");
    assertRefused(ExchangeCommand::run, "from 1 to 999, not x", "--rounds=x");
    assertRefused(ExchangeCommand::run, "--table is 3", "--table=4");
    assertRefused(ExchangeCommand::run, "like 100m or 5.5g, not fast", "--rate=fast");
    assertRefused(HeapCommand::run, "t4, t5, not 6", "--figure=7,6");
    assertRefused(HeapCommand::run, "shm, ucx, not nope", "--technology=tcp,nope");
    assertRefused(HeapCommand::run, "from 1 to 999, not 0", "--rounds=0");
    assertRefused(StartupCommand::run, "from 1 to 999, not 0", "--rounds=0");
    assertRefused(SerializationMain::run, "from 1 to 9999999, not x", "--millis=x");
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
  public void helpIsATableWithOneColumnForWhatTheOptionsMean() {
    assertThat(RmiOptions.help())
        .startsWith("usage: karmi-bench rmi [options]\n\nMeasures calls between JVMs");
    for (String help : List.of(RmiOptions.help(), EnginesOptions.help())) {
      assertThat(help.lines()).noneMatch(line -> line.endsWith(" ") || line.length() > 100);
      String table = help.substring(help.indexOf("  --help"));
      int column = table.indexOf("this text");
      assertThat(table.lines())
          .allMatch(line -> line.charAt(column) != ' ' && line.charAt(column - 1) == ' ');
    }
  }
}
