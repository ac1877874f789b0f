package io.karmi.stubgen.cli;

import io.karmi.stubgen.model.ClassFileException;
import io.karmi.stubgen.model.ClassFiles;
import java.io.File;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.commons.cli.CommandLine;
import org.apache.commons.cli.DefaultParser;
import org.apache.commons.cli.Option;
import org.apache.commons.cli.Options;
import org.apache.commons.cli.ParseException;
import org.apache.commons.cli.help.HelpFormatter;
import org.apache.commons.cli.help.TextHelpAppendable;

/**
 * {@code karmic -d out -classpath … Interface-or-Implementation…}.
 *
 * <p>Exit status: 0 when all was written, 1 when a class is missing, not remote or cannot be
 * written, 2 when the command line is wrong.
 */
public final class Karmic {
  private static final String USAGE =
      "karmic [-d <directory>] [-classpath <path>] <interface or implementation class>...";

  private final PrintStream out;
  private final PrintStream err;

  Karmic(PrintStream out, PrintStream err) {
    this.out = out;
    this.err = err;
  }

  /** The command; ends the JVM. */
  public static void main(String[] args) {
    System.exit(new Karmic(System.out, System.err).run(args));
  }

  /** Runs the command and returns its exit status. */
  int run(String... args) {
    CommandLine line;
    try {
      line = new DefaultParser().parse(options(), args);
    } catch (ParseException e) {
      return wrongUsage(String.valueOf(e.getMessage()));
    }
    if (line.hasOption("help")) {
      return printHelp();
    }
    if (line.getArgList().isEmpty()) {
      return wrongUsage("no class named");
    }
    return compile(line);
  }

  private int compile(CommandLine line) {
    Path target = Path.of(line.getOptionValue("d", "."));
    try (ClassFiles files = new ClassFiles(classPath(line))) {
      StubCompiler compiler = new StubCompiler(files, target);
      for (String className : line.getArgList()) {
        for (Path file : compiler.compile(className)) {
          if (line.hasOption("verbose")) {
            out.println(file);
          }
        }
      }
      return 0;
    } catch (ClassFileException | IllegalArgumentException e) {
      err.println("karmic: " + e.getMessage());
    } catch (IOException e) {
      err.println("karmic: cannot write to " + target + ": " + e);
    }
    return 1;
  }

  private static List<Path> classPath(CommandLine line) {
    String fallback = System.getenv().getOrDefault("CLASSPATH", ".");
    List<Path> entries = new ArrayList<>();
    for (String entry : line.getOptionValue("classpath", fallback).split(File.pathSeparator, -1)) {
      entries.add(Path.of(entry.isEmpty() ? "." : entry));
    }
    return entries;
  }

  private int wrongUsage(String problem) {
    err.println("karmic: " + problem + "; usage: " + USAGE);
    return 2;
  }

  private int printHelp() {
    try {
      HelpFormatter.builder()
          .setHelpAppendable(new TextHelpAppendable(out))
          .setShowSince(false)
          .get()
          .printHelp(
              USAGE,
              "Writes KaRMI's stubs and skeletons ahead of time. Put the output on the class path"
                  + " of both sides: the runtime finds the classes by name and generates nothing.",
              options(),
              "",
              false);
      return 0;
    } catch (IOException e) {
      err.println("karmic: cannot print the help: " + e);
      return 1;
    }
  }

  private static Options options() {
    return new Options()
        .addOption(
            Option.builder("d")
                .hasArg()
                .argName("directory")
                .desc("where the class files go; by default here")
                .get())
        .addOption(
            Option.builder("cp")
                .longOpt("classpath")
                .hasArg()
                .argName("path")
                .desc("where the classes are; by default the CLASSPATH variable, or here")
                .get())
        .addOption("v", "verbose", false, "print the name of each file written")
        .addOption("h", "help", false, "print this");
  }
}
