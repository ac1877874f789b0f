package io.karmi.benchmarks.report;

import io.karmi.benchmarks.results.Cell;
import io.karmi.benchmarks.results.Results;
import io.karmi.benchmarks.stacks.Constellations;
import io.karmi.benchmarks.stacks.KernelName;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Chooses the pictures of a run. */
final class Pictures {
  private static final List<String> SIZES = List.of("50", "200", "500", "2000", "5000", "20000");
  private static final List<String> TYPES = List.of("byte", "int", "float");
  private static final List<String> WORKERS = List.of("1", "2", "4", "8");

  /** Lengths of messages; a kernel of messages has one of them behind it. */
  private static final List<String> LENGTHS = List.of("64 B", "1 KB", "64 KB", "1 MB");

  private static final String OF_MESSAGES = ", 1 sender";

  private Pictures() {}

  /** Those that have something to show. */
  static List<Picture> of(Results results) {
    List<Picture> all = new ArrayList<>();
    all.add(new SavedBoxes(results));
    all.add(new RelativeTimes(results, Constellations.TABLE_3));
    all.add(savedBySize(results));
    all.add(messages(results));
    for (String application : List.of("hamming", "paraffins", "sor")) {
      all.add(speedUp(results, application));
    }
    all.removeIf(Picture::isEmpty);
    return all;
  }

  private static Picture savedBySize(Results results) {
    Lines lines =
        new Lines(
            "figure-5",
            "Figure 5: percentage of time that "
                + results.subject().map(Results.StackRow::title).orElse("no stack of ours")
                + " saves, against the length of the array that obj ping(obj) carries.",
            "elements",
            "time saved, %",
            false,
            SIZES);
    for (String type : TYPES) {
      for (String kernel : results.kernels()) {
        KernelName name = new KernelName(kernel);
        if (name.arrayType().equals(type)) {
          results
              .subject()
              .flatMap(subject -> results.savedPercent(kernel, subject.name()))
              .ifPresent(
                  saved ->
                      lines.add(
                          type + "[n]",
                          TYPES.indexOf(type) + 1,
                          Integer.toString(name.arrayLength()),
                          saved));
        }
      }
    }
    return lines;
  }

  private static Picture messages(Results results) {
    Lines lines =
        new Lines(
            "messages",
            "Time per message from one thread, until the last one has arrived, against its length.",
            "length",
            "microseconds",
            true,
            LENGTHS);
    for (Results.StackRow stack : results.stacks()) {
      for (String length : LENGTHS) {
        results
            .cell(length + OF_MESSAGES, stack.name())
            .ifPresent(
                cell ->
                    lines.add(
                        stack.title(), results.stacks().indexOf(stack), length, cell.calmMicros()));
      }
    }
    return lines;
  }

  private static Picture speedUp(Results results, String application) {
    Lines lines =
        new Lines(
            "speed-up-" + application,
            "Speed-up of "
                + application
                + " over the number of worker JVMs, on each stack against"
                + " the same stack with one worker. The applications call far more than their problem"
                + " needs, and all workers share the processors of the hosts named above.",
            "workers",
            "times as fast as with one worker",
            false,
            WORKERS);
    for (Results.StackRow stack : results.stacks()) {
      Optional<Cell> alone = results.cell(application, stack.name());
      for (String workers : WORKERS) {
        Optional<Cell> together =
            workers.equals("1")
                ? alone
                : results.cell(application + " on " + workers, stack.name());
        if (alone.isPresent() && together.isPresent()) {
          double faster = alone.get().calmMicros() / together.get().calmMicros();
          lines.add(stack.title(), results.stacks().indexOf(stack), workers, faster);
        }
      }
    }
    return lines;
  }
}
