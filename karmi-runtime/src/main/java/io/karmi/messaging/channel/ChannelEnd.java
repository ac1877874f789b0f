package io.karmi.messaging.channel;

import java.io.EOFException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.channels.ClosedChannelException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiFunction;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One end of a channel, over messaging or a socket: the rules of {@code ObjectChannel}.
 * Thread-safe.
 */
public final class ChannelEnd {
  /** Most graphs of which the other end may not have read the acknowledgement. */
  private static final int MAXIMUM_UNREAD_ACKNOWLEDGEMENTS = 16;

  private final ChannelWay way;
  private final ChannelLimits limits;
  private final SentGraphs sent;
  private final ReceivedGraphs received;
  private final BiFunction<String, Throwable, IOException> lost;
  private final AtomicBoolean closed = new AtomicBoolean();

  /** When something of the other end has come. */
  private volatile long heardAtNanos = System.nanoTime();

  private volatile long askedAtNanos = System.nanoTime();

  /**
   * A channel that does not know the other end's window yet.
   *
   * @param host tells the other end's, for limits, in a thread that handles a graph; null for a
   *     network without hosts. Does not refer to the channel
   * @param windowBytes bytes that may be unread at this end
   * @param lost makes the exception for a channel that is lost
   */
  public ChannelEnd(
      ChannelWay way,
      ChannelLimits limits,
      Supplier<? extends @Nullable Object> host,
      long windowBytes,
      BiFunction<String, Throwable, IOException> lost) {
    this.lost = lost;
    this.way = way;
    this.limits = limits;
    sent = new SentGraphs(way, limits);
    received =
        new ReceivedGraphs(
            way.peer(), limits, windowBytes, UnreadMemory.account(this, host, windowBytes));
  }

  /** Sends a graph, and waits until the other end has it. */
  public void write(@Nullable Object graph) throws IOException {
    sent.write(graph);
  }

  /** Sends a graph. */
  public SentGraph send(@Nullable Object graph) throws IOException {
    return sent.send(graph);
  }

  /** The next graph of the other end. */
  public @Nullable Object read() throws IOException, ClassNotFoundException {
    try {
      return received.read(way);
    } finally {
      tellIfOver();
    }
  }

  private void tellIfOver() {
    if (received.isOver()) {
      way.over();
    }
  }

  /** Whether {@link #read} would not wait. */
  public boolean isReadable() throws IOException {
    return received.isReadable();
  }

  /** Ends the channel. */
  public void close() throws IOException {
    if (!closed.compareAndSet(false, true)) {
      return;
    }
    IOException why = new ClosedChannelException();
    received.close(why);
    boolean over;
    synchronized (this) {
      over = sent.isEnded();
      sent.stop(why);
    }
    try {
      if (!over) {
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
    } catch (IOException e) {
      if (open || e instanceof InterruptedIOException) { // a timeout, too
        throw e;
      }
    }
  }

  @Override
  public String toString() {
    return "channel with " + way.peer();
  }

  /* What the way tells. */

  /**
   * The thread that waits for a graph, or for what has become of one, and may receive it, if it is
   * the only one that waits for anything of the other end; else null.
   */
  @Nullable Thread onlyWaiting() {
    return sent.isAwaited()
        ? received.isAwaited() ? null : sent.onlyReceiver()
        : received.onlyReader();
  }

  /** Whether that thread waits for graphs. */
  boolean isGraphAwaited() {
    return received.isAwaited();
  }

  /** Whether little is on its way to the other end, so that a write does not wait for it. */
  boolean isLittleOpen() {
    return sent.isLittleOpen();
  }

  /** The other end can be sent graphs. */
  public void begin(long windowBytes) {
    heard();
    sent.begin(windowBytes);
  }

  /** Something of the other end has come. */
  public void heard() {
    heardAtNanos = System.nanoTime();
  }

  /** A graph has come whole; what the other end knows of failures comes with it. */
  public void arrived(long number, long known, boolean awaited, ArrivedGraph graph)
      throws IOException {
    heard();
    received.known(known);
    if (received.arrived(number, awaited, graph)) {
      tell(awaited && number - known <= MAXIMUM_UNREAD_ACKNOWLEDGEMENTS);
    }
  }

  /** A graph has come that cannot be read. */
  public void failed(long number, long known, boolean awaited, GraphFailure why)
      throws IOException {
    heard();
    received.known(known);
    if (received.failed(number, awaited, why)) {
      way.tellSoon();
    }
  }

  private void tell(boolean now) throws IOException {
    if (now) {
      way.tell();
    } else {
      way.tellSoon();
    }
  }

  /** Something of the other end was dropped: perhaps a graph. */
  public void dropped(GraphFailure why) {
    received.dropped(why);
    way.tellSoon();
  }

  /**
   * The other end asks for the state.
   *
   * @param last the number of the last graph that it has sent
   * @param inOrder whether all that it has sent before the question has come before it, or not at
   *     all
   */
  public void asked(long last, boolean inOrder, long known) throws IOException {
    heard();
    received.known(known);
    received.asked(last, inOrder);
    tell(last - known <= MAXIMUM_UNREAD_ACKNOWLEDGEMENTS);
  }

  /** The other end has told its state. */
  public void told(ChannelState state) throws IOException {
    heard();
    if (sent.tell(state)) {
      way.askInOrderSoon();
    }
  }

  /** The other end has ended the channel, after this many graphs, and has told what it has read. */
  public void ended(long last) throws IOException {
    heard();
    synchronized (this) { // a program that closes the channel meanwhile tells no more itself
      sent.end(new EOFException(way.peer() + " has closed the channel"));
      received.ended(last);
      way.tellSoon();
    }
    tellIfOver();
  }

  /** The other end is lost, or breaks the rules. */
  public void lost(Throwable because) {
    IOException why = loss(because);
    received.end(why);
    sent.end(why);
    way.close();
  }

  /** Ends it and drops what is unread, as others need the memory. */
  void giveWay(String reason) {
    IOException because = new IOException(reason);
    received.close(loss(because));
    lost(because);
  }

  /** The exception that says that the other end is lost. */
  public IOException loss(Throwable because) {
    return lost.apply("the channel with " + way.peer() + " is lost: " + because, because);
  }

  /** The state of this end, which is told now. */
  public ChannelState state() {
    return received.state();
  }

  /** The number of the last graph that this end has sent. */
  public long sent() {
    return sent.sent();
  }

  /** The number of the last graph of which this end knows what has become of it. */
  public long known() {
    return sent.done();
  }

  /**
   * Tells what has come since the last round, as a sign of life in any case now and then, and asks
   * the other end if nothing comes of it. Called periodically; never waits.
   *
   * @return why the other end is lost, or null
   */
  public @Nullable String keep(long now) {
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
