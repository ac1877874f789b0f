package io.karmi.ucx;

import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * A host, by name or number, and a port, where a node takes the TCP connections beside its links;
 * written {@code 10.0.0.7:4711} or {@code [2001:db8::7]:4711}. Immutable.
 */
record SideAddress(String host, int port) {
  private static final int HIGHEST_PORT = 0xFFFF;

  /**
   * Reads a list as it stands in a UTID: addresses separated by commas.
   *
   * @throws IllegalArgumentException if it is none
   */
  static List<String> parseList(String list) {
    List<String> all = new ArrayList<>();
    for (String text : list.split(",")) {
      all.add(parse(text).toString());
    }
    return all;
  }

  /**
   * Reads one address.
   *
   * @throws IllegalArgumentException if it is none
   */
  static SideAddress parse(String text) {
    int colon = text.lastIndexOf(':');
    if (colon <= 0) {
      throw new IllegalArgumentException("not host:port: " + text);
    }
    String host = text.substring(0, colon);
    if (host.startsWith("[") && host.endsWith("]")) {
      host = host.substring(1, host.length() - 1);
    }
    int port = Integer.parseInt(text.substring(colon + 1));
    if (port < 0 || port > HIGHEST_PORT) {
      throw new IllegalArgumentException("port out of range: " + text);
    }
    return new SideAddress(host, port);
  }

  /**
   * All addresses by which this node may be reached at a port, the most useful first.
   *
   * @param within whether only this host is to reach it
   */
  static String listLocal(int port, boolean within) {
    String configured = System.getProperty("java.rmi.server.hostname", "");
    Set<String> hosts = new LinkedHashSet<>();
    if (!within && !configured.isEmpty()) {
      hosts.add(configured);
    } else if (!within) {
      addUseful(hosts, true);
      addUseful(hosts, false);
    }
    if (within || configured.isEmpty()) {
      hosts.add(numeric(InetAddress.getLoopbackAddress()));
    }
    return hosts.stream()
        .map(host -> new SideAddress(host, port).toString())
        .collect(Collectors.joining(","));
  }

  private static void addUseful(Set<String> hosts, boolean version4) {
    for (InetAddress address : local()) {
      if (!address.isLoopbackAddress()
          && !address.isLinkLocalAddress()
          && !address.isAnyLocalAddress()
          && address instanceof Inet4Address == version4) {
        hosts.add(numeric(address));
      }
    }
  }

  private static Set<InetAddress> local() {
    Set<InetAddress> addresses = new LinkedHashSet<>();
    try {
      addresses.add(InetAddress.getLocalHost());
    } catch (UnknownHostException e) {
      Ucx.LOG.log(System.Logger.Level.DEBUG, "this host does not know its own name", e);
    }
    try {
      for (NetworkInterface network : Collections.list(NetworkInterface.getNetworkInterfaces())) {
        if (network.isUp()) {
          addresses.addAll(Collections.list(network.getInetAddresses()));
        }
      }
    } catch (SocketException e) {
      Ucx.LOG.log(System.Logger.Level.DEBUG, "network interfaces cannot be listed", e);
    }
    return addresses;
  }

  /** Without the name of the interface, which means nothing elsewhere. */
  private static String numeric(InetAddress address) {
    String text = address.getHostAddress();
    int zone = text.indexOf('%');
    return zone < 0 ? text : text.substring(0, zone);
  }

  @Override
  public String toString() {
    return host.indexOf(':') >= 0 ? "[" + host + "]:" + port : host + ":" + port;
  }
}
