package io.karmi.benchmarks.options;

import io.karmi.cli.Command;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import org.apache.commons.cli.CommandLine;
import org.apache.commons.cli.DefaultParser;
import org.apache.commons.cli.Options;
import org.apache.commons.cli.ParseException;

/** The skeleton of the commands of {@code karmi-bench}: their options, and numbers among these. */
public final class CommandLines {
  /** The work of a command. */
  @FunctionalInterface
  public interface Work {
    /**
     * Does it.
     *
     * @return the exit status
     * @throws Exception a {@link ParseException} if the command line is wrong
     */
    int run(CommandLine line) throws Exception;
  }

  /** The end of the help. */
  private static final String EXIT_STATUS =
      "\n\nexit status: 0 done, 1 a run failed or a result was wrong, 2 wrong usage.\n";

  private CommandLines() {}

  /** Options that have a value each. */
  public static Options withValues(String... names) {
    Options options = new Options();
    for (String name : names) {
      options.addOption(null, name, true, null);
    }
    return options;
  }

  /**
   * Runs {@code karmi-bench name}, which takes options only.
   *
   * @return 0, 1 for a run that failed, 2 for a command line that makes no sense
   */
  public static int run(
      String name,
      String usage,
      Options options,
      Work work,
      String[] arguments,
      PrintStream out,
      PrintStream err) {
    Work optionsOnly =
        line -> {
          if (!line.getArgList().isEmpty()) {
            throw new ParseException("unexpected " + line.getArgList().get(0));
          }
          return work.run(line);
        };
    return runWithFiles(name, usage, options, optionsOnly, arguments, out, err);
  }

  /** The same for a command that takes files, too. */
  public static int runWithFiles(
      String name,
      String usage,
      Options options,
      Work work,
      String[] arguments,
      PrintStream out,
      PrintStream err) {
    String help = usage.stripTrailing() + EXIT_STATUS;
    return new Command("karmi-bench " + name, help, out, err)
        .run(rest -> work.run(new DefaultParser().parse(options, rest)), arguments);
  }

  /**
   * Makes the folder of a file that is written when all has been measured; {@code -}, which is
   * standard output, needs none.
   *
   * @throws IOException if no file could be written there
   */
  public static void checkOutput(String file) throws IOException {
    if (file.equals("-")) {
      return;
    }
    Path path = Path.of(file).toAbsolutePath();
    if (Files.isDirectory(path)) {
      throw new IOException(file + " is a directory; name a file");
    }
    Path folder = Objects.requireNonNull(path.getParent(), "a file has a folder");
    Files.createDirectories(folder);
    if (!Files.isWritable(folder)) {
      throw new AccessDeniedException(folder.toString());
    }
  }

  /**
   * The rate of a network that {@code --rate} gives, in tc's words without {@code bit}; empty where
   * the option is not given.
   */
  public static String rate(CommandLine line) throws ParseException {
    String rate = line.getOptionValue("rate", "");
    if (line.hasOption("rate") && !rate.matches("\\d{1,4}(\\.\\d)?[mg]")) {
      throw new ParseException("--rate is like 100m or 5.5g, not " + rate);
    }
    return rate;
  }

  /** The value of an option, which is a number from 1 to 9,999,999. */
  public static int number(CommandLine line, String name, int otherwise) throws ParseException {
    return number(line, name, otherwise, 1, 9_999_999);
  }

  /**
   * The value of an option, which is a number.
   *
   * @param otherwise where the option is not given
   * @throws ParseException if it is none, or not between the bounds
   */
  public static int number(CommandLine line, String name, int otherwise, int least, int most)
      throws ParseException {
    String value = line.getOptionValue(name, Integer.toString(otherwise));
    int number = value.matches("\\d{1,7}") ? Integer.parseInt(value) : -1;
    if (number < least || number > most) {
      throw new ParseException(
          "--" + name + " is a number from " + least + " to " + most + ", not " + value);
    }
    return number;
  }
}
