package io.karmi.bridge;

import static org.assertj.core.api.Assertions.assertThat;

import io.karmi.kit.Jvm;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;

/**
 * A node that speaks a technology of one host only, one that speaks TCP only, and a bridge between
 * them. The two sides have a distributed collector each, which may be different ones; that of TCP
 * has leases.
 */
final class Bridged implements AutoCloseable {
  /**
   * Long enough for a busy machine; what one connection has leased and another gives back waits for
   * its end.
   */
  static final int LEASE_MILLIS = 15_000;

  private final List<Jvm> jvms = new ArrayList<>();
  private final String way;
  private final List<String> options;
  Jvm bridge;
  Jvm local;
  Jvm remote;

  /**
   * Starts nothing yet.
   *
   * @param way the technology of the first node
   * @param collector what collects its side's garbage
   */
  Bridged(String way, String collector, int leaseMillis) {
    this.way = way;
    options =
        List.of(
            "-Xmx64m",
            "-Djava.rmi.dgc.leaseValue=" + leaseMillis,
            "-Dkarmi.internal.collectors=" + way + "=" + collector);
  }

  private Jvm start(String technologies, List<String> more) throws IOException {
    List<String> all = new ArrayList<>(options);
    all.add("-Dkarmi.technologies=" + technologies);
    all.addAll(more);
    Jvm jvm = Jvm.start(all.toArray(new String[0]));
    jvms.add(jvm);
    return jvm;
  }

  /**
   * Starts all three, which know each other then; the bridge by options and arguments of its own.
   */
  void start(List<String> optionsOfBridge, String... argumentsOfHub) throws Exception {
    startNodes(optionsOfBridge, argumentsOfHub);
    assertThat(asks(local, "get remote")).isEqualTo("true");
    assertThat(asks(remote, "get local")).isEqualTo("true");
  }

  /** The same, and neither node has a reference to the other one yet. */
  void startNodes(List<String> optionsOfBridge, String... argumentsOfHub) throws Exception {
    List<String> hubs = new ArrayList<>(optionsOfBridge);
    hubs.add(HubMain.class.getName());
    hubs.addAll(List.of(argumentsOfHub));
    bridge = start(way + ",tcp", hubs);
    String hub = bridge.awaitLine("hub ");
    remote = start("tcp", List.of(WorkerMain.class.getName(), hub, "remote"));
    local = start(way, List.of(WorkerMain.class.getName(), hub, "local"));
    remote.awaitLine("ready");
    local.awaitLine("ready");
  }

  /** Starts all three; the bridge forwards. */
  void start() throws Exception {
    start(List.of("-Dkarmi.bridge=true"));
  }

  static String asks(Jvm node, String command) throws Exception {
    return node.ask(command, "result ");
  }

  static boolean isFree(Jvm node) {
    return !node.linesWith("unreferenced").isEmpty();
  }

  /** How many objects the bridge exports after a garbage collection: the hub, and forwarders. */
  int exported() {
    try {
      return Integer.parseInt(bridge.ask("exported", "done "));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Override
  public void close() {
    jvms.forEach(Jvm::close);
  }
}
