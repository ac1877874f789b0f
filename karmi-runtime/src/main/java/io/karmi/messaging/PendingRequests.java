package io.karmi.messaging;

import io.karmi.messaging.link.LinkSelector;
import io.karmi.technology.WatchedCall;
import java.rmi.RemoteException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The requests of a node that have not been answered, by a number that is never used again.
 *
 * <p>Thread-safe.
 */
final class PendingRequests {
  private final ConcurrentMap<Long, Pending> pending = new ConcurrentHashMap<>();
  private final AtomicLong numbers = new AtomicLong();
  private final long timeoutNanos;

  /** Shortest timeout with which a waiting thread reads itself. */
  private static final long MINIMUM_MILLIS = 50;

  /** Dependents of every request: the one that removes it from the table. */
  private static final int OWN_DEPENDENTS = 1;

  static final class Pending extends CompletableFuture<Object> {
    final long number;
    final Link link;
    private final long deadlineNanos;

    /** The last thread that has begun to wait for the answer. */
    private volatile @Nullable Thread waiter;

    /** Told of the end; guarded by this. */
    private @Nullable WatchedCall watched;

    Pending(long number, Link link, long deadlineNanos, @Nullable WatchedCall watched) {
      this.number = number;
      this.link = link;
      this.deadlineNanos = deadlineNanos;
      this.watched = watched;
    }

    /** What is to be told of the end, by the one that has taken it; or null. */
    synchronized @Nullable WatchedCall takeWatched() {
      WatchedCall taken = watched;
      watched = null;
      return taken;
    }

    @Override
    public Object get() throws InterruptedException, ExecutionException {
      readInTurn(Long.MAX_VALUE);
      return super.get();
    }

    @Override
    public Object get(long time, TimeUnit unit)
        throws InterruptedException, ExecutionException, TimeoutException {
      readInTurn(unit.toMillis(time));
      return super.get(time, unit);
    }

    @Override
    public Object join() {
      readInTurn(Long.MAX_VALUE);
      return super.join();
    }

    /** This thread may read the answer itself, where nothing else comes of that. */
    private void readInTurn(long mostMillis) {
      if (isDone()) {
        return;
      }
      LinkSelector.leave();
      Thread thread = Thread.currentThread();
      if (thread.isInterrupted() || mostMillis < MINIMUM_MILLIS) {
        return;
      }
      if (getNumberOfDependents() <= OWN_DEPENDENTS) {
        waiter = thread;
        link.input.readFor(number, this);
      }
    }

    /** The thread that waits for the answer, if it is all that depends on it. */
    @Nullable Thread waiter() {
      return getNumberOfDependents() <= OWN_DEPENDENTS + 1 ? waiter : null;
    }
  }

  /**
   * @param timeoutMillis after which a request fails; 0 for never
   */
  PendingRequests(long timeoutMillis) {
    timeoutNanos = timeoutMillis * 1_000_000;
  }

  /**
   * Makes a request that will be sent over a link.
   *
   * @param watched told of its end; null for nothing
   */
  Pending add(Link link, @Nullable WatchedCall watched) {
    Pending request =
        new Pending(numbers.incrementAndGet(), link, System.nanoTime() + timeoutNanos, watched);
    pending.put(request.number, request);
    link.sender.requests.incrementAndGet();
    request.whenComplete(
        (answer, problem) -> {
          pending.remove(request.number);
          link.sender.requests.decrementAndGet();
          WatchedCall told = request.takeWatched();
          if (told != null) {
            told.ended(problem);
          }
        });
    return request;
  }

  /**
   * The request with this number, which was sent over this link; null if it has been completed, or
   * there never was one.
   */
  @Nullable Pending find(long number, Link link) {
    Pending request = pending.get(number);
    return request != null && request.link == link ? request : null;
  }

  boolean isEmpty() {
    return pending.isEmpty();
  }

  /** Fails those of a link that has ended; returns whether there are any. */
  boolean failAll(Link link, RemoteException problem) {
    boolean any = false;
    for (Pending request : pending.values()) {
      if (request.link == link) {
        any |= request.completeExceptionally(problem); // false where the answer has just come
      }
    }
    return any;
  }

  /**
   * Fails those that were not answered in time.
   *
   * @return how many
   */
  int failLate() {
    int late = 0;
    if (timeoutNanos > 0) {
      long now = System.nanoTime();
      for (Pending request : pending.values()) {
        if (now - request.deadlineNanos > 0) {
          late++;
          request.completeExceptionally(
              new RemoteException(
                  request.link.address
                      + " has not answered in "
                      + timeoutNanos / 1_000_000
                      + " ms (karmi.messaging.requestTimeout)"));
        }
      }
    }
    return late;
  }
}
