package io.karmi.benchmarks.stacks;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The hosts on which JVMs are started, and how a command gets there.
 *
 * @param hosts in the order in which they are used; empty for this machine alone
 * @param shell words of the command that runs another one on a host: {@code {host}} stands for its
 *     name, and {@code {command}} for one word, the whole command quoted for a POSIX shell
 */
public record Hosts(List<Host> hosts, List<String> shell) {
  /** Default of {@code --remote-shell}. */
  public static final String SSH = "ssh -o BatchMode=yes {host} {command}";

  /**
   * A host.
   *
   * @param name what the remote shell is told
   * @param address what other hosts reach it by
   */
  public record Host(String name, String address) {}

  /** This machine alone. */
  public static Hosts local() {
    return new Hosts(List.of(), List.of());
  }

  /**
   * Reads {@code --hosts} and {@code --remote-shell}.
   *
   * @param names separated by commas; {@code name=address} where the name is not an address
   * @throws IllegalArgumentException if there is none, or no {@code {command}}
   */
  public static Hosts parse(String names, String shell) {
    List<Host> hosts = new ArrayList<>();
    for (String name : names.split(",")) {
      String[] parts = name.strip().split("=", 2);
      if (parts[0].isEmpty()) {
        throw new IllegalArgumentException("--hosts has an empty name: " + names);
      }
      hosts.add(new Host(parts[0], parts.length == 1 ? parts[0] : parts[1]));
    }
    List<String> words = Arrays.asList(shell.strip().split("\\s+"));
    if (!words.contains("{command}")) {
      throw new IllegalArgumentException("--remote-shell has no word {command}: " + shell);
    }
    return new Hosts(hosts, words);
  }

  /** Is everything on this machine? */
  public boolean isLocal() {
    return hosts.isEmpty();
  }

  /** The address of the host on which JVM {@code index} runs. */
  String address(int index) {
    return isLocal() ? "127.0.0.1" : host(index).address();
  }

  /** The command that runs {@code command} on the host of JVM {@code index}. */
  List<String> command(int index, List<String> command) {
    if (isLocal()) {
      return command;
    }
    String quoted = command.stream().map(Hosts::quote).collect(Collectors.joining(" "));
    return shell.stream()
        .map(word -> word.equals("{command}") ? quoted : word.replace("{host}", host(index).name()))
        .toList();
  }

  /** JVM 0 has the first host to itself; the others share the rest. */
  private Host host(int index) {
    int others = hosts.size() - 1;
    return hosts.get(index == 0 || others == 0 ? 0 : 1 + (index - 1) % others);
  }

  private static String quote(String word) {
    return "'" + word.replace("'", "'\\''") + "'";
  }
}
