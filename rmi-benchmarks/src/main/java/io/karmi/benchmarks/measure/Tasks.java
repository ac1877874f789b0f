package io.karmi.benchmarks.measure;

import java.io.BufferedReader;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;

/**
 * A client's JVM at work: reads {@link Task}s, a line each, and answers each with the line of its
 * {@link Measurement}, until there are no more.
 *
 * <p>The JVMs of all stacks live side by side, and the harness gives them their tasks in turn: what
 * slows the machine down for a second slows all of them down.
 */
public final class Tasks {
  /** Finds the kernel of a name. */
  @FunctionalInterface
  public interface Kernels {
    /**
     * @throws IllegalArgumentException if there is none
     */
    Kernel kernel(String name) throws Exception;
  }

  /** The line that says that this JVM has started and reads tasks. */
  public static final String READY = "ready";

  private final Kernels kernels;
  private final Sampler sampler;
  private final Map<String, List<Kernel>> known = new HashMap<>();

  public Tasks(Kernels kernels, Callable<Use> servers) {
    this.kernels = kernels;
    this.sampler = new Sampler(servers);
  }

  /** Prints {@link #READY}, does what {@code in} asks for, and answers on {@code out}. */
  public void serve(InputStream in, PrintStream out) throws Exception {
    BufferedReader lines = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8));
    out.println(READY);
    out.flush();
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      Task task = Task.parse(line);
      ThreadedName name = ThreadedName.parse(task.kernel());
      out.println(sampler.measure(kernels(name), name.suffix(), task).toLine());
      out.flush();
    }
  }

  /** One for each thread: a kernel keeps its result. */
  private List<Kernel> kernels(ThreadedName name) throws Exception {
    List<Kernel> all = known.computeIfAbsent(name.kernel(), k -> new ArrayList<>());
    while (all.size() < name.threads()) {
      all.add(kernels.kernel(name.kernel()));
    }
    return all.subList(0, name.threads());
  }
}
