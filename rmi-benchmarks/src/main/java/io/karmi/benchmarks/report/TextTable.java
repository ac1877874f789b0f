package io.karmi.benchmarks.report;

import io.karmi.benchmarks.results.Results;
import java.io.IOException;
import java.util.Map;

/** {@link Results} for a terminal; the first line is what matters most. */
public final class TextTable {
  private TextTable() {}

  /** The whole table, lines ended. */
  public static String of(Results results) throws IOException {
    return of(results, false);
  }

  /**
   * The whole table, or what it comes to.
   *
   * @param brief without the kernels
   */
  public static String of(Results results, boolean brief) throws IOException {
    return Templates.fill("table.ftl", Map.of("section", new Section(results), "brief", brief));
  }
}
