package io.karmi.benchmarks.results;

import java.util.Arrays;
import java.util.SplittableRandom;

/** Quantiles, means and the confidence of a ratio. */
public final class Statistics {
  private static final int RESAMPLES = 2_000;
  private static final long SEED = 4711;

  private Statistics() {}

  /**
   * A ratio of two medians with the bounds of its 95 % confidence interval.
   *
   * @param value above 1 if the second is more
   */
  public record Ratio(double value, double low, double high) {
    /** Are the two different with 95 % confidence? */
    public boolean isCertain() {
      return low > 1 || high < 1;
    }
  }

  /** The quantile, interpolated between the two values beside it. */
  public static double quantile(double[] values, double part) {
    double[] sorted = sorted(values);
    double position = part * (sorted.length - 1);
    int below = (int) Math.floor(position);
    int above = (int) Math.ceil(position);
    return sorted[below] + (position - below) * (sorted[above] - sorted[below]);
  }

  /** The value in the middle, or between the two there. */
  public static double median(double... values) {
    return quantile(values, 0.5);
  }

  /** The smallest value that this part of the values does not exceed: the nearest rank. */
  public static double rank(double[] values, double part) {
    double[] sorted = sorted(values);
    return sorted[Math.max(1, (int) Math.ceil(part * sorted.length)) - 1];
  }

  public static double mean(double[] values) {
    return Arrays.stream(values).average().orElse(Double.NaN);
  }

  public static double geometricMean(double[] values) {
    return Math.exp(Arrays.stream(values).map(Math::log).average().orElse(Double.NaN));
  }

  /** By how much {@code later} is above {@code earlier}; the confidence is from resampling both. */
  public static Ratio ratio(double[] earlier, double[] later) {
    SplittableRandom random = new SplittableRandom(SEED);
    double[] ratios = new double[RESAMPLES];
    for (int i = 0; i < RESAMPLES; i++) {
      ratios[i] =
          quantile(resampled(later, random), 0.5) / quantile(resampled(earlier, random), 0.5);
    }
    return new Ratio(
        quantile(later, 0.5) / quantile(earlier, 0.5),
        quantile(ratios, 0.025),
        quantile(ratios, 0.975));
  }

  private static double[] resampled(double[] values, SplittableRandom random) {
    double[] drawn = new double[values.length];
    for (int i = 0; i < drawn.length; i++) {
      drawn[i] = values[random.nextInt(values.length)];
    }
    return drawn;
  }

  private static double[] sorted(double[] values) {
    if (values.length == 0) {
      throw new IllegalArgumentException("no values");
    }
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    return sorted;
  }
}
