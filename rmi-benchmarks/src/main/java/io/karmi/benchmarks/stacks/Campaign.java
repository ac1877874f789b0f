package io.karmi.benchmarks.stacks;

import io.karmi.benchmarks.results.Collector;
import io.karmi.benchmarks.results.Conditions;
import io.karmi.benchmarks.results.Machine;
import io.karmi.benchmarks.results.Results;
import io.karmi.benchmarks.results.ResultsFile;
import io.karmi.benchmarks.results.RunFailedException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A whole run: one {@link Unit} after the other, with its file written after each round, so that a
 * run that is stopped can go on.
 *
 * @param file of the results, which is read first; null for none
 * @param progress told what is running, one line each
 * @param keepsAwake whether processors are kept from sleeping between two messages
 * @param room what decides how many stacks live at the same time
 */
public record Campaign(
    Plan plan,
    Place place,
    @Nullable String file,
    Consumer<String> progress,
    boolean keepsAwake,
    MemoryForJvms room) {
  /** What is written to standard output is not read, nor written before the end. */
  public Campaign {
    file = ResultsFile.STANDARD_OUTPUT.equals(file) ? null : file;
  }

  /**
   * Runs what is not done yet.
   *
   * @param afresh also what is done
   * @throws RunFailedException if a run fails, or its results differ from those of another stack
   */
  public Results run(boolean afresh) throws IOException, InterruptedException {
    List<AwakeProcessors> awake = keepsAwake ? AwakeProcessors.start(place, progress) : List.of();
    try {
      boolean areAwake = keepsAwake && awake.stream().allMatch(AwakeProcessors::areAwake);
      Conditions conditions = conditions(areAwake);
      Optional<Results> earlier = afresh ? Optional.empty() : earlier(conditions);
      Collector collector =
          earlier.map(Collector::new).orElseGet(() -> new Collector(conditions, rows()));
      List<Unit> all = Unit.of(plan, room);
      List<Unit> open = all.stream().filter(unit -> !collector.isDone(unit.id())).toList();
      if (earlier.isPresent()) {
        int done = all.size() - open.size();
        progress.accept("going on with %s: %d parts are done".formatted(file, done));
      }
      if (!open.isEmpty()) {
        run(open, collector);
      }
      return save(collector, true);
    } finally {
      awake.forEach(AwakeProcessors::close);
    }
  }

  private void run(List<Unit> open, Collector collector) throws IOException, InterruptedException {
    Progress how = new Progress(plan, open, progress);
    for (Unit unit : open) {
      how.begin();
      new RmiBenchmark(plan, unit, place, collector, how, () -> save(collector, false)).run();
      collector.done(unit.id());
      save(collector, false);
    }
  }

  private Results save(Collector collector, boolean complete) throws IOException {
    Results results = collector.results(complete);
    if (file != null) {
      ResultsFile.write(results, file);
    }
    return results;
  }

  /** The file's run, if it was stopped and is of the same plan, sources and JDK. */
  private Optional<Results> earlier(Conditions now) throws IOException {
    if (file == null || !Files.exists(Path.of(file))) {
      return Optional.empty();
    }
    Results results;
    try {
      results = ResultsFile.read(Path.of(file));
    } catch (IOException e) {
      progress.accept("measuring everything: " + e.getMessage());
      return Optional.empty();
    }
    Conditions then = results.conditions();
    boolean same =
        then.plan().equals(now.plan())
            && then.commit().equals(now.commit())
            && then.processorsAwake() == now.processorsAwake()
            && then.jdk().equals(now.jdk())
            && then.machine().equals(now.machine());
    if (results.complete() || !same) {
      return Optional.empty();
    }
    return Optional.of(results);
  }

  private Conditions conditions(boolean awake) {
    return Machine.conditions(
        awake,
        place.hosts().hosts().stream().map(Hosts.Host::name).toList(),
        jvmOptions(),
        plan + " " + place.hosts() + " " + place.payloads(),
        plan.forks(),
        plan.rounds(),
        plan.warmUpMillis(),
        plan.measureMillis());
  }

  private List<String> jvmOptions() {
    List<String> options = new ArrayList<>(place.jvmOptions());
    plan.kernels().stream()
        .flatMap(kernel -> MemoryForJvms.jvmOptions(kernel).stream())
        .distinct()
        .forEach(option -> options.add("(before these, for more than two JVMs: " + option + ")"));
    return List.copyOf(options);
  }

  private List<Results.StackRow> rows() {
    return plan.stacks().stream()
        .map(
            stack ->
                new Results.StackRow(
                    stack.optionName(), stack.title(), stack.configuration(), stack.isFloor()))
        .toList();
  }
}
