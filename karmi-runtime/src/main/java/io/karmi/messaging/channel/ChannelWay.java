package io.karmi.messaging.channel;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * How one end of a channel reaches the other: by messages of a node, or by the streams of a socket.
 *
 * <p>Graphs, {@linkplain #askInOrderSoon ordered questions} and the end arrive in their order, each
 * at most once. Thread-safe.
 */
public interface ChannelWay {
  /**
   * Marshals a graph and sends it.
   *
   * @param awaited whether the other end is to tell its state as soon as it has it
   * @return its length in bytes; the other end is told the same
   * @throws java.rmi.MarshalException if it cannot be marshalled; then nothing was sent
   * @throws IOException if the other end is lost
   */
  int sendGraph(long number, boolean awaited, @Nullable Object graph) throws IOException;

  /** Asks the other end for its state, soon. Never waits. */
  void askSoon();

  /**
   * The same in the current thread, which waits for the answer, if what this end sends need not
   * wait for the other one.
   *
   * @throws IOException if the other end is lost
   */
  default void ask() throws IOException {
    askSoon();
  }

  /**
   * Asks the other end for its state behind all graphs, soon: it then knows which ones have not
   * come. Never waits.
   */
  void askInOrderSoon();

  /** Tells the state of this end, soon. Never waits. */
  void tellSoon();

  /**
   * The same in the current thread, which receives, if what this end sends need not wait for the
   * other one.
   *
   * @throws IOException if the other end is lost
   */
  default void tell() throws IOException {
    tellSoon();
  }

  /**
   * Whether the current thread, which waits for the other end, may {@link #receive}. The same as
   * long as it waits.
   */
  default boolean mayReceive() {
    return false;
  }

  /**
   * Receives what comes next, or waits some milliseconds for it, in a thread that may.
   *
   * @param graphs whether the thread waits for a graph; one that does not leaves graphs to others
   * @return false if another thread does; then that one tells what has come
   */
  default boolean receive(boolean graphs) {
    return false;
  }

  /** The current thread waits for what comes and does not receive it. Never waits. */
  default void receiveElsewhere() {}

  /** Tells the state of this end, then that no graph follows, and that it reads none. */
  void sendEnd() throws IOException;

  /**
   * The other end has ended the channel, and all that it has sent is read: lets go of it once the
   * state of this end was told. Never waits.
   */
  default void over() {}

  /** Lets go of the other end, after what was to be told soon. Never waits for long. */
  void close();

  /** Names the other end, for messages. */
  String peer();
}
