package io.karmi.benchmarks.results;

import io.karmi.benchmarks.measure.Percentiles;
import java.util.ArrayList;
import java.util.List;

/** Invented results, for the tests of what is made of them. */
public final class SampleResults {
  private static final List<Results.StackRow> STACKS =
      List.of(
          new Results.StackRow("rmi", "stock RMI", "as it comes", false),
          new Results.StackRow("rmi-uka", "RMI + UKA", "patched <&>", false),
          new Results.StackRow("karmi-uka", "KaRMI + UKA", "by the agent", false),
          new Results.StackRow("dirmi", "Dirmi", "by hand", false),
          new Results.StackRow("socket", "raw socket", "as many bytes", true));

  private SampleResults() {}

  public static Conditions conditions(String date) {
    return new Conditions(
        date,
        "abc",
        "a machine <&>",
        2,
        true,
        List.of(),
        "JDK 17",
        List.of(),
        "plan",
        1,
        9,
        400,
        100);
  }

  /** Every kind of kernel, on five stacks; times are multiples of {@code factor}. */
  public static Results of(String date, double factor) {
    List<Cell> cells = new ArrayList<>();
    List<String> kernels =
        new ArrayList<>(
            List.of("ping()", "ping(int, int)", "ping(32 int)", "ping(tree(15))", "ping() x16"));
    for (String type : List.of("byte", "int", "float")) {
      for (int length : new int[] {50, 200, 500, 2000, 5000, 20000}) {
        kernels.add("ping(" + type + "[" + length + "])");
      }
    }
    for (String application : List.of("hamming", "paraffins", "sor")) {
      kernels.add(application);
      for (int workers : new int[] {2, 4, 8}) {
        kernels.add(application + " on " + workers);
      }
    }
    for (int i = 0; i < kernels.size(); i++) {
      for (int stack = 0; stack < STACKS.size(); stack++) {
        double[] shares = {1, 0.9, 0.5 + i % 9 * 0.04, i == 2 ? 0.3 : 0.8, 0.3};
        cells.add(cell(kernels.get(i), stack, factor * (40 + i) * shares[stack]));
      }
    }
    return new Results(Results.FORMAT, conditions(date), STACKS, cells, List.of(), true, List.of());
  }

  /** The same with the agent's choice of the network, which saves 80 % everywhere. */
  public static Results withAgentAlone(String date) {
    Results results = of(date, 1);
    List<Results.StackRow> stacks = new ArrayList<>(results.stacks());
    stacks.add(3, new Results.StackRow("karmi", "KaRMI", "the agent alone", false));
    List<Cell> cells = new ArrayList<>(results.cells());
    for (Cell cell : results.cells()) {
      if (cell.stack().equals("rmi")) {
        cells.add(cell(cell.kernel(), "karmi", cell.calmMicros() * 0.2));
      }
    }
    return new Results(
        Results.FORMAT, results.conditions(), stacks, cells, List.of(), true, List.of());
  }

  /** The same with a peer that takes 300 times as long as stock RMI. */
  public static Results withSlowPeer(String date) {
    Results results = of(date, 1.2);
    List<Cell> cells = new ArrayList<>();
    for (Cell cell : results.cells()) {
      boolean isSlow = cell.stack().equals("dirmi");
      cells.add(isSlow ? cell(cell.kernel(), "dirmi", cell.calmMicros() * 300) : cell);
    }
    return new Results(
        Results.FORMAT, results.conditions(), results.stacks(), cells, List.of(), true, List.of());
  }

  /** Objects to bytes and back: no calls. */
  public static Results ofSerialization() {
    Conditions of = conditions("2026-11-03T00:00:00Z");
    Conditions conditions =
        new Conditions(
            of.date(),
            of.commit(),
            of.machine(),
            2,
            false,
            List.of(),
            of.jdk(),
            List.of(),
            Results.SERIALIZATION,
            3,
            5,
            1500,
            300);
    List<Results.StackRow> stacks =
        List.of(
            new Results.StackRow("jdk", "JDK", "a pair of streams", false),
            new Results.StackRow("uka", "UKA", "a stream each way", false),
            new Results.StackRow("fst", "FST", "fst-3.jar: --add-opens=some/thing", false));
    List<Cell> cells = new ArrayList<>();
    for (String kernel : List.of("serialize(MEDIA)", "deserialize(MEDIA)")) {
      cells.add(cell(kernel, "jdk", 4));
      cells.add(cell(kernel, "uka", 0.4));
      cells.add(cell(kernel, "fst", 0.25));
    }
    return new Results(Results.FORMAT, conditions, stacks, cells, List.of(), true, List.of());
  }

  private static Cell cell(String kernel, int stack, double micros) {
    return cell(kernel, STACKS.get(stack).name(), micros);
  }

  private static Cell cell(String kernel, String stack, double micros) {
    List<Percentiles> rounds = new ArrayList<>();
    for (int round = 0; round < 9; round++) {
      double nanos = micros * (1000 + round * 5);
      rounds.add(new Percentiles(nanos, nanos * 1.2, nanos * 2, nanos * 5));
    }
    return new Cell(
        kernel, stack, rounds, 1000, 30_000, 60, 40, stack.equals("socket") ? "" : "same");
  }
}
