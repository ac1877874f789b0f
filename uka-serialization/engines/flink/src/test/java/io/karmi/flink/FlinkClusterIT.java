package io.karmi.flink;

import static org.assertj.core.api.Assertions.assertThat;

import io.karmi.uka.UkaOptions;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import jobs.Sums;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.GlobalConfiguration;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.core.execution.SavepointFormatType;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.junit.AfterClass;
import org.junit.BeforeClass;
import org.junit.ClassRule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/**
 * Jobs of Flink whose job manager and task managers are JVMs of their own: one of them is killed
 * while a job runs, and a job goes on in another version.
 */
public class FlinkClusterIT {
  @ClassRule public static final TemporaryFolder FOLDER = new TemporaryFolder();

  private static final String ONE_LINE =
      "pipeline.serialization-config: \"[java.io.Serializable: {type: kryo, kryo-type: default,"
          + " class: io.karmi.flink.UkaKryoSerializer}]\"";

  /** A later version of {@link jobs.Sum}. */
  private static final String LATER_SUM =
      """
      package jobs;

      import java.util.List;

      public final class Sum implements java.io.Serializable {
        private static final long serialVersionUID = 1;
        private final int key;
        private final long total;
        private final List<Long> last;
        private final int additions;

        private Sum(int key, long total, List<Long> last, int additions) {
          this.key = key;
          this.total = total;
          this.last = last;
          this.additions = additions;
        }

        static Sum of(int key) {
          return new Sum(key, 0, List.of(), 0);
        }

        Sum plus(long number) {
          return new Sum(key, total + number, List.of(number), additions + 1);
        }

        @Override
        public String toString() {
          return "key " + key + " total " + total + " last " + last + " additions " + additions;
        }
      }
      """;

  private static final int KEYS = 7;
  private static final int NUMBERS = 50_000;
  private static final long DEADLINE_SECONDS = 240;

  private static Path directory;
  private static Path jobJar;
  private static FlinkProcesses cluster;
  private static Process first;
  private static List<String> undisturbed = List.of();

  @BeforeClass
  public static void startCluster() throws Exception {
    directory = FOLDER.newFolder("cluster").toPath();
    List<String> classPath = new ArrayList<>();
    classPath.add(home(UkaKryoSerializer.class).toString());
    classPath.add(home(UkaOptions.class).toString());
    String flink = Files.readString(Path.of(System.getProperty("flink.classpath")));
    classPath.addAll(List.of(flink.split(File.pathSeparator)));
    cluster = new FlinkProcesses(directory, ONE_LINE, classPath);
    first = cluster.startTaskManager();
    cluster.startTaskManager();
    jobJar = jar("job.jar", home(Sums.class));
  }

  @AfterClass
  public static void killCluster() throws Exception {
    if (cluster != null) {
      cluster.close();
    }
  }

