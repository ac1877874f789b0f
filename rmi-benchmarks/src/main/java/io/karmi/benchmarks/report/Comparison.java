package io.karmi.benchmarks.report;

import io.karmi.benchmarks.results.Cell;
import io.karmi.benchmarks.results.Results;
import io.karmi.benchmarks.results.Statistics;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * Two runs, kernel by kernel: the ratio of the rounds' medians, later by earlier.
 *
 * @param sameMachine whether both were made on the same kind of machine
 */
public record Comparison(List<Line> lines, List<Summary> summaries, boolean sameMachine) {
  /**
   * A kernel on a stack.
   *
   * @param verdict {@code slower}, {@code faster}, or empty where the two are not certainly
   *     different
   */
  public record Line(
      String kernel,
      String stack,
      String earlier,
      String later,
      String ratio,
      String low,
      String high,
      String verdict,
      double value) {}

  /** All kernels of a stack. */
  public record Summary(
      String stack, String geometricMean, int kernels, long slower, long faster) {}

  private static final String SLOWER = "slower";
  private static final String FASTER = "faster";

  /** Compares what both have. */
  public static Comparison of(Results earlier, Results later) {
    List<Line> lines = new ArrayList<>();
    for (Cell after : later.cells()) {
      Optional<Cell> before = earlier.cell(after.kernel(), after.stack());
      before.ifPresent(cell -> lines.add(line(cell, after, later.title(after.stack()))));
    }
    List<Summary> summaries = new ArrayList<>();
    for (Results.StackRow stack : later.stacks()) {
      List<Line> mine = lines.stream().filter(line -> line.stack().equals(stack.title())).toList();
      if (!mine.isEmpty()) {
        summaries.add(summary(stack.title(), mine));
      }
    }
    boolean same =
        earlier.conditions().machine().equals(later.conditions().machine())
            && earlier.conditions().processors() == later.conditions().processors();
    return new Comparison(lines, summaries, same);
  }

  private static Line line(Cell before, Cell after, String stack) {
    Statistics.Ratio ratio = Statistics.ratio(before.medianMicros(), after.medianMicros());
    String verdict = ratio.isCertain() ? (ratio.value() > 1 ? SLOWER : FASTER) : "";
    return new Line(
        after.kernel(),
        stack,
        number(Statistics.quantile(before.medianMicros(), 0.5), 1),
        number(Statistics.quantile(after.medianMicros(), 0.5), 1),
        number(ratio.value(), 2),
        number(ratio.low(), 2),
        number(ratio.high(), 2),
        verdict,
        ratio.value());
  }

  private static Summary summary(String stack, List<Line> lines) {
    return new Summary(
        stack,
        number(Statistics.geometricMean(lines.stream().mapToDouble(Line::value).toArray()), 3),
        lines.size(),
        lines.stream().filter(line -> line.verdict().equals(SLOWER)).count(),
        lines.stream().filter(line -> line.verdict().equals(FASTER)).count());
  }

  /** The whole as text. */
  public String toText() throws IOException {
    return Templates.fill("comparison.ftl", Map.of("comparison", this));
  }

  private static String number(double value, int digits) {
    return String.format(Locale.ROOT, "%." + digits + "f", value);
  }
}
