package io.karmi.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import examples.spark.Job;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.lang.ref.WeakReference;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Stream;
import org.apache.spark.SparkConf;
import org.apache.spark.SparkEnv;
import org.apache.spark.SparkException;
import org.apache.spark.api.java.JavaPairRDD;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.serializer.SerializerInstance;
import org.apache.spark.storage.StorageLevel;
import org.apache.spark.util.LongAccumulator;
import org.junit.BeforeClass;
import org.junit.ClassRule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;
import scala.Tuple2;

/** Spark itself in this JVM, with each serializer. */
public class SparkJobsTest {
  @ClassRule public static final TemporaryFolder FOLDER = new TemporaryFolder();

  private static final String CLASSES = SparkJobs.CLASSES;

  private static Map<Job, String> expected;

  /** Jobs that were run, and their class loaders. */
  private static final Queue<WeakReference<ClassLoader>> LOADERS = new ConcurrentLinkedQueue<>();

  private static JavaSparkContext spark(String... settings) {
    SparkConf conf =
        new SparkConf(false)
            .setMaster("local[2]")
            .setAppName("test")
            .set("spark.driver.host", "127.0.0.1")
            .set("spark.driver.bindAddress", "127.0.0.1")
            .set("spark.ui.enabled", "false")
            .set("spark.local.dir", FOLDER.getRoot().getPath());
    for (int i = 0; i < settings.length; i += 2) {
      conf.set(settings[i], settings[i + 1]);
    }
    return new JavaSparkContext(conf);
  }

  private static JavaSparkContext sparkOnUka(String... more) {
    String[] settings = new String[more.length + 2];
    settings[0] = "spark.serializer";
    settings[1] = UkaSerializer.class.getName();
    System.arraycopy(more, 0, settings, 2, more.length);
    return spark(settings);
  }

  private static Map<Job, String> results(JavaSparkContext context) {
    Map<Job, String> results = new EnumMap<>(Job.class);
    try (JavaSparkContext spark = context) {
      for (Job job : Job.values()) {
        results.put(job, job.run(spark, SparkJobs.SIZES.get(job)));
      }
    }
    return results;
  }

  @BeforeClass
  public static void runOnJavaSerializer() {
    expected = results(spark());
    assertThat(expected.get(Job.SORT)).contains("10000 orders").contains(" 0 out of order");
    assertThat(expected.get(Job.WORDCOUNT)).startsWith("20000 words");
  }

  @Test
  public void theSmallestJobsHaveResultsAndSmallerOnesAreRefused() {
    try (JavaSparkContext spark = spark()) {
      for (Job job : Job.values()) {
        assertThat(job.run(spark, Job.size("4"))).as("%s", job).isNotEmpty();
      }
    }
    for (String each : List.of("3", "0", "-4", "", "four", "12345678901")) {
      assertThatThrownBy(() -> Job.size(each)).hasMessageContaining("no size: " + each);
    }
  }

  @Test
  public void jobsHaveTheSameResultsOnKryo() {
    String kryo = "org.apache.spark.serializer.KryoSerializer";
    assertThat(results(spark("spark.serializer", kryo, "spark.kryo.classesToRegister", CLASSES)))
        .isEqualTo(expected);
  }

  @Test
  public void jobsHaveTheSameResultsOnUka() {
    assertThat(results(sparkOnUka())).isEqualTo(expected);
  }

  @Test
  public void jobsHaveTheSameResultsWhereSparkSortsSerializedRecords() {
    assertThat(
            results(
                sparkOnUka(
                    "spark.uka.classes", CLASSES, "spark.shuffle.sort.bypassMergeThreshold", "1")))
        .isEqualTo(expected);
    assertThat(
            results(
                sparkOnUka(
                    "spark.uka.relocation",
                    "true",
                    "spark.shuffle.sort.bypassMergeThreshold",
                    "1",
                    "spark.shuffle.spill.numElementsForceSpillThreshold",
                    "1000")))
        .isEqualTo(expected);
  }

