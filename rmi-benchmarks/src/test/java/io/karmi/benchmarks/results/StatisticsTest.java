package io.karmi.benchmarks.results;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.Test;

public class StatisticsTest {
  @Test
  public void theMedianIsTheMiddleOne() {
    assertThat(Statistics.median(3, 1, 100)).isEqualTo(3);
    assertThat(Statistics.median(3, 1, 100, 5)).isEqualTo(4);
  }

  @Test
  public void quantilesLieBetweenTheirNeighbours() {
    double[] values = {4, 1, 3, 2, 5};
    assertThat(Statistics.quantile(values, 0.5)).isEqualTo(3);
    assertThat(Statistics.quantile(values, 0.1)).isCloseTo(1.4, within(1e-9));
    assertThat(Statistics.quantile(new double[] {7}, 0.9)).isEqualTo(7);
  }

  @Test
  public void ranksAreValues() {
    double[] values = {95, 10, 90, 20, 90, 70, 91, 92, 93};
    assertThat(Statistics.rank(values, 1 / 8.0)).as("second of nine").isEqualTo(20);
    assertThat(Statistics.rank(values, 0)).isEqualTo(10);
    assertThat(Statistics.rank(values, 1)).isEqualTo(95);
  }

  @Test
  public void aDifferenceThatIsLargerThanTheNoiseIsCertain() {
    double[] earlier = {10, 11, 10, 12, 10, 11};
    double[] later = {15, 16, 15, 17, 16, 15};
    Statistics.Ratio ratio = Statistics.ratio(earlier, later);
    assertThat(ratio.value()).isCloseTo(1.476, within(0.001));
    assertThat(ratio.low()).isBetween(1.2, ratio.value());
    assertThat(ratio.high()).isBetween(ratio.value(), 1.8);
    assertThat(ratio.isCertain()).isTrue();
  }

  @Test
  public void aDifferenceWithinTheNoiseIsNot() {
    double[] earlier = {10, 20, 12, 18, 11, 19};
    double[] later = {11, 19, 13, 20, 12, 17};
    assertThat(Statistics.ratio(earlier, later).isCertain()).isFalse();
  }

  @Test
  public void theConfidenceOfTheSameNumbersIsTheSame() {
    double[] earlier = {10, 20, 12};
    double[] later = {11, 19, 13};
    assertThat(Statistics.ratio(earlier, later)).isEqualTo(Statistics.ratio(earlier, later));
  }
}
