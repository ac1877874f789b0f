package io.karmi.benchmarks.report;

import java.util.Locale;

/** A {@link Report} for a terminal. */
public final class TextTable {
  private static final String HEAD = "%-22s %-13s %9s %9s %7s %7s %12s %10s%n";
  private static final String LINE = "%-22s %-13s %9.1f %9.1f %7s %7s %12s %10s%n";

  private TextTable() {}

  /** The whole table, lines ended. */
  public static String of(Report report) {
    StringBuilder text = new StringBuilder();
    text.append(
        String.format(
            HEAD,
            "kernel",
            "stack",
            "median us",
            "p99 us",
            "saved",
            "x floor",
            "allocated B",
            "wire B"));
    for (String kernel : report.kernels()) {
      text.append("-".repeat(96)).append(System.lineSeparator());
      for (Report.Row row : report.rowsOf(kernel)) {
        boolean first = row.equals(report.rowsOf(kernel).get(0));
        text.append(
            String.format(
                Locale.ROOT,
                LINE,
                first ? kernel : "",
                row.stack(),
                row.medianMicros(),
                row.p99Micros(),
                first ? "" : percent(row.savedPercent()),
                times(row.timesFloor()),
                bytes(row.allocatedBytes()),
                bytes(row.wireBytes())));
      }
    }
    text.append("-".repeat(96)).append(System.lineSeparator());
    for (String stack : report.stacks().subList(1, report.stacks().size())) {
      text.append(
          String.format(
              "%s saves a median of %s over all kernels, and is faster on %d of %d%n",
              stack,
              percent(report.medianSavedPercent(stack)),
              report.rows().stream()
                  .filter(row -> row.stack().equals(stack) && row.savedPercent() > 0)
                  .count(),
              report.rows().stream().filter(row -> row.stack().equals(stack)).count()));
    }
    text.append(
        String.format(
            "per call, in a calm round (calmest eighth of %d, processors kept awake); allocated: client and server;"
                + " wire: both directions%n%s%n",
            report.rounds(), report.machine()));
    return text.toString();
  }

  static String percent(double value) {
    return String.format(Locale.ROOT, "%.0f %%", value);
  }

  static String times(double value) {
    return value < 0 ? "" : String.format(Locale.ROOT, "%.2f", value);
  }

  static String bytes(double value) {
    return value < 0 ? "?" : String.format(Locale.ROOT, "%.0f", value);
  }
}
