package io.karmi.benchmarks.stacks;

import io.karmi.benchmarks.measure.Measurement;
import io.karmi.benchmarks.measure.Task;
import io.karmi.benchmarks.results.Cell;
import io.karmi.benchmarks.results.Collector;
import io.karmi.benchmarks.results.RunFailedException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * Measures a {@link Unit}: the JVMs of its stacks live at the same time. First each stack is warmed
 * up with all kernels; these times do not count. Then, in each round, block of kernels by block,
 * one stack after the other, and in the next one the other way round. Rounds are short and many, so
 * that a machine that is slow for some seconds is slow for all stacks, and the calmest rounds do
 * not see it; {@link AwakeProcessors} keep the machine's sleep out of it.
 *
 * <p>A stack has a turn with a block of kernels, not with each: its two ends have slept until then,
 * and were perhaps woken on one processor. It is run for {@link Plan#settleMillis} first.
 */
final class RmiBenchmark {
  /** Callback at the end of a round. */
  @FunctionalInterface
  interface AfterRound {
    void save() throws IOException;
  }

  private final Plan plan;
  private final Unit unit;
  private final Place place;
  private final Collector collector;
  private final Progress progress;
  private final AfterRound afterRound;

  /** Of the warm-up: what was counted, and the result. */
  private final Map<Stack, Map<KernelName, Measurement>> counted = new EnumMap<>(Stack.class);

  RmiBenchmark(
      Plan plan,
      Unit unit,
      Place place,
      Collector collector,
      Progress progress,
      AfterRound afterRound) {
    this.plan = plan;
    this.unit = unit;
    this.place = place;
    this.collector = collector;
    this.progress = progress;
    this.afterRound = afterRound;
  }

  /**
   * Runs what is not done of it, once.
   *
   * @throws RunFailedException if a run fails, or its results differ from those of another stack
   */
  void run() throws IOException, InterruptedException {
    Map<Stack, Jvms> jvms = Jvms.start(unit.stacks(), place, unit.kernels().get(0));
    try {
      if (!unit.together()) {
        unit.kernels().forEach(kernel -> collector.apart(kernel.text()));
      }
      warmUp(jvms);
      for (int round = 0; round < unit.rounds(plan) && progress.fits(); round++) {
        if (!collector.isDone(unit.id(round))) {
          progress.round(round, unit.rounds(plan));
          measure(round, jvms);
          progress.roundEnded();
          collector.done(unit.id(round));
          afterRound.save();
        }
      }
      for (Jvms of : jvms.values()) {
        of.end();
      }
    } finally {
      jvms.values().forEach(Jvms::close);
    }
  }

  private void warmUp(Map<Stack, Jvms> jvms) throws IOException, InterruptedException {
    for (Map.Entry<Stack, Jvms> each : jvms.entrySet()) {
      Stack stack = each.getKey();
      Map<KernelName, Measurement> counts = new HashMap<>();
      counted.put(stack, counts);
      for (KernelName kernel : unit.kernels()) {
        if (stack.runs(kernel)) {
          Task task = plan.warmUp(nameFor(stack, kernel));
          counts.put(kernel, each.getValue().measure(task));
        }
      }
    }
  }

  /** One round. Every second round goes backwards, so that the order does not matter. */
  private void measure(int round, Map<Stack, Jvms> jvms) throws IOException, InterruptedException {
    List<Stack> stacks = new ArrayList<>(unit.stacks());
    List<KernelName> kernels = new ArrayList<>(unit.kernels());
    if (round % 2 == 1) {
      Collections.reverse(stacks);
      Collections.reverse(kernels);
    }
    for (int i = 0; i < kernels.size(); i += Plan.BLOCK) {
      List<KernelName> block = kernels.subList(i, Math.min(kernels.size(), i + Plan.BLOCK));
      for (Stack stack : stacks) {
        measure(stack, Objects.requireNonNull(jvms.get(stack)), block);
      }
    }
  }

  private void measure(Stack stack, Jvms jvms, List<KernelName> block)
      throws IOException, InterruptedException {
    boolean isFirst = true;
    for (KernelName kernel : block) {
      if (stack.runs(kernel)) {
        add(stack, kernel, jvms.measure(plan.task(nameFor(stack, kernel), isFirst)));
        isFirst = false;
      }
    }
  }

  private void add(Stack stack, KernelName kernel, Measurement measured) throws RunFailedException {
    if (!measured.kernel().equals(kernel.text())) {
      throw new RunFailedException(
          stack.title() + " measured " + measured.kernel() + " instead of " + kernel);
    }
    Measurement warm = Objects.requireNonNull(counted.get(stack)).get(kernel);
    collector.add(stack.optionName(), measured.withCountsOf(Objects.requireNonNull(warm)));
  }

  private KernelName nameFor(Stack stack, KernelName kernel) throws RunFailedException {
    return stack.isFloor() ? new KernelName(kernel + "=" + wireBytes(kernel)) : kernel;
  }

  /** What KaRMI sends there and back for this kernel, or stock RMI if KaRMI is not measured. */
  private String wireBytes(KernelName kernel) throws RunFailedException {
    for (Stack stack : List.of(Stack.KARMI_UKA, Stack.RMI)) {
      Measurement now = counted.getOrDefault(stack, Map.of()).get(kernel);
      if (now != null && now.sentBytes() >= 0) {
        return wireBytes(now.sentBytes(), now.receivedBytes());
      }
      Optional<Cell> before = collector.cell(kernel.text(), stack.optionName());
      if (before.isPresent() && before.get().sentBytes() >= 0) {
        return wireBytes(before.get().sentBytes(), before.get().receivedBytes());
      }
    }
    throw new RunFailedException(
        "a floor carries as many bytes as KaRMI or stock RMI: measure one of them, too; "
            + kernel
            + " has no count");
  }

  private static String wireBytes(double sent, double received) {
    return Math.round(sent) + "/" + Math.round(received);
  }
}
