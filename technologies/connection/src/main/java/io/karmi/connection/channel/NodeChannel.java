package io.karmi.connection.channel;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * A channel whose ends have introduced themselves: what a network makes, and what calls and
 * messages have in common.
 *
 * <p>Calls go over a {@link io.karmi.connection.call.CallConnection}, messages over a {@link
 * io.karmi.technology.Pipe}; each has one of these.
 */
public abstract class NodeChannel extends OrderedByteChannel {
  private final Introduction introduction;

  /** As {@link #setReceiveTimeout} has set it; for networks that wait by themselves. */
  protected int timeoutMillis;

  /** Whether {@link #beDuplex} was called. */
  protected boolean duplex;

  private volatile boolean closed;
  private Runnable whenInterrupted = () -> {};

  /** Makes the channel of two ends that have introduced themselves. */
  protected NodeChannel(Introduction introduction) {
    this.introduction = introduction;
  }

  /** What the ends have agreed on. */
  public final Introduction introduction() {
    return introduction;
  }

  @Override
  public void setReceiveTimeout(int millis) throws IOException {
    timeoutMillis = millis;
  }

  @Override
  public void beDuplex() {
    duplex = true;
  }

  /** The {@link Arrival#host} of an accepted channel; null if the network has none. */
  public @Nullable Object host() {
    return null;
  }

  /** The host that memory for the other end is charged to; null for a network without hosts. */
  public final @Nullable Object accountable() {
    return introduction.endpoint != null && host() == null ? null : peerName();
  }

  /**
   * Sets what is done when the thread that waits in this channel is interrupted. Called once,
   * before the channel is used.
   */
  public final void whenInterrupted(Runnable action) {
    whenInterrupted = action;
  }

  /**
   * Called by a subclass that has cleared the interrupted state of its waiting thread, and sets it
   * again afterwards. If interrupts release callers, this caller is released.
   */
  protected final void callerInterrupted() {
    whenInterrupted.run();
  }

  /** Whether {@link #close} was called. */
  public final boolean isClosed() {
    return closed;
  }

  /** Releases what the network holds; called by {@link #close}, in any thread, perhaps twice. */
  protected abstract void closeChannel() throws IOException;

  @Override
  public final void close() {
    closed = true;
    try {
      closeChannel();
    } catch (IOException e) {
      ConnectionLog.LOG.log(System.Logger.Level.DEBUG, "closing a connection failed", e);
    }
  }
}
