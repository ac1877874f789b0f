package io.karmi.retrofit.jar;

import io.karmi.cli.OneLine;
import io.karmi.retrofit.rewrite.Outcome;
import java.io.PrintStream;
import org.jspecify.annotations.Nullable;

/** Counter of class files, and log of what was done to each, if asked for. */
public final class Report {
  private final @Nullable PrintStream lines;
  private final PrintStream warnings;
  private final Progress progress;
  private int classes;
  private int changed;

  /**
   * A report.
   *
   * @param lines gets a line for each change; may be null
   * @param warnings gets what the user must know
   */
  public Report(@Nullable PrintStream lines, PrintStream warnings, Progress progress) {
    this.lines = lines;
    this.warnings = warnings;
    this.progress = progress;
  }

  /** Counts one class file, and logs its changes. */
  void add(String place, Outcome outcome) {
    classes++;
    if (outcome.isChanged()) {
      changed++;
    }
    for (String change : outcome.changes()) {
      say(place, change);
    }
    String remark = outcome.remark();
    if (remark != null) {
      warn(place, remark);
    }
    progress.step(place, classes);
  }

  /** Logs a line, if asked for. */
  void say(String place, String text) {
    if (lines != null) {
      progress.clear();
      lines.println(OneLine.printable(place + ": " + text));
    }
  }

  /** Prints what the user must know, asked for or not. */
  void warn(String place, String text) {
    progress.clear();
    warnings.println(OneLine.printable(place + ": " + text));
  }

  /** The number of class files that were read. */
  public int classes() {
    return classes;
  }

  /** The number of class files that were changed. */
  public int changed() {
    return changed;
  }
}
