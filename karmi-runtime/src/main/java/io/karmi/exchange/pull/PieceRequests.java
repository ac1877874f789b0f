package io.karmi.exchange.pull;

import io.karmi.exchange.GroupAddress;
import io.karmi.exchange.directory.Directory;
import io.karmi.exchange.directory.Joined;
import io.karmi.messaging.Address;
import io.karmi.messaging.Messaging;
import io.karmi.technology.Workers;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Requests for pieces of one group. One thread asks and waits; others send what it asks. */
final class PieceRequests {
  /** Threads that send requests: as many fetches may wait for stopped processes at a time. */
  private static final Workers ASKING = new Workers("KaRMI Exchange Request", 32);

  private final GroupAddress group;
  private final Directory directory;
  private final Messaging messaging;

  /** Has a permit if a request was answered since it was looked at last. */
  private final Semaphore answered = new Semaphore(0);

  /** A holder, and what it is asked for. */
  static final class Asked {
    final Address holder;
    final long sinceNanos = System.nanoTime();
    private final Deque<CompletableFuture<Object>> pieces = new ArrayDeque<>();

    /** Bytes of each request. */
    private final int most;

    /** Where the first of those begins. */
    private long begin;

    /** Where the piece behind those begins. */
    private long end;

    private long says;
    private long tookNanos;

    private Asked(Address holder, long from, int most) {
      this.holder = holder;
      this.most = most;
      begin = from;
      end = from;
    }

    /** Requests that are under way, with those that were answered and not taken. */
    int underWay() {
      return pieces.size();
    }

    /** Where the piece begins that is not asked for yet. */
    long end() {
      return end;
    }

    /** What the holder says of the length of the group, with the piece that was taken last. */
    long says() {
      return says;
    }

    /** Whether the first request that is under way was answered. */
    boolean isDone() {
      return pieces.element().isDone();
    }

    /** Takes the answer to the first request; null if it is no piece. */
    @Nullable ByteBuffer take() throws ExecutionException, InterruptedIOException {
      Object answer;
      try {
        answer = pieces.remove().get();
      } catch (InterruptedException e) {
        throw interrupted();
      }
      if (!(answer instanceof byte[] bytes) || bytes.length < FetchGroup.LENGTH_BYTES) {
        return null;
      }
      ByteBuffer piece = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
      says = piece.getLong();
      if (says < 0 || piece.remaining() != Math.max(0, Math.min(most, says - begin))) {
        return null;
      }
      begin += piece.remaining();
      tookNanos = Math.max(1, System.nanoTime() - sinceNanos);
      return piece;
    }

    /** Time from the first request until a piece was taken last; 0 before. */
    long tookNanos() {
      return tookNanos;
    }

    void cancel() {
      pieces.forEach(each -> each.cancel(true));
    }
  }

  PieceRequests(GroupAddress group, Directory directory, Messaging messaging) {
    this.group = group;
    this.directory = directory;
    this.messaging = messaging;
  }

  /**
   * Asks a holder for bytes.
   *
   * @param most bytes of this request, and of those that {@link #ask} adds
   */
  Asked begin(Address holder, long from, int most) {
    Asked one = new Asked(holder, from, most);
    ask(one, 1, Long.MAX_VALUE);
    return one;
  }

  /** Asks for pieces up to the end until {@code underWay} are asked for, all by one thread. */
  void ask(Asked from, int underWay, long end) {
    Joined joined = directory.joined();
    List<Runnable> requests = new ArrayList<>(underWay);
    while (from.pieces.size() < underWay && from.end < end) {
      FetchGroup request =
          new FetchGroup(joined.space(), joined.secret(), group, from.end, from.most);
      from.end += from.most;
      CompletableFuture<Object> answer = new CompletableFuture<>();
      from.pieces.add(answer);
      answer.whenComplete((piece, problem) -> answered.release());
      requests.add(() -> send(request, from.holder, answer));
    }
    ASKING.execute(() -> requests.forEach(Runnable::run));
  }

  /** Sends a request, which may wait for a connection to a process that is stopped. */
  private void send(FetchGroup request, Address to, CompletableFuture<Object> answer) {
    if (answer.isDone()) {
      return; // given up before its turn
    }
    CompletableFuture<Object> sent = messaging.request(request, to);
    sent.whenComplete(
        (piece, problem) -> {
          if (problem == null) {
            answer.complete(piece);
          } else {
            answer.completeExceptionally(problem);
          }
        });
    answer.whenComplete((piece, problem) -> sent.cancel(true));
  }

  /** Waits until a request is answered, at most so long. */
  void await(long nanos) throws InterruptedIOException {
    try {
      if (answered.tryAcquire(nanos, TimeUnit.NANOSECONDS)) {
        answered.drainPermits();
      }
    } catch (InterruptedException e) {
      throw interrupted();
    }
  }

  private static InterruptedIOException interrupted() {
    Thread.currentThread().interrupt();
    return new InterruptedIOException("interrupted while a group is fetched");
  }
}
