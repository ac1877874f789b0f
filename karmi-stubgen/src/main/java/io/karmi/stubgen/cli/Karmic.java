package io.karmi.stubgen.cli;

import io.karmi.cli.OneLine;
import io.karmi.cli.Version;
import io.karmi.stubgen.model.ClassFileException;
import io.karmi.stubgen.model.ClassPath;
import io.karmi.stubgen.model.Problem;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import org.apache.commons.cli.ParseException;

/**
 * {@code karmic -d out -classpath … Interface-or-Implementation…}.
 *
 * <p>Exit status: 0 when all was written, 1 when a class is missing, not remote or cannot be
 * written, 2 when the command line is wrong.
 */
public final class Karmic {
  private static final int DONE = 0;
  private static final int FAILED = 1;
  private static final int MISUSED = 2;

  private final PrintStream out;
  private final PrintStream err;

  Karmic(PrintStream out, PrintStream err) {
    this.out = out;
    this.err = err;
  }

  /** The command; ends the JVM only if it fails, as it may run in that of a build. */
  public static void main(String[] args) {
    int status = new Karmic(System.out, System.err).run(args);
    if (status != DONE) {
      System.exit(status);
    }
  }

  /** Runs the command and returns its exit status. */
  int run(String... args) {
    if (args.length == 1 && args[0].equals("--version")) {
      out.println(Version.text());
      return DONE;
    }
    try {
      CommandLineOptions options = CommandLineOptions.parse(args);
      if (options.wantsHelp()) {
        out.print(CommandLineOptions.HELP);
        return DONE;
      }
      for (String ignored : options.withoutEffect()) {
        err.println("karmic: " + ignored);
      }
      return compile(options);
    } catch (ParseException | InvalidPathException e) {
      err.println("karmic: " + OneLine.of(e) + "; see karmic --help");
      return MISUSED;
    }
  }

  private int compile(CommandLineOptions options) throws ParseException {
    CompilerOptions settings = options.settings();
    try (ClassPath files = new ClassPath(settings.classPath())) {
      StubCompiler compiler = new StubCompiler(settings, files);
      List<Problem> problems = compiler.compile();
      boolean failed = report(problems, options.wantsWarnings());
      if (failed) {
        return FAILED;
      }
      List<Path> written = options.writes() ? compiler.write() : List.of();
      if (options.isVerbose()) {
        written.forEach(out::println);
      }
      return DONE;
    } catch (ClassFileException | IllegalArgumentException e) {
      err.println("karmic: " + OneLine.of(e));
    } catch (IOException e) {
      err.println("karmic: " + OneLine.of(e));
    } catch (IndexOutOfBoundsException | NullPointerException | StackOverflowError e) {
      /* What a class file says of itself may be wrong in any way. */
      err.println("karmic: a class file is broken: " + e);
    }
    return FAILED;
  }

  /** Says all problems; true if one is an error. */
  private boolean report(List<Problem> problems, boolean warnings) {
    boolean failed = false;
    for (Problem problem : problems) {
      if (problem.isError() || warnings) {
        err.println(problem);
      }
      failed |= problem.isError();
    }
    return failed;
  }
}
