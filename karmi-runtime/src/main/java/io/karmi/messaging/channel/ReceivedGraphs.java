package io.karmi.messaging.channel;

import io.karmi.guard.Ledger;
import java.io.EOFException;
import java.io.IOException;
import java.io.StreamCorruptedException;
import java.net.SocketTimeoutException;
import java.rmi.UnmarshalException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * What one end of a channel has received: graphs that its program has not read, and what the other
 * end is to be told of them. Thread-safe.
 */
final class ReceivedGraphs {
  /** Graphs after which the other end is told, though it has not asked. */
  private static final int GRAPHS_PER_STATE = 16;

  /** What of the window the program reads until the other end is told. */
  private static final int PART_OF_WINDOW = 4;

  /** Most failures that a program is yet to be told; others it does not see. */
  private static final int MAXIMUM_UNREAD_FAILURES = 64;

  private final String peer;
  private final ChannelLimits limits;
  private final long windowBytes;

  /** What the unread graphs take in memory. */
  private final Ledger.Account memory;

  /* All below is guarded by this. */
  private final ArrayDeque<Received> unread = new ArrayDeque<>();
  private final List<ChannelState.Failure> failures = new ArrayList<>();
  private int unreadFailures;
  private long done;
  private long toldDone;

  /** The last graph that the other end has asked about: it may come after the question. */
  private long askedFor;

  private long unreadBytes;
  private long readBytes;
  private long toldReadBytes;
  private long toldAtNanos = System.nanoTime();

  /**
   * Why something was dropped on its way, perhaps a graph; null if nothing was since the last one
   * has come. A question does not end that: graphs that it does not know of may have been sent
   * before it.
   */
  private @Nullable GraphFailure dropped;

  /** Whether the other end has ended the channel; written under the lock. */
  private volatile boolean ended;

  /** Why nothing can be read any more, once what has come is read. */
  private @Nullable IOException problem;

  private boolean closed;

  /** How many threads wait for a graph; and the last one of them, if it may receive it. */
  private int readers;

  private @Nullable Thread reader;

  ReceivedGraphs(String peer, ChannelLimits limits, long windowBytes, Ledger.Account memory) {
    this.peer = peer;
    this.limits = limits;
    this.windowBytes = windowBytes;
    this.memory = memory;
  }

  /** A graph, or why it cannot be read. */
  private record Received(
      long number,
      @Nullable Object graph,
      @Nullable Throwable failure,
      long bytes,
      long memoryBytes) {}

  /**
   * A graph has come whole. One behind the end of either counts for nothing: it was sent while one
   * was closed.
   *
   * @return whether the other end is to be told
   * @throws StreamCorruptedException if the other end has broken the rules
   */
  boolean arrived(long number, boolean awaited, ArrivedGraph graph)
      throws StreamCorruptedException {
    /* Outside of the lock: other channels may have to give way. */
    if (!memory.hold(graph.memoryBytes())) {
      return failed(number, awaited, new GraphFailure(noRoom(graph), 0));
    }
    boolean kept = false;
    try {
      synchronized (this) {
        if (ended || closed) {
          return false;
        }
        keep(number, graph);
        kept = true;
        return isToBeTold(awaited);
      }
    } finally {
      if (!kept) {
        memory.hold(-graph.memoryBytes());
      }
    }
  }

  private IOException noRoom(ArrivedGraph graph) {
    return new IOException(
        "it takes "
            + graph.memoryBytes()
            + " bytes of memory, for which there is no room until others are read: of messages"
            + " and of graphs that are unread "
            + memory);
  }

  private void keep(long number, ArrivedGraph graph) throws StreamCorruptedException {
    checkMayCome(number);
    passOver(number - 1);
    setDropped(null);
    long counted = (long) graph.bytes() + ChannelGraph.OVERHEAD_BYTES;
    unreadBytes += counted;
    unread.add(new Received(number, graph.graph(), null, counted, graph.memoryBytes()));
    notifyAll();
    done = number;
  }

