package io.karmi.spark;

import static org.assertj.core.api.Assertions.assertThat;

import io.karmi.kit.AgentJar;
import io.karmi.kit.Explained;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.junit.BeforeClass;
import org.junit.ClassRule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;
import scala.Tuple2;

/**
 * Drivers and executors in JVMs of their own: Spark's cluster on one machine, made of the jars of
 * the class path.
 */
public class ClusterIT {
  @ClassRule public static final TemporaryFolder FOLDER = new TemporaryFolder();

  private static final long DEADLINE_SECONDS = 480;

  /** Such JVMs are over before the second compiler pays. */
  private static final String FIRST_COMPILER_ONLY = "-XX:TieredStopAtLevel=1";

  private static final List<String> JVM = List.of(System.getProperty("spark.jvm").split(" +"));

  private static Path home;
  private static List<String> expected;

  private static Path path(String property) {
    return Path.of(System.getProperty(property)).toAbsolutePath().normalize();
  }

  /** Lets Spark's launcher find its jars where it looks for those of an installation. */
  @BeforeClass
  public static void makeHome() throws Exception {
    home = FOLDER.newFolder("spark").toPath();
    Files.createFile(home.resolve("RELEASE"));
    Path jars = Files.createDirectory(home.resolve("jars"));
    for (String jar : sparkJars()) {
      Files.createSymbolicLink(jars.resolve(Path.of(jar).getFileName()), Path.of(jar));
    }
  }

  /** In the JVM of the test, which has no agent: one JVM less to start. */
  @BeforeClass
  public static void runOnJavaSerializer() {
    expected = new ArrayList<>();
    try (JavaSparkContext spark = new JavaSparkContext(local("stock"))) {
      SparkJobs.SIZES.forEach(
          (job, size) -> expected.add(ClusterMain.result(job, job.run(spark, size))));
    }
    expected.add("end");
    assertThat(expected).hasSize(6).anyMatch(line -> line.contains("10000 orders, checksum"));
  }

  private static SparkConf local(String name) {
    return new SparkConf(false)
        .setMaster("local[2]")
        .setAppName(name)
        .set("spark.driver.host", "127.0.0.1")
        .set("spark.driver.bindAddress", "127.0.0.1")
        .set("spark.ui.enabled", "false");
  }

  private static List<String> sparkJars() throws IOException {
    return List.of(Files.readString(path("spark.classpath")).split(File.pathSeparator));
  }

