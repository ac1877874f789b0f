package io.karmi.messaging.link;

import java.util.ArrayDeque;
import java.util.function.Function;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/**
 * What waits for a thread, in the order in which it came. Where half of all threads are busy, no
 * host gets more than seven eighths of them.
 *
 * <p>Not thread-safe.
 */
public final class FairQueue<T> {
  private final ArrayDeque<T> waiting = new ArrayDeque<>();
  private final int threads;
  private final Function<T, @Nullable Object> hostOf;
  private final ToIntFunction<Object> busyOf;

  /** Since when something waits, as {@link System#nanoTime} tells it. */
  private long sinceNanos;

  /**
   * An empty queue.
   *
   * @param threads how many threads there are at most
   * @param hostOf the host for which something waits; null if it belongs to none
   * @param busyOf how many threads are busy for a host
   */
  public FairQueue(
      int threads, Function<T, @Nullable Object> hostOf, ToIntFunction<Object> busyOf) {
    this.threads = threads;
    this.hostOf = hostOf;
    this.busyOf = busyOf;
  }

  /** Adds something behind all that waits. */
  public void add(T each, long nowNanos) {
    if (waiting.isEmpty()) {
      sinceNanos = nowNanos;
    }
    waiting.addLast(each);
  }

  /** The number of those that wait. */
  public int size() {
    return waiting.size();
  }

  public boolean isEmpty() {
    return waiting.isEmpty();
  }

  /** Since when the queue was not empty, as {@link System#nanoTime} tells it. */
  public long sinceNanos() {
    return sinceNanos;
  }

  public void clear() {
    waiting.clear();
  }

  /**
   * Takes the next one out.
   *
   * @param busy how many threads are busy
   * @return null if there is none, or none of a host that may have one more thread
   */
  public @Nullable T poll(int busy) {
    T found = peek(busy);
    if (found != null) {
      waiting.remove(found);
    }
    return found;
  }

  /** The same, which stays in the queue. */
  public @Nullable T peek(int busy) {
    if (busy < threads / 2) {
      return waiting.peekFirst();
    }
    Object crowding = null; // most of those that wait then are of one host
    for (T each : waiting) {
      Object host = hostOf.apply(each);
      if (host == null
          || !host.equals(crowding) && busyOf.applyAsInt(host) < threads - threads / 8) {
        return each;
      }
      crowding = host;
    }
    return null;
  }
}
