package io.karmi.technology;

import io.karmi.id.NodeId;
import io.karmi.marshal.CallFormat;
import io.karmi.marshal.RemoteTranslation;
import java.io.IOException;
import java.util.List;

/**
 * The node above a technology, which executes the calls that come in (paper 4.1). The reference
 * layer implements it.
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
   * Executes a call: reads its arguments, runs the method, and leaves a complete reply in {@link
   * InCall#out}. What the method throws becomes part of the reply. Runs in the calling thread.
   *
   * @throws IOException if the reply cannot be sent; the connection is of no more use
   */
  void doApplicationCall(InCall call) throws IOException;

  /** Whether the node takes messages from others: then technologies offer {@link Pipe}s. */
  default boolean takesMessages() {
    return false;
  }

  /** Takes a pipe that another node has opened; returns at once. */
  default void accept(Pipe pipe) {
    pipe.close();
  }
}