  /**
   * A graph has come that cannot be read.
   *
   * @return as {@link #arrived}
   */
  boolean failed(long number, boolean awaited, GraphFailure failure)
      throws StreamCorruptedException {
    GraphFailure counted = count(failure);
    synchronized (this) {
      if (ended || closed) {
        memory.hold(-counted.memoryBytes());
        return false;
      }
      checkMayCome(number);
      passOver(number - 1);
      setDropped(null);
      fail(number, number, counted);
      done = number;
      return isToBeTold(awaited);
    }
  }

  /** Counts what a failure refers to, or takes its text alone. To be called without the lock. */
  private GraphFailure count(GraphFailure failure) {
    return memory.hold(failure.memoryBytes()) ? failure : failure.brief();
  }

  private static GraphFailure failure(String why) {
    return new GraphFailure(new IOException(why), 0);
  }

  private boolean isToBeTold(boolean awaited) {
    return awaited
        || done - toldDone >= GRAPHS_PER_STATE
        || toldDone < askedFor && done >= askedFor;
  }

  private void checkMayCome(long number) throws StreamCorruptedException {
    if (number <= done) {
      throw new StreamCorruptedException(
          peer + " has sent graph " + number + " after graph " + done);
    }
    if (unreadBytes >= windowBytes) {
      throw new StreamCorruptedException(
          peer
              + " has sent graph "
              + number
              + " although "
              + unreadBytes
              + " bytes are unread, of "
              + windowBytes);
    }
  }

  /** Graphs up to a number that have not come were dropped. */
  private void passOver(long last) throws StreamCorruptedException {
    if (last > done && !closed) {
      GraphFailure why = dropped;
      dropped = why == null ? null : why.uncounted();
      fail(
          done + 1,
          last,
          why != null ? why : failure("it has not come: a message was refused or dropped"));
      done = last;
    }
  }

  /** Graphs cannot be read, for a reason that is counted. */
  private void fail(long first, long last, GraphFailure counted) throws StreamCorruptedException {
    Throwable why = counted.why();
    String reason = "it cannot be read there: " + why;
    int count = failures.size();
    ChannelState.Failure before = count == 0 ? null : failures.get(count - 1);
    ChannelState.Failure failure = ChannelState.Failure.of(first, last, reason);
    if (before != null && before.last() == first - 1 && before.reason().equals(failure.reason())) {
      failures.set(count - 1, ChannelState.Failure.of(before.first(), last, reason));
    } else if (count < ChannelState.MAXIMUM_FAILURES) {
      failures.add(failure);
    } else {
      throw new StreamCorruptedException(
          peer + " has sent " + count + " graphs that cannot be read, and goes on");
    }
    if (unreadFailures < MAXIMUM_UNREAD_FAILURES) {
      unreadFailures++;
      unread.add(new Received(first, null, why, 0, counted.memoryBytes()));
      notifyAll();
    } else {
      memory.hold(-counted.memoryBytes());
    }
  }

  /** Something of the other end was dropped, perhaps a graph of this channel. */
  void dropped(GraphFailure why) {
    GraphFailure counted = count(why);
    synchronized (this) {
      if (ended) {
        memory.hold(-counted.memoryBytes());
      } else {
        setDropped(counted);
      }
    }
  }

  private void setDropped(@Nullable GraphFailure counted) {
    GraphFailure before = dropped;
    if (before != null) {
      memory.hold(-before.memoryBytes());
    }
    dropped = counted;
  }

  /** The other end knows of failures up to this graph. */
  synchronized void known(long number) {
    failures.removeIf(each -> each.last() <= number);
  }

  /**
   * The other end asks.
   *
   * @param last the last graph it has sent
   * @param inOrder whether a graph up to that one that has not come was dropped
   */
  synchronized void asked(long last, boolean inOrder) throws StreamCorruptedException {
    if (inOrder) {
      passOver(last);
    }
    askedFor = Math.max(askedFor, last);
  }

  /** The other end has ended the channel, after this graph. */
  synchronized void ended(long sent) throws StreamCorruptedException {
    if (!ended) {
      passOver(sent);
      ended = true;
      notifyAll();
    }
  }

  /** Whether the other end is to be told, though nothing asks for it. */
  synchronized boolean isToBeTold(long now, long signNanos) {
    return done > toldDone || now - toldAtNanos > signNanos;
  }

