package io.karmi.messaging;

/**
 * What a program does with messages of one class. Called by several threads at once, except for
 * ordered messages.
 *
 * @param <M> the class of messages
 */
@FunctionalInterface
public interface Receiver<M> {
  /**
   * Takes a message.
   *
   * @param from the node that has sent it; answers and further messages can be sent there
   * @throws Exception is logged, and harms no other message
   */
  void receive(M message, Address from) throws Exception;
}