  @Test
  public void recordsThatAreSpilledAndMergedAreAllThere() {
    for (String relocation : List.of("true", "false")) {
      try (JavaSparkContext spark =
          sparkOnUka(
              "spark.uka.relocation",
              relocation,
              "spark.uka.classes",
              CLASSES,
              "spark.shuffle.sort.bypassMergeThreshold",
              "1",
              "spark.shuffle.spill.numElementsForceSpillThreshold",
              "700",
              "spark.shuffle.spill.maxRecordsSizeForSpillThreshold",
              "100k")) {
        assertThat(Job.SORT.run(spark, SparkJobs.SIZES.get(Job.SORT)))
            .isEqualTo(expected.get(Job.SORT));
        JavaPairRDD<Integer, Integer> pairs =
            spark.parallelize(numbers(20_000), 4).mapToPair(i -> new Tuple2<>(i % 40, i));
        assertThat(pairs.groupByKey(40).mapValues(SparkJobsTest::sum).values().reduce(Long::sum))
            .isEqualTo(19_999L * 10_000);
        assertThat(pairs.repartition(40).count()).isEqualTo(20_000);
      }
    }
  }

  private static List<Integer> numbers(int count) {
    List<Integer> numbers = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      numbers.add(i);
    }
    return numbers;
  }

  private static long sum(Iterable<Integer> values) {
    long sum = 0;
    for (int each : values) {
      sum += each;
    }
    return sum;
  }

  @Test
  public void cachesBroadcastsAccumulatorsAndCheckpointsWork() throws Exception {
    Path checkpoints = FOLDER.newFolder("checkpoints").toPath();
    String written;
    try (JavaSparkContext spark = sparkOnUka("spark.uka.classes", CLASSES)) {
      byte[] large = new byte[20_000_000];
      new Random(1).nextBytes(large);
      Broadcast<byte[]> broadcast = spark.broadcast(large);
      LongAccumulator seen = spark.sc().longAccumulator();
      JavaRDD<Sample> samples =
          spark
              .parallelize(numbers(2_000), 4)
              .map(
                  i -> {
                    seen.add(1);
                    return new Sample(i, "byte " + broadcast.value()[i], i);
                  });
      for (StorageLevel level :
          List.of(
              StorageLevel.MEMORY_ONLY_SER(),
              StorageLevel.MEMORY_AND_DISK_SER_2(),
              StorageLevel.DISK_ONLY())) {
        JavaRDD<Sample> cached = samples.map(each -> each).persist(level);
        assertThat(cached.count()).isEqualTo(2_000);
        Sample last = cached.collect().get(1_999);
        assertThat(last).isEqualTo(new Sample(1_999, "byte " + large[1_999], 1_999));
        cached.unpersist(true);
      }
      assertThat(seen.value()).isEqualTo(6_000);
      spark.setCheckpointDir(checkpoints.toString());
      JavaRDD<Sample> kept = samples.map(each -> each);
      kept.checkpoint();
      assertThat(kept.count()).isEqualTo(2_000);
      written = kept.getCheckpointFile().get();
    }
    try (JavaSparkContext other = sparkOnUka()) {
      JavaRDD<Sample> samples = other.checkpointFile(written);
      assertThat(samples.count()).isEqualTo(2_000);
      assertThat(samples.filter(each -> each.number == 77).first().parts).containsExactly(77);
    }
  }

  @Test
  public void damagedShuffleFileIsWrittenAgain() throws Exception {
    for (String classes : List.of("", CLASSES)) {
      try (JavaSparkContext spark =
          sparkOnUka(
              "spark.uka.classes", classes, "spark.shuffle.sort.bypassMergeThreshold", "1")) {
        JavaPairRDD<Integer, Long> sums =
            spark
                .parallelize(numbers(20_000), 2)
                .mapToPair(i -> new Tuple2<>(i % 50, (long) i))
                .groupByKey(2)
                .mapValues(
                    each ->
                        java.util.stream.StreamSupport.stream(each.spliterator(), false)
                            .mapToLong(Long::longValue)
                            .sum());
        List<Tuple2<Integer, Long>> before = new ArrayList<>(sums.sortByKey().collect());
        assertThat(damageShuffleFiles()).isPositive();
        assertThat(sums.sortByKey().collect()).isEqualTo(before);
      }
    }
  }

  /** Turns bytes in the middle of all files of shuffles, and says how many files there were. */
  private static int damageShuffleFiles() throws IOException {
    int count = 0;
    try (Stream<Path> files = Files.walk(FOLDER.getRoot().toPath())) {
      for (Path file :
          files.filter(each -> each.toString().matches(".*/shuffle_\\d+_\\d+_0\\.data")).toList()) {
        try (RandomAccessFile bytes = new RandomAccessFile(file.toFile(), "rw")) {
          for (long at = bytes.length() / 4; at < bytes.length(); at += 97) {
            bytes.seek(at);
            int value = bytes.read();
            bytes.seek(at);
            bytes.write(value ^ 0xFF);
          }
        }
        count++;
      }
    }
    return count;
  }

  @Test
  public void recordThatCannotBeWrittenFailsTheJobWithItsClass() {
    try (JavaSparkContext spark = sparkOnUka("spark.task.maxFailures", "1")) {
      JavaRDD<Object> records =
          spark.parallelize(numbers(10), 2).map(i -> new Sample(i, "text", new Object()));
      assertThatThrownBy(() -> records.map(each -> each).repartition(3).count())
          .isInstanceOf(SparkException.class)
          .hasMessageContaining("not serializable result: java.lang.Object");
      assertThat(spark.parallelize(numbers(10), 2).count()).isEqualTo(10);
    }
  }

  @Test
  public void classLoadersOfFinishedJobsAreNotKept() throws Exception {
    for (String relocation : List.of("true", "false")) {
      LOADERS.clear();
      try (JavaSparkContext spark = sparkOnUka("spark.uka.relocation", relocation)) {
        for (int job = 0; job < 50; job++) {
          assertThat(spark.parallelize(numbers(2), 2).map(i -> copyInOwnLoader()).count())
              .isEqualTo(2);
        }
        assertThat(LOADERS).hasSize(100);
        long deadline = System.nanoTime() + 60_000_000_000L;
        while (LOADERS.stream().anyMatch(each -> each.get() != null)
            && System.nanoTime() < deadline) {
          System.gc();
          Thread.sleep(100);
        }
        assertThat(LOADERS).allMatch(each -> each.get() == null);
      }
    }
  }

  /** What a task of a job with a jar of its own does, in a thread of Spark's. */
  private static String copyInOwnLoader() throws Exception {
    ClassLoader jar = new CopyOfLoader(Sample.class, Sample.Kind.class);
    LOADERS.add(new WeakReference<>(jar));
    SerializerInstance instance = SparkEnv.get().serializer().newInstance();
    java.io.ByteArrayOutputStream bytes = new java.io.ByteArrayOutputStream();
    try (org.apache.spark.serializer.SerializationStream out = instance.serializeStream(bytes)) {
      out.writeKey(new Sample(1, "text"), Records.ANY);
      out.writeValue(2, Records.ANY);
    }
    UkaSerializer own = new UkaSerializer(SparkEnv.get().conf());
    own.setDefaultClassLoader(jar);
    SerializerInstance ofJar = own.newInstance();
    Object copy = Records.read(ofJar, bytes.toByteArray()).get(0);
    if (copy.getClass().getClassLoader() != jar) {
      throw new IllegalStateException("not of the jar: " + copy.getClass());
    }
    return Records.read(ofJar, Records.written(ofJar, List.of(copy))).toString();
  }
}
