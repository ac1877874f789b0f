package io.karmi.engines;

import io.karmi.benchmarks.measure.Child;
import io.karmi.benchmarks.measure.Measurement;
import io.karmi.benchmarks.measure.ProcessFolders;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeoutException;

/** A worker of an {@link Engine} in a JVM of its own, which ends when it is closed. */
final class WorkerJvm implements AutoCloseable {
  /** What the engines' own launchers open that the workloads need. */
  private static final List<String> OPENED =
      List.of("java.nio", "java.util", "java.lang", "java.lang.invoke", "java.time");

  private static final int FIRST_JDK_THAT_WARNS = 24;
  private static final int SECONDS_TO_END = 30;

  private final Contestant contestant;
  private final File errors;
  private final Path folder;
  private final Child child;

  WorkerJvm(Engine engine, Contestant contestant, Sizes sizes, String agentJar, String heap)
      throws IOException {
    this.contestant = contestant;
    errors = File.createTempFile("worker-" + contestant.name(), ".err");
    folder =
        ProcessFolders.next(Objects.requireNonNull(errors.toPath().getParent()), "karmi-worker");
    Files.createDirectory(folder);
    List<String> arguments = new ArrayList<>();
    OPENED.forEach(name -> arguments.add("--add-opens=java.base/" + name + "=ALL-UNNAMED"));
    if (Runtime.version().feature() >= FIRST_JDK_THAT_WARNS) {
      arguments.add("--sun-misc-unsafe-memory-access=allow");
      arguments.add("--enable-native-access=ALL-UNNAMED");
    }
    arguments.add("-Djava.io.tmpdir=" + folder); // the engines leave something there
    arguments.addAll(contestant.jvmOptions(agentJar));
    arguments.addAll(List.of("-Xmx" + heap, "-XX:+UseSerialGC", "-cp", engine.classPath()));
    arguments.addAll(List.of(engine.worker, contestant.name(), sizes.toString()));
    ProcessBuilder builder = Child.java(arguments).redirectError(errors);
    builder.environment().put("SPARK_LOCAL_IP", "127.0.0.1");
    child = Child.start(builder);
  }

  /** Waits until its records are made. */
  void awaitReady() throws IOException {
    answer();
  }

  Contestant contestant() {
    return contestant;
  }

  List<Measurement> run(String workload) throws IOException {
    child.tell(workload);
    return answer();
  }

  private List<Measurement> answer() throws IOException {
    List<Measurement> measured = new ArrayList<>();
    for (String line = child.line(); line != null; line = child.line()) {
      if (line.equals(Service.DONE)) {
        return measured;
      }
      if (line.startsWith(Measurement.MARK)) {
        measured.add(Measurement.parse(line));
      }
    }
    throw new IOException(
        "the JVM of " + contestant.title + " has ended; its errors are in " + errors);
  }

  /** Ends the JVM; what it has printed as errors is kept where it has failed. */
  @Override
  public void close() {
    try (child) {
      child.endInput();
      child.await(line -> false, SECONDS_TO_END);
      boolean failed = child.exitStatus(SECONDS_TO_END).orElse(1) != 0;
      ProcessFolders.delete(folder);
      if (!failed) {
        Files.delete(errors.toPath());
      }
    } catch (IOException | TimeoutException e) {
      /* What it leaves behind says why. */
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
