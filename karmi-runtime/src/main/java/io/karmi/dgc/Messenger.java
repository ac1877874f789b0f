package io.karmi.dgc;

import io.karmi.id.ObjectId;
import java.io.Closeable;
import java.io.IOException;

/** Channel to the same strategy's collector in other nodes; the reference layer implements it. */
public interface Messenger {
  /**
   * Time for the answer of an owner, in milliseconds. It is short, as owners can be made up by the
   * thousand, and signs of life cost them nothing: those that do not answer keep threads that
   * others need.
   */
  long ANSWER_MILLIS = 3_000;

  /**
   * Upper bound of the numbers in a message. It bounds what a stranger can make a node allocate,
   * and for how long others wait for the tables of its collectors.
   */
  int MAXIMUM_NUMBERS = 20_003;

  /**
   * Sends a message and waits for the answer.
   *
   * @param anyObject any object of the node that is addressed
   * @param message what {@link Collector#receive} gets there; its meaning is the strategy's. Of
   *     more than {@link #MAXIMUM_NUMBERS} the receiver refuses it
   * @param mostMillis how long it may take, or less if the current thread has no more time
   * @return the answer
   * @throws IOException if no answer came; the message may have arrived all the same
   */
  long send(ObjectId anyObject, long[] message, long mostMillis) throws IOException;

  /**
   * Sends a message over a line: a way of its own that stays open. The receiver notices when it is
   * closed, or when this process ends ({@link Sender#whenGone}). The answer is dropped.
   *
   * @param mostMillis as for {@link #send}
   * @return closes the line
   * @throws IOException if no answer came, or the technology has no lines
   */
  Closeable openLine(ObjectId anyObject, long[] message, long mostMillis) throws IOException;

  /**
   * The time in milliseconds that the current thread has left for messages: a call that brings
   * references to many owners does not wait for all of them. The others are told later.
   */
  default long leftMillis() {
    return Long.MAX_VALUE;
  }
}
