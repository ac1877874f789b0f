package io.karmi.technology;

import io.karmi.id.ObjectId;
import io.karmi.id.RemoteInterface;
import io.karmi.id.TechnologyId;
import io.karmi.marshal.Arguments;
import java.io.Closeable;
import java.io.IOException;
import java.rmi.RemoteException;
import java.rmi.server.RMISocketFactory;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One network as an object (paper 4.3): takes calls down to another node.
 *
 * <p>How they are made is in {@link ApplicationCalls}; what a network is besides, here.
 * Thread-safe.
 */
public abstract class Technology extends ApplicationCalls implements AutoCloseable {
  /** The first half of its UTIDs, such as {@code tcp}. */
  public abstract String name();

  /**
   * Which technology is taken when several reach a node: the one with the highest rank. TCP has 0.
   */
  public abstract int rank();

  /**
   * Starts to accept calls.
   *
   * @param port where to listen, for technologies that have ports; 0 for the one any-port endpoint
   *     of the node. A second request for the same port returns the same UTID.
   * @throws java.net.BindException if the port is in use
   */
  public abstract TechnologyId listen(int port) throws IOException;

  /**
   * As {@link #listen}, for an object that is not in the tables yet: who calls before {@link
   * #begin} waits, where the technology can make him, and does not learn that there is no such
   * object.
   */
  public TechnologyId listenFromBegin(int port) throws IOException {
    return listen(port);
  }

  /**
   * Ends what {@link #listenFromBegin} began to hold back; without effect if that has been
   * released.
   */
  public void begin(TechnologyId endpoint) {}

  /**
   * The listening end that goes by a name, as {@link InCall#endpoint} tells it. An end may get
   * another name while it listens, because the program says how its host is known; its earlier
   * names still mean it.
   */
  public TechnologyId end(TechnologyId name) {
    return name;
  }

  /** The TCP port of a listening end, where others may connect, too; −1 if it has none. */
  public int port(TechnologyId endpoint) {
    return -1;
  }

  /** Ends what one {@link #listen} began; connections that are open stay. */
  public abstract void release(TechnologyId endpoint);

  /** True if the UTID is one of this technology and its address makes sense to it. */
  public abstract boolean reaches(TechnologyId id);

  /** The UTID of whoever listens at a host and port; nothing is contacted. */
  public abstract TechnologyId locate(String host, int port);

  /**
   * Makes a call over a way of its own, which then stays open, so that the callee notices when it
   * is closed or this process ends ({@link InCall#whenGone}).
   *
   * @param arguments of a method with a long result, which is dropped
   * @return closes the line
   */
  public abstract Closeable openLine(
      ObjectId target, RemoteInterface type, int methodNumber, Arguments arguments)
      throws RemoteException, ThrownByCallee;

  /**
   * Sockets for stock RMI beside this node, which connect and listen as securely as this technology
   * does; null if that secures nothing.
   */
  public @Nullable RMISocketFactory securedSockets() {
    return null;
  }

  /** What it has counted since it was opened, by name, for inspection. */
  public Map<String, Long> counters() {
    return Map.of();
  }

  /** Stops listening and closes all connections. */
  @Override
  public abstract void close();
}
