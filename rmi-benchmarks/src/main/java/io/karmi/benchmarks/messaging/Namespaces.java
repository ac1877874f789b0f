package io.karmi.benchmarks.messaging;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * Hosts of a network of their own: network namespaces of Linux that a virtual switch joins. It
 * takes a superuser and iproute2. Not thread-safe.
 */
final class Namespaces implements AutoCloseable {
  /** Most hosts: their addresses differ in the last number. */
  static final int MAXIMUM = 64;

  private static final String NETWORK = "10.214.0.";

  /** Begins the names of devices, which have 15 characters at most. */
  private final String prefix = "kb" + ProcessHandle.current().pid() % 10_000_000;

  private final List<String> made = new ArrayList<>();

  /**
   * Makes hosts.
   *
   * @param rate with which each one sends, in tc's words; empty for what the machine does
   */
  Namespaces(int count, String rate) throws IOException {
    try {
      make(prefix);
      ip("-n", prefix, "link", "add", "switch", "type", "bridge");
      ip("-n", prefix, "link", "set", "switch", "up");
      for (int i = 0; i < count; i++) {
        join(i, rate);
      }
    } catch (IOException e) {
      close();
      throw e;
    }
  }

  private void make(String name) throws IOException {
    ip("netns", "add", name);
    made.add(name);
  }

  private void join(int host, String rate) throws IOException {
    String name = name(host);
    make(name);
    ip("link", "add", "eth", "netns", name, "type", "veth", "peer", "port" + host, "netns", prefix);
    ip("-n", prefix, "link", "set", "port" + host, "master", "switch", "up");
    ip("-n", name, "addr", "add", address(host) + "/24", "dev", "eth");
    ip("-n", name, "link", "set", "eth", "up");
    ip("-n", name, "link", "set", "lo", "up");
    if (!rate.isEmpty()) {
      List<String> tc = List.of("tc", "-n", name, "qdisc", "add", "dev", "eth", "root", "tbf");
      run(tc, "rate", rate + "bit", "burst", "1m", "latency", "50ms");
    }
  }

  private String name(int host) {
    return prefix + '-' + host;
  }

  /** The words in front of a command that is to run on a host. */
  List<String> on(int host) {
    return List.of("ip", "netns", "exec", name(host));
  }

  /** The address of a host. */
  static String address(int host) {
    return NETWORK + (host + 1);
  }

  @Override
  public void close() throws IOException {
    while (!made.isEmpty()) {
      ip("netns", "del", made.remove(made.size() - 1));
    }
  }

  private static void ip(String... words) throws IOException {
    run(List.of("ip"), words);
  }

  private static void run(List<String> command, String... more) throws IOException {
    List<String> words = new ArrayList<>(command);
    words.addAll(List.of(more));
    Process process = new ProcessBuilder(words).redirectErrorStream(true).start();
    String said =
        new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
    try {
      if (process.waitFor() != 0) {
        throw new IOException(String.join(" ", words) + ": " + said);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted in " + words, e);
    }
  }
}
