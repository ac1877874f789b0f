package io.karmi.engines.flink;

import examples.spark.Order;
import io.karmi.benchmarks.measure.Measurement;
import io.karmi.engines.ProcessorTime;
import io.karmi.engines.Service;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.flink.api.common.JobExecutionResult;
import org.apache.flink.api.common.accumulators.LongCounter;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.functions.RichFlatMapFunction;
import org.apache.flink.api.common.functions.RichMapFunction;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.runtime.executiongraph.AccessExecutionGraph;
import org.apache.flink.runtime.executiongraph.AccessExecutionVertex;
import org.apache.flink.runtime.executiongraph.IOMetrics;
import org.apache.flink.runtime.jobgraph.JobGraph;
import org.apache.flink.runtime.minicluster.MiniCluster;
import org.apache.flink.runtime.minicluster.MiniClusterConfiguration;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;
import org.apache.flink.util.Collector;

/**
 * Records that move to the task of their key: two task managers of one slot each, in this JVM, and
 * Flink's network between them.
 *
 * <p>A task's thread serializes; it is its processor time that counts, from the opening to the
 * closing of its function. Bytes are those that Flink's metrics count.
 */
final class NetworkWorkload {
  private static final int SLOTS = 2;
  private static final long DEADLINE_SECONDS = 300;

  private static final String WRITE = "write";
  private static final String READ = "read";
  private static final String RECORDS = "records";
  private static final String SUM = "sum";

  private final Orders orders;
  private final FlinkSettings settings;
  private final MiniCluster cluster;

  NetworkWorkload(Orders orders, FlinkSettings settings) throws Exception {
    this.orders = orders;
    this.settings = settings;
    cluster =
        new MiniCluster(
            new MiniClusterConfiguration.Builder()
                .setConfiguration(settings.configuration())
                .setNumTaskManagers(SLOTS)
                .setNumSlotsPerTaskManager(1)
                .setCommonBindAddress("127.0.0.1")
                .withRandomPorts()
                .build());
    cluster.start();
  }

  List<Measurement> run() throws Exception {
    JobExecutionResult checked = cluster.executeJobBlocking(job(true));
    String seen = Orders.observation(value(checked, RECORDS), value(checked, SUM));
    orders.compare("flink network", seen);
    JobExecutionResult measured = cluster.executeJobBlocking(job(false));
    if (value(measured, RECORDS) != orders.count()) {
      throw new IllegalStateException(
          "flink network: " + value(measured, RECORDS) + " records, not " + orders.count());
    }
    return List.of(
        Service.measured("flink network: write", value(measured, WRITE), bytes(measured), seen),
        Service.measured("flink network: read", value(measured, READ), -1, seen));
  }

  private static long value(JobExecutionResult job, String name) {
    Long value = job.getAccumulatorResult(name);
    return value;
  }

  /** That the tasks have sent, by the metrics that the job manager keeps of them. */
  private long bytes(JobExecutionResult job) throws Exception {
    AccessExecutionGraph graph =
        cluster.getArchivedExecutionGraph(job.getJobID()).get(DEADLINE_SECONDS, TimeUnit.SECONDS);
    long bytes = 0;
    for (AccessExecutionVertex task : graph.getAllExecutionVertices()) {
      IOMetrics metrics = task.getCurrentExecutionAttempt().getIOMetrics();
      if (metrics == null) {
        throw new IllegalStateException(
            task.getTaskNameWithSubtaskIndex() + " has reported no metrics");
      }
      bytes += metrics.getNumBytesOut();
    }
    return bytes;
  }

  private JobGraph job(boolean checked) {
    StreamExecutionEnvironment flink =
        StreamExecutionEnvironment.getExecutionEnvironment(settings.configuration());
    flink.setParallelism(SLOTS);
    flink
        .fromSequence(0, orders.count() - 1L)
        .map(new Sender())
        .returns(settings.type())
        .keyBy(Order::customer, Types.STRING)
        .flatMap(new Receiver(checked))
        .returns(Types.LONG)
        .sinkTo(new DiscardingSink<>());
    return flink.getStreamGraph().getJobGraph();
  }

  /** Sends the record of a number. */
  private static final class Sender extends RichMapFunction<Long, Order> {
    private static final long serialVersionUID = 1;
    private final LongCounter nanos = new LongCounter();
    private transient Orders all;
    private transient long begin;

    @Override
    public void open(OpenContext context) {
      getRuntimeContext().addAccumulator(WRITE, nanos);
      all = Orders.made();
      begin = ProcessorTime.ofThread();
    }

    @Override
    public Order map(Long number) {
      return all.get(number.intValue());
    }

    @Override
    public void close() {
      nanos.add(ProcessorTime.ofThread() - begin);
    }
  }

  /** Counts what comes, and looks at it if the records are to be compared. */
  private static final class Receiver extends RichFlatMapFunction<Order, Long> {
    private static final long serialVersionUID = 1;
    private final boolean checked;
    private final LongCounter nanos = new LongCounter();
    private final LongCounter records = new LongCounter();
    private final LongCounter sum = new LongCounter();
    private transient long begin;

    Receiver(boolean checked) {
      this.checked = checked;
    }

    @Override
    public void open(OpenContext context) {
      getRuntimeContext().addAccumulator(READ, nanos);
      getRuntimeContext().addAccumulator(RECORDS, records);
      getRuntimeContext().addAccumulator(SUM, sum);
      begin = ProcessorTime.ofThread();
    }

    @Override
    public void flatMap(Order order, Collector<Long> out) {
      records.add(1L);
      if (checked) {
        sum.add(order.checksum());
      }
    }

    @Override
    public void close() {
      nanos.add(ProcessorTime.ofThread() - begin);
    }
  }

  /** Ends the cluster. */
  void stop() throws Exception {
    cluster.close();
  }
}
