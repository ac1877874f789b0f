package io.karmi.technology;

import io.karmi.id.NodeId;
import io.karmi.marshal.CallFormat;
import java.io.Closeable;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * One connection between two nodes that carries messages in both directions: two ordered streams of
 * bytes.
 *
 * <p>One thread at a time sends, and one at a time receives; both may do so at once. Any thread may
 * close it, which ends what the others wait for. Whether a thread is interrupted makes no
 * difference.
 */
public interface Pipe extends Closeable {
  /** The node at the other end. */
  NodeId remote();

  /** The address of the other end's host, as {@code RemoteServer.getClientHost} shows it. */
  String peerName();

  /** The host of the other end, by which limits are shared; null for a network without hosts. */
  default @Nullable Object host() {
    return peerName();
  }

  /**
   * The proven identity of the other end: equal for two pipes only if they lead to the same node.
   * Any node that has a reference of another one can claim that one's id, but not its identity.
   */
  default Object identity() {
    return remote();
  }

  /** What the network has proven of the other end, such as its certificate; null for nothing. */
  default @Nullable Object credential() {
    return null;
  }

  /** Name of the technology. */
  default String technology() {
    return "";
  }

  /** The format in which the ends have agreed to marshal messages. */
  CallFormat format();

  /** Whether the other end takes messages with headers. */
  default boolean takesHeaders() {
    return true;
  }

  /** Whether the other end looks for links that lead to the same node. */
  default boolean takesKnocks() {
    return true;
  }

  /** Whether the other end takes longer windows, and gives them back. */
  default boolean takesWindows() {
    return true;
  }

  /** The key that the end that opened the pipe has shown: see {@link Pipes#open}. */
  long key();

  /**
   * Waits for bytes and takes those that are there.
   *
   * @return how many; at least 1, or −1 if the other end has closed the pipe
   * @throws IOException if the pipe has failed or is closed
   */
  int receive(byte[] to, int offset, int length) throws IOException;

  /** Whether {@link #receive(byte[], int, int, int)} may be used. */
  default boolean isTimed() {
    return false;
  }

  /**
   * Waits for bytes for some time and takes those that are there.
   *
   * @param millis at least 1; 0 to take what is there, of a pipe that {@link #tellWhenReadable
   *     tells}
   * @return how many; 0 if none have come in time, and then the pipe can still be used; −1 if the
   *     other end has closed it
   * @throws IOException if the pipe has failed or is closed
   */
  default int receive(byte[] to, int offset, int length, int millis) throws IOException {
    throw new UnsupportedOperationException("this pipe waits for bytes as long as it takes");
  }

  /**
   * Has a listener run once: now if {@link #receive} has something to return or throw, else as soon
   * as it has, by the thread that brings it. No thread may receive until then.
   *
   * @param listener returns at once
   * @return false for a pipe that cannot tell: a thread has to wait in {@link #receive}
   */
  default boolean tellWhenReadable(Runnable listener) {
    return false;
  }

  /** Whether {@link #send} only copies bytes into memory, and needs no system call each time. */
  default boolean isMemory() {
    return false;
  }

  /**
   * Hands over all of the bytes, waiting for room if need be.
   *
   * @throws IOException if the pipe has failed or is closed
   */
  void send(byte[] from, int offset, int length) throws IOException;

  /** Closes the pipe; without effect if it is closed. */
  @Override
  void close();
}
