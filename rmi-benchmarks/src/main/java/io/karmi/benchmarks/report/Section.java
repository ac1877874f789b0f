package io.karmi.benchmarks.report;

import io.karmi.benchmarks.measure.Percentiles;
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
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** A run as the templates show it: words and numbers, ready to be printed. */
public final class Section {
  /** Over the network that the peers use, too. */
  private static final String OURS_OVER_TCP = "karmi-uka";

  /** By the agent, which chooses the network. */
  private static final String OURS = "karmi";

  private static final String PAPER_ETHERNET = "45 %";
  private static final String PAPER_FAST_NETWORK = "85 %";

  private static final String FLOOR = "socket";
  private static final String UNKNOWN = "";

  private final Results results;

  Section(Results results) {
    this.results = results;
  }

  /**
   * What a stack saves over all constellations.
   *
   * @param range from the lower to the upper quartile, of the median call
   * @param p99Range the same of the 99th percentile
   * @param network what the calls went over
   * @param paper what the paper says of its like
   */
  public record Saving(
      String title,
      String range,
      String p99Range,
      String network,
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
      String p999,
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

  /** How many kernels and payloads of the whole collection the run has. */
  long ofTheCollection() {
    return Constellations.all().stream().filter(results.kernels()::contains).count();
  }

  /** Has the run each kernel and payload of the paper? */
  boolean hasAllOfThePaper() {
    return results.kernels().containsAll(Constellations.ofThePaper());
  }

  /** How many rounds each cell has. */
  IntStream rounds() {
    return results.cells().stream().mapToInt(cell -> cell.rounds().size());
  }

  /** Kernels whose stacks did not all live at the same time. */
  public List<String> getApart() {
    return results.apart();
  }

  List<Picture> pictures() {
    return isDrawn() ? Pictures.of(results) : List.of();
  }

  /** Can pictures be drawn here? */
  public boolean isDrawn() {
    return Look.canDraw();
  }

  /** One sentence: what the subject of the report saves. */
  public String getHeadline() {
    Optional<Results.StackRow> subject = results.subject();
    for (Saving saving : getSavings()) {
      if (subject.isPresent() && saving.title().equals(subject.get().title())) {
        return "%s saves %s of %s's time%s: the middle half of %s%s; it is faster on %d"
            .formatted(
                saving.title(),
                saving.range(),
                getReference(),
                subject.get().name().equals(OURS) ? " " + howFar() : "",
                counted(saving.of(), "kernel"),
                isOfSerialization() ? "" : ", " + saving.p99Range() + " at the 99th percentile",
                saving.faster());
      }
    }
    return counted(results.kernels().size(), "kernel")
        + " on "
        + counted(results.stacks().size(), "stack");
  }

  private static String counted(int number, String what) {
    return number + " " + what + (number == 1 ? "" : "s");
  }

  private String howFar() {
    return (results.conditions().hosts().isEmpty() ? "between JVMs on one host" : "between hosts")
        + ", with nothing changed but the agent";
  }

  /** Whether objects were turned to bytes and back, and nothing was called. */
  public boolean isOfSerialization() {
    return results.isOfSerialization();
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
                range(saved),
                range(results.savedPercents(stack.name(), Cell::calmP99Micros)),
                network(stack.name()),
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

  private static String range(double[] percents) {
    return "%.0f to %s"
        .formatted(
            Statistics.quantile(percents, 0.25), percent(Statistics.quantile(percents, 0.75)));
  }

  /** What the calls of a stack went over, where its title does not say it. */
  private String network(String stack) {
    boolean oneHost = results.conditions().hosts().isEmpty();
    return switch (stack) {
      case OURS ->
          oneHost ? "over what the agent chooses, shared memory on one host" : "between hosts";
      case OURS_OVER_TCP -> oneHost ? "over TCP on one host" : "over TCP between hosts";
      default -> oneHost ? "on one host" : "between hosts";
    };
  }

  /** The paper's medians: 45 % over Ethernet, 85 % over a fast network (section 6.2). */
  private String paper(String stack) {
    return switch (stack) {
      case OURS_OVER_TCP -> PAPER_ETHERNET;
      case "karmi-shm", "karmi-ucx" -> PAPER_FAST_NETWORK;
      case OURS -> results.conditions().hosts().isEmpty() ? PAPER_FAST_NETWORK : PAPER_ETHERNET;
      default -> UNKNOWN;
    };
  }

  /** Microseconds of a kernel's median call on a stack; a dash where there is none. */
  String micros(String kernel, String stack) {
    return results.cell(kernel, stack).map(cell -> number(cell.calmMicros())).orElse("–");
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
        number(cell.calm(Percentiles::p999)),
        stack.equals(results.reference())
            ? UNKNOWN
            : results.savedPercent(cell.kernel(), stack.name()).map(Section::percent).orElse(""),
        Double.isNaN(floor) ? UNKNOWN : number(cell.calmMicros() / floor, 2),
        cell.allocatedBytes() < 0 ? "?" : number(cell.allocatedBytes(), 0),
        cell.cpuNanos() < 0 ? "?" : number(cell.cpuNanos() / 1000),
        cell.wireBytes() < 0 ? "?" : number(cell.wireBytes(), 0));
  }

  /** The paper's table 3 with the stacks that were measured; of serialization, all kernels. */
  public List<Line> getTable3() {
    List<String> kernels = new ArrayList<>(Constellations.TABLE_3);
    kernels.addAll(List.of("paraffins", "paraffins on 2", "paraffins on 8", "sor"));
    if (isOfSerialization()) {
      kernels = results.kernels();
    }
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

  /** Where another stack takes less time than one of ours; the most first. */
  public List<Comparand> getComparands() {
    return Stream.of(OURS, OURS_OVER_TCP, "uka")
        .filter(name -> results.stacks().stream().anyMatch(stack -> stack.name().equals(name)))
        .map(name -> new Comparand(results.title(name), ahead(name)))
        .toList();
  }

  /** One of our stacks, and where another one takes less time. */
  public record Comparand(String title, List<Ahead> ahead) {}

  private List<Ahead> ahead(String subject) {
    return results.cells().stream()
        .filter(cell -> !isFloor(cell) && !isOursElsewhere(cell.stack()))
        .filter(cell -> less(cell, subject) > 0)
        .sorted(Comparator.comparingDouble(cell -> -less(cell, subject)))
        .map(
            cell ->
                new Ahead(
                    cell.kernel(),
                    results.title(cell.stack()),
                    number(cell.calmMicros()),
                    micros(cell.kernel(), subject),
                    percent(less(cell, subject))))
        .toList();
  }

  /** How much less time a cell takes than one of our stacks, in percent; 0 if there is none. */
  private double less(Cell cell, String subject) {
    return results
        .cell(cell.kernel(), subject)
        .map(ours -> 100 * (1 - cell.calmMicros() / ours.calmMicros()))
        .orElse(0.0);
  }

  /** KaRMI and UKA as they are, on another network or by another setting, or a pair of streams. */
  private static boolean isOursElsewhere(String stack) {
    return stack.startsWith("uka") || stack.startsWith("karmi") && !stack.equals("karmi-jdk");
  }

  private boolean isFloor(Cell cell) {
    return results.stacks().stream()
        .anyMatch(stack -> stack.isFloor() && stack.name().equals(cell.stack()));
  }

  private static String percent(double value) {
    return number(value, 0) + " %";
  }

  private static String number(double value) {
    return number(value, value < 1 ? 3 : value < 10 ? 2 : value < 1000 ? 1 : 0);
  }

  private static String number(double value, int digits) {
    String text = String.format(Locale.ROOT, "%." + digits + "f", value);
    return text.matches("-0(\\.0+)?") ? text.substring(1) : text;
  }
}
