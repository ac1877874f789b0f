package io.karmi.messaging;

/**
 * A program's handler of messages of one class. Called by several threads at once, except for
 * ordered messages.
 *
 * @param <M> the class of messages
 */
@FunctionalInterface
public interface Receiver<M> {
  /**
   * Handles a message.
   *
   * @param from the node that has sent it; answers and further messages can be sent there
   * @throws Exception is logged, and harms no other message
   */
  void receive(M message, Address from) throws Exception;
}
