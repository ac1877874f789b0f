package io.karmi.engines;

import java.util.concurrent.TimeoutException;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.executor.TaskMetrics;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerTaskEnd;

/** What tasks cost, by Spark's own metrics. */
final class TaskCosts extends SparkListener {
  /**
   * The costs of some tasks.
   *
   * @param writingNanos processor time of the tasks that write a shuffle
   * @param resultNanos processor time of the other tasks
   * @param shuffleBytes that were written
   */
  record Costs(long writingNanos, long resultNanos, long shuffleBytes) {}

  private final JavaSparkContext spark;

  private long writingNanos;
  private long resultNanos;
  private long shuffleBytes;

  private TaskCosts(JavaSparkContext spark) {
    this.spark = spark;
  }

  /** Listens from now on. */
  static TaskCosts of(JavaSparkContext spark) {
    TaskCosts costs = new TaskCosts(spark);
    spark.sc().addSparkListener(costs);
    return costs;
  }

  @Override
  public synchronized void onTaskEnd(SparkListenerTaskEnd task) {
    TaskMetrics metrics = task.taskMetrics();
    if (task.taskType().equals("ShuffleMapTask")) {
      writingNanos += metrics.executorCpuTime();
      shuffleBytes += metrics.shuffleWriteMetrics().bytesWritten();
    } else {
      resultNanos += metrics.executorCpuTime();
    }
  }

  /** The costs of all tasks since it was last asked. */
  Costs take() throws TimeoutException {
    spark.sc().listenerBus().waitUntilEmpty();
    synchronized (this) {
      Costs costs = new Costs(writingNanos, resultNanos, shuffleBytes);
      writingNanos = 0;
      resultNanos = 0;
      shuffleBytes = 0;
      return costs;
    }
  }
}
