package io.karmi.benchmarks.stacks;

import io.karmi.benchmarks.measure.Measurement;
import io.karmi.benchmarks.measure.Percentiles;
import io.karmi.benchmarks.measure.Task;
import io.karmi.benchmarks.measure.Tasks;
import io.karmi.benchmarks.results.RunFailedException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * The JVMs of one stack: one server or several, one client or several, for as long as there are
 * {@link Task}s for them.
 *
 * <p>A server's main class prints {@code port N}; a client gets its number and each server's {@code
 * host:port}, then reads tasks and prints {@link Measurement}s. When there are no more tasks,
 * client 0 ends last and stops the servers. Whatever else happens, {@link #close} leaves no process
 * behind.
 *
 * <p>For one thread.
 */
public final class Jvms implements AutoCloseable {
  /** Those of all stacks start at the same time. */
  private static final long START_SECONDS = 300;

  /** A client that takes longer than this, beside what it was told to take, hangs. */
  private static final long GRACE_SECONDS = 120;

  /** A thorough task is warmed up for longer than it says, until it is stable. */
  private static final long MAXIMUM_TIMES_LONGER = 8;

  private final Stack stack;
  private final List<Jvm> servers = new ArrayList<>();
  private final List<Jvm> clients = new ArrayList<>();

  private Jvms(Stack stack) {
    this.stack = stack;
  }

  /**
   * Starts those of some stacks, as many as {@code like} needs: first all servers, then all
   * clients.
   *
   * @return those of each stack
   * @throws RunFailedException if one failed or did not start in time; then none lives
   */
  static Map<Stack, Jvms> start(List<Stack> stacks, Place place, KernelName like)
      throws IOException, InterruptedException {
    Map<Stack, Jvms> all = new EnumMap<>(Stack.class);
    stacks.forEach(stack -> all.put(stack, new Jvms(stack)));
    try {
      for (Jvms jvms : all.values()) {
        jvms.startServers(place, like);
      }
      for (Jvms jvms : all.values()) {
        jvms.startClients(place, like);
      }
      for (Jvms jvms : all.values()) {
        for (Jvm client : jvms.clients) {
          client.await(Tasks.READY, START_SECONDS);
        }
      }
      return all;
    } catch (IOException | RuntimeException e) {
      all.values().forEach(Jvms::close);
      throw e;
    }
  }

  private void startServers(Place place, KernelName like) throws IOException {
    for (int i = 0; i < like.servers(); i++) {
      List<String> command = place.command(stack, true, serverIndex(i, like), like, List.of());
      servers.add(new Jvm(name("server", i), command, place.logs()));
    }
  }

  private void startClients(Place place, KernelName like) throws IOException, InterruptedException {
    List<String> addresses = new ArrayList<>();
    for (int i = 0; i < servers.size(); i++) {
      String port = servers.get(i).await("port ", START_SECONDS).substring("port ".length());
      addresses.add(place.hosts().address(serverIndex(i, like)) + ":" + port);
    }
    for (int i = 0; i < like.clients(); i++) {
      List<String> arguments = new ArrayList<>(List.of(Integer.toString(i)));
      arguments.addAll(addresses);
      List<String> command = place.command(stack, false, clientIndex(i, like), like, arguments);
      clients.add(new Jvm(name("client", i), command, place.logs()));
    }
  }

  /** The host of number 0 is the centre's: of the server of several clients, else of the client. */
  private static int serverIndex(int server, KernelName like) {
    return like.clients() > 1 ? 0 : server + 1;
  }

  private static int clientIndex(int client, KernelName like) {
    return like.clients() > 1 ? client + 1 : 0;
  }

  private String name(String role, int index) {
    return stack.optionName() + "-" + role + (index == 0 ? "" : "-" + index);
  }

  /**
   * Lets all clients do {@code task}, at the same time.
   *
   * @throws RunFailedException if a JVM failed or hung, or clients saw different results
   */
  public Measurement measure(Task task) throws IOException, InterruptedException {
    for (Jvm client : clients) {
      client.tell(task.toLine());
    }
    long told = TimeUnit.MILLISECONDS.toSeconds(task.millis());
    List<Measurement> measured = new ArrayList<>();
    for (Jvm client : clients) {
      String line =
          client.await(Measurement.MARK + "\t", GRACE_SECONDS + MAXIMUM_TIMES_LONGER * told);
      measured.add(Measurement.parse(line));
    }
    Measurement first = measured.get(0);
    if (measured.size() == 1) {
      return first;
    }
    for (Measurement other : measured) {
      if (!other.observation().equals(first.observation())) {
        throw new RunFailedException(
            stack.title() + ": clients of " + first.kernel() + " saw different results");
      }
    }
    return first.withTimes(
        Percentiles.together(measured.stream().map(Measurement::times).toList()));
  }

  /**
   * Tells the clients that there are no more tasks, and waits for all to end. A peer's programs are
   * not waited for: how they end is not the subject, and {@link #close} ends them.
   *
   * @throws RunFailedException if one failed
   */
  public void end() throws IOException, InterruptedException {
    for (int i = clients.size() - 1; i >= 0; i--) {
      clients.get(i).tellNoMore();
      if (!stack.isPeer()) {
        clients.get(i).awaitEnd();
      }
    }
    if (!stack.isPeer()) {
      for (Jvm server : servers) {
        server.awaitEnd();
      }
    }
  }

  /** Has a server printed this? */
  boolean hasPrinted(String text) {
    return servers.stream().anyMatch(server -> server.hasPrinted(text));
  }

  /** Ends what is still alive. */
  @Override
  public void close() {
    clients.forEach(Jvm::destroy);
    servers.forEach(Jvm::destroy);
  }

  @Override
  public String toString() {
    return stack.title();
  }
}
