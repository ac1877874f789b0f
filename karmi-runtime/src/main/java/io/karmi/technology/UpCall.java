package io.karmi.technology;

import io.karmi.id.NodeId;
import io.karmi.marshal.CallFormat;
import io.karmi.marshal.RemoteTranslation;
import java.io.IOException;
import java.net.Socket;
import java.util.List;

/**
 * How a technology brings calls up: the node above it. The reference layer implements it (paper
 * 4.1).
 *
 * <p>Thread-safe.
 */
public interface UpCall {
  /** The node that the technology serves. */
  NodeId node();

  /** The formats that the node can marshal in, the preferred one first. */
  List<CallFormat> formats();

  /** How remote objects cross. */
  RemoteTranslation translation();

  /**
   * Takes over a connection whose opener speaks another protocol.
   *
   * @param connection its timeout is how long its opener may take to introduce itself
   * @param first the bytes that have been read from it, four at most
   * @param whenClosed runs once when the connection is closed after it was taken over
   * @return false if nobody in this JVM knows that protocol; then the technology closes it
   */
  default boolean takeOver(Socket connection, byte[] first, Runnable whenClosed) {
    return false;
  }

  /**
   * Executes a call: reads its arguments, runs the method, and leaves a complete reply in {@link
   * InCall#out}. What the method throws becomes part of the reply. Runs in the calling thread.
   *
   * @throws IOException if the reply cannot be sent; the connection is of no more use
   */
  void doApplicationCall(InCall call) throws IOException;
}
