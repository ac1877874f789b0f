package io.karmi.connection;

/** A channel that leads nowhere: subclasses say what comes, and what becomes of what is sent. */
abstract class ChannelOfTest extends OrderedByteChannel {
  @Override
  protected void setReceiveTimeout(int millis) {}

  @Override
  public String peerName() {
    return "nowhere";
  }

  @Override
  protected void closeChannel() {}

  @Override
  public void close() {}

  @Override
  void skipMessage() {}

  @Override
  boolean takeRenewal() {
    return false;
  }
}
