package io.karmi.uds;

import java.net.InetAddress;
import java.net.UnknownHostException;

/** Address of this host, as callees on it see their callers. */
final class OwnHost {
  private String named = "";
  private String address = "";

  /** The address that the program has configured, or else the system's. */
  synchronized String address() {
    String host = System.getProperty("java.rmi.server.hostname", "");
    if (address.isEmpty() || !host.equals(named)) {
      named = host;
      address = resolve(host);
    }
    return address;
  }

  private static String resolve(String host) {
    try {
      InetAddress found = host.isEmpty() ? InetAddress.getLocalHost() : InetAddress.getByName(host);
      return found.getHostAddress();
    } catch (UnknownHostException e) {
      return InetAddress.getLoopbackAddress().getHostAddress();
    }
  }
}
