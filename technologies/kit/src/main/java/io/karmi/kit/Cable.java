package io.karmi.kit;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * Two hosts, which are network namespaces of this machine, joined by a virtual cable. They have no
 * other way to each other, and none to this machine. Used by one thread.
 */
public final class Cable {
  private static final int RUN_SECONDS = 60;

  private final String first;
  private final String second;
  private final String network;

  private Cable(String prefix, int subnet) {
    String own = prefix + ProcessHandle.current().pid() % 100_000;
    first = own + "a";
    second = own + "b";
    network = "10.213." + subnet + ".";
  }

  /**
   * Makes the hosts, or nothing where that cannot be done: it takes a superuser and iproute2.
   *
   * @param prefix two letters that no other test has
   * @param subnet a number below 256 that no other test has
   */
  public static Optional<Cable> lay(String prefix, int subnet) throws InterruptedException {
    Cable cable = new Cable(prefix, subnet);
    if (cable.isLaid()) {
      return Optional.of(cable);
    }
    cable.close();
    return Optional.empty();
  }

  private boolean isLaid() throws InterruptedException {
    boolean laid = ip("netns", "add", first) && ip("netns", "add", second);
    laid =
        laid
            && ip(
                "link", "add", first, "netns", first, "type", "veth", "peer", second, "netns",
                second);
    for (String each : hosts()) {
      laid =
          laid
              && ip("-n", each, "addr", "add", address(each) + "/24", "dev", each)
              && ip("-n", each, "link", "set", each, "up")
              && ip("-n", each, "link", "set", "lo", "up");
    }
    return laid;
  }

  /** The names of both hosts. */
  public List<String> hosts() {
    return List.of(first, second);
  }

  /** The address of a host. */
  public String address(String host) {
    return network + (host.equals(first) ? 1 : 2);
  }

  /** Bytes that the first host has sent over the cable. */
  public long transmitted() throws IOException, InterruptedException {
    String counter = "/sys/class/net/" + first + "/statistics/tx_bytes";
    Process cat = new ProcessBuilder("ip", "netns", "exec", first, "cat", counter).start();
    byte[] bytes = cat.getInputStream().readAllBytes();
    if (cat.waitFor() != 0) {
      throw new IOException(counter + " of " + first + " cannot be read");
    }
    return Long.parseLong(new String(bytes, StandardCharsets.US_ASCII).strip());
  }

  /** Removes the hosts. */
  public void close() throws InterruptedException {
    for (String each : hosts()) {
      ip("netns", "del", each);
    }
  }

  private static boolean ip(String... words) throws InterruptedException {
    List<String> command = new ArrayList<>(List.of("ip"));
    command.addAll(List.of(words));
    return succeeds(command);
  }

  /** Whether a command ends with success; not if there is no such command. */
  public static boolean succeeds(List<String> command) throws InterruptedException {
    try {
      Process process =
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start();
      return process.waitFor(RUN_SECONDS, TimeUnit.SECONDS) && process.exitValue() == 0;
    } catch (IOException e) {
      return false;
    }
  }
}
