package io.karmi.messaging;

import java.io.EOFException;
import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.util.Arrays;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * One end of a channel, whatever way leads to the other one: the rules of {@link ObjectChannel}.
 * Thread-safe.
 */
final class GraphChannel implements ObjectChannel {
  private final ChannelWay way;
  private final ChannelLimits limits;
  private final SentGraphs sent;
  private final ReceivedGraphs received;
  private final AtomicBoolean closed = new AtomicBoolean();

  /** When something of the other end has come. */
  private volatile long heardAtNanos = System.nanoTime();

  private volatile long askedAtNanos = System.nanoTime();

  /**
   * A channel that does not know the other end's window yet.
   *
   * @param windowBytes bytes that may be unread at this end
   */
  GraphChannel(ChannelWay way, ChannelLimits limits, long windowBytes) {
    this.way = way;
    this.limits = limits;
    sent = new SentGraphs(way, limits);
    received = new ReceivedGraphs(way.peer(), limits, windowBytes);
  }

  @Override
  public void write(@Nullable Object graph) throws IOException {
    sent.send(true, graph).await();
  }

  @Override
  public SendHandle writeAsync(@Nullable Object graph) throws IOException {
    return sent.send(false, graph);
  }

  @Override
  public SendHandle writeElements(@Nullable Object[] elements, int count) throws IOException {
    Objects.checkFromToIndex(0, count, elements.length);
    return sent.send(false, count == elements.length ? elements : Arrays.copyOf(elements, count));
  }

  @Override
  public @Nullable Object read() throws IOException, ClassNotFoundException {
    return received.read(way::tellSoon);
  }

  @Override
  public boolean isReadable() throws IOException {
    return received.isReadable();
  }

  @Override
  public void close() throws IOException {
    if (!closed.compareAndSet(false, true)) {
      return;
    }
    IOException why = new ClosedChannelException();
    received.close(why);
    try {
      if (!sent.isEnded()) {
        sent.stop(why);
        end();
      }
    } finally {
      sent.end(why);
      way.close();
    }
  }

  private void end() throws IOException {
    boolean open = sent.hasOpen();
    try {
      way.sendEnd();
      sent.awaitEnd();
    } catch (LinkLostException e) {
      if (open) {
        throw e;
      }
    }
  }

  @Override
  public String toString() {
    return "channel with " + way.peer();
  }

  /* What the way tells. */

  /** The other end can be sent graphs. */
  void begin(long windowBytes) {
    heard();
    sent.begin(windowBytes);
  }

  /** Something of the other end has come. */
  void heard() {
    heardAtNanos = System.nanoTime();
  }

  /** A graph has come whole; what the other end knows of failures comes with it. */
  void arrived(long number, long known, boolean awaited, @Nullable Object graph, int bytes)
      throws IOException {
    heard();
    received.known(known);
    if (received.arrived(number, awaited, graph, bytes)) {
      way.tellSoon();
    }
  }

  /** A graph has come that cannot be read. */
  void failed(long number, long known, boolean awaited, Throwable why) throws IOException {
    heard();
    received.known(known);
    if (received.failed(number, awaited, why)) {
      way.tellSoon();
    }
  }

  /** Something of the other end was dropped: perhaps a graph. */
  void dropped(Throwable why) {
    received.dropped(why);
    way.tellSoon();
  }

  /** The other end asks for the state, in order if it says what it has sent. */
  void asked(long inOrder, long known) throws IOException {
    heard();
    received.known(known);
    received.asked(inOrder);
    way.tellSoon();
  }

  /** The other end has told its state. */
  void told(ChannelState state) throws IOException {
    heard();
    if (sent.tell(state)) {
      way.askInOrderSoon();
    }
  }

  /** The other end has ended the channel, after this many graphs. */
  void ended(long last) throws IOException {
    heard();
    received.ended(last);
    sent.stop(new EOFException(way.peer() + " has closed the channel"));
    way.tellSoon();
  }

  /** The other end is lost, or breaks the rules. */
  void lost(Throwable because) {
    IOException why =
        new LinkLostException("the channel with " + way.peer() + " is lost: " + because, because);
    received.end(why);
    sent.end(why);
    way.close();
  }

  /** The state of this end, which is told now. */
  ChannelState state() {
    return received.state();
  }

  /** The number of the last graph that this end has sent. */
  long sent() {
    return sent.sent();
  }

  /** The number of the last graph of which this end knows what has become of it. */
  long known() {
    return sent.done();
  }

  /**
   * Tells what has come since the last round, as a sign of life in any case now and then, and asks
   * the other end if nothing comes of it. Called periodically; never waits.
   *
   * @return why the other end is lost, or null
   */
  @Nullable String keep(long now) {
    long silentMillis = (now - heardAtNanos) / 1_000_000;
    if (limits.silenceMillis() > 0 && silentMillis > limits.silenceMillis()) {
      return "nothing has come of it for " + silentMillis + " ms (karmi.keepAlive)";
    }
    long askNanos = limits.askMillis() * 1_000_000;
    if (received.isToBeTold(now, askNanos / 2)) {
      way.tellSoon();
    }
    if (silentMillis > limits.askMillis() && now - askedAtNanos > askNanos) {
      askedAtNanos = now;
      way.askSoon();
    }
    return null;
  }
}
