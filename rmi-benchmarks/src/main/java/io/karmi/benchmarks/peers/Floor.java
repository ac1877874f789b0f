package io.karmi.benchmarks.peers;

import java.io.IOException;
import java.net.Socket;

/**
 * Transports of the same bytes without objects and calls: the lower bound of RMI on this machine.
 *
 * <p>Each connection begins on a TCP socket, on which the server says where the link itself is.
 */
public enum Floor {
  /** That TCP socket. */
  SOCKET(SocketLink::new, SocketLink::new),
  /** Mapped memory, at which both sides spin. */
  SHARED_MEMORY(MemoryLink::serve, MemoryLink::connect),
  /** The same, each message in a new array: what no call that copies its arguments can beat. */
  COPIES(MemoryLink::serve, MemoryLink::connect);

  /** Makes a link of a connection that a client has just opened. */
  @FunctionalInterface
  private interface End {
    Link open(Socket control) throws IOException;
  }

  private final End server;
  private final End client;

  Floor(End server, End client) {
    this.server = server;
    this.client = client;
  }

  /** The server's end of a connection that a client has just opened. */
  Link serve(Socket control) throws IOException {
    return server.open(control);
  }

  /** The client's end. */
  Link connect(Socket control) throws IOException {
    return client.open(control);
  }

  /** Is each message read into a new array? */
  boolean makesArrays() {
    return this == COPIES;
  }
}
