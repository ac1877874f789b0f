package io.karmi.technology;

import io.karmi.id.TechnologyId;
import java.io.IOException;
import java.util.Map;

/**
 * One network as an object (paper 4.3): takes calls down to another node.
 *
 * <p>How they are made is in {@link ApplicationCalls}; what a network is besides, here. One whose
 * nodes are found by host and port is {@link Addressable} as well. Thread-safe.
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

  /** Ends what one {@link #listen} began; connections that are open stay. */
  public abstract void release(TechnologyId endpoint);

  /** True if the UTID is one of this technology and its address makes sense to it. */
  public abstract boolean reaches(TechnologyId id);

  /** What it has counted since it was opened, by name, for inspection. */
  public Map<String, Long> counters() {
    return Map.of();
  }

  /**
   * Begins to end: others can open connections no more, and are told over those that are open to
   * call elsewhere. Calls that are executed go on.
   */
  public void drain() {}

  /** Whether others have closed all connections that they have opened. */
  public boolean isLeft() {
    return true;
  }

  /** How many calls of others are being executed, or their replies not sent yet. */
  public int runningCalls() {
    return 0;
  }

  /** Stops listening and closes all connections. */
  @Override
  public abstract void close();
}
