package io.karmi.dgc;

import io.karmi.id.ObjectId;
import java.io.Closeable;
import java.io.IOException;

/** Channel to the same strategy's collector in other nodes; the reference layer implements it. */
public interface Messenger {
  /**
   * Sends a message and waits for the answer.
   *
   * @param anyObject any object of the node that is addressed
   * @param message what {@link Collector#receive} gets there; its meaning is the strategy's
   * @return the answer
   * @throws IOException if no answer came; the message may have arrived all the same
   */
  long send(ObjectId anyObject, long[] message) throws IOException;

  /**
   * Sends a message over a line: a way of its own that stays open. The receiver notices when it is
   * closed, or when this process ends ({@link Sender#whenGone}). The answer is dropped.
   *
   * @return closes the line
   * @throws IOException if no answer came, or the technology has no lines
   */
  Closeable openLine(ObjectId anyObject, long[] message) throws IOException;

  /**
   * Whether the time is over that the current thread has for messages: a call that brings
   * references to many owners does not wait for all of them. The others are told later.
   */
  default boolean isOverdue() {
    return false;
  }
}
