package io.karmi.benchmarks.stacks;

import io.karmi.benchmarks.measure.Child;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the processors awake while something is measured: one thread each that spins, in a JVM of
 * its own that yields to everything else.
 *
 * <p>A processor that has nothing to do sleeps, and a virtual one takes up to 400 µs to come back:
 * twenty times a call. How often that happens hangs on where the system puts the threads of a
 * stack, and would decide which one looks faster. The table is to show what the software costs.
 *
 * <p>Its scheduling class is the idle one ({@code chrt -i}) where the system has it: a processor
 * that runs nothing else counts as free, and gets a thread that is woken. With {@code nice} alone
 * it counts as busy, and both ends of a call are often put on one processor.
 *
 * <p>For one thread.
 */
final class AwakeProcessors {
  private static volatile boolean ended;

  private final @Nullable Child child;

  private AwakeProcessors(@Nullable Child child) {
    this.child = child;
  }

  /** A shell's words: the arguments as a command of the lowest priority that can be had. */
  private static final String LOWEST =
      "if chrt -i 0 true 2>/dev/null; then exec chrt -i 0 \"$@\"; else exec nice -n 19 \"$@\"; fi";

  /** Starts them on each host; where there is no shell, says so and goes on without. */
  static List<AwakeProcessors> start(Place place, Consumer<String> progress) {
    int hosts = Math.max(1, place.hosts().hosts().size());
    List<AwakeProcessors> all = new ArrayList<>();
    for (int host = 0; host < hosts; host++) {
      all.add(start(place.hosts().command(host, command(place.programs().get(0))), progress));
    }
    return all;
  }

  private static AwakeProcessors start(List<String> command, Consumer<String> progress) {
    try {
      return new AwakeProcessors(
          Child.start(
              new ProcessBuilder(command)
                  .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                  .redirectError(ProcessBuilder.Redirect.DISCARD)));
    } catch (IOException e) {
      progress.accept("the processors may sleep between two messages: " + e.getMessage());
      return new AwakeProcessors(null);
    }
  }

  /** Do they spin? */
  boolean areAwake() {
    return child != null && child.isAlive();
  }

  /** The JVM that spins, at the lowest priority. */
  private static List<String> command(Path programs) {
    List<String> words = new ArrayList<>(List.of("sh", "-c", LOWEST, "awake"));
    words.addAll(spinning(programs));
    return words;
  }

  /** The JVM that spins, until its input ends. */
  static List<String> spinning(Path programs) {
    return List.of(
        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
        "-Xmx16m",
        "-XX:+UseSerialGC",
        "-cp",
        programs.toAbsolutePath().toString(),
        AwakeProcessors.class.getName());
  }

  /** Lets them sleep again. */
  void close() {
    if (child != null) {
      child.close();
    }
  }

  /** Spins until its input ends: when the process that started it is gone, however it ended. */
  public static void main(String[] args) throws IOException {
    for (int i = 0; i < Runtime.getRuntime().availableProcessors(); i++) {
      Thread spinning = new Thread(AwakeProcessors::spin, "awake " + i);
      spinning.setDaemon(true);
      spinning.start();
    }
    while (System.in.read() >= 0) {
      /* Nothing is written. */
    }
    ended = true;
  }

  /** No {@link Thread#onSpinWait}: a hypervisor takes its pauses for a reason to step in. */
  private static void spin() {
    while (!ended) {
      /* The processor is awake. */
    }
  }
}
