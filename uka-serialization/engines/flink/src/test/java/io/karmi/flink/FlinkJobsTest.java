package io.karmi.flink;

import static org.assertj.core.api.Assertions.assertThat;

import examples.flink.Query;
import io.karmi.kit.Deadline;
import java.io.Serializable;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.apache.flink.api.common.JobID;
import org.apache.flink.api.common.JobStatus;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.functions.RichMapFunction;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.java.typeutils.GenericTypeInfo;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.core.execution.SavepointFormatType;
import org.apache.flink.runtime.jobgraph.JobGraph;
import org.apache.flink.runtime.jobgraph.SavepointRestoreSettings;
import org.apache.flink.runtime.minicluster.MiniCluster;
import org.apache.flink.runtime.minicluster.MiniClusterConfiguration;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;
import org.junit.AfterClass;
import org.junit.BeforeClass;
import org.junit.ClassRule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** Flink itself in this JVM, with generic types on its own serializer and on UKA. */
public class FlinkJobsTest {
  @ClassRule public static final TemporaryFolder FOLDER = new TemporaryFolder();

  private static final int ORDERS = 1_000;
  private static final int EVENTS = 200_000;
  private static final long DEADLINE_SECONDS = 300;

  /** The one line of configuration. */
  private static final Map<String, String> ONE_LINE =
      Map.of(
          "pipeline.serialization-config",
          "[java.io.Serializable: {type: kryo, kryo-type: default, class:"
              + " io.karmi.flink.UkaKryoSerializer}]");

  /** The same for classes that do not change. */
  private static final Map<String, String> SLIM_LINE =
      Map.of(
          "pipeline.serialization-config",
          "[java.io.Serializable: {type: kryo, kryo-type: default, class:"
              + " io.karmi.flink.UkaSlimKryoSerializer}]");

  private static final Map<String, String> TYPED =
      Map.of(
          "pipeline.serialization-config",
          "[examples.flink.LineItem: {type: typeinfo, class: io.karmi.flink.UkaTypeInfoFactory},"
              + " examples.flink.Totals: {type: typeinfo, class:"
              + " io.karmi.flink.UkaTypeInfoFactory}]");

  /** What the job's sink has seen last, by key. */
  private static final Map<Integer, Sum> SEEN = new ConcurrentHashMap<>();

  /** Lets the job's source finish. */
  private static volatile boolean hurrying;

  private static final int TASK_MANAGERS = 2;

  private static MiniCluster cluster;

  /** Index of the oldest task manager that runs: those that were terminated keep theirs. */
  private static int oldest;

  /** State of a generic type. Immutable. */
  static final class Sum implements Serializable {
    private static final long serialVersionUID = 1;
    final int key;
    final long total;
    final List<String> last;

    Sum(int key, long total, List<String> last) {
      this.key = key;
      this.total = total;
      this.last = last;
    }

    Sum plus(long value) {
      return new Sum(key, total + value, new ArrayList<>(List.of("value " + value)));
    }
  }

  @BeforeClass
  public static void startCluster() throws Exception {
    Configuration configuration = new Configuration();
    configuration.setString("rest.bind-address", "127.0.0.1");
    configuration.setString("rest.address", "127.0.0.1");
    configuration.setString("heartbeat.interval", "1 s");
    configuration.setString("heartbeat.timeout", "10 s");
    configuration.setString("io.tmp.dirs", Path.of("target").toAbsolutePath().toString());
    cluster =
        new MiniCluster(
            new MiniClusterConfiguration.Builder()
                .setConfiguration(configuration)
                .setNumTaskManagers(TASK_MANAGERS)
                .setNumSlotsPerTaskManager(2)
                .setCommonBindAddress("127.0.0.1")
                .withRandomPorts()
                .build());
    cluster.start();
  }

  @AfterClass
  public static void stopCluster() throws Exception {
    cluster.close();
  }

  private static List<String> results(Query query, Map<String, String> settings) throws Exception {
    Configuration configuration = new Configuration();
    settings.forEach(configuration::setString);
    configuration.setString("rest.bind-address", "127.0.0.1");
    configuration.setString("rest.bind-port", "0");
    configuration.setString("heartbeat.timeout", "10 min"); // this JVM's own threads
    return query.run(StreamExecutionEnvironment.createLocalEnvironment(2, configuration), ORDERS);
  }

  @Test
  public void queriesHaveTheSameResultsByOneLineOfConfiguration() throws Exception {
    List<String> expected = List.of();
    for (Query query : List.of(Query.Q3, Query.Q1)) {
      expected = results(query, Map.of());
      assertThat(expected).hasSizeGreaterThan(2);
      assertThat(results(query, ONE_LINE)).isEqualTo(expected);
    }
    assertThat(results(Query.Q1, SLIM_LINE)).isEqualTo(expected);
    /* Last, as Flink keeps factories of types for the rest of the JVM. */
    assertThat(results(Query.Q1, TYPED)).isEqualTo(expected);
  }

