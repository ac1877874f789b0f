package io.karmi.benchmarks.messaging;

import io.karmi.benchmarks.measure.CommandedJvm;
import io.karmi.benchmarks.measure.Measurement;
import io.karmi.benchmarks.measure.Percentiles;
import io.karmi.benchmarks.results.Results.StackRow;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/**
 * A column of the table: a JVM that receives and one that sends, or one that does both. Used by one
 * thread.
 */
final class MessagesStack implements AutoCloseable {
  /** The column of KaRMI's messages within a JVM. */
  static final String LOOPBACK = "loopback";

  /** The column of many nodes in a JVM. */
  static final String NODES = "nodes";

  private static final int MANY = 64;

  /** What receives, and what sends to it. Those with a title are beside the messages. */
  enum Kind {
    MESSAGES("", "", Messages::serve, Messages::new),
    MEMORY("", "", () -> "", count -> MemoryNodes.of(Integer.parseInt(count))),
    CALLS_TCP("calls", "KaRMI's calls over tcp", Calls::serve, Calls::new),
    SOCKET(
        "socket",
        "64 KB at a time, no objects",
        () -> SocketPeer.serve(Calls.LOOPBACK, false),
        SocketPeer::new),
    SOCKET_KEPT(
        "socket, kept",
        "the same, each read into an array of its own",
        () -> SocketPeer.serve(Calls.LOOPBACK, true),
        SocketPeer::new),
    NETTY("netty", "Netty, flushed 64 KB at a time, no objects", NettyPeer::serve, NettyPeer::new),
    GRPC("grpc", "gRPC, one stream, no objects", GrpcPeer::serve, GrpcPeer::new),
    AERON_UDP("aeron", "Aeron by UDP, no objects", AeronPeer::serveUdp, AeronPeer::udp),
    AERON_IPC(
        "aeron-ipc", "Aeron by shared memory, no objects", AeronPeer::serveIpc, AeronPeer::ipc);

    /** Makes a sender. */
    interface Sender {
      MessageSender open(String where) throws Exception;
    }

    private final String title;
    private final String configuration;

    /** Begins to receive; returns what a sender has to know. */
    final Callable<String> receiver;

    final Sender sender;

    Kind(String title, String configuration, Callable<String> receiver, Sender sender) {
      this.title = title;
      this.configuration = configuration;
      this.receiver = receiver;
      this.sender = sender;
    }

    /** Each that sends bytes is a floor. */
    private StackRow row() {
      String name = name().toLowerCase(Locale.ROOT).replace('_', '-');
      return new StackRow(name, title, configuration, this != CALLS_TCP);
    }
  }

  private final StackRow row;
  private final Kind kind;
  private final String technologies;

  /** How many nodes there are in the one JVM; 0 if there are two JVMs. */
  private final int nodes;

  private @Nullable CommandedJvm receiver;
  private @Nullable CommandedJvm sender;

  private MessagesStack(StackRow row, Kind kind, String technologies, int nodes) {
    this.row = row;
    this.kind = kind;
    this.technologies = technologies;
    this.nodes = nodes;
  }

  /** KaRMI's messages over a technology, or without a network. */
  static MessagesStack messages(String column) {
    String within = "KaRMI's messages within a JVM";
    return switch (column) {
      case LOOPBACK ->
          new MessagesStack(new StackRow(column, column, within, false), Kind.MEMORY, "tcp", 2);
      case NODES ->
          new MessagesStack(
              new StackRow(
                  "nodes-" + MANY,
                  MANY + " nodes",
                  within + ", each of " + MANY + " nodes sending to 4 others",
                  false),
              Kind.MEMORY,
              "tcp",
              MANY);
      default ->
          new MessagesStack(
              new StackRow("messages-" + column, column, "KaRMI's messages", false),
              Kind.MESSAGES,
              column.equals("tcp") ? "tcp" : "tcp," + column,
              0);
    };
  }

  /** KaRMI's calls, and the peers. */
  static List<MessagesStack> others() {
    return Arrays.stream(Kind.values())
        .filter(kind -> !kind.title.isEmpty())
        .map(kind -> new MessagesStack(kind.row(), kind, "tcp", 0))
        .toList();
  }

  StackRow row() {
    return row;
  }

  /**
   * Starts the JVMs.
   *
   * @param drivers folder in which Aeron's drivers have theirs
   */
  void start(Path drivers) throws IOException {
    String where = Integer.toString(nodes);
    if (nodes == 0) {
      receiver = jvm(drivers.resolve(kind + "-receiver"));
      where = receiver.ask("serve " + kind).text();
    }
    sender = jvm(drivers.resolve(kind + "-sender"));
    sender.ask("open " + kind + " " + where);
  }

  private CommandedJvm jvm(Path driver) throws IOException {
    List<String> options = new ArrayList<>(List.of("-Dkarmi.technologies=" + technologies));
    if (kind == Kind.AERON_UDP || kind == Kind.AERON_IPC) {
      options.add("-Daeron.dir=" + driver);
      options.add("--add-opens=java.base/jdk.internal.misc=ALL-UNNAMED"); // for its buffers
    }
    return CommandedJvm.start(MessagesNode.class, options.toArray(String[]::new));
  }

  /** Has a kernel run once; empty where it makes no sense here. */
  Optional<Measurement> run(MessageKernel kernel, int millis) throws IOException {
    if (sender == null) {
      throw new IllegalStateException("not started");
    }
    long before = receiver == null ? 0 : receiver.cpuNanos();
    CommandedJvm.Answer sent = sender.ask("run " + kernel.name() + " " + millis);
    if (sent.text().isEmpty()) {
      return Optional.empty();
    }
    long there = receiver == null ? 0 : receiver.cpuNanos() - before;
    String[] words = sent.text().split(" ");
    double cpu = (double) (sent.nanos() + there) / Long.parseLong(words[0]);
    double none = Measurement.UNCOUNTED;
    return Optional.of(
        new Measurement(
            kernel.title, Percentiles.parse(words, 1), none, cpu, none, none, "all arrived"));
  }

  @Override
  public void close() {
    for (CommandedJvm each : new @Nullable CommandedJvm[] {sender, receiver}) {
      if (each != null) {
        each.kill();
      }
    }
  }
}
