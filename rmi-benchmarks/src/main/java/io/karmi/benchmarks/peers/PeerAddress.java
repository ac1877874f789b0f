package io.karmi.benchmarks.peers;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;

/** Addresses as the harness gives them to the peers' programs. */
final class PeerAddress {
  /** The system property with the address of this JVM's host; without it, loopback. */
  static final String PROPERTY = "karmi.bench.address";

  private PeerAddress() {}

  /** Where this JVM's server listens. */
  static InetAddress ofThisJvm() throws IOException {
    String address = System.getProperty(PROPERTY);
    return address == null ? InetAddress.getLoopbackAddress() : InetAddress.getByName(address);
  }

  /** Reads {@code host:port}. */
  static InetSocketAddress parse(String text) {
    int colon = text.lastIndexOf(':');
    return new InetSocketAddress(
        text.substring(0, colon), Integer.parseInt(text.substring(colon + 1)));
  }
}
