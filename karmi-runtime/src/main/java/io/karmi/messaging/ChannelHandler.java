package io.karmi.messaging;

/** A program's taker of channels that other nodes open under a name. */
@FunctionalInterface
public interface ChannelHandler {
  /**
   * Takes a channel, in a thread of its own, in which it may read and write as long as it likes.
   * The channel stays open when this returns, until the other end closes it.
   *
   * @throws Exception is logged, and closes the channel; that the other end has closed it or is
   *     lost is not logged
   */
  void handle(ObjectChannel channel) throws Exception;
}
