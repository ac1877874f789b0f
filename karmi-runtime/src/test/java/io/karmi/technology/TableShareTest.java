package io.karmi.technology;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.Test;

/** What connections keep for their peers, each and all together. */
public class TableShareTest {
  private static final long FREE = TableShare.FREE_BYTES;

  private final TableBudget budget = new TableBudget(100);
  private final TableShare one = new TableShare(budget);
  private final TableShare other = new TableShare(budget);

  @Test
  public void firstBytesOfEachAreFree() {
    assertThat(one.keep(FREE)).isTrue();
    assertThat(other.keep(FREE)).isTrue();
    assertThat(budget.takenBytes()).isZero();
  }

  @Test
  public void whatIsBeyondIsBoundedForAllTogether() {
    assertThat(one.keep(FREE + 60)).isTrue();
    assertThat(other.keep(FREE + 41)).isFalse();
    assertThat(other.keep(FREE + 40)).as("nothing is kept of what was refused").isTrue();
    assertThat(budget.takenBytes()).isEqualTo(100);
    assertThat(one.keep(1)).isFalse();
  }

  @Test
  public void whatIsLetGoMakesRoom() {
    assertThat(one.keep(FREE + 100)).isTrue();
    assertThat(one.keep(-FREE)).isTrue();
    assertThat(budget.takenBytes()).isZero();
    assertThat(other.keep(FREE + 100)).isTrue();
  }

  @Test
  public void closedConnectionTakesNothingAnyMore() {
    assertThat(one.keep(FREE + 100)).isTrue();
    one.close();
    assertThat(budget.takenBytes()).isZero();
    assertThat(one.keep(1000)).isTrue();
    assertThat(one.keep(-FREE)).isTrue();
    one.close();
    assertThat(budget.takenBytes()).isZero();
  }
}
