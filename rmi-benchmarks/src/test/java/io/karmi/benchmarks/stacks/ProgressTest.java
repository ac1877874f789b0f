package io.karmi.benchmarks.stacks;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.Test;

/** What a run says of the time left, by a clock that the test sets. */
public class ProgressTest {
  /** Milliseconds of a start, and of a round, of two JVMs and one cell. */
  private static final long START = 150 + 1500 + 2 * 400;

  private static final long ROUND = 1200;

  private final List<String> lines = new ArrayList<>();
  private long now = 11;

  /** A fork of one kernel on one stack, so often. */
  private Progress progress(int forks, int rounds, long budgetSeconds) {
    List<KernelName> kernels = List.of(new KernelName("ping()"));
    Plan plan = new Plan(List.of(Stack.RMI), kernels, forks, rounds, 1000, 0, 1000, budgetSeconds);
    return new Progress(plan, Unit.of(plan), lines::add, () -> now);
  }

  private void pass(long millis) {
    now += TimeUnit.MILLISECONDS.toNanos(millis);
  }

  /** Runs a unit whose start and rounds take a multiple of what is planned. */
  private void run(Progress progress, int rounds, int start, int round) {
    progress.begin();
    pass(start * START);
    for (int i = 0; i < rounds && progress.fits(); i++) {
      progress.round(i, rounds);
      pass(round * ROUND);
      progress.roundEnded();
    }
  }

  private Stream<String> left() {
    return lines.stream().map(line -> line.replaceFirst(".*; ", ""));
  }

  @Test
  public void startsAndRoundsAreEachLeftAtTheirOwnPace() {
    Progress progress = progress(2, 5, 10_000);
    run(progress, 5, 10, 1);
    run(progress, 5, 10, 1);
    // Planned: 2 * (2.45 + 5 * 1.2) s = 16.9 s. Starts take 24.5 s, rounds what is planned.
    assertThat(left())
        .containsExactly(
            "0:00 min so far, about 0:17 min left",
            // no round is known: at the pace of the start
            "0:25 min so far, about 2:25 min left, more than was said before",
            "0:26 min so far, about 0:35 min left",
            "0:27 min so far, about 0:34 min left",
            "0:28 min so far, about 0:33 min left",
            "0:29 min so far, about 0:32 min left",
            "0:31 min so far, about 0:31 min left",
            "0:55 min so far, about 0:06 min left",
            "0:56 min so far, about 0:05 min left",
            "0:57 min so far, about 0:04 min left",
            "0:59 min so far, about 0:02 min left",
            "1:00 min so far, about 0:01 min left");
  }

  @Test
  public void loadThatHasEndedIsForgotten() {
    Progress progress = progress(1, 100, 10_000);
    progress.begin();
    pass(START);
    for (int i = 0; i < 50; i++) {
      progress.round(i, 100);
      pass(i < 20 ? 10 * ROUND : ROUND);
      progress.roundEnded();
    }
    progress.round(50, 100);
    assertThat(left()).last().isEqualTo("4:38 min so far, about 1:00 min left");
  }

  @Test
  public void whatMustRunIsLeftAlsoWhereTheBudgetIsUsedUp() {
    Progress progress = progress(3, 50, 60);
    run(progress, 50, 20, 20); // 49 s, then rounds of 24 s: one must be
    run(progress, 50, 20, 20);
    run(progress, 50, 20, 20);
    assertThat(left().toList())
        .startsWith("0:00 min so far, about 1:00 min left")
        .endsWith(
            "1:13 min so far, about 2:26 min left",
            "2:02 min so far, about 1:37 min left",
            "2:26 min so far, about 1:13 min left",
            "3:15 min so far, about 0:24 min left");
  }
}
