package io.karmi.benchmarks.report;

import io.karmi.benchmarks.results.Cell;
import io.karmi.benchmarks.results.Conditions;
import io.karmi.benchmarks.results.Results;
import io.karmi.benchmarks.results.Statistics;
import io.karmi.benchmarks.stacks.Constellations;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** A run as the templates show it: words and numbers, ready to be printed. */
public final class Section {
  /** The stack that is the subject of the report. */
  private static final String OURS = "karmi-uka";

  private static final String FLOOR = "socket";
  private static final String UNKNOWN = "";

  private final String prefix;
  private final Results results;

  Section(String prefix, Results results) {
    this.prefix = prefix;
    this.results = results;
  }

  /**
   * What a stack saves over all constellations.
   *
   * @param paper what the paper says of its like
   */
  public record Saving(
      String title,
      String median,
      String mean,
      String least,
      String most,
      long faster,
      int of,
      String paper) {}

  /** One kernel on one stack. */
  public record Row(
      String kernel,
      boolean isFirst,
      String stack,
      String micros,
      String spread,
      String p99,
      String p99Spread,
      String saved,
      String timesFloor,
      String allocated,
      String cpu,
      String wire) {}

  /** A line of table 3: the kernel, then a cell per stack. */
  public record Line(String kernel, List<String> cells) {}

  /** A kernel for which another stack takes less time than ours. */
  public record Ahead(String kernel, String stack, String micros, String ours, String less) {}

  public Conditions getConditions() {
    return results.conditions();
  }

  public boolean isComplete() {
    return results.complete();
  }

  public List<Results.StackRow> getStacks() {
    return results.stacks();
  }

  public String getReference() {
    return results.reference().title();
  }

  public int getConstellations() {
    return results.kernels().size();
  }

  List<Picture> pictures() {
    return isDrawn() ? Pictures.of(prefix, results) : List.of();
  }

  /** Can pictures be drawn here? */
  public boolean isDrawn() {
    return Look.canDraw();
  }

  /** One sentence: what the subject of the report saves. */
  public String getHeadline() {
    for (Saving saving : getSavings()) {
      if (saving.title().equals(title(OURS))) {
        return "%s saves a median of %s of %s's time over %d kernels, and is faster on %d of them"
            .formatted(
                saving.title(), saving.median(), getReference(), saving.of(), saving.faster());
      }
    }
    return "%d kernels on %d stacks".formatted(results.kernels().size(), results.stacks().size());
  }

  /** A row per contestant. */
  public List<Saving> getSavings() {
    List<Saving> savings = new ArrayList<>();
    for (Results.StackRow stack : results.contestants()) {
      double[] saved = results.savedPercents(stack.name());
      if (saved.length > 0) {
        savings.add(
            new Saving(
                stack.title(),
                percent(Statistics.quantile(saved, 0.5)),
                percent(Statistics.mean(saved)),
                percent(Statistics.rank(saved, 0)),
                percent(Statistics.rank(saved, 1)),
                Arrays.stream(saved).filter(percent -> percent > 0).count(),
                saved.length,
                paper(stack.name())));
      }
    }
    return savings;
  }

  /** The paper's medians: 45 % over Ethernet, 85 % over a fast network (section 6.2). */
  private static String paper(String stack) {
    return switch (stack) {
      case OURS -> "45 %";
      case "karmi-shm", "karmi-ucx" -> "85 %";
      default -> UNKNOWN;
    };
  }

  /** Every cell, kernel by kernel. */
  public List<Row> getRows() {
    List<Row> rows = new ArrayList<>();
    for (String kernel : results.kernels()) {
      boolean first = true;
      for (Results.StackRow stack : results.stacks()) {
        Optional<Cell> cell = results.cell(kernel, stack.name());
        if (cell.isPresent()) {
          rows.add(row(stack, cell.get(), first));
          first = false;
        }
      }
    }
    return rows;
  }

  private Row row(Results.StackRow stack, Cell cell, boolean isFirst) {
    double floor = results.cell(cell.kernel(), FLOOR).map(Cell::calmMicros).orElse(Double.NaN);
    return new Row(
        cell.kernel(),
        isFirst,
        stack.title(),
        number(cell.calmMicros()),
        number(cell.spreadPercent(), 0),
        number(cell.calmP99Micros()),
        number(cell.p99SpreadPercent(), 0),
        stack.equals(results.reference())
            ? UNKNOWN
            : results.savedPercent(cell.kernel(), stack.name()).map(Section::percent).orElse(""),
        Double.isNaN(floor) ? UNKNOWN : number(cell.calmMicros() / floor, 2),
        cell.allocatedBytes() < 0 ? "?" : number(cell.allocatedBytes(), 0),
        cell.cpuNanos() < 0 ? "?" : number(cell.cpuNanos() / 1000),
        cell.wireBytes() < 0 ? "?" : number(cell.wireBytes(), 0));
  }

  /** The paper's table 3 with the stacks that were measured. */
  public List<Line> getTable3() {
    List<String> kernels = new ArrayList<>(Constellations.TABLE_3);
    kernels.addAll(List.of("paraffins", "paraffins on 2", "paraffins on 8", "sor"));
    List<Line> lines = new ArrayList<>();
    for (String kernel : kernels) {
      if (results.kernels().contains(kernel)) {
        lines.add(
            new Line(
                kernel, results.stacks().stream().map(stack -> table3(kernel, stack)).toList()));
      }
    }
    return lines;
  }

  private String table3(String kernel, Results.StackRow stack) {
    Optional<Cell> cell = results.cell(kernel, stack.name());
    if (cell.isEmpty()) {
      return "–";
    }
    String micros = number(cell.get().calmMicros());
    Optional<Double> saved = results.savedPercent(kernel, stack.name());
    return stack.equals(results.reference()) || stack.isFloor() || saved.isEmpty()
        ? micros
        : micros + " (" + percent(saved.get()) + ")";
  }

  /** Where another stack, or stock RMI, takes less time; the most first. */
  public List<Ahead> getAhead() {
    record Found(Ahead ahead, double less) {}
    List<Found> all = new ArrayList<>();
    for (Cell cell : results.cells()) {
      Optional<Cell> ours = results.cell(cell.kernel(), OURS);
      if (ours.isPresent() && !isFloor(cell) && cell.calmMicros() < ours.get().calmMicros()) {
        double less = 100 * (1 - cell.calmMicros() / ours.get().calmMicros());
        Ahead ahead =
            new Ahead(
                cell.kernel(),
                title(cell.stack()),
                number(cell.calmMicros()),
                number(ours.get().calmMicros()),
                percent(less));
        all.add(new Found(ahead, less));
      }
    }
    return all.stream()
        .sorted(Comparator.comparingDouble(Found::less).reversed())
        .map(Found::ahead)
        .toList();
  }

  private boolean isFloor(Cell cell) {
    return results.stacks().stream()
        .anyMatch(stack -> stack.isFloor() && stack.name().equals(cell.stack()));
  }

  private String title(String stack) {
    return results.stacks().stream()
        .filter(row -> row.name().equals(stack))
        .map(Results.StackRow::title)
        .findFirst()
        .orElse(stack);
  }

  private static String percent(double value) {
    return number(value, 0) + " %";
  }

  private static String number(double value) {
    return number(value, value < 1000 ? 1 : 0);
  }

  private static String number(double value, int digits) {
    String text = String.format(Locale.ROOT, "%." + digits + "f", value);
    return text.matches("-0(\\.0+)?") ? text.substring(1) : text;
  }
}
