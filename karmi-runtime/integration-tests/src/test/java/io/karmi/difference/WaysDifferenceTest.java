package io.karmi.difference;

import static org.assertj.core.api.Assertions.assertThat;

import io.karmi.difference.programs.Callers;
import io.karmi.difference.programs.Collected;
import io.karmi.difference.programs.Copies;
import io.karmi.difference.programs.Exceptions;
import io.karmi.difference.programs.Exports;
import io.karmi.difference.programs.Failures;
import io.karmi.difference.programs.Filters;
import io.karmi.difference.programs.Leaks;
import io.karmi.difference.programs.Logged;
import io.karmi.difference.programs.Mixed;
import io.karmi.difference.programs.Program;
import java.util.ArrayList;
import java.util.List;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.junit.runners.Parameterized;
import org.junit.runners.Parameterized.Parameter;
import org.junit.runners.Parameterized.Parameters;

/** Both ends on KaRMI over each technology that every Linux has, chosen by its setting. */
@RunWith(Parameterized.class)
public class WaysDifferenceTest {
  @Parameter public String technology;

  @Parameter(1)
  public List<Class<? extends Program>> programs;

  /**
   * Those that see what a network carries: callers, copies, failures, leases, ports and filters.
   * Stubs, loaders, names, signatures and what is stored are above it, and the same over each.
   *
   * <p>Programs of a list share a JVM at each end; the last one halts its server.
   */
  static List<List<Class<? extends Program>>> programs() {
    return List.of(
        List.of(
            Exceptions.class,
            Exports.class,
            Callers.class,
            Copies.class,
            Filters.class,
            Mixed.class,
            Leaks.class,
            Logged.class,
            Failures.class),
        List.of(Collected.class));
  }

  /** Each technology with each list of programs. */
  @Parameters(name = "{0}, {1}")
  public static List<Object[]> all() {
    List<Object[]> all = new ArrayList<>();
    for (String technology : List.of("tcp", "uds", "shm")) {
      programs().forEach(each -> all.add(new Object[] {technology, each}));
    }
    return all;
  }

  @Test
  public void programsSeeTheSameOverTheTechnology() throws Exception {
    String names = technology.equals("tcp") ? technology : technology + ",tcp";
    Side side = Side.KARMI.with("-Dkarmi.technologies=" + names);
    assertThat(Run.over(technology, side, programs)).isEqualTo(Run.onStock(programs));
  }
}
