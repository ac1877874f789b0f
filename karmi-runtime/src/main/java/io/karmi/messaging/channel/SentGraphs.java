package io.karmi.messaging.channel;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.StreamCorruptedException;
import java.net.SocketTimeoutException;
import java.rmi.MarshalException;
import java.rmi.UnmarshalException;
import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * What one end of a channel has sent: numbers of graphs, handles of those that the other end has
 * not acknowledged, and how much of the window is used. Thread-safe.
 */
final class SentGraphs {
  /** Time until a question is repeated that was not answered. */
  private static final long ASK_NANOS = TimeUnit.SECONDS.toNanos(1);

  private static final long NEVER = Long.MAX_VALUE;

  /**
   * Most graphs of which it may be unknown what has become of them: more than a usual window takes.
   * How long the window is, and how much of it was read, the other end says as it likes.
   */
  private static final int MAXIMUM_OPEN = 1 << 14;

  /** Bytes that are sure to have room between two ends, though the other one reads none. */
  private static final int ROOM_BYTES = 4096;

  private final ChannelWay way;
  private final ChannelLimits limits;
  private final long answerNanos;
  private final ReentrantLock writing = new ReentrantLock();

  /* All below is guarded by this. */

  /** Handles of graphs that have not been dealt with, in the order of their numbers. */
  private final ArrayDeque<Handle> open = new ArrayDeque<>();

  /** The number of the last graph, which may be on its way to the network. */
  private long begun;

  /** The number of the last graph that was sent. */
  private long sent;

  private long done;
  private long sentBytes;
  private long readBytes;

  /** Bytes that may be unread at the other end; 0 until that is known. */
  private long windowBytes;

  /** Whether the other end knows that this one has ended the channel. */
  private boolean endKnown;

  private long askedFor;
  private long askedAtNanos = System.nanoTime() - ASK_NANOS;

  /** Whether the other end has told that something was dropped. */
  private boolean droppedThere;

  /** The last graph that the other end was asked for in order, and when. */
  private long askedInOrderFor;

  private long askedInOrderAtNanos;

  /** When the other end has last acknowledged or read anything. */
  private long progressAtNanos = System.nanoTime();

  private @Nullable IOException problem;

  /** How many threads wait for the other end; and the last one of them, if it may receive. */
  private int waiting;

  private @Nullable Thread receiver;

  SentGraphs(ChannelWay way, ChannelLimits limits) {
    this.way = way;
    this.limits = limits;
    answerNanos = limits.answerMillis() == 0 ? NEVER : limits.answerMillis() * 1_000_000;
  }

  private final class Handle implements SentGraph {
    final long number;

    /* Guarded by the graphs. */
    int bytes;
    boolean over;
    @Nullable IOException failure;

    Handle(long number) {
      this.number = number;
    }

    @Override
    public boolean isDone() throws IOException {
      if (isOver(this)) {
        return true;
      }
      if (mayAsk(number)) {
        way.askSoon();
      }
      return false;
    }

    @Override
    public void await() throws IOException {
      SentGraphs.this.await(this, NEVER);
    }

    @Override
    public boolean await(long time, TimeUnit unit) throws IOException {
      return SentGraphs.this.await(this, Math.max(0, unit.toNanos(time)));
    }
  }

  /** The other end takes graphs from now on. */
  synchronized void begin(long window) {
    windowBytes = window;
    progressAtNanos = System.nanoTime();
    notifyAll();
  }

  /** Sends a graph when there is room, and waits for what becomes of it. */
  void write(@Nullable Object graph) throws IOException {
    boolean receives = beginToWait(); // the answer may be here as soon as the graph is sent
    try {
      await(send(true, graph), NEVER, receives);
    } finally {
      endWaiting(receives);
    }
  }

  /** Sends a graph when there is room. */
  SentGraph send(@Nullable Object graph) throws IOException {
    return send(false, graph);
  }

  /**
   * Sends a graph when there is room.
   *
   * @param awaited whether the caller waits for it now
   */
  private Handle send(boolean awaited, @Nullable Object graph) throws IOException {
    try {
      writing.lockInterruptibly();
    } catch (InterruptedException e) {
      throw interrupted("to write to " + way.peer());
    }
    try {
      if (writing.getHoldCount() > 1) {
        throw new IllegalStateException(
            "a graph cannot be written to a channel from within the serialization of another one");
      }
      awaitRoom();
      Handle handle = begin(awaited);
      boolean done = false;
      try {
        int bytes = way.sendGraph(handle.number, awaited, graph);
        done = true;
        if (count(handle, bytes)) {
          way.askInOrderSoon();
        }
      } catch (MarshalException e) {
        throw e;
      } catch (IOException e) {
        check(); // the channel may have been closed at this end
        throw e;
      } finally {
        if (!done) {
          takeBack(handle);
        }
      }
      return handle;
    } finally {
      writing.unlock();
    }
  }