  /** A job that adds up numbers by key in state: for minutes, until it is told to hurry. */
  private static JobGraph job(Map<String, String> settings, TypeInformation<Sum> type) {
    Configuration configuration = new Configuration();
    settings.forEach(configuration::setString);
    configuration.setString("restart-strategy.type", "fixed-delay");
    configuration.setString("restart-strategy.fixed-delay.attempts", "20");
    configuration.setString("restart-strategy.fixed-delay.delay", "200 ms");
    configuration.setString(
        "execution.checkpointing.dir", FOLDER.getRoot().toURI() + "checkpoints");
    StreamExecutionEnvironment flink =
        StreamExecutionEnvironment.getExecutionEnvironment(configuration);
    flink.setParallelism(2);
    flink.enableCheckpointing(200);
    flink.getConfig().setAutoWatermarkInterval(Duration.ZERO.toMillis());
    flink
        .fromSequence(1, EVENTS)
        .uid("numbers")
        .map(FlinkJobsTest::slowly)
        .returns(Types.LONG)
        .uid("slowly")
        .keyBy(number -> (int) (number % 5), Types.INT)
        .map(new Adding(type))
        .returns(type)
        .uid("adding")
        .map(FlinkJobsTest::see)
        .returns(type)
        .uid("seeing")
        .sinkTo(new DiscardingSink<>());
    return flink.getStreamGraph().getJobGraph();
  }

  private static Long slowly(Long number) throws InterruptedException {
    if (!hurrying) {
      Thread.sleep(5);
    }
    return number;
  }

  /** Keeps a sum for each key. */
  private static final class Adding extends RichMapFunction<Long, Sum> {
    private static final long serialVersionUID = 1;
    private final TypeInformation<Sum> type;
    private transient ValueState<Sum> sums;

    Adding(TypeInformation<Sum> type) {
      this.type = type;
    }

    @Override
    public void open(OpenContext context) {
      sums = getRuntimeContext().getState(new ValueStateDescriptor<>("sums", type));
    }

    @Override
    public Sum map(Long number) throws Exception {
      Sum before = sums.value();
      int key = (int) (number % 5);
      Sum after = (before == null ? new Sum(key, 0, List.of()) : before).plus(number);
      sums.update(after);
      return after;
    }
  }

  /** Remembers the largest sum of each key. */
  private static Sum see(Sum sum) {
    SEEN.merge(sum.key, sum, (a, b) -> a.total >= b.total ? a : b);
    return sum;
  }

  private static Map<Integer, Long> totals() {
    Map<Integer, Long> totals = new TreeMap<>();
    SEEN.forEach((key, sum) -> totals.put(key, sum.total));
    return totals;
  }

  private static Map<Integer, Long> expectedTotals() {
    Map<Integer, Long> totals = new TreeMap<>();
    for (long i = 1; i <= EVENTS; i++) {
      totals.merge((int) (i % 5), i, Long::sum);
    }
    return totals;
  }

  private static JobID submit(JobGraph job) throws Exception {
    SEEN.clear();
    hurrying = false;
    return cluster.submitJob(job).get(DEADLINE_SECONDS, TimeUnit.SECONDS).getJobID();
  }

  private static long checkpoints(JobID job) throws Exception {
    return cluster
        .getExecutionGraph(job)
        .get(DEADLINE_SECONDS, TimeUnit.SECONDS)
        .getCheckpointStatsSnapshot()
        .getCounts()
        .getNumberOfCompletedCheckpoints();
  }

  private static void awaitEnd(JobID job) throws Exception {
    hurrying = true;
    assertThat(cluster.requestJobResult(job).get(DEADLINE_SECONDS, TimeUnit.SECONDS))
        .satisfies(result -> assertThat(result.isSuccess()).isTrue());
    assertThat(totals()).isEqualTo(expectedTotals());
  }

  private static void recovers(Map<String, String> settings, TypeInformation<Sum> type)
      throws Exception {
    JobID job = submit(job(settings, type));
    Deadline.await("checkpoints with state", () -> !SEEN.isEmpty() && checkpoints(job) >= 2);
    for (int i = 0; i < TASK_MANAGERS; i++) {
      cluster.terminateTaskManager(oldest++).get(DEADLINE_SECONDS, TimeUnit.SECONDS);
    }
    for (int i = 0; i < TASK_MANAGERS; i++) {
      cluster.startTaskManager();
    }
    Deadline.await(
        "restored from a checkpoint",
        () ->
            cluster
                    .getExecutionGraph(job)
                    .get(DEADLINE_SECONDS, TimeUnit.SECONDS)
                    .getCheckpointStatsSnapshot()
                    .getCounts()
                    .getNumberOfRestoredCheckpoints()
                > 0);
    awaitEnd(job);
  }

  @Test
  public void jobWhoseTaskManagersAreLostGoesOnFromItsCheckpoint() throws Exception {
    recovers(ONE_LINE, new GenericTypeInfo<>(Sum.class));
    recovers(Map.of(), new UkaTypeInfo<>(Sum.class));
  }

  private static void goesOn(Map<String, String> settings, TypeInformation<Sum> type)
      throws Exception {
    JobID first = submit(job(settings, type));
    Deadline.await("running with state", () -> SEEN.size() == 5);
    Path savepoints = FOLDER.newFolder().toPath();
    String savepoint =
        cluster
            .stopWithSavepoint(
                first, savepoints.toUri().toString(), false, SavepointFormatType.CANONICAL)
            .get(DEADLINE_SECONDS, TimeUnit.SECONDS);
    Deadline.await("stopped", () -> cluster.getJobStatus(first).get() == JobStatus.FINISHED);
    assertThat(totals()).isNotEqualTo(expectedTotals());
    JobGraph restored = job(settings, type);
    restored.setSavepointRestoreSettings(SavepointRestoreSettings.forPath(savepoint));
    awaitEnd(submit(restored));
  }

  @Test
  public void jobThatIsRestoredFromASavepointGoesOn() throws Exception {
    goesOn(ONE_LINE, new GenericTypeInfo<>(Sum.class));
    goesOn(SLIM_LINE, new GenericTypeInfo<>(Sum.class));
    goesOn(Map.of(), new UkaTypeInfo<>(Sum.class));
  }
}
