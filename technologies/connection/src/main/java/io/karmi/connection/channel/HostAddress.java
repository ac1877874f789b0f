package io.karmi.connection.channel;

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
import org.jspecify.annotations.Nullable;

/**
 * A host and a port, as networks of IP sockets name a node; written {@code 10.0.0.7:4711} or {@code
 * [2001:db8::7]:4711}. Immutable.
 *
 * @param host name or number
 */
public record HostAddress(String host, int port) {
  private static final int HIGHEST_PORT = 0xFFFF;

  /**
   * Reads a list of addresses, separated by commas, as in a UTID.
   *
   * @throws IllegalArgumentException if it is none
   */
  public static List<HostAddress> parseList(String list) {
    List<HostAddress> all = new ArrayList<>();
    for (String text : list.split(",")) {
      all.add(parse(text));
    }
    return all;
  }

  /**
   * Splits such a list: each address as {@link #toString} writes it.
   *
   * @throws IllegalArgumentException if it is none
   */
  public static List<String> split(String list) {
    List<String> all = new ArrayList<>();
    for (HostAddress address : parseList(list)) {
      all.add(address.toString());
    }
    return all;
  }

  /**
   * Reads one address.
   *
   * @throws IllegalArgumentException if it is none
   */
  public static HostAddress parse(String text) {
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
    return new HostAddress(host, port);
  }

  /** All addresses by which this machine may be reached at a port, the most useful first. */
  public static String listLocal(int port) {
    String configured = configuredHost();
    if (configured != null) {
      return new HostAddress(configured, port).toString();
    }
    Set<InetAddress> addresses = localAddresses();
    Set<String> hosts = new LinkedHashSet<>();
    addUseful(hosts, addresses, true);
    addUseful(hosts, addresses, false);
    hosts.add(numeric(InetAddress.getLoopbackAddress()));
    List<String> list = new ArrayList<>();
    for (String host : hosts) {
      list.add(new HostAddress(host, port).toString());
    }
    return String.join(",", list);
  }

  /** The address at which this host alone reaches a port of its own. */
  public static HostAddress loopback(int port) {
    return new HostAddress(numeric(InetAddress.getLoopbackAddress()), port);
  }

  /**
   * The host that the program says this machine has; where it asks for the machine's name, that
   * name if it has a domain; or null.
   */
  public static @Nullable String configuredHost() {
    String host = System.getProperty("java.rmi.server.hostname");
    if (host != null && !host.isEmpty()) {
      return host;
    }
    return Boolean.getBoolean("java.rmi.server.useLocalHostName") ? OwnName.WITH_DOMAIN : null;
  }

  /** The name of this machine, which takes a look-up and is asked for once. */
  private static final class OwnName {
    static final @Nullable String WITH_DOMAIN = withDomain();

    private static @Nullable String withDomain() {
      try {
        InetAddress own = InetAddress.getLocalHost();
        String address = own.getHostAddress();
        for (String name : new String[] {own.getHostName(), own.getCanonicalHostName()}) {
          if (name.indexOf('.') >= 0 && !name.equals(address)) {
            return name;
          }
        }
      } catch (UnknownHostException e) {
        ConnectionLog.LOG.log(System.Logger.Level.DEBUG, "this host does not know its name", e);
      }
      return null;
    }
  }

  private static void addUseful(Set<String> hosts, Set<InetAddress> addresses, boolean version4) {
    for (InetAddress address : addresses) {
      if (isUseful(address) && address instanceof Inet4Address == version4) {
        hosts.add(numeric(address));
      }
    }
  }

  private static boolean isUseful(InetAddress address) {
    return !address.isLoopbackAddress()
        && !address.isLinkLocalAddress()
        && !address.isAnyLocalAddress();
  }

  private static Set<InetAddress> localAddresses() {
    Set<InetAddress> addresses = new LinkedHashSet<>();
    try {
      addresses.add(InetAddress.getLocalHost());
    } catch (UnknownHostException e) {
      ConnectionLog.LOG.log(System.Logger.Level.DEBUG, "this host does not know its own name", e);
    }
    try {
      for (NetworkInterface network : Collections.list(NetworkInterface.getNetworkInterfaces())) {
        if (network.isUp()) {
          addresses.addAll(Collections.list(network.getInetAddresses()));
        }
      }
    } catch (SocketException e) {
      ConnectionLog.LOG.log(System.Logger.Level.DEBUG, "network interfaces cannot be listed", e);
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
