package io.karmi.benchmarks.measure;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.Test;

/** What a command says by a clock that the test sets. */
public class TimeLeftTest {
  private static final long SECOND = 1_000_000_000L;

  private long now = 7;

  @Test
  public void timeLeftIsThatOfTheStepsBeforeAndGrowsNotInSilence() {
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    TimeLeft left = new TimeLeft(new PrintStream(err, true), "bench", 100, () -> now);
    left.next("one");
    now += SECOND;
    left.next("two");
    now += 2 * SECOND;
    left.next("three");
    now += 27 * SECOND;
    left.next("four");
    assertThat(err.toString(StandardCharsets.UTF_8).lines())
        .containsExactly(
            "bench: 1 of 100, one",
            "bench: 3 of 100, three; about 2:27 min left",
            "bench: 4 of 100, four; about 16:10 min left, more than was said before");
  }

  @Test
  public void loadThatHasEndedIsForgotten() {
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    TimeLeft left = new TimeLeft(new PrintStream(err, true), "bench", 100, () -> now);
    for (int step = 1; step <= 41; step++) {
      left.next("step");
      now += (step <= 20 ? 60 : 2) * SECOND;
    }
    assertThat(err.toString(StandardCharsets.UTF_8).lines())
        .endsWith("bench: 41 of 100, step; about 2:00 min left");
  }
}
