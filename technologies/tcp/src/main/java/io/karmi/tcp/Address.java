package io.karmi.tcp;

import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.Socket;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A host, by name or number, and a port; written {@code 10.0.0.7:4711} or {@code
 * [2001:db8::7]:4711}. Immutable.
 */
final class Address {
  final String host;
  final int port;

  Address(String host, int port) {
    this.host = host;
    this.port = port;
  }

  /**
   * Reads a list as it stands in a UTID: addresses separated by commas.
   *
   * @throws IllegalArgumentException if it is none
   */
  static List<Address> parseList(String list) {
    List<Address> all = new ArrayList<>();
    for (String text : list.split(",")) {
      all.add(parse(text));
    }
    return all;
  }

  /**
   * Reads one address.
   *
   * @throws IllegalArgumentException if it is none
   */
  static Address parse(String text) {
    int colon = text.lastIndexOf(':');
    if (colon <= 0) {
      throw new IllegalArgumentException("not host:port: " + text);
    }
    String host = text.substring(0, colon);
    if (host.startsWith("[") && host.endsWith("]")) {
      host = host.substring(1, host.length() - 1);
    }
    int port = Integer.parseInt(text.substring(colon + 1));
    if (port < 0 || port > 0xFFFF) {
      throw new IllegalArgumentException("port out of range: " + text);
    }
    return new Address(host, port);
  }

  /** All addresses by which this machine may be reached at a port, the most useful first. */
  static String listLocal(int port) {
    String configured = configuredHost();
    if (configured != null) {
      return new Address(configured, port).toString();
    }
    Set<InetAddress> addresses = new LinkedHashSet<>();
    try {
      addresses.add(InetAddress.getLocalHost());
    } catch (UnknownHostException e) {
      Tcp.LOG.log(System.Logger.Level.DEBUG, "this host does not know its own name", e);
    }
    addInterfaces(addresses);
    Set<String> hosts = new LinkedHashSet<>();
    addUseful(hosts, addresses, true);
    addUseful(hosts, addresses, false);
    hosts.add(numeric(InetAddress.getLoopbackAddress()));
    List<String> list = new ArrayList<>();
    for (String host : hosts) {
      list.add(new Address(host, port).toString());
    }
    return String.join(",", list);
  }

  /** The host that the program says this machine has, or null. */
  static @Nullable String configuredHost() {
    String host = System.getProperty("java.rmi.server.hostname");
    return host == null || host.isEmpty() ? null : host;
  }

  private static void addUseful(Set<String> hosts, Set<InetAddress> addresses, boolean version4) {
    for (InetAddress address : addresses) {
      if (isUseful(address) && address instanceof Inet4Address == version4) {
        hosts.add(numeric(address));
      }
    }
  }

  /** Without the name of the interface, which means nothing elsewhere. */
  private static String numeric(InetAddress address) {
    String text = address.getHostAddress();
    int zone = text.indexOf('%');
    return zone < 0 ? text : text.substring(0, zone);
  }

  /**
   * The host at the other end of a socket, by number; {@code 0.0.0.0} if a socket of the program's
   * own does not say, as on stock RMI.
   */
  static String hostOf(Socket socket) {
    InetAddress address = socket.getInetAddress();
    return address == null ? "0.0.0.0" : address.getHostAddress();
  }

  private static void addInterfaces(Set<InetAddress> addresses) {
    try {
      for (NetworkInterface network : Collections.list(NetworkInterface.getNetworkInterfaces())) {
        if (network.isUp()) {
          addresses.addAll(Collections.list(network.getInetAddresses()));
        }
      }
    } catch (SocketException e) {
      Tcp.LOG.log(System.Logger.Level.DEBUG, "network interfaces cannot be listed", e);
    }
  }

  private static boolean isUseful(InetAddress address) {
    return !address.isLoopbackAddress()
        && !address.isLinkLocalAddress()
        && !address.isAnyLocalAddress();
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Address
        && ((Address) other).port == port
        && ((Address) other).host.equals(host);
  }

  @Override
  public int hashCode() {
    return host.hashCode() * 31 + port;
  }

  @Override
  public String toString() {
    return host.indexOf(':') >= 0 ? "[" + host + "]:" + port : host + ":" + port;
  }
}
