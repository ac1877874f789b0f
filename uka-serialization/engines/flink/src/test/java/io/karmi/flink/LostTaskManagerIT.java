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
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.junit.AfterClass;
import org.junit.BeforeClass;
import org.junit.ClassRule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/**
 * A job of Flink whose job manager and task managers are JVMs of their own, one of which is killed
 * while the job runs.
 */
public class LostTaskManagerIT {
  @ClassRule public static final TemporaryFolder FOLDER = new TemporaryFolder();

  private static final String ONE_LINE =
      "pipeline.serialization-config: \"[java.io.Serializable: {type: kryo, kryo-type: default,"
          + " class: io.karmi.flink.UkaKryoSerializer}]\"";

  private static final int NUMBERS = 50_000;
  private static final long DEADLINE_SECONDS = 240;

  private static Path directory;
  private static Path jobJar;
  private static FlinkProcesses cluster;
  private static Process first;

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
    jobJar = jobJar();
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
  private static Path jobJar() throws Exception {
    Path jar = FOLDER.getRoot().toPath().resolve("job.jar");
    Path classes = home(Sums.class);
    try (Stream<Path> files = Files.list(classes.resolve("jobs"));
        JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar))) {
      for (Path file : files.toList()) {
        out.putNextEntry(new JarEntry(classes.relativize(file).toString()));
        Files.copy(file, out);
      }
    }
    return jar;
  }

  /** A job that has been submitted. */
  private record Job(JobClient client, Path gate, Path results) {
    static Job submit(String name) throws Exception {
      Path gate = directory.resolve(name + "-gate");
      Path results = Files.createDirectory(directory.resolve(name));
      Configuration configuration = GlobalConfiguration.loadConfiguration(directory.toString());
      StreamExecutionEnvironment flink =
          StreamExecutionEnvironment.createRemoteEnvironment(
              "127.0.0.1", cluster.restPort(), configuration, jobJar.toString());
      Sums.define(flink, NUMBERS, gate, results);
      return new Job(flink.executeAsync(name), gate, results);
    }

    /** Lets the job run to its end, and returns all lines that it has committed. */
    List<String> finish() throws Exception {
      Files.createFile(gate);
      CompletableFuture<?> end = client.getJobExecutionResult();
      cluster.await("end of the job", end::isDone);
      end.get(DEADLINE_SECONDS, TimeUnit.SECONDS);
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
    assertThat(lines).isEqualTo(Job.submit("undisturbed").finish());
  }
}
