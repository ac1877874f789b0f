package io.karmi.benchmarks.stacks;

import io.karmi.benchmarks.kernels.KernelClient;
import io.karmi.benchmarks.kernels.KernelServer;
import io.karmi.benchmarks.peers.DirmiClient;
import io.karmi.benchmarks.peers.DirmiServer;
import io.karmi.benchmarks.peers.SocketClient;
import io.karmi.benchmarks.peers.SocketServer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A software configuration. The same class files run on the four of the paper's section 6.2; a peer
 * has programs of its own, and knows only the kernels that ping.
 */
public enum Stack {
  /** What the JDK brings. */
  RMI("stock RMI", KernelServer.class, KernelClient.class),
  /** The JDK's RMI, whose three stream classes are patched on the boot path. */
  RMI_UKA(
      "RMI + UKA", KernelServer.class, KernelClient.class, "--via=boot", "--only=serialization"),
  /** KaRMI over the JDK's streams. */
  KARMI_JDK("KaRMI + JDK", KernelServer.class, KernelClient.class, "--only=rmi"),
  /** All of KaRMI. */
  KARMI_UKA("KaRMI + UKA", KernelServer.class, KernelClient.class, "--via=agent"),
  /** Another RMI, with serializers written by hand. */
  DIRMI("Dirmi", DirmiServer.class, DirmiClient.class),
  /** A bare socket that carries as many bytes as KaRMI + UKA: the floor. */
  SOCKET("raw socket", SocketServer.class, SocketClient.class);

  private final String title;
  private final Class<?> server;
  private final Class<?> client;
  private final List<String> options;

  Stack(String title, Class<?> server, Class<?> client, String... options) {
    this.title = title;
    this.server = server;
    this.client = client;
    this.options = List.of(options);
  }

  /** The paper's four. */
  public static List<Stack> ofThePaper() {
    return Arrays.stream(values()).filter(stack -> !stack.isPeer()).toList();
  }

  /** The name in the tables. */
  public String title() {
    return title;
  }

  /** Does it run programs of its own? */
  public boolean isPeer() {
    return client != KernelClient.class;
  }

  /** Does its client take, with each kernel's name, how many bytes that carries? */
  public boolean needsByteCounts() {
    return this == SOCKET;
  }

  /** Can it run this kernel? */
  boolean runs(String kernel) {
    return !isPeer() || kernel.startsWith("ping(");
  }

  /**
   * The command that runs the server's or client's program on this stack, without the program's
   * arguments.
   *
   * @param karmiHome the distribution's folder, with {@code bin/karmi-java}
   * @param programs the jar or folder of the programs
   */
  List<String> command(boolean asServer, Path karmiHome, Path programs) {
    List<String> command = new ArrayList<>();
    if (options.isEmpty()) {
      command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    } else {
      command.add(karmiHome.resolve("bin").resolve("karmi-java").toString());
      command.addAll(options);
    }
    /* A peer needs its libraries, which are beside the harness. */
    String classPath = isPeer() ? System.getProperty("java.class.path") : programs.toString();
    command.addAll(List.of("-cp", classPath, (asServer ? server : client).getName()));
    return command;
  }
}
