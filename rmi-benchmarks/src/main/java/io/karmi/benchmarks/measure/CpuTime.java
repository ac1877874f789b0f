package io.karmi.benchmarks.measure;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Processor time that a process has used, its JIT compiler and its collector included. Linux counts
 * it for each thread in nanoseconds, where the whole process's counter goes by ticks of ten
 * milliseconds; a thread that has ended stays in the sum with what it had used when it was last
 * seen. Asking takes as long as reading a file for each thread, in the process that asks.
 *
 * <p>Thread-safe.
 */
public final class CpuTime {
  private final ProcessHandle process;
  private final Path tasks;
  private final Map<Path, Long> nanosOfTasks = new ConcurrentHashMap<>();

  /** Of this process or another one. */
  public CpuTime(ProcessHandle process) {
    this.process = process;
    tasks = Path.of("/proc/" + process.pid() + "/task");
  }

  /** Nanoseconds so far. */
  public long nanos() {
    if (!Files.isReadable(tasks)) {
      return nanosOfTheProcess();
    }
    try (DirectoryStream<Path> all = Files.newDirectoryStream(tasks)) {
      for (Path task : all) {
        note(task);
      }
    } catch (IOException e) {
      return nanosOfTheProcess();
    }
    return nanosOfTasks.values().stream().mapToLong(nanos -> nanos).sum();
  }

  private void note(Path task) {
    try {
      String numbers = Files.readString(task.resolve("schedstat"));
      nanosOfTasks.put(task, Long.parseLong(numbers.substring(0, numbers.indexOf(' '))));
    } catch (IOException | RuntimeException e) {
      /* The thread has ended since it was listed. */
    }
  }

  private long nanosOfTheProcess() {
    return process.info().totalCpuDuration().orElse(Duration.ZERO).toNanos();
  }
}
