package io.karmi.benchmarks.results;

import java.util.List;
import java.util.Optional;
import java.util.function.ToDoubleFunction;

/**
 * A run of the collection, complete or not.
 *
 * @param format of this file; {@link #FORMAT}
 * @param conditions where and how it was measured
 * @param stacks in the order of the tables; the first is what the others are compared with
 * @param cells one per kernel and stack, kernel by kernel
 * @param done the units of the run, and the rounds of units, that need not be measured again
 * @param complete whether all units are done
 * @param apart kernels whose stacks did not all live at the same time: groups of them, in turn
 */
public record Results(
    int format,
    Conditions conditions,
    List<StackRow> stacks,
    List<Cell> cells,
    List<String> done,
    boolean complete,
    List<String> apart) {
  /** The format that is written. */
  public static final int FORMAT = 1;

  private static final List<String> SUBJECTS = List.of("karmi", "karmi-uka", "uka");

  /** The plan of a run that turns objects to bytes and back, and calls nothing. */
  public static final String SERIALIZATION = "serialization";

  /** A file from before {@code apart} was written has none. */
  public Results {
    apart = apart == null ? List.of() : apart;
  }

  /**
   * A column of the report.
   *
   * @param name unique, such as {@code karmi-uka}
   * @param title for people
   * @param configuration how it was set up
   * @param isFloor it moves bytes and does nothing else: it saves nothing, and is no contestant
   */
  public record StackRow(String name, String title, String configuration, boolean isFloor) {}

  /** The title of the stack of a name; the name where there is none. */
  public String title(String stack) {
    return stacks.stream()
        .filter(row -> row.name().equals(stack))
        .map(StackRow::title)
        .findFirst()
        .orElse(stack);
  }

  /** The kernels, in the order of the cells. */
  public List<String> kernels() {
    return cells.stream().map(Cell::kernel).distinct().toList();
  }

  /** Whether it turned objects to bytes and back, instead of calling. */
  public boolean isOfSerialization() {
    return conditions.plan().equals(SERIALIZATION);
  }

  /** The stack that the others are compared with. */
  public StackRow reference() {
    return stacks.get(0);
  }

  /** The stacks that do the reference's work, without it. */
  public List<StackRow> contestants() {
    return stacks.stream().skip(1).filter(stack -> !stack.isFloor()).toList();
  }

  /**
   * The stack that a report is about: KaRMI by its agent alone, else KaRMI + UKA over TCP, else
   * UKA's streams; empty if none of them was measured.
   */
  public Optional<StackRow> subject() {
    return SUBJECTS.stream()
        .flatMap(name -> contestants().stream().filter(stack -> stack.name().equals(name)))
        .filter(stack -> savedPercents(stack.name()).length > 0)
        .findFirst();
  }

  /** What was measured for this kernel on this stack. */
  public Optional<Cell> cell(String kernel, String stack) {
    return cells.stream()
        .filter(cell -> cell.kernel().equals(kernel) && cell.stack().equals(stack))
        .findFirst();
  }

  /** What {@code stack} saves of the reference's time for this kernel, in percent. */
  public Optional<Double> savedPercent(String kernel, String stack) {
    return savedPercent(kernel, stack, Cell::calmMicros);
  }

  private Optional<Double> savedPercent(String kernel, String stack, ToDoubleFunction<Cell> time) {
    Optional<Cell> mine = cell(kernel, stack);
    Optional<Cell> other = cell(kernel, reference().name());
    if (mine.isEmpty() || other.isEmpty()) {
      return Optional.empty();
    }
    double reference = time.applyAsDouble(other.get());
    return Optional.of(100 * (reference - time.applyAsDouble(mine.get())) / reference);
  }

  /** What {@code stack} saves, for each kernel that both it and the reference ran. */
  public double[] savedPercents(String stack) {
    return savedPercents(stack, Cell::calmMicros);
  }

  /** The same of another time than that of the median call. */
  public double[] savedPercents(String stack, ToDoubleFunction<Cell> time) {
    return kernels().stream()
        .map(kernel -> savedPercent(kernel, stack, time))
        .flatMap(Optional::stream)
        .mapToDouble(saved -> saved)
        .toArray();
  }
}
