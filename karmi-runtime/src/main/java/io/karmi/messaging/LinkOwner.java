package io.karmi.messaging;

import io.karmi.marshal.RemoteTranslation;
import io.karmi.messaging.frame.ArrayPool;
import io.karmi.messaging.link.Counts;
import io.karmi.messaging.link.LinkSelector;
import io.karmi.ring.RingPagePool;
import io.karmi.technology.Pipe;
import java.rmi.AccessException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The node's messaging, as its links and handlers see it. Thread-safe. */
interface LinkOwner {
  MessagingSettings settings();

  RemoteTranslation translation();

  Handlers handlers();

  /** The reader of links that are idle or calm. */
  LinkSelector selector();

  Counts counts();

  /** Memory of outgoing rings. */
  RingPagePool pages();

  /** Arrays of messages that come or go in parts, and of chunks. */
  ArrayPool arrays();

  /** The class loader that is asked first for classes of messages. */
  @Nullable ClassLoader loader();

  /** Where this node listens; empty if it does not. */
  List<String> ownWays();

  /** Why a message may not be read; null if it may. */
  @Nullable AccessException refusal(Pipe from, boolean request);

  /** Whether an answer is wanted that has come over a link. */
  boolean awaits(long number, Link link);

  /** Handles a message, in a handler's thread. */
  void deliver(Link link, Incoming message);

  /** The thread that waits for an answer, if no other is under way over its link; else null. */
  @Nullable Thread waitingAlone(Link link, long request);

  /** Sends nothing more over a link, which its other end closes. */
  void forget(Link link);

  /** Executes something soon, in a thread that may wait for the network. */
  void execute(Runnable work);

  /**
   * A link has ended.
   *
   * @param inOrder whether the other end has processed all that was sent, and this one was leaving
   */
  void ended(Link link, Throwable because, boolean inOrder);

  /** Lets links be read on whose reading thread is busy with a message for long. */
  void relieveReaders();
}