  /** Where a class of this build comes from. */
  private static String home(Class<?> type) throws Exception {
    return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI()).toString();
  }

  /** Runs a driver to its end, and returns the lines that {@link ClusterMain} has printed. */
  private static List<String> driver(
      String name, String master, List<String> options, List<String> settings, String... what)
      throws Exception {
    Path directory = FOLDER.newFolder(name).toPath();
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(JVM);
    command.addAll(options);
    command.add(FIRST_COMPILER_ONLY);
    command.add("-Dspark.master=" + master);
    command.add("-Dspark.app.name=" + name);
    command.add("-Dspark.driver.host=127.0.0.1");
    command.add("-Dspark.driver.bindAddress=127.0.0.1");
    command.add("-Dspark.ui.enabled=false");
    command.add("-Dspark.local.dir=" + directory);
    settings.forEach(each -> command.add("-D" + each));
    command.add("-Dspark.executor.extraClassPath=" + executorPath(directory));
    command.add("-cp");
    command.add(classPath());
    command.add(ClusterMain.class.getName());
    command.add(directory.toString());
    command.addAll(List.of(what));
    File out = new File(directory.toFile(), "out");
    File err = new File(directory.toFile(), "err");
    ProcessBuilder builder = new ProcessBuilder(command).redirectOutput(out).redirectError(err);
    builder.environment().put("SPARK_HOME", home.toString());
    builder.environment().put("SPARK_SCALA_VERSION", "2.13");
    builder.environment().put("SPARK_LOCAL_IP", "127.0.0.1");
    builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
    builder.directory(directory.toFile());
    Process driver = builder.start();
    try {
      boolean ended = driver.waitFor(DEADLINE_SECONDS, TimeUnit.SECONDS);
      String said = Files.readString(out.toPath()) + Files.readString(err.toPath());
      assertThat(ended).as("ended in time: " + said).isTrue();
      assertThat(driver.exitValue()).as(said).isZero();
      List<String> lines = Files.readAllLines(out.toPath());
      assertThat(lines).as(said).contains("end");
      return lines;
    } finally {
      driver.descendants().forEach(ProcessHandle::destroyForcibly);
      driver.destroyForcibly();
    }
  }

  private static String examples() throws Exception {
    return home(examples.spark.Job.class);
  }

  private static String ours() throws Exception {
    return home(UkaSerializer.class) + File.pathSeparator + home(io.karmi.uka.UkaOptions.class);
  }

  private static String classPath() throws Exception {
    List<String> parts = new ArrayList<>(List.of(examples(), home(ClusterMain.class), ours()));
    parts.addAll(sparkJars());
    return String.join(File.pathSeparator, parts);
  }

  /** The program, but for the class that only the driver has. */
  private static String executorPath(Path directory) throws Exception {
    Path tests = Files.createDirectories(directory.resolve("classes"));
    Path from = Path.of(home(ClusterMain.class));
    Path in = Files.createDirectories(tests.resolve("io/karmi/spark"));
    for (String name : List.of("ClusterMain.class", "SparkJobs.class")) {
      Files.copy(from.resolve("io/karmi/spark").resolve(name), in.resolve(name));
    }
    return String.join(File.pathSeparator, examples(), tests.toString(), ours());
  }

  /** Settings of a cluster whose executors have these options of the JVM. */
  private static List<String> cluster(String options, String... more) {
    List<String> settings = new ArrayList<>(List.of(more));
    settings.add("spark.executor.memory=512m");
    settings.add("spark.executor.extraJavaOptions=" + options);
    return settings;
  }

  @Test
  public void executorsOnUkaSpillSurviveTheLossOfOneAndNameMissingClasses() throws Exception {
    List<String> lines =
        driver(
            "uka",
            "local-cluster[2,1,512]",
            List.of(),
            cluster(
                FIRST_COMPILER_ONLY,
                "spark.serializer=" + UkaSerializer.class.getName(),
                "spark.uka.classes=" + SparkJobs.CLASSES,
                "spark.shuffle.sort.bypassMergeThreshold=1",
                "spark.shuffle.spill.numElementsForceSpillThreshold=900"),
            "jobs",
            "spill",
            "broadcast",
            "checkpoint",
            "missing",
            "kill");
    assertThat(lines).containsAll(expected);
    assertThat(lines).contains("spilled true sorted true", "broadcast true");
    assertThat(lines).contains("count 1000", "missing true named true", "killed true sum 499500");
    String checkpoint =
        lines.stream().filter(line -> line.startsWith("checkpoint ")).findFirst().orElseThrow();
    assertReadByAnotherApplication(checkpoint.substring("checkpoint ".length()));
  }

  private static void assertReadByAnotherApplication(String checkpoint) {
    SparkConf conf = local("other").set("spark.serializer", UkaSerializer.class.getName());
    try (JavaSparkContext other = new JavaSparkContext(conf)) {
      JavaRDD<Tuple2<String, Integer>> records = other.checkpointFile(checkpoint);
      assertThat(records.count()).isEqualTo(1_000);
      assertThat(records.collect()).contains(new Tuple2<>("record 999", 999));
    }
  }

  /** In the driver and on executors. */
  @Test
  public void unchangedJavaSerializerRunsUnderTheAgentAsExplained() throws Exception {
    Explained explained =
        Explained.of(AgentJar.path(), "-cp", classPath(), ClusterMain.class.getName());
    Path logs = FOLDER.newFolder("logs").toPath();
    List<String> agent = Explained.options(AgentJar.path(), logs.resolve("%p"));
    List<String> lines =
        driver(
            "agent",
            "local-cluster[2,1,512]",
            agent,
            cluster(FIRST_COMPILER_ONLY + " " + String.join(" ", agent)),
            "jobs",
            "broadcast",
            "kill");
    assertThat(lines).containsAll(expected).contains("broadcast true", "killed true sum 499500");
    Path ofDriver = FOLDER.getRoot().toPath().resolve("agent/err");
    Set<String> rewired = Explained.rewired(Files.lines(ofDriver));
    assertThat(rewired).as("in the driver").isNotEmpty();
    for (Path ofExecutor : files(home.resolve("work"), "stderr")) {
      rewired.addAll(Explained.rewired(Files.lines(ofExecutor)));
    }
    Set<String> rewires = new TreeSet<>();
    List<Path> loaded = files(logs, "");
    assertThat(loaded).as("of a driver and two executors").hasSizeGreaterThanOrEqualTo(3);
    for (Path each : loaded) {
      rewires.addAll(explained.rewires(each));
    }
    assertThat(rewired).isEqualTo(rewires);
    assertThat(explained.text()).contains("Spark (spark-core_2.13");
    assertThat(Files.readString(ofDriver))
        .containsPattern("in the JDK's format +[1-9][0-9,]* +[1-9]")
        .doesNotContain("in UKA's format", "  calls ");
  }

  private static List<Path> files(Path folder, String name) throws IOException {
    try (Stream<Path> all = Files.walk(folder)) {
      return all.filter(Files::isRegularFile)
          .filter(each -> each.getFileName().toString().endsWith(name))
          .toList();
    }
  }
}
