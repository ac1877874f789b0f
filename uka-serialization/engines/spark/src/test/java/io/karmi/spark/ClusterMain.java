package io.karmi.spark;

import examples.spark.Job;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.LongAdder;
import org.apache.spark.SparkConf;
import org.apache.spark.SparkException;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerTaskEnd;
import scala.Tuple2;

/**
 * A driver whose executors are JVMs of their own. Arguments: a directory, then what to do. Spark's
 * settings are system properties. Prints a line for each result.
 */
public final class ClusterMain {
  private ClusterMain() {}

  /** A record whose class executors do not have. */
  static final class OnDriverOnly implements java.io.Serializable {
    private static final long serialVersionUID = 1;
    final int value;

    OnDriverOnly(int value) {
      this.value = value;
    }
  }

  /** The program. */
  public static void main(String[] args) throws Exception {
    Path directory = Path.of(args[0]);
    try (JavaSparkContext spark = new JavaSparkContext(new SparkConf())) {
      for (String what : List.of(args).subList(1, args.length)) {
        switch (what) {
          case "jobs" -> jobs(spark);
          case "kill" -> kill(spark, directory.resolve("killed"));
          case "missing" -> missing(spark);
          case "spill" -> spill(spark);
          case "broadcast" -> broadcast(spark);
          case "checkpoint" -> checkpoint(spark, directory);
          default -> throw new IllegalArgumentException(what);
        }
      }
    }
    System.out.println("end");
  }

  private static void jobs(JavaSparkContext spark) {
    SparkJobs.SIZES.forEach((job, size) -> System.out.println(result(job, job.run(spark, size))));
  }

  /** The line of a job's result. */
  static String result(Job job, String result) {
    return "result " + job + " " + result;
  }

  private static List<Integer> numbers(int count) {
    List<Integer> numbers = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      numbers.add(i);
    }
    return numbers;
  }

  /** A sort of records of which an executor keeps few at a time, and what it wrote meanwhile. */
  private static void spill(JavaSparkContext spark) throws Exception {
    LongAdder spilledBytes = new LongAdder();
    spark
        .sc()
        .addSparkListener(
            new SparkListener() {
              @Override
              public void onTaskEnd(SparkListenerTaskEnd task) {
                spilledBytes.add(task.taskMetrics().diskBytesSpilled());
              }
            });
    List<Integer> keys =
        spark
            .parallelize(numbers(20_000), 4)
            .mapToPair(i -> new Tuple2<>(i * 7919 % 20_000, "record " + i))
            .sortByKey(true, 4)
            .keys()
            .collect();
    spark.sc().listenerBus().waitUntilEmpty();
    System.out.println(
        "spilled " + (spilledBytes.sum() > 0) + " sorted " + keys.equals(numbers(20_000)));
  }

  /** An object that each executor fetches in blocks. */
  private static void broadcast(JavaSparkContext spark) {
    byte[] bytes = new byte[10_000_000];
    new Random(1).nextBytes(bytes);
    Broadcast<Map<String, byte[]>> table = spark.broadcast(Map.of("bytes", bytes));
    long sum =
        spark
            .parallelize(numbers(4), 4)
            .map(i -> (long) Arrays.hashCode(table.value().get("bytes")))
            .reduce(Long::sum);
    System.out.println("broadcast " + (sum == 4L * Arrays.hashCode(bytes)));
  }

  /** A shuffle during which one executor kills itself as nothing else can, once. */
  private static void kill(JavaSparkContext spark, Path marker) {
    String file = marker.toString();
    long sum =
        spark
            .parallelize(numbers(1_000), 4)
            .mapToPair(i -> new Tuple2<>(i % 10, (long) i))
            .groupByKey(4)
            .mapValues(values -> killOnce(values, file))
            .values()
            .reduce(Long::sum);
    System.out.println("killed " + Files.exists(marker) + " sum " + sum);
  }

  private static long killOnce(Iterable<Long> values, String marker) throws Exception {
    if (TaskContext.getPartitionId() == 1) {
      try {
        Files.createFile(Path.of(marker));
        String pid = Long.toString(ProcessHandle.current().pid());
        new ProcessBuilder("kill", "-KILL", pid).start().waitFor();
        Thread.sleep(60_000);
      } catch (java.nio.file.FileAlreadyExistsException e) {
        /* The second attempt. */
      }
    }
    long sum = 0;
    for (long each : values) {
      sum += each;
    }
    return sum;
  }

  private static void missing(JavaSparkContext spark) {
    List<OnDriverOnly> records = List.of(new OnDriverOnly(1), new OnDriverOnly(2));
    try {
      System.out.println("missing " + spark.parallelize(records, 2).count());
    } catch (Exception e) {
      boolean named = String.valueOf(e.getMessage()).contains(OnDriverOnly.class.getName());
      System.out.println("missing " + (e instanceof SparkException) + " named " + named);
    }
  }

  private static void checkpoint(JavaSparkContext spark, Path directory) throws IOException {
    spark.setCheckpointDir(directory.resolve("checkpoints").toString());
    JavaRDD<Tuple2<String, Integer>> records =
        spark.parallelize(numbers(1_000), 4).map(i -> new Tuple2<>("record " + i, i));
    records.checkpoint();
    System.out.println("count " + records.count());
    System.out.println("checkpoint " + records.getCheckpointFile().get());
  }
}
