package io.karmi.engines;

import examples.spark.Job;
import examples.spark.Order;
import io.karmi.benchmarks.measure.Measurement;
import io.karmi.benchmarks.payloads.MediaContent;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import org.apache.spark.HashPartitioner;
import org.apache.spark.SparkEnv;
import org.apache.spark.api.java.JavaPairRDD;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.serializer.SerializerInstance;
import org.apache.spark.storage.BlockStatus;
import org.apache.spark.storage.RDDBlockId;
import org.apache.spark.storage.StorageLevel;
import scala.Option;
import scala.Tuple2;

/** Parts of jobs in which a serializer works, each with what the tasks of Spark did for it. */
final class Workload {
  /** Of the source; the machine has two processors or more. */
  private static final int PARTS = 2;

  private static final int READS = 2;

  private static final MediaContent MEDIA = MediaContent.javaone();

  private final JavaSparkContext spark;
  private final TaskCosts costs;
  private final Sizes sizes;
  private final Broadcasts broadcasts;
  private final JavaRDD<MediaContent> media;
  private final JavaPairRDD<String, Order> orders;
  private final HashMap<String, Order> table = new HashMap<>();

  /** As a thread of Spark's keeps it. */
  private final SerializerInstance serializer = SparkEnv.get().serializer().newInstance();

  Workload(JavaSparkContext spark, TaskCosts costs, Sizes sizes, Broadcasts broadcasts) {
    this.broadcasts = broadcasts;
    this.spark = spark;
    this.costs = costs;
    this.sizes = sizes;
    /* The objects are made before, and kept as objects: no task is charged with their making. */
    int each = sizes.media() / PARTS;
    media =
        spark
            .parallelize(List.of(0, 1), PARTS)
            .flatMap(part -> Records.media(each))
            .persist(StorageLevel.MEMORY_ONLY());
    int eachOrders = sizes.orders() / PARTS;
    orders =
        spark
            .parallelize(List.of(0, 1), PARTS)
            .flatMapToPair(part -> Records.orders(part, eachOrders))
            .persist(StorageLevel.MEMORY_ONLY());
    media.count();
    orders.count();
    requireInMemory();
  }

  /* Spark would make them again in each task, silently, and the tasks would be charged with it. */
  private void requireInMemory() {
    for (int id : List.of(media.id(), orders.id())) {
      List<Long> parts = bytesInMemory(id);
      if (parts.size() < PARTS) {
        throw new IllegalStateException(
            "the records of --sizes="
                + sizes
                + " have no room in memory: "
                + parts.size()
                + " of "
                + PARTS
                + " parts are there; use a larger --heap");
      }
    }
  }

  /* By the executor itself, which is this process: what Spark tells of its storage comes later. */
  private static List<Long> bytesInMemory(int rdd) {
    List<Long> parts = new ArrayList<>();
    for (int part = 0; part < PARTS; part++) {
      Option<BlockStatus> status =
          SparkEnv.get().blockManager().getStatus(new RDDBlockId(rdd, part));
      if (status.isDefined() && status.get().memSize() > 0) {
        parts.add(status.get().memSize());
      }
    }
    return parts;
  }

  private HashMap<String, Order> table() {
    if (table.isEmpty()) {
      Records.orders(PARTS, sizes.orders() / 2)
          .forEachRemaining(order -> table.put("order " + table.size(), order._2()));
    }
    return table;
  }

  /** Does the workload of a name of {@link Engine#SPARK}. */
  List<Measurement> run(String name) throws Exception {
    costs.take();
    List<Measurement> measured = measured(name);
    requireInMemory();
    return measured;
  }

  private List<Measurement> measured(String name) throws Exception {
    return switch (name) {
      case "media" -> cache("media cache", media.map(each -> each), media);
      case "orders" -> cache("orders cache", orders.values(), orders.values());
      case "shuffle8" -> shuffle("shuffle to 8", orders.partitionBy(new HashPartitioner(8)));
      /* Spark sorts what it writes, serialized where it may; the reader has nothing to do. */
      case "shuffle32" -> shuffle("shuffle to 32", orders.partitionBy(new HashPartitioner(32)));
      case "sort32" ->
          shuffle(
              "sorting shuffle to 32",
              orders.repartitionAndSortWithinPartitions(new HashPartitioner(32)));
      case "broadcast" -> broadcasts.measure(table());
      case "scala" -> ScalaValue.measure(serializer, sizes.orders() / 20);
      default -> List.of(job(Job.valueOf(name)));
    };
  }

  private <T> List<Measurement> cache(String kernel, JavaRDD<T> copy, JavaRDD<T> source)
      throws Exception {
    JavaRDD<T> cached = copy.persist(StorageLevel.MEMORY_ONLY_SER());
    try {
      costs.take();
      /* Spark writes the whole partition before the task gets to read it, which this one does not. */
      cached.foreachPartition(records -> {});
      long write = costs.take().resultNanos();
      long bytes = bytesInMemory(cached.id()).stream().mapToLong(Long::longValue).sum();
      long read = 0;
      for (int i = 0; i < READS; i++) {
        cached.foreachPartition(Workload::drain);
        read += costs.take().resultNanos();
      }
      String seen = checksum(cached);
      if (!seen.equals(checksum(source))) {
        throw new IllegalStateException(kernel + ": " + seen + ", not " + checksum(source));
      }
      return List.of(
          Service.measured(kernel, write + read, bytes, seen),
          Service.measured(kernel + ": write", write, bytes, seen),
          Service.measured(kernel + ": 2 reads", read, -1, seen));
    } finally {
      cached.unpersist(true);
    }
  }

  private List<Measurement> shuffle(String kernel, JavaPairRDD<String, Order> shuffled)
      throws Exception {
    shuffled.foreachPartition(Workload::drain);
    TaskCosts.Costs job = costs.take();
    String seen = checksum(shuffled.values());
    return List.of(
        Service.measured(kernel + ": write", job.writingNanos(), job.shuffleBytes(), seen),
        Service.measured(kernel + ": read", job.resultNanos(), -1, seen));
  }

  private Measurement job(Job job) {
    long begin = ProcessorTime.ofProcess();
    String result = job.run(spark, Math.max(20, job.size() * sizes.jobPercent() / 100));
    return Service.measured(job + ": whole process", ProcessorTime.ofProcess() - begin, -1, result);
  }

  private static <T> void drain(Iterator<T> records) {
    while (records.hasNext()) {
      records.next();
    }
  }

  /** Of all records, in whatever order. */
  private static <T> String checksum(JavaRDD<T> records) {
    Tuple2<Long, Long> sums =
        records
            .map(each -> new Tuple2<>(1L, checksum(each)))
            .reduce((a, b) -> new Tuple2<>(a._1() + b._1(), a._2() + b._2()));
    return sums._1() + " records, " + sums._2();
  }

  static long checksum(Object record) {
    if (record instanceof Order order) {
      return order.checksum();
    }
    return record.equals(MEDIA) ? 1 : 0;
  }
}
