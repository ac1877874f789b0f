package io.karmi.stubgen.cli;

import io.karmi.cli.Command;
import io.karmi.cli.OneLine;
import io.karmi.stubgen.model.ClassFileException;
import io.karmi.stubgen.model.ClassPath;
import io.karmi.stubgen.model.Problem;
import java.io.IOException;
import java.io.PrintStream;
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
  private final PrintStream out;
  private final PrintStream err;

  Karmic(PrintStream out, PrintStream err) {
    this.out = out;
    this.err = err;
  }

  /** The command; ends the JVM only if it fails, as it may run in that of a build. */
  public static void main(String[] args) {
    int status = new Karmic(System.out, System.err).run(args);
    if (status != Command.DONE) {
      System.exit(status);
    }
  }

  /** Runs the command and returns its exit status. */
  int run(String... args) {
    return new Command("karmic", CommandLineOptions.HELP, out, err).run(this::work, args);
  }

  private int work(String... args) throws ParseException, IOException {
    CommandLineOptions options = CommandLineOptions.parse(args);
    for (String ignored : options.withoutEffect()) {
      err.println("karmic: " + ignored);
    }
    return compile(options);
  }

  private int compile(CommandLineOptions options) throws ParseException, IOException {
    CompilerOptions settings = options.settings();
    try (ClassPath files = new ClassPath(settings.classPath())) {
      StubCompiler compiler = new StubCompiler(settings, files);
      List<Problem> problems = compiler.compile();
      boolean failed = report(problems, options.wantsWarnings());
      if (failed) {
        return Command.FAILED;
      }
      List<Path> written = options.writes() ? compiler.write() : List.of();
      if (options.isVerbose()) {
        written.forEach(out::println);
      }
      return Command.DONE;
    } catch (ClassFileException | IllegalArgumentException e) {
      throw new IOException(OneLine.of(e), e);
    } catch (IndexOutOfBoundsException | NullPointerException | StackOverflowError e) {
      /* What a class file says of itself may be wrong in any way. */
      throw new IOException("a class file is broken: " + e, e);
    }
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
