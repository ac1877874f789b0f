package io.karmi.benchmarks.options;

import io.karmi.cli.Command;
import java.io.PrintStream;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.commons.cli.CommandLine;
import org.apache.commons.cli.DefaultParser;
import org.apache.commons.cli.Options;
import org.apache.commons.cli.ParseException;

/**
 * A command of {@code karmi-bench}. Its options are those of its help.
 *
 * @param name the word behind {@code karmi-bench}
 * @param help without the exit status
 * @param hasFiles whether files may stand behind the options
 */
public record Subcommand(String name, String help, boolean hasFiles, Work work) {
  /** The work of a command. */
  @FunctionalInterface
  public interface Work {
    /**
     * Does it.
     *
     * @return the exit status
     * @throws Exception a {@link ParseException} if the command line is wrong
     */
    int run(CommandLine line, PrintStream out, PrintStream err) throws Exception;
  }

  /** The end of the help. */
  private static final String EXIT_STATUS =
      "\n\nexit status: 0 done, 1 a run failed or a result was wrong, 2 wrong usage.\n";

  /** A value has an equals sign or a space before it, and then a name in capitals. */
  private static final Pattern OPTION = Pattern.compile("[\\[| ]--([a-z-]+)(=| [A-Z]+\\b)?");

  /** A command that takes options only. */
  public Subcommand(String name, String help, Work work) {
    this(name, help, false, work);
  }

  /** The options, each as it is mentioned first. */
  public Options options() {
    Options options = new Options();
    Matcher mentioned = OPTION.matcher(help);
    while (mentioned.find()) {
      if (!options.hasLongOption(mentioned.group(1))) {
        options.addOption(null, mentioned.group(1), mentioned.group(2) != null, null);
      }
    }
    return options;
  }

  /**
   * Runs it.
   *
   * @return 0, 1 for a run that failed, 2 for a command line that makes no sense
   */
  public int run(String[] arguments, PrintStream out, PrintStream err) {
    return new Command("karmi-bench " + name, help.stripTrailing() + EXIT_STATUS, out, err)
        .run(
            rest -> {
              CommandLine line = new DefaultParser().parse(options(), rest);
              if (!hasFiles && !line.getArgList().isEmpty()) {
                throw new ParseException("unexpected " + line.getArgList().get(0));
              }
              return work.run(line, out, err);
            },
            arguments);
  }
}
