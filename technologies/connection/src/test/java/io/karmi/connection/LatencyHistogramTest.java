package io.karmi.connection;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.Test;

/** What is told of times that were counted. */
public class LatencyHistogramTest {
  @Test
  public void percentilesAreAtMostA32ndTooLong() {
    Random random = new Random(7);
    LatencyHistogram histogram = new LatencyHistogram();
    long[] times = new long[100_000];
    for (int i = 0; i < times.length; i++) {
      times[i] = (long) Math.exp(random.nextDouble() * 25);
      histogram.record(i, times[i]);
    }
    Arrays.sort(times);
    for (double share : new double[] {0.001, 0.5, 0.9, 0.99, 0.999, 1}) {
      long right = times[(int) Math.ceil(times.length * share) - 1];
      assertThat(histogram.percentile(share))
          .as("percentile %s", share)
          .isBetween(right, right + right / 32);
    }
    assertThat(histogram.maximum()).isEqualTo(times[times.length - 1]);
  }

  @Test
  public void timesOutOfRangeCountAtItsEnds() {
    LatencyHistogram histogram = new LatencyHistogram();
    assertThat(histogram.percentile(0.5)).as("of none").isZero();
    histogram.record(0, -5);
    assertThat(histogram.percentile(0.5)).isZero();
    for (int i = 0; i < 9; i++) {
      histogram.record(i, Long.MAX_VALUE);
    }
    assertThat(histogram.maximum()).isEqualTo(Long.MAX_VALUE);
    assertThat(histogram.percentile(0.9)).isGreaterThanOrEqualTo((1L << 42) - 1);
  }

  @Test
  public void nothingIsLostWhereThreadsRecordAtTheSameTime() throws Exception {
    LatencyHistogram histogram = new LatencyHistogram();
    List<Thread> threads = new ArrayList<>();
    for (int t = 0; t < 8; t++) {
      long nanos = t < 4 ? 10 : 20;
      Thread thread =
          new Thread(
              () -> {
                for (int i = 0; i < 100_000; i++) {
                  histogram.record(1, nanos);
                }
              });
      threads.add(thread);
      thread.start();
    }
    for (Thread each : threads) {
      each.join();
    }
    assertThat(histogram.percentile(0.5)).isEqualTo(10);
    assertThat(histogram.percentile(0.500002)).isEqualTo(20);
  }

  @Test
  public void recordingAllocatesNothing() {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    LatencyHistogram histogram = new LatencyHistogram();
    long id = Thread.currentThread().getId();
    histogram.record(0, 1);
    threads.getThreadAllocatedBytes(id);
    long before = threads.getThreadAllocatedBytes(id);
    for (int i = 0; i < 100_000; i++) {
      histogram.record(i, i * 37L);
    }
    assertThat(threads.getThreadAllocatedBytes(id) - before).isLessThan(10_000);
  }
}
