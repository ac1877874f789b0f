package io.karmi.connection.call;

import io.karmi.connection.channel.OrderedByteChannel;

/** A channel that leads nowhere: subclasses say what comes, and what becomes of what is sent. */
abstract class ChannelOfTest extends OrderedByteChannel implements FrameOwner {
  @Override
  public OrderedByteChannel channel() {
    return this;
  }

  @Override
  public void setReceiveTimeout(int millis) {}

  @Override
  public String peerName() {
    return "nowhere";
  }

  @Override
  public void close() {}

  @Override
  public void skipMessage() {}

  @Override
  public void peerEnds() {}

  @Override
  public void replyLeaves() {}

  @Override
  public boolean takeRenewal() {
    return false;
  }
}