  private synchronized Handle begin(boolean awaited) throws IOException {
    check(); // nothing would tell a handle that is made behind the end
    if (open.isEmpty()) {
      progressAtNanos = System.nanoTime();
    }
    Handle handle = new Handle(++begun);
    open.add(handle);
    if (awaited) {
      askedFor = handle.number;
      askedAtNanos = System.nanoTime();
    }
    return handle;
  }

  /** Returns whether the other end is to be asked in order. */
  private synchronized boolean count(Handle handle, int bytes) {
    sent = handle.number;
    handle.bytes = bytes + ChannelGraph.OVERHEAD_BYTES;
    if (handle.failure == null) {
      sentBytes += handle.bytes;
    }
    return mayAskInOrder();
  }

  /** The graph was not sent: the next one has its number. */
  private synchronized void takeBack(Handle handle) {
    if (open.peekLast() == handle) {
      open.removeLast();
    }
    begun = handle.number - 1;
    askedFor = Math.min(askedFor, begun);
  }

  private void awaitRoom() throws IOException {
    long begin = System.nanoTime();
    while (true) {
      boolean ask;
      synchronized (this) {
        check();
        if (hasRoom()) {
          return;
        }
        checkProgress(
            begin,
            "read none of "
                + Math.max(0, sentBytes - readBytes)
                + " bytes, or not acknowledged "
                + open.size()
                + " graphs; nothing more was sent");
        ask = windowBytes > 0 && mayAsk(sent);
        if (!ask) {
          waitFor(ASK_NANOS);
        }
      }
      if (ask) {
        way.askSoon();
      }
    }
  }

  private boolean hasRoom() {
    return windowBytes > 0 && sentBytes - readBytes < windowBytes && open.size() < MAXIMUM_OPEN;
  }

  private synchronized boolean isOver(Handle handle) throws IOException {
    if (handle.over && handle.failure != null) {
      throw handle.failure;
    }
    return handle.over;
  }

  private boolean await(Handle handle, long nanos) throws IOException {
    boolean receives = nanos == NEVER && beginToWait();
    try {
      return await(handle, nanos, receives);
    } finally {
      endWaiting(receives);
    }
  }

  /** Returns whether this thread, which waits for the other end from now on, may receive. */
  private boolean beginToWait() {
    boolean receives = way.mayReceive();
    if (receives) {
      synchronized (this) {
        waiting++;
        receiver = Thread.currentThread();
      }
    }
    return receives;
  }

  private synchronized void endWaiting(boolean receives) {
    if (receives) {
      waiting--;
      receiver = null;
    }
  }

  /**
   * Waits for what becomes of a graph.
   *
   * @param receives whether this thread receives the answer if no other one does
   */
  private boolean await(Handle handle, long nanos, boolean receives) throws IOException {
    long begin = System.nanoTime();
    while (!isOver(handle)) {
      boolean ask;
      synchronized (this) {
        if (handle.over) {
          continue;
        }
        long left = nanos == NEVER ? NEVER : nanos - (System.nanoTime() - begin);
        if (left <= 0) {
          return false;
        }
        if (nanos == NEVER) {
          checkProgress(begin, "acknowledged nothing, and not graph " + handle.number);
        }
        ask = mayAsk(handle.number);
        if (!ask && !receives) {
          waitFor(Math.min(left, ASK_NANOS));
        }
      }
      if (ask && receives) {
        way.ask();
      } else if (ask) {
        way.askSoon();
      } else if (receives && (Thread.currentThread().isInterrupted() || !way.receive(false))) {
        waitUnlessOver(handle);
      }
    }
    return true;
  }

  private synchronized void waitUnlessOver(Handle handle) throws InterruptedIOException {
    if (!handle.over) {
      sleep(ASK_NANOS);
    }
  }

  /** Whether the other end is to be asked about a graph now; the caller then does. */
  private synchronized boolean mayAsk(long number) {
    long now = System.nanoTime();
    if (askedFor >= number && now - askedAtNanos < ASK_NANOS) {
      return false;
    }
    askedFor = sent;
    askedAtNanos = now;
    return true;
  }

  /**
   * Gives the other end up if it has done nothing for long.
   *
   * @param begin when the caller has begun to wait
   */
  private void checkProgress(long begin, String what) throws SocketTimeoutException {
    long now = System.nanoTime();
    if (answerNanos != NEVER && Math.min(now - begin, now - progressAtNanos) > answerNanos) {
      throw new SocketTimeoutException(
          way.peer()
              + " has for "
              + limits.answerMillis()
              + " ms "
              + what
              + " ("
              + limits.answerSetting()
              + ")");
    }
  }

  private void waitFor(long nanos) throws InterruptedIOException {
    waiting++;
    way.receiveElsewhere();
    try {
      sleep(nanos);
    } finally {
      waiting--;
    }
  }

