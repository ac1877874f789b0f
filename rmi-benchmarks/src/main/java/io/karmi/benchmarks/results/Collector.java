package io.karmi.benchmarks.results;

import io.karmi.benchmarks.measure.Measurement;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Gathers the measurements of a run.
 *
 * <p>A result that another stack did not give is refused: the speed of a wrong answer is not shown.
 * Not thread-safe.
 */
public final class Collector {
  private final Conditions conditions;
  private final Map<String, Results.StackRow> stacks = new LinkedHashMap<>();
  private final Map<String, Map<String, Cell>> byKernel = new LinkedHashMap<>();
  private final List<String> done = new ArrayList<>();
  private final Set<String> apart = new LinkedHashSet<>();

  /** For a run that begins. */
  public Collector(Conditions conditions, List<Results.StackRow> stacks) {
    this.conditions = conditions;
    stacks.forEach(stack -> this.stacks.put(stack.name(), stack));
  }

  /** For a run that goes on where {@code earlier} was stopped. */
  public Collector(Results earlier) {
    this(earlier.conditions(), earlier.stacks());
    for (Cell cell : earlier.cells()) {
      cells(cell.kernel()).put(cell.stack(), cell);
    }
    done.addAll(earlier.done());
    apart.addAll(earlier.apart());
  }

  /**
   * Adds a measurement.
   *
   * @throws RunFailedException if its observation is not what the other stacks gave
   */
  public void add(String stack, Measurement measured) throws RunFailedException {
    Map<String, Cell> cells = cells(measured.kernel());
    requireSameResult(stack, measured, cells);
    Cell before = cells.get(stack);
    cells.put(stack, before == null ? Cell.of(stack, measured) : before.with(measured));
  }

  private void requireSameResult(String stack, Measurement measured, Map<String, Cell> others)
      throws RunFailedException {
    if (isFloor(stack)) {
      return;
    }
    for (Cell other : others.values()) {
      if (!isFloor(other.stack()) && !other.observation().equals(measured.observation())) {
        throw new RunFailedException(
            "%s: %s gives another result than %s: %s, not %s"
                .formatted(
                    title(stack),
                    measured.kernel(),
                    title(other.stack()),
                    measured.observation(),
                    other.observation()));
      }
    }
  }

  /** What was measured so far for this kernel on this stack. */
  public Optional<Cell> cell(String kernel, String stack) {
    return Optional.ofNullable(cells(kernel).get(stack));
  }

  /** Notes that this unit, or this round of one, need not be measured again. */
  public void done(String part) {
    done.add(part);
  }

  /** Notes that the stacks of this kernel do not all live at the same time. */
  public void apart(String kernel) {
    apart.add(kernel);
  }

  public boolean isDone(String part) {
    return done.contains(part);
  }

  /** All that there is. */
  public Results results(boolean complete) {
    List<Cell> cells = new ArrayList<>();
    for (Map<String, Cell> ofKernel : byKernel.values()) {
      for (String stack : stacks.keySet()) {
        Cell cell = ofKernel.get(stack);
        if (cell != null) {
          cells.add(cell);
        }
      }
    }
    return new Results(
        Results.FORMAT,
        conditions,
        List.copyOf(stacks.values()),
        cells,
        List.copyOf(done),
        complete,
        List.copyOf(apart));
  }

  private Map<String, Cell> cells(String kernel) {
    return byKernel.computeIfAbsent(kernel, k -> new LinkedHashMap<>());
  }

  private boolean isFloor(String stack) {
    Results.@Nullable StackRow row = stacks.get(stack);
    return row != null && row.isFloor();
  }

  private String title(String stack) {
    Results.@Nullable StackRow row = stacks.get(stack);
    return row == null ? stack : row.title();
  }
}
