package io.karmi.flink;

import java.io.File;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;

/**
 * A cluster of Flink in processes of its own: a job manager and task managers, whose ports the
 * kernel chooses. They are killed when it is closed.
 */
final class FlinkProcesses implements AutoCloseable {
  private static final long DEADLINE_SECONDS = 240;

  /** As the signal's number is told by the kernel's exit status. */
  static final int EXIT_OF_SIGKILL = 128 + 9;

  /** All that a task manager must be told, which Flink's own scripts work out. */
  private static final String CONFIGURATION =
      """
      jobmanager.rpc.address: 127.0.0.1
      jobmanager.rpc.port: 0
      jobmanager.bind-host: 127.0.0.1
      rest.address: 127.0.0.1
      rest.bind-address: 127.0.0.1
      rest.bind-port: "0"
      taskmanager.host: 127.0.0.1
      taskmanager.bind-host: 127.0.0.1
      taskmanager.numberOfTaskSlots: 1
      taskmanager.cpu.cores: 1.0
      taskmanager.memory.framework.heap.size: 64m
      taskmanager.memory.framework.off-heap.size: 32m
      taskmanager.memory.jvm-metaspace.size: 128m
      taskmanager.memory.jvm-overhead.min: 64m
      taskmanager.memory.jvm-overhead.max: 64m
      taskmanager.memory.task.heap.size: 128m
      taskmanager.memory.task.off-heap.size: 0m
      taskmanager.memory.network.min: 16m
      taskmanager.memory.network.max: 16m
      taskmanager.memory.managed.size: 16m
      heartbeat.interval: 1 s
      heartbeat.timeout: 120 s
      pekko.ask.timeout: 240 s
      pekko.tcp.timeout: 120 s
      client.timeout: 240 s
      rest.connection-timeout: 120000
      restart-strategy.type: fixed-delay
      restart-strategy.fixed-delay.attempts: 1000
      restart-strategy.fixed-delay.delay: 200 ms
      execution.checkpointing.interval: 500 ms
      """;

  private final Path directory;
  private final List<String> classPath;
  private final List<Process> processes = new ArrayList<>();
  private final Path jobManagerOutput;
  private int count;

  /**
   * Starts the job manager.
   *
   * @param line of {@code config.yaml}, beside what every cluster needs
   */
  FlinkProcesses(Path directory, String line, List<String> classPath) throws Exception {
    this.directory = directory;
    this.classPath = classPath;
    Files.writeString(
        directory.resolve("config.yaml"),
        CONFIGURATION
            + ("io.tmp.dirs: " + directory + "\n")
            + ("execution.checkpointing.dir: " + directory.resolve("checkpoints").toUri() + "\n")
            + (line + "\n"));
    List<String> withMain = new ArrayList<>(classPath);
    withMain.add(mainAlone());
    jobManagerOutput = start(withMain, JobManagerMain.class.getName(), directory.toString());
    await("ports of the job manager", () -> !said("rest ").isEmpty());
  }

  /** The job manager's classes without those of jobs, which are beside them. */
  private String mainAlone() throws Exception {
    Path copies = directory.resolve("main").resolve("io/karmi/flink");
    Files.createDirectories(copies);
    Path classes = Path.of(JobManagerMain.class.getResource(".").toURI());
    try (DirectoryStream<Path> files = Files.newDirectoryStream(classes, "JobManagerMain*.class")) {
      for (Path file : files) {
        Files.copy(file, copies.resolve(file.getFileName()));
      }
    }
    return directory.resolve("main").toString();
  }

  private Path start(List<String> path, String main, String... arguments) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of(System.getProperty("flink.jvm").split(" +")));
    command.addAll(List.of("-Xmx256m", "-XX:+UseSerialGC"));
    command.add("-Djava.io.tmpdir=" + directory); // a manager that is killed leaves something there
    command.add("-XX:TieredStopAtLevel=1"); // over before the second compiler pays
    command.addAll(List.of("-cp", String.join(File.pathSeparator, path), main));
    command.addAll(List.of(arguments));
    Path output = directory.resolve("process" + count++ + ".txt");
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.redirectOutput(output.toFile()).directory(directory.toFile());
    builder.environment().keySet().removeIf(each -> each.endsWith("JAVA_OPTIONS"));
    processes.add(builder.start());
    return output;
  }

  private String said(String beginning) throws IOException {
    return Files.readAllLines(jobManagerOutput).stream()
        .filter(line -> line.startsWith(beginning))
        .map(line -> line.substring(beginning.length()))
        .findFirst()
        .orElse("");
  }

  /** The port that clients submit jobs to. */
  int restPort() throws IOException {
    return Integer.parseInt(said("rest "));
  }

  /** Starts a task manager with one slot, by Flink's own main class. */
  Process startTaskManager() throws IOException {
    start(
        classPath,
        "org.apache.flink.runtime.taskexecutor.TaskManagerRunner",
        "--configDir",
        directory.toString(),
        "-D",
        "jobmanager.rpc.port=" + said("rpc "));
    return processes.get(processes.size() - 1);
  }

  /** Waits until something holds; a process that has ended by itself ends the wait. */
  void await(String what, Callable<Boolean> condition) throws Exception {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(DEADLINE_SECONDS);
    while (!condition.call()) {
      for (Process each : processes) {
        if (!each.isAlive() && each.exitValue() != EXIT_OF_SIGKILL) {
          throw new AssertionError(
              "a process has ended with " + each.exitValue() + ": " + what + "; " + output());
        }
      }
      if (System.nanoTime() > deadline) {
        throw new AssertionError("not in time: " + what + "; " + output());
      }
      Thread.sleep(50);
    }
  }

  /** What the processes have printed. */
  String output() throws IOException {
    StringBuilder all = new StringBuilder();
    for (int i = 0; i < count; i++) {
      Path file = directory.resolve("process" + i + ".txt");
      all.append(file.getFileName()).append(":\n").append(Files.readString(file));
    }
    return all.toString();
  }

  @Override
  public void close() {
    processes.forEach(Process::destroyForcibly);
    processes.forEach(each -> each.onExit().join());
  }
}
