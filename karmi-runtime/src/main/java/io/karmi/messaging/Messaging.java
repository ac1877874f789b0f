package io.karmi.messaging;

import java.io.Serializable;
import java.rmi.RemoteException;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/**
 * Messaging of a node: sends messages without waiting for their arrival, and receives messages by
 * their class (DXNet, III).
 *
 * <p>A message is an ordinary serializable object. Nothing has to be registered to send it. It
 * arrives at most once; messages of one thread that were sent by {@link #sendOrdered} are handled
 * in their order, others in any. A message that is too large for the window, or for the ring, is
 * sent in parts, between which others pass.
 *
 * <p>Connections are opened by the first send to a node, and closed when they have been idle for
 * {@code karmi.idleTimeout} or when there are more than 100.
 *
 * <p>In a handler, {@link #send} may wait for the receiver's window, and {@link
 * CompletableFuture#get} of a request for its answer: the handler's place is then taken by another
 * thread, up to 256 of them.
 *
 * <p>Thread-safe.
 */
public interface Messaging extends AutoCloseable {
  /** The messaging of this JVM's node, which accepts messages from now on. */
  static Messaging ofThisNode() {
    return NodeMessaging.ofThisNode();
  }

  /**
   * The address by which others send here. It can be bound in a registry as part of a remote
   * object's result, or put into a message.
   */
  Address address();

  /**
   * Receives messages of a class and of its subclasses, unless these have a receiver of their own.
   * A later registration for the same class replaces an earlier one.
   */
  <M extends Serializable> Registration receive(Class<M> type, Receiver<? super M> receiver);

  /**
   * Answers requests of a class and of its subclasses, unless these have an answerer of their own.
   */
  <Q extends Serializable, R> Registration answer(
      Class<Q> type, Answerer<? super Q, ? extends R> answerer);

  /**
   * Sends a message to one or more nodes, to one after the other, and returns when it is marshalled
   * and on its way. Waits while a receiver's window is full ({@code karmi.messaging.window}). It is
   * marshalled once for all, if that takes long; else for each.
   *
   * @throws java.rmi.MarshalException if the message cannot be serialized; it has been sent to no
   *     node
   * @throws RemoteException if a receiver cannot be reached; those before it in the list have been
   *     sent the message
   */
  void send(Serializable message, Address... to) throws RemoteException;

  /**
   * As {@link #send}; and the message is handled after all ordered messages that this thread has
   * sent before to the same address, or to one of the same object, when these have been handled.
   * Where their connection was closed since, in good order, this waits for that. Where it was lost,
   * no order holds: of those sent before some may be missing, and others be handled later.
   */
  void sendOrdered(Serializable message, Address... to) throws RemoteException;

  /**
   * As {@link #send}, but sends nothing where that would wait for room. A message that is longer
   * than a window ({@code karmi.messaging.window}) always would. A first message to a node waits
   * for the connection.
   *
   * @return whether the message was sent
   */
  boolean trySend(Serializable message, Address to) throws RemoteException;

  /**
   * Sends a request, as {@link #send} does.
   *
   * @return completed with the answer; with what the answerer threw; or with a {@link
   *     RemoteException} if the request cannot be sent, the node is lost or does not answer within
   *     60 seconds. Cancelling it drops the answer.
   */
  <R> CompletableFuture<R> request(Serializable request, Address to);

  /**
   * Opens a channel to a node: graphs in order, each acknowledged. As {@link ObjectChannel#open},
   * which does it for this JVM's node.
   */
  ObjectChannel openChannel(Address to, String name) throws RemoteException;

  /**
   * Takes channels that other nodes open under a name. A later registration for the same name
   * replaces an earlier one. Closing the registration leaves channels open that were taken.
   */
  Registration onChannel(String name, ChannelHandler handler);

  /**
   * Registers a listener for lost nodes. It is told once for each node to which the connection was
   * lost; not for those that were idle. The name of a node that has connected itself, and to which
   * nothing was sent, is only that node's claim: it may be another one that has lost its
   * connection.
   */
  Registration onLost(Consumer<Address> listener);

  /** Counters since the start: messages, requests and bytes in both directions. */
  java.util.Map<String, Long> counters();

  /** Drains and closes all links, and accepts no messages any more. */
  @Override
  void close();
}
