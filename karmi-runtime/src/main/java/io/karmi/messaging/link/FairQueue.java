package io.karmi.messaging.link;

import java.util.ArrayDeque;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/**
 * What waits for a thread. Hosts take turns; what one of them has waiting goes in the order in
 * which it came. Where half of all threads are busy, no host gets more than seven eighths of them.
 *
 * <p>Not thread-safe.
 */
public final class FairQueue<T> {
  /** The hosts of which something waits, the next one first, and what does. */
  private final ArrayDeque<Turn<T>> turns = new ArrayDeque<>();

  /** One that is out of use: where one host comes again and again, nothing is allocated. */
  private @Nullable Turn<T> spare;

  private final int threads;
  private final Function<T, @Nullable Object> hostOf;
  private final ToIntFunction<Object> busyOf;
  private int size;

  /** Since when something waits, as {@link System#nanoTime} tells it. */
  private long sinceNanos;

  private static final class Turn<T> {
    @Nullable Object host;
    final ArrayDeque<T> waiting = new ArrayDeque<>();
  }

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

  /** Adds something behind all that waits of its host. */
  public void add(T each, long nowNanos) {
    Object host = hostOf.apply(each);
    Turn<T> turn = turnOf(host);
    if (turn == null) {
      turn = spare == null ? new Turn<>() : spare;
      spare = null;
      turn.host = host;
      turn.waiting.addLast(each);
      turns.addLast(turn);
    } else {
      turn.waiting.addLast(each);
    }
    if (size++ == 0) {
      sinceNanos = nowNanos;
    }
  }

  private @Nullable Turn<T> turnOf(@Nullable Object host) {
    for (Turn<T> each : turns) {
      if (Objects.equals(each.host, host)) {
        return each;
      }
    }
    return null;
  }

  /** The number of those that wait. */
  public int size() {
    return size;
  }

  public boolean isEmpty() {
    return size == 0;
  }

  /** Since when the queue was not empty, as {@link System#nanoTime} tells it. */
  public long sinceNanos() {
    return sinceNanos;
  }

  public void clear() {
    turns.clear();
    spare = null;
    size = 0;
  }

  /**
   * Takes the next one out.
   *
   * @param busy how many threads are busy
   * @return null if there is none, or none of a host that may have one more thread
   */
  public @Nullable T poll(int busy) {
    Turn<T> turn = next(busy);
    if (turn == null) {
      return null;
    }
    turns.remove(turn);
    T found = turn.waiting.removeFirst();
    size--;
    if (turn.waiting.isEmpty()) {
      turn.host = null;
      spare = turn;
    } else {
      turns.addLast(turn);
    }
    return found;
  }

  /** The same, which stays in the queue. */
  public @Nullable T peek(int busy) {
    Turn<T> turn = next(busy);
    return turn == null ? null : turn.waiting.peekFirst();
  }

  private @Nullable Turn<T> next(int busy) {
    if (busy < threads / 2) {
      return turns.peekFirst();
    }
    for (Turn<T> each : turns) {
      Object host = each.host;
      if (host == null || busyOf.applyAsInt(host) < threads - threads / 8) {
        return each;
      }
    }
    return null;
  }
}
