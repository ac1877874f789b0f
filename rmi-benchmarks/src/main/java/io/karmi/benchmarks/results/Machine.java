package io.karmi.benchmarks.results;

import io.karmi.cli.Version;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Locale;

/** Descriptions of this machine, this JDK and these sources. */
public final class Machine {
  private static final long GIB = 1L << 30;

  private Machine() {}

  /** Conditions of a run of this JVM's own, which began now, on one host and without options. */
  public static Conditions conditions(
      String plan, int forks, int rounds, long warmUpMillis, long measureMillis) {
    return conditions(
        false, List.of(), List.of(), plan, forks, rounds, warmUpMillis, measureMillis);
  }

  /** Conditions of a run that began now, with components of {@link Conditions}. */
  public static Conditions conditions(
      boolean processorsAwake,
      List<String> hosts,
      List<String> jvmOptions,
      String plan,
      int forks,
      int rounds,
      long warmUpMillis,
      long measureMillis) {
    return new Conditions(
        Instant.now().truncatedTo(ChronoUnit.SECONDS).toString(),
        Version.commit(),
        describe(),
        Runtime.getRuntime().availableProcessors(),
        processorsAwake,
        hosts,
        jdk(),
        jvmOptions,
        plan,
        forks,
        rounds,
        warmUpMillis,
        measureMillis);
  }

  /** Processor, memory and system. */
  public static String describe() {
    return "%s, %s of memory, %s %s %s"
        .formatted(
            value("/proc/cpuinfo", "model name", System.getProperty("os.arch")),
            memory(),
            System.getProperty("os.name"),
            System.getProperty("os.version"),
            System.getProperty("os.arch"));
  }

  /** Version, vendor and VM. */
  public static String jdk() {
    return "JDK %s (%s, %s)"
        .formatted(
            System.getProperty("java.version"),
            System.getProperty("java.vendor"),
            System.getProperty("java.vm.name"));
  }

  private static String memory() {
    String total = value("/proc/meminfo", "MemTotal", "0 kB").replace(" kB", "");
    long bytes = total.matches("\\d+") ? Long.parseLong(total) * 1024 : 0;
    return bytes == 0
        ? "unknown size"
        : String.format(Locale.ROOT, "%.0f GiB", bytes / (double) GIB);
  }

  private static String value(String file, String key, String otherwise) {
    try {
      return Files.readAllLines(Path.of(file)).stream()
          .filter(line -> line.startsWith(key))
          .map(line -> line.substring(line.indexOf(':') + 1).strip())
          .findFirst()
          .orElse(otherwise);
    } catch (IOException e) {
      return otherwise;
    }
  }
}
