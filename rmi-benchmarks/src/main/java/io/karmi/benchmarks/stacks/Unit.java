package io.karmi.benchmarks.stacks;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A part of a run: kernels for which one start of each stack's JVMs will do. A run that was stopped
 * begins again with the first unit that is not done.
 *
 * @param fork from 1 on
 * @param kernels that need as many JVMs as each other
 * @param stacks whose JVMs live at the same time, and which are measured in turn
 */
record Unit(int fork, List<KernelName> kernels, List<Stack> stacks) {
  /** Kernels per unit: what is lost by stopping. */
  private static final int MOST_KERNELS = 24;

  /** JVMs that may live at once, so that memory is no matter. */
  private static final int MOST_JVMS = 28;

  private static final long JVM_START_MILLIS = 700;

  /** What kernels of one unit have in common. */
  private record Needs(int servers, int clients, List<String> options) {}

  /** All units of a plan: fork by fork, so that the machine's drift meets all stacks. */
  static List<Unit> of(Plan plan) {
    Map<Needs, List<KernelName>> byNeeds = new LinkedHashMap<>();
    for (KernelName kernel : plan.kernels()) {
      Needs needs = new Needs(kernel.servers(), kernel.clients(), kernel.jvmOptions());
      byNeeds.computeIfAbsent(needs, key -> new ArrayList<>()).add(kernel);
    }
    List<Unit> units = new ArrayList<>();
    for (int fork = 1; fork <= plan.forks(); fork++) {
      for (List<KernelName> alike : byNeeds.values()) {
        for (int i = 0; i < alike.size(); i += MOST_KERNELS) {
          List<KernelName> kernels = alike.subList(i, Math.min(alike.size(), i + MOST_KERNELS));
          addStacks(fork, kernels, plan.stacks(), units);
        }
      }
    }
    return units;
  }

  /** Stacks that cannot live together are measured one after the other, fork by fork in turn. */
  private static void addStacks(
      int fork, List<KernelName> kernels, List<Stack> all, List<Unit> units) {
    List<Stack> stacks =
        all.stream().filter(stack -> kernels.stream().anyMatch(stack::runs)).toList();
    int each = kernels.get(0).servers() + kernels.get(0).clients();
    if (each * stacks.size() <= MOST_JVMS) {
      units.add(new Unit(fork, kernels, stacks));
    } else {
      stacks.forEach(stack -> units.add(new Unit(fork, kernels, List.of(stack))));
    }
  }

  /** Unique in a plan, and the same whenever it is made. */
  String id() {
    String which = stacks.size() == 1 ? stacks.get(0).title() : stacks.size() + " stacks";
    String more = kernels.size() == 1 ? "" : " and " + (kernels.size() - 1) + " more";
    return "fork %d: %s%s on %s".formatted(fork, kernels.get(0), more, which);
  }

  long plannedMillis(Plan plan) {
    long cells = 0;
    long jvms = 0;
    for (Stack stack : stacks) {
      cells += kernels.stream().filter(stack::runs).count();
      jvms += kernels.get(0).servers() + kernels.get(0).clients();
    }
    return cells * plan.millisPerCell() + jvms * JVM_START_MILLIS;
  }
}
