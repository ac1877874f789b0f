package io.karmi.retrofit.jar;

import io.karmi.retrofit.rewrite.Outcome;
import java.io.PrintStream;
import org.jspecify.annotations.Nullable;

/** Counts what was done, and says it line by line where asked to. */
public final class Report {
  private final @Nullable PrintStream lines;
  private final PrintStream warnings;
  private final Progress progress;
  private int classes;
  private int changed;

  /**
   * A report.
   *
   * @param lines where each change is named, or null
   * @param warnings where what the user must know is said
   */
  public Report(@Nullable PrintStream lines, PrintStream warnings, Progress progress) {
    this.lines = lines;
    this.warnings = warnings;
    this.progress = progress;
  }

  /** Notes one class file. */
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
      say(place, remark);
    }
    progress.step(place, classes);
  }

  /** Notes something that is not about one class. */
  void say(String place, String text) {
    if (lines != null) {
      progress.clear();
      lines.println(place + ": " + text);
    }
  }

  /** Says what the user must know, asked or not. */
  void warn(String place, String text) {
    progress.clear();
    warnings.println(place + ": " + text);
  }

  /** How many class files were looked at. */
  public int classes() {
    return classes;
  }

  /** How many class files are new. */
  public int changed() {
    return changed;
  }
}
