package io.karmi.cli;

import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The skeleton of a command. Each has {@code --help} or {@code -h}, {@code --version} and {@code
 * --trace}; it ends with {@link #DONE}, {@link #FAILED} or {@link #MISUSED}, and says what is wrong
 * in one line, with {@code --trace} in a stack trace behind it. Immutable.
 *
 * <p>It names no class of Commons CLI: that is relocated in {@code karmi.jar}, and not in the jar
 * of the benchmarks, which use this one.
 */
public final class Command {
  /** Exit status: all was done. */
  public static final int DONE = 0;

  /** Exit status: something failed. */
  public static final int FAILED = 1;

  /** Exit status: the command line is wrong. */
  public static final int MISUSED = 2;

  private static final String TRACE = "--trace";

  /** The bits of a file's mode that say what it is, S_IFMT of POSIX. */
  private static final int FILE_TYPE = 0xF000;

  /** S_IFIFO. */
  private static final int PIPE = 0x1000;

  private final String name;
  private final String help;
  private final PrintStream out;
  private final PrintStream err;

  /** Simple name of what Commons CLI throws for a wrong command line. */
  private static final String MISUSE = "ParseException";

  /** The work of a command. */
  @FunctionalInterface
  public interface Work {
    /**
     * Does it.
     *
     * @param arguments all but those that each command has
     * @return the exit status
     * @throws Exception an {@link IllegalArgumentException} or Commons CLI's {@code ParseException}
     *     if the command line is wrong
     */
    int run(String... arguments) throws Exception;
  }

  /**
   * A command.
   *
   * @param name begins each of its lines of errors
   * @param help is printed as it is
   */
  public Command(String name, String help, PrintStream out, PrintStream err) {
    this.name = name;
    this.help = help;
    this.out = out;
    this.err = err;
  }

  /**
   * Does the work, unless help or version is asked for; returns the exit status. What could not be
   * printed is a failure, too: a full disk leaves a file with a part of it, or with none. A pipe
   * whose reader has seen enough is none.
   */
  public int run(Work work, String... arguments) {
    int status = done(work, arguments);
    if (status == DONE && out.checkError() && !(out == System.out && isPipe())) {
      err.println(name + ": cannot write to standard output; its disk may be full");
      return FAILED;
    }
    return status;
  }

  private static boolean isPipe() {
    try {
      int mode = (int) Files.getAttribute(Path.of("/dev/stdout"), "unix:mode");
      return (mode & FILE_TYPE) == PIPE;
    } catch (IOException | RuntimeException e) {
      return false; // a system without such files
    }
  }

  private int done(Work work, String... arguments) {
    List<String> rest = new ArrayList<>(List.of(arguments));
    boolean traced = rest.removeIf(TRACE::equals);
    if (rest.contains("--help") || rest.contains("-h")) {
      out.print(help.endsWith("\n") ? help : help + "\n");
      return DONE;
    }
    if (rest.contains("--version")) {
      out.println(Version.text());
      return DONE;
    }
    try {
      return work.run(rest.toArray(new String[0]));
    } catch (Exception | OutOfMemoryError e) {
      return failed(e, traced);
    }
  }

  /** Says what has failed, and returns the exit status. */
  private int failed(Throwable problem, boolean traced) {
    boolean misused = isMisuse(problem);
    err.println(name + ": " + text(problem) + (misused ? "; see " + name + " --help" : ""));
    if (traced) {
      problem.printStackTrace(err);
    }
    if (problem instanceof InterruptedException) {
      Thread.currentThread().interrupt();
    }
    return misused ? MISUSED : FAILED;
  }

  private static boolean isMisuse(Throwable problem) {
    if (problem instanceof InvalidPathException) {
      return false; // found in a folder, too, by a JVM whose locale lacks its letters
    }
    for (Class<?> type = problem.getClass(); type != null; type = type.getSuperclass()) {
      if (type == IllegalArgumentException.class || type.getSimpleName().equals(MISUSE)) {
        return true;
      }
    }
    return false;
  }

  private static String text(Throwable problem) {
    if (problem instanceof OutOfMemoryError) {
      return "out of memory; set JAVA_TOOL_OPTIONS=-Xmx2g or more";
    }
    boolean expected =
        problem instanceof UncheckedIOException
            || problem instanceof IllegalArgumentException
            || problem instanceof Exception && !(problem instanceof RuntimeException);
    return expected
        ? OneLine.of(problem)
        : problem.getClass().getSimpleName()
            + ": "
            + OneLine.of(problem)
            + " (--trace shows where)";
  }
}
