package io.karmi.benchmarks.messaging;

import io.karmi.benchmarks.measure.Child;
import io.karmi.benchmarks.results.Results;
import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A column of the table: a JVM that receives and one that sends, or one that does both. Used by one
 * thread.
 */
final class MessagesStack implements AutoCloseable {
  private static final String PORT = "port ";

  private final Results.StackRow row;
  private final String kind;
  private final String technologies;

  /** How many nodes there are in the one JVM; 0 if there are two JVMs. */
  private final int nodes;

  /** In which Aeron's drivers have their folders; null without them. */
  private @Nullable Path drivers;

  private @Nullable Child server;
  private @Nullable Child client;

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
            ? new Results.StackRow(
                MessagesClient.LOOPBACK,
                MessagesClient.LOOPBACK,
                "KaRMI's messages within a JVM",
                false)
            : new Results.StackRow(
                "nodes-" + nodes,
                nodes + " nodes",
                "KaRMI's messages within a JVM, each of " + nodes + " nodes sending to 4 others",
                false);
    return new MessagesStack(row, MessagesClient.LOOPBACK, "tcp", nodes);
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

  static MessagesStack socketKept() {
    return new MessagesStack(
        new Results.StackRow(
            "socket-kept", "socket, kept", "the same, each read into an array of its own", true),
        MessagesServer.KEPT,
        "tcp");
  }

  static MessagesStack netty() {
    return new MessagesStack(
        new Results.StackRow("netty", "netty", "Netty, flushed 64 KB at a time, no objects", true),
        "netty",
        "tcp");
  }

  static MessagesStack aeron(Path drivers) {
    return aeron(
        new Results.StackRow("aeron-udp", "aeron", "Aeron by UDP, no objects", true),
        "aeron",
        drivers);
  }

  static MessagesStack aeronIpc(Path drivers) {
    return aeron(
        new Results.StackRow(
            MessagesServer.AERON_IPC,
            MessagesServer.AERON_IPC,
            "Aeron by shared memory, no objects",
            true),
        MessagesServer.AERON_IPC,
        drivers);
  }

  private static MessagesStack aeron(Results.StackRow row, String kind, Path drivers) {
    MessagesStack stack = new MessagesStack(row, kind, "tcp");
    stack.drivers = drivers;
    return stack;
  }

  Results.StackRow row() {
    return row;
  }

  void start() throws IOException {
    String where = nodes > 0 ? Integer.toString(nodes) : startServer();
    client = jvm(MessagesClient.class, kind, where);
  }

  /** Starts the JVM that receives; its port. */
  private String startServer() throws IOException {
    Child receiving = jvm(MessagesServer.class, kind);
    server = receiving;
    String port = receiving.line();
    if (port == null || !port.startsWith(PORT)) {
      throw new IOException("the receiver of " + row.name() + " has not started: " + port);
    }
    return port.substring(PORT.length());
  }

  private Child jvm(Class<?> main, String... arguments) throws IOException {
    List<String> all = new ArrayList<>();
    all.add("-Djava.rmi.server.hostname=127.0.0.1");
    all.add("-Dkarmi.technologies=" + technologies);
    if (drivers != null) {
      all.add("-Daeron.dir=" + drivers.resolve(kind + "-" + main.getSimpleName()));
      all.add("--add-opens"); // its buffers need it from 17 on
      all.add("java.base/jdk.internal.misc=ALL-UNNAMED");
    }
    all.addAll(List.of("-cp", classPath(), main.getName()));
    all.addAll(List.of(arguments));
    return Child.start(all);
  }

  /** That of this JVM, and the product in front of it if there is one. */
  private static String classPath() {
    String own = System.getProperty("java.class.path");
    String home = System.getProperty("karmi.home");
    return home == null ? own : Path.of(home, "lib", "karmi.jar") + File.pathSeparator + own;
  }

  /** Has a kernel run once; what the client answers. */
  String run(MessageKernel kernel, int millis) throws IOException {
    if (client == null) {
      throw new IllegalStateException("not started");
    }
    client.tell(kernel.name() + " " + millis);
    String line = client.line();
    if (line == null) {
      throw new IOException("the sender of " + row.name() + " has ended in " + kernel.title);
    }
    return line;
  }

  @Override
  public void close() {
    for (Child child : new @Nullable Child[] {client, server}) {
      if (child != null) {
        child.close();
      }
    }
  }
}
