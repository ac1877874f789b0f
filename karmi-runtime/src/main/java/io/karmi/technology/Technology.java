package io.karmi.technology;

import io.karmi.id.TechnologyId;
import java.io.IOException;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A network, over which calls go to other nodes (paper 4.3).
 *
 * <p>Making calls is in {@link ApplicationCalls}, everything else is here. A network whose nodes
 * are found by host and port is {@link Addressable} as well. Thread-safe.
 */
public abstract class Technology extends ApplicationCalls implements AutoCloseable {
  /** The first half of its UTIDs, such as {@code tcp}. */
  public abstract String name();

  /**
   * The rank: of several technologies that reach a node the one with the highest is used. TCP has
   * 0.
   */
  public abstract int rank();

  /**
   * The name of the technology that a node's first calls are left to, if it is the next best one;
   * null for none. For a network whose connections cost more than a few calls gain. The other one
   * has to protect calls as this one does.
   */
  public @Nullable String firstCallsBy() {
    return null;
  }

  /**
   * Starts to accept calls.
   *
   * @param port where to listen, for technologies that have ports; 0 for the one any-port endpoint
   *     of the node. A second request for the same port returns the same UTID.
   * @throws java.net.BindException if the port is in use
   */
  public abstract TechnologyId listen(int port) throws IOException;

  /**
   * As {@link #listen}, for an object that is not in the tables yet. Calls that arrive before
   * {@link #begin} wait, if the technology can do that, instead of failing with "no such object".
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
   * The listening end with a name, as {@link InCall#endpoint} returns it. An end gets another name
   * when the program sets another name of its host; its earlier names stay valid.
   */
  public TechnologyId end(TechnologyId name) {
    return name;
  }

  /** Ends what one {@link #listen} began; connections that are open stay. */
  public abstract void release(TechnologyId endpoint);

  /** True if the UTID is one of this technology and its address makes sense to it. */
  public abstract boolean reaches(TechnologyId id);

  /** Its counters since it was opened, by name, for inspection. */
  public Map<String, Long> counters() {
    return Map.of();
  }

  /** The calls since it was opened, by the host of the other end, in any order. */
  public Collection<PeerCalls> callsByPeer() {
    return List.of();
  }

  /**
   * Begins to end: no more connections are accepted, and peers are told, over those that are open,
   * to call elsewhere. Running calls go on.
   */
  public void drain() {}

  /** Whether others have closed all connections that they have opened. */
  public boolean isLeft() {
    return true;
  }

  /** The number of calls of others that are executed, or whose replies are not sent yet. */
  public int runningCalls() {
    return 0;
  }

  /** Stops listening and closes all connections. */
  @Override
  public abstract void close();
}