  /** What the other end is told now. */
  synchronized ChannelState state() {
    toldAtNanos = System.nanoTime();
    toldDone = done;
    toldReadBytes = readBytes;
    return new ChannelState(done, readBytes, dropped != null, ended, failures);
  }

  /** Nothing comes any more. */
  synchronized void end(IOException why) {
    if (problem == null) {
      problem = why;
      notifyAll();
    }
  }

  /** The program reads nothing any more. */
  synchronized void close(IOException why) {
    closed = true;
    unread.clear();
    memory.close();
    readBytes += unreadBytes;
    unreadBytes = 0;
    problem = why;
    notifyAll();
  }

  synchronized boolean isReadable() throws IOException {
    if (unread.isEmpty() && problem != null && (closed || !ended)) {
      throw problem;
    }
    return !unread.isEmpty() || ended;
  }

  /** Whether the other end has ended the channel, and all that has come is read. */
  boolean isOver() {
    return ended && isEmpty();
  }

  private synchronized boolean isEmpty() {
    return unread.isEmpty();
  }

  /** The next graph. */
  @Nullable Object read(ChannelWay way) throws IOException, ClassNotFoundException {
    Received next = take(way);
    memory.hold(-next.memoryBytes());
    if (takeReadingToBeTold()) {
      way.tellSoon();
    }
    Throwable failure = next.failure();
    if (failure instanceof ClassNotFoundException missing) {
      throw missing;
    } else if (failure != null) {
      throw new UnmarshalException(
          "graph " + next.number() + " of " + peer + " cannot be read",
          failure instanceof Exception exception ? exception : new IOException(failure));
    }
    return next.graph();
  }

  /** Whether the other end is to be told what has been read; true once. */
  private synchronized boolean takeReadingToBeTold() {
    boolean tell = readBytes - toldReadBytes >= windowBytes / PART_OF_WINDOW;
    if (tell) {
      toldReadBytes = readBytes;
    }
    return tell;
  }

  private Received take(ChannelWay way) throws IOException {
    long begin = System.nanoTime();
    boolean mayReceive = way.mayReceive();
    synchronized (this) {
      readers++;
      reader = mayReceive ? Thread.currentThread() : null;
    }
    try {
      while (true) {
        synchronized (this) {
          Received next = poll(begin);
          if (next != null) {
            return next;
          }
          if (!mayReceive || Thread.currentThread().isInterrupted()) {
            await(begin);
            continue;
          }
        }
        if (!way.receive(true)) {
          synchronized (this) {
            if (unread.isEmpty() && problem == null && !ended) {
              await(begin);
            }
          }
        }
      }
    } finally {
      synchronized (this) {
        readers--;
        reader = readers == 0 ? null : reader;
      }
    }
  }

  /**
   * The next graph, or null if none has come.
   *
   * @param begin when the caller has begun to wait
   */
  private @Nullable Received poll(long begin) throws IOException {
    Received next = unread.poll();
    if (next != null) {
      unreadBytes -= next.bytes();
      readBytes += next.bytes();
      unreadFailures -= next.failure() == null ? 0 : 1;
      return next;
    }
    if (problem != null && (closed || !ended)) {
      throw problem;
    }
    if (ended) {
      throw new EOFException(peer + " has closed the channel");
    }
    if (limits.readMillis() > 0 && left(begin) <= 0) {
      throw new SocketTimeoutException(
          "no graph of " + peer + " has come for " + limits.readMillis() + " ms");
    }
    return null;
  }

  private long left(long begin) {
    return limits.readMillis() * 1_000_000 - (System.nanoTime() - begin);
  }

  private void await(long begin) throws IOException {
    try {
      if (limits.readMillis() > 0) {
        TimeUnit.NANOSECONDS.timedWait(this, Math.max(1_000_000, left(begin)));
      } else {
        wait();
      }
    } catch (InterruptedException e) {
      throw SentGraphs.interrupted("for a graph of " + peer);
    }
  }

  /** Whether a thread waits for a graph. */
  synchronized boolean isAwaited() {
    return readers > 0;
  }

  /** The thread that waits for a graph and may receive it, if it is the only one; else null. */
  synchronized @Nullable Thread onlyReader() {
    return readers == 1 ? reader : null;
  }
}