  private static Path home(Class<?> type) throws Exception {
    return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI());
  }

  /** The classes of the job, which no process has on its class path. */
  private static Path jar(String name, Path classes) throws Exception {
    Path jar = FOLDER.getRoot().toPath().resolve(name);
    try (Stream<Path> files = Files.list(classes.resolve("jobs"));
        JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar))) {
      for (Path file : files.toList()) {
        out.putNextEntry(new JarEntry(classes.relativize(file).toString()));
        Files.copy(file, out);
      }
    }
    return jar;
  }

  /** The same job with a later version of the class of its state. */
  private static Path laterJobJar() throws Exception {
    Path classes = FOLDER.newFolder("later").toPath();
    Path jobs = Files.createDirectory(classes.resolve("jobs"));
    try (Stream<Path> files = Files.list(home(Sums.class).resolve("jobs"))) {
      for (Path file : files.toList()) {
        Files.copy(file, jobs.resolve(file.getFileName()));
      }
    }
    Versions.compile(classes, "jobs/Sum.java", LATER_SUM);
    return jar("later.jar", classes);
  }

  /** A job that has been submitted. */
  private record Job(JobClient client, Path gate, Path results) {
    static Job submit(String name) throws Exception {
      return submit(name, jobJar, "");
    }

    static Job submit(String name, Path jar, String savepoint) throws Exception {
      Path gate = directory.resolve(name + "-gate");
      Path results = Files.createDirectories(directory.resolve(name));
      Configuration configuration = GlobalConfiguration.loadConfiguration(directory.toString());
      if (!savepoint.isEmpty()) {
        configuration.setString("execution.state-recovery.path", savepoint);
      }
      StreamExecutionEnvironment flink =
          StreamExecutionEnvironment.createRemoteEnvironment(
              "127.0.0.1", cluster.restPort(), configuration, jar.toString());
      Sums.define(flink, NUMBERS, gate, results);
      return new Job(flink.executeAsync(name), gate, results);
    }

    /** Lets the job run to its end, and returns all lines that it has committed. */
    List<String> finish() throws Exception {
      Files.createFile(gate);
      CompletableFuture<?> end = client.getJobExecutionResult();
      cluster.await("end of the job", end::isDone);
      end.get(DEADLINE_SECONDS, TimeUnit.SECONDS);
      return lines();
    }

    /** What it has committed, in the order of the alphabet. */
    List<String> lines() throws IOException {
      List<String> lines = new ArrayList<>();
      for (Path file : committed()) {
        lines.addAll(Files.readAllLines(file));
      }
      return lines.stream().sorted().toList();
    }

    List<Path> committed() throws IOException {
      try (Stream<Path> files = Files.list(results)) {
        return files.filter(file -> !file.toString().endsWith(".unfinished")).toList();
      }
    }

    /** One of the counts of checkpoints that the job manager keeps. */
    int checkpoints(String kind) throws Exception {
      URI uri =
          URI.create(
              "http://127.0.0.1:"
                  + cluster.restPort()
                  + "/jobs/"
                  + client.getJobID()
                  + "/checkpoints");
      String answer =
          HttpClient.newHttpClient()
              .send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString())
              .body();
      Matcher count = Pattern.compile("\"" + kind + "\":(\\d+)").matcher(answer);
      return count.find() ? Integer.parseInt(count.group(1)) : 0;
    }
  }

  @Test
  public void jobGoesOnFromItsCheckpointWithEachResultOnceWhereATaskManagerIsKilled()
      throws Exception {
    Job disturbed = Job.submit("disturbed");
    cluster.await(
        "checkpoints, and results that they have committed",
        () -> disturbed.checkpoints("completed") >= 2 && disturbed.committed().size() >= 2);
    int before = disturbed.checkpoints("restored");
    first.destroyForcibly();
    assertThat(first.waitFor()).isEqualTo(FlinkProcesses.EXIT_OF_SIGKILL);
    cluster.startTaskManager();
    cluster.await("restored from a checkpoint", () -> disturbed.checkpoints("restored") > before);
    List<String> lines = disturbed.finish();
    assertThat(lines).hasSize(NUMBERS).doesNotHaveDuplicates();
    assertThat(lines).isEqualTo(undisturbed());
  }

  /** The results of a run in which nothing happens. */
  private static List<String> undisturbed() throws Exception {
    if (undisturbed.isEmpty()) {
      undisturbed = Job.submit("undisturbed").finish();
    }
    return undisturbed;
  }

  @Test
  public void jobGoesOnFromASavepointWhereTheClassOfItsStateHasGotAField() throws Exception {
    Job first = Job.submit("first");
    cluster.await(
        "results of all keys",
        () -> first.lines().stream().map(line -> line.charAt(4)).distinct().count() == KEYS);
    String savepoint =
        first
            .client()
            .stopWithSavepoint(
                false,
                directory.resolve("savepoints").toUri().toString(),
                SavepointFormatType.CANONICAL)
            .get(DEADLINE_SECONDS, TimeUnit.SECONDS);
    List<String> lines = Job.submit("first", laterJobJar(), savepoint).finish();
    String additions = " additions .*";
    assertThat(lines.stream().filter(line -> line.endsWith(" additions 1")))
        .as("one line for each key, whose total goes on while the field that is new begins at 0")
        .hasSize(KEYS);
    assertThat(lines.stream().map(line -> line.replaceAll(additions, "")).sorted().toList())
        .isEqualTo(undisturbed());
  }
}