  private void sleep(long nanos) throws InterruptedIOException {
    try {
      long most = answerNanos == NEVER ? nanos : Math.min(nanos, answerNanos);
      TimeUnit.NANOSECONDS.timedWait(this, Math.max(1_000_000, most));
    } catch (InterruptedException e) {
      throw interrupted("for " + way.peer());
    }
  }

  /** The exception for a thread that was interrupted while it waited, and still is. */
  static InterruptedIOException interrupted(String what) {
    Thread.currentThread().interrupt();
    return new InterruptedIOException("interrupted while waiting " + what);
  }

  private synchronized void check() throws IOException {
    if (problem != null) {
      throw problem;
    }
  }

  /**
   * The other end has told its state.
   *
   * @return whether it is to be asked in order, as graphs may have been dropped
   */
  synchronized boolean tell(ChannelState state) throws StreamCorruptedException {
    if (state.done() > begun || state.done() < 0) {
      throw new StreamCorruptedException(
          "graph " + state.done() + " is acknowledged, and " + begun + " were sent");
    }
    if (state.done() > done || state.readBytes() > readBytes) {
      progressAtNanos = System.nanoTime();
    }
    fail(state);
    done = Math.max(done, state.done());
    readBytes = Math.max(readBytes, state.readBytes());
    endKnown |= state.ended();
    while (!open.isEmpty() && open.getFirst().number <= done) {
      open.removeFirst().over = true;
    }
    notifyAll();
    droppedThere = state.dropped();
    return mayAskInOrder();
  }

  /**
   * Whether the other end is to be asked in order: where something was dropped and a graph that was
   * sent is open, once, and from time to time, as the question may be dropped as well.
   */
  private boolean mayAskInOrder() {
    if (!droppedThere || open.isEmpty() || open.getFirst().number > sent) {
      return false;
    }
    long now = System.nanoTime();
    if (sent <= askedInOrderFor && now - askedInOrderAtNanos < ASK_NANOS / 2) {
      return false;
    }
    askedInOrderFor = sent;
    askedInOrderAtNanos = now;
    return true;
  }

  private void fail(ChannelState state) {
    Iterator<ChannelState.Failure> failures = state.failed().iterator();
    ChannelState.Failure failure = failures.hasNext() ? failures.next() : null;
    Iterator<Handle> handles = open.iterator();
    while (failure != null && handles.hasNext()) {
      Handle handle = handles.next();
      if (handle.number > state.done()) {
        return;
      }
      while (failure != null && failure.last() < handle.number) {
        failure = failures.hasNext() ? failures.next() : null;
      }
      if (failure != null && failure.first() <= handle.number && handle.failure == null) {
        handle.failure =
            new UnmarshalException(
                "graph " + handle.number + " to " + way.peer() + ": " + failure.reason());
        sentBytes -= handle.bytes;
      }
    }
  }

  /** The number of the last graph that was sent. */
  synchronized long sent() {
    return sent;
  }

  /** The number of the last graph of which this end knows what has become of it. */
  synchronized long done() {
    return done;
  }

  /** Whether graphs are open of which it is not known what has become of them. */
  synchronized boolean hasOpen() {
    return !open.isEmpty();
  }

  /** Whether a thread waits for the other end. */
  synchronized boolean isAwaited() {
    return waiting > 0;
  }

  /** The thread that waits for the other end and may receive, if it is the only one; else null. */
  synchronized @Nullable Thread onlyReceiver() {
    return waiting == 1 ? receiver : null;
  }

  /** Whether little has been sent of which it is not known that the other end has received it. */
  synchronized boolean isLittleOpen() {
    long bytes = 0;
    for (Handle handle : open) {
      bytes += handle.bytes == 0 ? ROOM_BYTES : handle.bytes; // 0 while it is being sent
      if (bytes >= ROOM_BYTES) {
        return false;
      }
    }
    return true;
  }

  /** Whether nothing can be written any more. */
  synchronized boolean isEnded() {
    return problem != null;
  }

  /** Writes nothing any more; handles that are open stay so. */
  synchronized void stop(IOException why) {
    if (problem == null) {
      problem = why;
      notifyAll();
    }
  }

  /** Nothing can be sent any more, and nothing is acknowledged. */
  synchronized void end(IOException why) {
    stop(why);
    for (Handle handle : open) {
      handle.over = true;
      handle.failure = why;
    }
    open.clear();
    endKnown = true;
    notifyAll();
  }

  /** Waits until the other end knows of the end of the channel, or is given up. */
  void awaitEnd() throws IOException {
    long begin = System.nanoTime();
    while (true) {
      boolean ask;
      synchronized (this) {
        if (endKnown) {
          return;
        }
        checkProgress(begin, "not answered the end of the channel");
        ask = mayAsk(sent);
        if (!ask) {
          waitFor(ASK_NANOS);
        }
      }
      if (ask) {
        way.askSoon();
      }
    }
  }
}
