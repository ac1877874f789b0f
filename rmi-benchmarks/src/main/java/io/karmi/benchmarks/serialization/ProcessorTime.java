package io.karmi.benchmarks.serialization;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.util.Collection;
import java.util.List;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.infra.IterationParams;
import org.openjdk.jmh.profile.InternalProfiler;
import org.openjdk.jmh.results.AggregationPolicy;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.ScalarResult;

/**
 * The processor time of the JVM per operation, garbage collection included: what else runs on the
 * machine takes no part in it, as it does in the time that goes by.
 */
public final class ProcessorTime implements InternalProfiler {
  /** What the result is called. */
  static final String LABEL = "processor.time.norm";

  private final OperatingSystemMXBean process =
      (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
  private long nanosBefore;

  /** For JMH, which makes one in each fork. */
  public ProcessorTime() {}

  @Override
  public void beforeIteration(BenchmarkParams benchmark, IterationParams iteration) {
    nanosBefore = process.getProcessCpuTime();
  }

  @Override
  public Collection<ScalarResult> afterIteration(
      BenchmarkParams benchmark, IterationParams iteration, IterationResult result) {
    double nanos = process.getProcessCpuTime() - nanosBefore;
    long operations = Math.max(1, result.getMetadata().getAllOps());
    return List.of(new ScalarResult(LABEL, nanos / operations, "ns/op", AggregationPolicy.AVG));
  }

  @Override
  public String getDescription() {
    return "processor time of the JVM per operation";
  }
}
