package io.karmi.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.rmi.RemoteException;
import java.util.List;
import org.apache.commons.cli.ParseException;
import org.junit.Test;

public class CommandTest {
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();
  private final Command command =
      new Command("karmi-x", "usage: karmi-x\n", new PrintStream(out), new PrintStream(err));

  private int run(Command.Work work, String... arguments) {
    return command.run(work, arguments);
  }

  private int failing(Exception problem, String... arguments) {
    return run(
        line -> {
          throw problem;
        },
        arguments);
  }

  private String said() {
    return err.toString(StandardCharsets.UTF_8).strip();
  }

  @Test
  public void helpAndVersionAreOfEachCommand() {
    assertThat(run(line -> 7, "--help")).isZero();
    assertThat(run(line -> 7, "-h")).isZero();
    assertThat(run(line -> 7, "--version")).isZero();
    assertThat(run(line -> 7)).isEqualTo(7);
    assertThat(out.toString(StandardCharsets.UTF_8))
        .matches(
            "(?s)usage: karmi-x\\s+usage: karmi-x\\s+KaRMI \\S+, commit \\S.*, JDK "
                + Runtime.version().feature()
                + ".*");
    assertThat(said()).isEmpty();
  }

  /** A print stream keeps to itself what its disk has said. */
  @Test
  public void outputThatCannotBeWrittenIsAFailure() {
    OutputStream full =
        new OutputStream() {
          @Override
          public void write(int each) throws IOException {
            throw new IOException("No space left on device");
          }
        };
    PrintStream buffered = new PrintStream(new BufferedOutputStream(full));
    Command printing = new Command("karmi-x", "usage: karmi-x\n", buffered, new PrintStream(err));
    for (String each : List.of("--help", "--version", "work")) {
      int status =
          printing.run(
              words -> {
                buffered.println("all that was found");
                return 0;
              },
              each);
      assertThat(status).as(each).isEqualTo(1);
      assertThat(said()).startsWith("karmi-x: cannot write to standard output").hasLineCount(1);
      err.reset();
    }
    assertThat(printing.run(words -> 7)).as("what has failed before says more").isEqualTo(7);
    assertThat(said()).isEmpty();
  }

  @Test
  public void wrongUsageIsTwoAndSaysWhereTheHelpIs() {
    assertThat(failing(new IllegalArgumentException("--nope"))).isEqualTo(2);
    assertThat(said()).isEqualTo("karmi-x: --nope; see karmi-x --help");
    err.reset();
    assertThat(failing(new ParseException("no file is named"))).isEqualTo(2);
    assertThat(said()).isEqualTo("karmi-x: no file is named; see karmi-x --help");
  }

  @Test
  public void fileThatCannotBeReadIsSaidToBeSo() {
    assertThat(failing(new NoSuchFileException("nosuch.json"))).isEqualTo(1);
    assertThat(said()).isEqualTo("karmi-x: nosuch.json is not there");
    err.reset();
    failing(new UncheckedIOException(new AccessDeniedException("app.jar")));
    assertThat(said()).isEqualTo("karmi-x: app.jar may not be read or written by this user");
  }

  @Test
  public void causeOfARemoteExceptionFollowsOnTheSameLine() {
    failing(new RemoteException("refused to host: a", new IOException("Connection refused")));
    assertThat(said()).isEqualTo("karmi-x: refused to host: a: Connection refused");
    err.reset();
    failing(new RemoteException("unknown host: a.b", new IOException("a.b: not known")));
    assertThat(said()).as("said once").isEqualTo("karmi-x: unknown host: a.b: not known");
  }

  @Test
  public void stackTraceIsShownOnlyWhereItIsAskedFor() {
    assertThat(failing(new IllegalStateException("a\n  b"))).isEqualTo(1);
    assertThat(said()).isEqualTo("karmi-x: IllegalStateException: a b (--trace shows where)");
    err.reset();
    failing(new IllegalStateException("a"), "--trace");
    assertThat(said()).contains("at io.karmi.cli.CommandTest");
  }
}
