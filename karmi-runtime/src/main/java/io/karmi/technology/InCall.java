package io.karmi.technology;

import io.karmi.id.NodeId;
import io.karmi.id.RemoteInterface;
import io.karmi.id.TechnologyId;
import io.karmi.marshal.CallInput;
import io.karmi.marshal.CallOutput;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * An incoming call. The technology owns it and uses it again for the next one. It is valid during
 * {@link UpCall#doApplicationCall} only, in that thread, and while the rest of a {@linkplain
 * #suspend suspended} call runs.
 */
public interface InCall {
  /** The rest of a call that was suspended. */
  interface Rest {
    /** Leaves the complete reply in {@link InCall#out}. */
    void run() throws IOException;
  }

  /** The number of the object that is called. */
  long objectNumber();

  /**
   * What the node above has cached for {@link #objectNumber} with this connection, to save a search
   * in a table; or null.
   */
  default @Nullable Object found() {
    return null;
  }

  /**
   * Caches something until a call of another object comes over the same connection; some
   * technologies do not.
   */
  default void keepFound(Object what) {}

  /**
   * How many calls back this thread executes, this one included, one while it waits for the reply
   * to a call that it makes in the one before.
   */
  default int nesting() {
    return 0;
  }

  /** The caller's view of the methods; {@link #methodNumber} counts in it. */
  RemoteInterface callerInterface();

  /** The method's number; less than the caller's method count. */
  int methodNumber();

  /** What the caller's interceptors have sent along; unmodifiable. */
  Map<String, String> header();

  /** Holds the arguments. */
  CallInput in();

  /**
   * Lets the arguments have the length that calls of ordinary objects may have, before the first is
   * read. Strangers may call an object with a well-known number, so its calls are short otherwise.
   */
  default void takeLongArguments() {}

  /**
   * Takes the reply: {@link CallOutput#RETURNED} and the result, or {@link CallOutput#THROWN} and
   * what was thrown.
   */
  CallOutput out();

  /**
   * Drops what has been written of the reply, so that another can be written in its place.
   *
   * @throws IOException if parts of it have left already
   */
  void discardReply() throws IOException;

  /**
   * Runs something once the reply has been sent, or cannot be: for the last call of an object that
   * is exported no more, which keeps the JVM alive that long. At most one per call.
   */
  void whenReplied(Runnable action);

  /**
   * Runs something once the connection of the call is gone: its other end has closed it, or has
   * died. At once if it is gone already.
   *
   * @see ApplicationCalls#openLine
   */
  void whenGone(Runnable action);

  /**
   * Interrupts the thread that executes the call once its caller has given it up, until {@link
   * #interruptNoMore}: its connection is gone, or the deadline has passed. A technology that cannot
   * tell does nothing.
   *
   * @param deadline null for none
   * @return false if that has begun already; then it goes on until the first one ends
   */
  default boolean interruptIfGivenUp(Thread executing, @Nullable CallDeadline deadline) {
    return false;
  }

  /** Ends what {@link #interruptIfGivenUp} began; an interrupt that it has caused is taken back. */
  default void interruptNoMore() {}

  /**
   * Whether {@link #suspend} may be called: whether another thread can go on with what this one is
   * doing.
   */
  default boolean isSuspendable() {
    return false;
  }

  /**
   * Leaves the reply to another thread: the last thing that {@link UpCall#doApplicationCall} does
   * with a call. Its own thread is free then.
   *
   * @param until when the rest can be done; in a thread of the technology's, not in the one that
   *     completes this
   */
  default void suspend(CompletableFuture<?> until, Rest rest) {
    throw new UnsupportedOperationException("this call cannot be suspended");
  }

  /** The node that the caller claims to be. */
  NodeId caller();

  /**
   * The proven identity of the caller: equal for two calls only if they come from the same node.
   * Any node that has a reference of another one can claim that one's id, but not its identity.
   */
  default Object callerIdentity() {
    return caller();
  }

  /** Called if the reply is an exception. */
  default void failed() {}

  /** What the network has proven of the caller, such as its certificate; null for nothing. */
  default @Nullable Object credential() {
    return null;
  }

  /** Name of the call's technology. */
  default String technology() {
    TechnologyId end = endpoint();
    return end == null ? "" : end.technology();
  }

  /** The caller's address as text, as {@code RemoteServer.getClientHost} shows it. */
  String clientHost();

  /**
   * The listening end on which the caller's connection came in; null if this node opened the
   * connection.
   */
  @Nullable TechnologyId endpoint();
}
