package io.karmi.benchmarks.options;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import org.apache.commons.cli.CommandLine;
import org.apache.commons.cli.ParseException;

/** Values of options of {@code karmi-bench}. */
public final class CommandLines {
  private CommandLines() {}

  /**
   * The words of an option, separated by commas.
   *
   * @param otherwise where the option is not given
   * @throws ParseException if one of them is not known
   */
  public static List<String> listed(
      CommandLine line, String option, String otherwise, Collection<String> known)
      throws ParseException {
    List<String> listed = List.of(line.getOptionValue(option, otherwise).split(","));
    for (String each : listed) {
      if (!known.contains(each)) {
        String all = String.join(", ", known);
        throw new ParseException("--" + option + " is of " + all + ", not " + each);
      }
    }
    return listed;
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
