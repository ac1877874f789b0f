package io.karmi.messaging.link;

import io.karmi.id.NodeId;
import io.karmi.id.ObjectId;
import io.karmi.id.TechnologyId;
import io.karmi.marshal.RemoteTranslation;
import io.karmi.technology.Pipe;
import io.karmi.technology.PipeAcceptor;
import io.karmi.technology.Technology;
import io.karmi.technology.WatchedCall;
import java.io.IOException;
import java.io.ObjectInputFilter;
import java.rmi.AccessException;
import java.rmi.Remote;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The node of a messaging instance. The runtime's root implements it, as messaging lies below the
 * layer that knows the node. Thread-safe.
 */
public interface MessagingHost {
  /** The name of the node. */
  NodeId node();

  /**
   * Checks that the node has started.
   *
   * @throws IOException that says which setting it has refused
   */
  default void checkStarted() throws IOException {}

  /** Translation of remote objects and classes in messages. */
  RemoteTranslation translation();

  /** The technologies of the node, the preferred one first. */
  List<Technology> technologies();

  /** Listens in all technologies, at any port. */
  TechnologyId[] listen() throws IOException;

  /** Gives all pipes that other nodes open to an acceptor from now on. */
  void accept(PipeAcceptor acceptor);

  /**
   * The number by which others call an object, and how.
   *
   * @throws IllegalArgumentException if it is neither a stub of KaRMI's nor exported
   */
  ObjectId objectId(Remote stub);

  /** Names the node at a TCP port. */
  ObjectId locate(String host, int port);

  /** Whether something decides about messages before they are read: {@link #authorize}. */
  boolean isAuthorizing();

  /**
   * Decides about a message that is about to be read.
   *
   * @param request whether it is to be answered
   * @throws AccessException if it may not be read
   */
  void authorize(Pipe from, boolean request) throws AccessException;

  /** Whether interceptors are told of messages: {@link #leaves} and {@link #came}. */
  default boolean isWatching() {
    return false;
  }

  /**
   * A message or request is about to leave; what this throws fails it.
   *
   * @return told of its end, unless nothing was sent
   */
  default WatchedCall leaves(Class<?> type, boolean request, NodeId to) {
    throw new IllegalStateException("nothing watches");
  }

  /**
   * A message or request is about to be handled; what this throws is its outcome.
   *
   * @param peer address of the sender's host
   * @param header what its interceptors have sent along
   * @return told of its end, in the same thread unless it was told before that it is suspended
   */
  default WatchedCall came(
      Class<?> type, boolean request, String peer, Map<String, String> header) {
    throw new IllegalStateException("nothing watches");
  }

  /** Filter for the contents of messages, in addition to that for strangers; null for the JVM's. */
  @Nullable ObjectInputFilter filter();

  /** Messages of a class are received or answered: {@link #filter} lets it through. */
  void expect(Class<?> type);

  /** Whether this node exports an object under a number that is not fixed for all nodes. */
  boolean isExported(long number);

  /** Reader of the node's calm links, where it shares one with others; null for its own. */
  default @Nullable LinkSelector selector() {
    return null;
  }

  /** Messaging of this node is closed: no other node is to reach it any more. */
  default void messagingClosed() {}
}
