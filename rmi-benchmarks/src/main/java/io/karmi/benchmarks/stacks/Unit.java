package io.karmi.benchmarks.stacks;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A part of a run: the kernels for which one start of each stack's JVMs will do. A run that was
 * stopped goes on with the first unit that is not done, and with the first of its rounds that is
 * not.
 *
 * @param fork from 1 on
 * @param pass of the fork, from 1 on
 * @param passes of the fork: in each the JVMs are started again for a part of the rounds
 * @param kernels that need as many JVMs as each other
 * @param stacks whose JVMs live at the same time, and which are measured in turn
 * @param together whether these are all stacks that run the kernels
 */
record Unit(
    int fork,
    int pass,
    int passes,
    List<KernelName> kernels,
    List<Stack> stacks,
    boolean together) {
  /** Smallest number of turns of each group of stacks, if not all can live at the same time. */
  private static final int MINIMUM_TURNS = 2;

  /** They start at the same time, as many as there are processors. */
  private static final long JVM_START_MILLIS = 400;

  /** What kernels of one unit have in common. */
  private record Needs(int servers, int clients, List<String> options) {
    int jvms() {
      return servers + clients;
    }
  }

  /** All units of a plan on this machine. */
  static List<Unit> of(Plan plan) {
    return of(plan, MemoryForJvms.ofThisMachine());
  }

  /** All units of a plan: fork by fork, so that the machine's drift meets all stacks. */
  static List<Unit> of(Plan plan, MemoryForJvms room) {
    Map<Needs, List<KernelName>> byNeeds = new LinkedHashMap<>();
    for (KernelName kernel : plan.kernels()) {
      Needs needs = new Needs(kernel.servers(), kernel.clients(), kernel.jvmOptions());
      byNeeds.computeIfAbsent(needs, key -> new ArrayList<>()).add(kernel);
    }
    List<Unit> units = new ArrayList<>();
    for (int fork = 1; fork <= plan.forks(); fork++) {
      for (Map.Entry<Needs, List<KernelName>> alike : byNeeds.entrySet()) {
        int most = room.stacks(alike.getKey().jvms());
        addTurns(plan, fork, alike.getValue(), most, units);
      }
    }
    return units;
  }

  /** Groups of stacks that cannot live together have their turns: A B C A B C. */
  private static void addTurns(
      Plan plan, int fork, List<KernelName> kernels, int mostStacks, List<Unit> units) {
    List<Stack> stacks =
        plan.stacks().stream().filter(stack -> kernels.stream().anyMatch(stack::runs)).toList();
    List<List<Stack>> groups = alikeParts(stacks, mostStacks);
    boolean together = groups.size() == 1;
    int passes = together || plan.forks() >= MINIMUM_TURNS ? 1 : MINIMUM_TURNS;
    for (int pass = 1; pass <= passes; pass++) {
      for (List<Stack> group : groups) {
        units.add(new Unit(fork, pass, passes, kernels, group, together));
      }
    }
  }

  /** As few parts as possible, whose sizes differ by one at most. */
  private static <T> List<List<T>> alikeParts(List<T> all, int most) {
    int number = (all.size() + most - 1) / most;
    List<List<T>> parts = new ArrayList<>();
    for (int i = 0; i < number; i++) {
      parts.add(all.subList(all.size() * i / number, all.size() * (i + 1) / number));
    }
    return parts;
  }

  /** Unique in a plan, and the same whenever it is made on a machine of this memory. */
  String id() {
    String which = stacks.size() == 1 ? stacks.get(0).title() : stacks.size() + " stacks";
    if (!together && stacks.size() > 1) {
      which = stacks.get(0).title() + " to " + stacks.get(stacks.size() - 1).title();
    }
    String more = kernels.size() == 1 ? "" : " and " + (kernels.size() - 1) + " more";
    String turn = passes == 1 ? "" : ", pass %d of %d".formatted(pass, passes);
    return "fork %d: %s%s on %s%s".formatted(fork, kernels.get(0), more, which, turn);
  }

  /** The name of a round that is done; rounds are counted from 0 on. */
  String id(int round) {
    return id() + ", round " + (round + 1);
  }

  /** At most: a pass has its part of the plan's rounds, and one at least. */
  int rounds(Plan plan) {
    return (plan.rounds() + passes - 1) / passes;
  }

  /** Of all of it, probably. */
  long plannedMillis(Plan plan) {
    return startMillis(plan) + roundMillis(plan) * plan.plannedRounds(passes);
  }

  /** Until its first round begins, probably. */
  long startMillis(Plan plan) {
    long jvms = (long) stacks.size() * (kernels.get(0).servers() + kernels.get(0).clients());
    return cells() * plan.warmUpMillisPerCell() + jvms * JVM_START_MILLIS;
  }

  /** Of one round, probably. */
  long roundMillis(Plan plan) {
    return cells() * plan.roundMillisPerCell();
  }

  private long cells() {
    return stacks.stream().mapToLong(each -> kernels.stream().filter(each::runs).count()).sum();
  }
}
