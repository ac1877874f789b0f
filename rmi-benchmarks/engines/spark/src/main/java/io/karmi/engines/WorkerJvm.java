package io.karmi.engines;

import io.karmi.benchmarks.measure.Measurement;
import io.karmi.benchmarks.measure.ProcessFolders;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

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
  private final Process process;
  private final BufferedReader answers;

  private WorkerJvm(Engine engine, Contestant contestant, Sizes sizes, String agentJar, String heap)
      throws IOException {
    this.contestant = contestant;
    errors = File.createTempFile("worker-" + contestant.name(), ".err");
    folder =
        ProcessFolders.next(Objects.requireNonNull(errors.toPath().getParent()), "karmi-worker");
    Files.createDirectory(folder);
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    OPENED.forEach(name -> command.add("--add-opens=java.base/" + name + "=ALL-UNNAMED"));
    if (Runtime.version().feature() >= FIRST_JDK_THAT_WARNS) {
      command.add("--sun-misc-unsafe-memory-access=allow");
      command.add("--enable-native-access=ALL-UNNAMED");
    }
    command.add("-Djava.io.tmpdir=" + folder); // the engines leave something there
    command.addAll(contestant.jvmOptions(agentJar));
    command.addAll(List.of("-Xmx" + heap, "-XX:+UseSerialGC", "-cp", engine.classPath()));
    command.addAll(List.of(engine.worker, contestant.name(), sizes.toString()));
    ProcessBuilder builder = new ProcessBuilder(command).redirectError(errors);
    builder.environment().put("SPARK_LOCAL_IP", "127.0.0.1");
    process = builder.start();
    answers =
        new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
  }

  /** Starts one. */
  static WorkerJvm start(
      Engine engine, Contestant contestant, Sizes sizes, String agentJar, String heap)
      throws IOException {
    return new WorkerJvm(engine, contestant, sizes, agentJar, heap);
  }

  /** Waits until its records are made. */
  void awaitReady() throws IOException {
    answer();
  }

  Contestant contestant() {
    return contestant;
  }

  List<Measurement> run(String workload) throws IOException {
    process.getOutputStream().write((workload + "\n").getBytes(StandardCharsets.UTF_8));
    process.getOutputStream().flush();
    return answer();
  }

  private List<Measurement> answer() throws IOException {
    List<Measurement> measured = new ArrayList<>();
    for (String line = answers.readLine(); line != null; line = answers.readLine()) {
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
    try {
      process.getOutputStream().close();
      if (!process.waitFor(SECONDS_TO_END, TimeUnit.SECONDS)) {
        process.destroyForcibly().waitFor();
      }
      ProcessFolders.delete(folder);
      if (process.exitValue() == 0) {
        Files.delete(errors.toPath());
      }
    } catch (IOException e) {
      process.destroyForcibly(); // it has closed its end
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }
}
