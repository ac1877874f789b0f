package io.karmi.benchmarks.messaging;

import io.karmi.benchmarks.results.Results;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A column of the table: a JVM that receives and one that sends, or one that does both. Used by one
 * thread.
 */
final class MessagesStack implements AutoCloseable {
  /** The kind of stacks whose nodes are all in one JVM. */
  static final String LOOPBACK = "loopback";

  private static final String PORT = "port ";

  private final Results.StackRow row;
  private final String kind;
  private final String technologies;

  /** How many nodes there are in the one JVM; 0 if there are two JVMs. */
  private final int nodes;

  private @Nullable Process server;
  private @Nullable Process client;
  private @Nullable BufferedReader answers;

  private MessagesStack(Results.StackRow row, String kind, String technologies) {
    this(row, kind, technologies, 0);
  }

  private MessagesStack(Results.StackRow row, String kind, String technologies, int nodes) {
    this.row = row;
    this.kind = kind;
    this.technologies = technologies;
    this.nodes = nodes;
  }

  static MessagesStack messages(String technology) {
    return new MessagesStack(
        new Results.StackRow("messages-" + technology, technology, "KaRMI's messages", false),
        "messages",
        technology.equals("tcp") ? "tcp" : "tcp," + technology);
  }

  /** KaRMI's messages without a network. */
  static MessagesStack loopback(int nodes) {
    Results.StackRow row =
        nodes == 2
            ? new Results.StackRow(LOOPBACK, LOOPBACK, "KaRMI's messages within a JVM", false)
            : new Results.StackRow(
                "nodes-" + nodes,
                nodes + " nodes",
                "KaRMI's messages within a JVM, each of " + nodes + " nodes sending to 4 others",
                false);
    return new MessagesStack(row, LOOPBACK, "tcp", nodes);
  }

  static MessagesStack calls() {
    return new MessagesStack(
        new Results.StackRow("calls-tcp", "calls", "KaRMI's calls over tcp", false), "ping", "tcp");
  }

  static MessagesStack socket() {
    return new MessagesStack(
        new Results.StackRow("socket", "socket", "64 KB at a time, no objects", true),
        "raw",
        "tcp");
  }

  static MessagesStack netty() {
    return new MessagesStack(
        new Results.StackRow("netty", "netty", "Netty, flushed 64 KB at a time, no objects", true),
        "netty",
        "tcp");
  }

  static MessagesStack aeron() {
    return new MessagesStack(
        new Results.StackRow("aeron-udp", "aeron", "Aeron by UDP, no objects", true),
        "aeron",
        "tcp");
  }

  Results.StackRow row() {
    return row;
  }

  void start() throws IOException {
    String where = nodes > 0 ? Integer.toString(nodes) : startServer();
    Process sending = jvm(MessagesClient.class, kind, where);
    client = sending;
    answers = reader(sending);
  }

  /** Starts the JVM that receives; its port. */
  private String startServer() throws IOException {
    Process receiving = jvm(MessagesServer.class, kind);
    server = receiving;
    String port = reader(receiving).readLine();
    if (port == null || !port.startsWith(PORT)) {
      throw new IOException("the receiver of " + row.name() + " has not started: " + port);
    }
    return port.substring(PORT.length());
  }

  private Process jvm(Class<?> main, String... arguments) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-Djava.rmi.server.hostname=127.0.0.1");
    command.add("-Dkarmi.technologies=" + technologies);
    if (kind.equals("aeron")) {
      command.add("--add-opens"); // its buffers need it from 17 on
      command.add("java.base/jdk.internal.misc=ALL-UNNAMED");
    }
    command.add("-cp");
    command.add(classPath());
    command.add(main.getName());
    command.addAll(List.of(arguments));
    return new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
  }

  /** That of this JVM, and the product in front of it if there is one. */
  private static String classPath() {
    String own = System.getProperty("java.class.path");
    String home = System.getProperty("karmi.home");
    return home == null ? own : Path.of(home, "lib", "karmi.jar") + File.pathSeparator + own;
  }

  private static BufferedReader reader(Process process) {
    return new BufferedReader(
        new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
  }

  /** Has a kernel run once; what the client answers. */
  String run(MessageKernel kernel, int millis) throws IOException {
    if (client == null || answers == null) {
      throw new IllegalStateException("not started");
    }
    client
        .getOutputStream()
        .write((kernel.name() + " " + millis + "\n").getBytes(StandardCharsets.US_ASCII));
    client.getOutputStream().flush();
    String line = answers.readLine();
    if (line == null) {
      throw new IOException("the sender of " + row.name() + " has ended in " + kernel.title);
    }
    return line;
  }

  @Override
  public void close() {
    for (Process process : new @Nullable Process[] {client, server}) {
      if (process != null) {
        process.destroyForcibly();
      }
    }
  }
}
