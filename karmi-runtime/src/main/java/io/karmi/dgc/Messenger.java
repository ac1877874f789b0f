package io.karmi.dgc;

import io.karmi.id.ObjectId;
import java.io.IOException;

/** How a collector reaches its like in another node; the reference layer implements it. */
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
}
