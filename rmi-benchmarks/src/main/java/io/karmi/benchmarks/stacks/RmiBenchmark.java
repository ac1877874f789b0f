package io.karmi.benchmarks.stacks;

import io.karmi.benchmarks.measure.Measurement;
import io.karmi.benchmarks.results.Cell;
import io.karmi.benchmarks.results.Collector;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * Measures a {@link Unit}: the JVMs of its stacks live at the same time; in each round, kernel by
 * kernel, one stack after the other, and in the next one the other way round. Rounds are short and
 * many, so that a machine that is slow for some seconds is slow for all stacks, and the calmest
 * rounds do not see it; {@link AwakeProcessors} keep the machine's sleep out of it.
 */
final class RmiBenchmark {
  private final Plan plan;
  private final Unit unit;
  private final Place place;
  private final Collector collector;
  private final Progress progress;
  private final Map<Stack, Jvms> jvms = new EnumMap<>(Stack.class);

  RmiBenchmark(Plan plan, Unit unit, Place place, Collector collector, Progress progress) {
    this.plan = plan;
    this.unit = unit;
    this.place = place;
    this.collector = collector;
    this.progress = progress;
  }

  /**
   * Runs it, once.
   *
   * @throws RunFailedException if a run fails, or its results differ from those of another stack
   */
  void run() throws IOException, InterruptedException {
    try {
      for (Stack stack : unit.stacks()) {
        jvms.put(stack, Jvms.start(stack, place, unit.kernels().get(0)));
      }
      if (!unit.together()) {
        unit.kernels().forEach(kernel -> collector.apart(kernel.text()));
      }
      List<Stack> order = new ArrayList<>(unit.stacks());
      List<KernelName> kernels = new ArrayList<>(unit.kernels());
      long nextNanos = 0;
      for (int round = 0; round < unit.rounds(plan) && progress.fits(nextNanos); round++) {
        progress.round(round, unit.rounds(plan));
        long before = System.nanoTime();
        measure(round, kernels, order);
        nextNanos = nextNanos(round, System.nanoTime() - before);
        /* Who comes after whom must not matter: many threads leave the next kernel's apart. */
        Collections.reverse(order);
        Collections.reverse(kernels);
      }
      for (Jvms of : jvms.values()) {
        of.end();
      }
    } finally {
      jvms.values().forEach(Jvms::close);
    }
  }

  private long nextNanos(int round, long lastNanos) {
    KernelName any = unit.kernels().get(0);
    return lastNanos * plan.task(round + 1, any).millis() / plan.task(round, any).millis();
  }

  /** One round. */
  private void measure(int round, List<KernelName> kernels, List<Stack> order) throws IOException {
    for (KernelName kernel : kernels) {
      for (Stack stack : order) {
        if (stack.runs(kernel)) {
          KernelName name = nameFor(stack, kernel);
          Measurement measured =
              Objects.requireNonNull(jvms.get(stack)).measure(plan.task(round, name));
          add(stack, kernel, measured);
        }
      }
    }
  }

  private void add(Stack stack, KernelName kernel, Measurement measured) throws RunFailedException {
    if (!measured.kernel().equals(kernel.text())) {
      throw new RunFailedException(
          stack.title() + " measured " + measured.kernel() + " instead of " + kernel);
    }
    try {
      collector.add(stack.optionName(), measured);
    } catch (Collector.DifferentResultException e) {
      throw new RunFailedException(String.valueOf(e.getMessage()));
    }
  }

  private KernelName nameFor(Stack stack, KernelName kernel) throws RunFailedException {
    return stack.isFloor() ? new KernelName(kernel + "=" + wireBytes(kernel)) : kernel;
  }

  /** What KaRMI sends there and back for this kernel, or stock RMI if KaRMI is not measured. */
  private String wireBytes(KernelName kernel) throws RunFailedException {
    for (Stack stack : List.of(Stack.KARMI_UKA, Stack.RMI)) {
      Optional<Cell> cell = collector.cell(kernel.text(), stack.optionName());
      if (cell.isPresent() && cell.get().sentBytes() >= 0) {
        return Math.round(cell.get().sentBytes()) + "/" + Math.round(cell.get().receivedBytes());
      }
    }
    throw new RunFailedException(
        "a floor carries as many bytes as KaRMI or stock RMI: measure one of them, too; "
            + kernel
            + " has no count");
  }
}
