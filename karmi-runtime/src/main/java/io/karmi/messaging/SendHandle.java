package io.karmi.messaging;

import java.io.IOException;
import java.util.concurrent.TimeUnit;

/**
 * One graph that was sent over an {@link ObjectChannel}, and what has become of it.
 *
 * <p>A graph is done when the other end has it whole, as objects; its program need not have read it
 * yet. Each method throws the same exception once the graph has failed: a {@link
 * java.rmi.UnmarshalException} if it cannot be read there, which leaves the channel as it is, and a
 * {@link LinkLostException} if the other end is lost before it has said that it has the graph.
 * Thread-safe.
 */
public interface SendHandle {
  /**
   * Whether the other end has the graph whole. Does not wait; to be asked again and again is enough
   * to learn it.
   *
   * @throws IOException if the graph has failed
   */
  boolean isDone() throws IOException;

  /**
   * Waits until the other end has the graph whole.
   *
   * @throws IOException if the graph has failed; {@link java.net.SocketTimeoutException} if the
   *     other end has acknowledged nothing for {@code karmi.callTimeout}, or where that is not set
   *     for {@code karmi.writeTimeout}, and then it can be waited for again; {@link
   *     java.io.InterruptedIOException} if the thread is interrupted, which it still is afterwards
   */
  void await() throws IOException;

  /**
   * Waits for some time at most.
   *
   * @return false if the time has passed
   * @throws IOException as {@link #await()}
   */
  boolean await(long time, TimeUnit unit) throws IOException;
}
