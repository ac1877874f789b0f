package io.karmi.benchmarks.stacks;

import io.karmi.benchmarks.kernels.KernelClient;
import io.karmi.benchmarks.kernels.KernelServer;
import io.karmi.benchmarks.measure.Measurement;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Runs kernels on several stacks, interleaved, so that a machine that slows down for a while slows
 * down all of them.
 *
 * <p>A result that is not what stock RMI gave ends it: the speed of a wrong answer is not shown.
 */
public final class RmiBenchmark {
  /**
   * What to run.
   *
   * @param stacks in the order of the table
   * @param kernels names that {@link KernelClient} knows
   * @param rounds how often each stack runs
   * @param warmUpMillis per kernel
   * @param measureMillis per kernel
   */
  public record Plan(
      List<Stack> stacks, List<String> kernels, int rounds, long warmUpMillis, long measureMillis) {
    /** What the client's program is told, after the port. */
    List<String> clientArguments() {
      List<String> arguments = new ArrayList<>();
      arguments.add(Long.toString(warmUpMillis));
      arguments.add(Long.toString(measureMillis));
      arguments.addAll(kernels);
      return arguments;
    }
  }

  private final Plan plan;
  private final TwoJvms jvms;
  private final Consumer<String> progress;

  /**
   * @param progress told what is running, one line each
   */
  public RmiBenchmark(Plan plan, TwoJvms jvms, Consumer<String> progress) {
    this.plan = plan;
    this.jvms = jvms;
    this.progress = progress;
  }

  /**
   * Runs the plan.
   *
   * @return for each stack the measurements of all rounds, one after the other
   * @throws TwoJvms.RunFailedException if a run fails, or its results differ from stock RMI's
   */
  public Map<Stack, List<Measurement>> run() throws IOException, InterruptedException {
    Map<Stack, List<Measurement>> results = new EnumMap<>(Stack.class);
    int runs = plan.rounds() * plan.stacks().size();
    int run = 0;
    for (int round = 0; round < plan.rounds(); round++) {
      for (Stack stack : plan.stacks()) {
        progress.accept("run " + ++run + " of " + runs + ": " + stack.title());
        List<Measurement> measured =
            jvms.run(stack, KernelServer.class, KernelClient.class, plan.clientArguments());
        requireComplete(stack, measured);
        results.computeIfAbsent(stack, s -> new ArrayList<>()).addAll(measured);
        requireSameResults(stack, measured, results);
      }
    }
    return results;
  }

  private void requireComplete(Stack stack, List<Measurement> measured)
      throws TwoJvms.RunFailedException {
    List<String> names = measured.stream().map(Measurement::kernel).toList();
    if (!names.equals(plan.kernels())) {
      throw new TwoJvms.RunFailedException(
          stack.title() + " measured " + names + " instead of " + plan.kernels());
    }
  }

  private static void requireSameResults(
      Stack stack, List<Measurement> measured, Map<Stack, List<Measurement>> results)
      throws TwoJvms.RunFailedException {
    List<Measurement> reference = results.values().iterator().next();
    for (int i = 0; i < measured.size(); i++) {
      String expected = reference.get(i).observation();
      String observed = measured.get(i).observation();
      if (!observed.equals(expected)) {
        throw new TwoJvms.RunFailedException(
            "%s: %s gives another result than %s: %s, not %s"
                .formatted(
                    stack.title(),
                    measured.get(i).kernel(),
                    results.keySet().iterator().next().title(),
                    observed,
                    expected));
      }
    }
  }
}
