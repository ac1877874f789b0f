package io.karmi.benchmarks.serialization;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.Collection;
import java.util.List;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.infra.IterationParams;
import org.openjdk.jmh.profile.InternalProfiler;
import org.openjdk.jmh.results.AggregationPolicy;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.ScalarResult;

/**
 * The processor time of the program per operation: what else runs on the machine takes no part in
 * it, as it does in the time that goes by.
 *
 * <p>Collecting garbage is not in it, as that takes the longer the busier the other processors are;
 * how much is allocated stands beside it.
 */
public final class ProcessorTime implements InternalProfiler {
  /** Label of the result. */
  static final String LABEL = "processor.time.norm";

  private final ThreadMXBean threads = ManagementFactory.getThreadMXBean();
  private long nanosBefore;

  /** For JMH, which makes one in each fork. */
  public ProcessorTime() {}

  @Override
  public void beforeIteration(BenchmarkParams benchmark, IterationParams iteration) {
    nanosBefore = nanos();
  }

  @Override
  public Collection<ScalarResult> afterIteration(
      BenchmarkParams benchmark, IterationParams iteration, IterationResult result) {
    double nanos = nanos() - nanosBefore;
    long operations = Math.max(1, result.getMetadata().getAllOps());
    return List.of(new ScalarResult(LABEL, nanos / operations, "ns/op", AggregationPolicy.AVG));
  }

  private long nanos() {
    long sum = 0;
    for (long id : threads.getAllThreadIds()) {
      sum += Math.max(0, threads.getThreadCpuTime(id)); // −1: it has ended meanwhile
    }
    return sum;
  }

  @Override
  public String getDescription() {
    return "processor time of the program's threads per operation";
  }
}
