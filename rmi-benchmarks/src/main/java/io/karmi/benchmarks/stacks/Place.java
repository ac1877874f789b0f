package io.karmi.benchmarks.stacks;

import io.karmi.benchmarks.payloads.Payloads;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Where everything is, and what all JVMs are given.
 *
 * @param karmiHome the distribution's folder, with {@code bin/karmi-java}; on all hosts the same
 * @param logs a folder for what the JVMs print
 * @param programs the class path of the programs: that of the measured classes first
 * @param payloads names of further payload factories, on that class path
 * @param jvmOptions for each JVM
 * @param hosts where the JVMs run
 */
public record Place(
    Path karmiHome,
    Path logs,
    List<Path> programs,
    List<String> payloads,
    List<String> jvmOptions,
    Hosts hosts) {
  /** One machine, nothing added. */
  public Place(Path karmiHome, Path logs, Path programs) {
    this(karmiHome, logs, List.of(programs), List.of(), List.of(), Hosts.local());
  }

  /**
   * The command of one JVM.
   *
   * @param index the JVM's number in its group, which chooses the host
   * @param like a kernel that is measured in it, whose needs are those of the others
   */
  List<String> command(
      Stack stack, boolean asServer, int index, KernelName like, List<String> arguments) {
    List<String> command = new ArrayList<>();
    String home = System.getProperty("java.home");
    if (stack.karmiJavaOptions().isEmpty()) {
      command.add(Path.of(home, "bin", "java").toString());
    } else {
      command.addAll(List.of("env", "JAVA_HOME=" + home));
      command.add(karmiHome.resolve("bin").resolve("karmi-java").toString());
      command.addAll(stack.karmiJavaOptions());
    }
    command.addAll(stack.jvmOptions());
    command.addAll(MemoryForJvms.jvmOptions(like));
    command.addAll(jvmOptions);
    if (!asServer) {
      command.addAll(like.jvmOptions());
    }
    if (!payloads.isEmpty()) {
      command.add("-D" + Payloads.PROPERTY + "=" + String.join(",", payloads));
    }
    if (!hosts.isLocal()) {
      command.add("-Djava.rmi.server.hostname=" + hosts.address(index));
      command.add("-Dkarmi.bench.address=" + hosts.address(index));
    }
    command.addAll(List.of("-cp", classPath(stack)));
    command.add(stack.program(asServer));
    command.addAll(arguments);
    return hosts.command(index, command);
  }

  /** A peer needs its libraries, which are beside the harness; UCX is in a jar of its own. */
  private String classPath(Stack stack) {
    List<String> path = new ArrayList<>();
    programs.forEach(program -> path.add(program.toAbsolutePath().toString()));
    if (stack.isPeer()) {
      path.add(System.getProperty("java.class.path"));
    } else if (stack.needsUcx()) {
      path.add(karmiHome.resolve("lib").resolve("karmi-ucx.jar").toString());
    }
    return String.join(System.getProperty("path.separator"), path);
  }
}
