package io.karmi.exchange;

import io.karmi.exchange.directory.Attempts;
import io.karmi.exchange.directory.Directory;
import io.karmi.exchange.directory.Joined;
import io.karmi.messaging.Address;
import io.karmi.messaging.Messaging;
import io.karmi.technology.Workers;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.StreamCorruptedException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.rmi.ConnectIOException;
import java.rmi.UnmarshalException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Takes the pieces of one group from its holders, in order. One of them gives all, unless it fails
 * or is silent for a sixteenth of {@code karmi.keepAlive}: then the next one is asked for the same
 * piece as well, and the first to answer goes on. So holders that are silent cost one time-out
 * together. Belongs to one thread.
 */
final class Pull implements AutoCloseable {
  /** Bytes before each piece: the length of the whole. */
  static final int LENGTH_BYTES = Long.BYTES;

  /** Requests to the holder that gives the pieces that are under way at a time. */
  private static final int UNDER_WAY = 4;

  /** Holders that are asked for the same piece at a time. */
  private static final int ASKED_AT_A_TIME = 4;

  /** Threads that send requests: as many fetches may wait for stopped processes at a time. */
  private static final Workers ASKING = new Workers("KaRMI Exchange Request", 32);

  private final GroupAddress group;
  private final Directory directory;
  private final Messaging messaging;
  private final long limitMillis = Attempts.limitMillis();
  private final long limitNanos = TimeUnit.MILLISECONDS.toNanos(limitMillis);

  /** After so long a holder is silent. */
  private final long silenceNanos = limitNanos / Directory.MAXIMUM_SOURCES;

  /** Has a permit if a request was answered since it was looked at last. */
  private final Semaphore answered = new Semaphore(0);

  /** Holders that may be asked, those that were not asked yet first. */
  private final Deque<Address> next = new ArrayDeque<>();

  private final Set<Address> known = new HashSet<>();

  /** Those whose connection was lost, or could not be made, since they have given a piece. */
  private final Set<Address> lost = new HashSet<>();

  private final List<String> failures = new ArrayList<>();

  /** Those that are asked for the next piece, with the one that gave the piece before it. */
  private final Deque<Asked> asked = new ArrayDeque<>();

  /** Gave the piece before; null before the first one. */
  private @Nullable Asked giver;

  private long secret;
  private boolean mayAskDirectory = true;

  /** Whether the directory has not said yet who has the group. */
  private boolean isGuess;

  /** Whether not all of what has come was given by one holder. */
  private boolean isMixed;

  private int mistakes;

  /** Takes a piece, in order. */
  @FunctionalInterface
  interface Pieces {
    /**
     * Takes it.
     *
     * @param left bytes of this piece and of all behind it, as its holder says
     */
    void take(ByteBuffer piece, long left) throws IOException;
  }

  /** A holder, and what it is asked for. */
  private static final class Asked {
    final Address holder;
    final long sinceNanos = System.nanoTime();
    final Deque<CompletableFuture<Object>> pieces = new ArrayDeque<>();

    /** Where the piece behind those begins. */
    long end;

    Asked(Address holder, long from) {
      this.holder = holder;
      end = from;
    }
  }

  /**
   * @param holders null if the directory is to be asked for them
   * @param likely who is asked before the directory is, unless holders are known; null for none
   */
  Pull(
      GroupAddress group,
      Address @Nullable [] holders,
      @Nullable Address likely,
      Directory directory,
      Messaging messaging)
      throws IOException {
    this.group = group;
    this.directory = directory;
    this.messaging = messaging;
    secret = directory.joined().secret();
    isGuess = holders == null && likely != null;
    if (holders == null && likely != null) {
      add(likely);
    } else {
      add(holders == null ? directory.holders(group) : holders);
    }
  }

  /** Who has given the last piece; null if there was none. */
  @Nullable Address giver() {
    return giver == null ? null : giver.holder;
  }

  private void add(Address... holders) {
    for (Address each : holders) {
      if (known.size() < Directory.MAXIMUM_SOURCES
          && !each.equals(messaging.address())
          && known.add(each)) {
        next.add(each);
      }
    }
  }

  /**
   * Gives all from an offset on. What holders say of the length counts piece by piece.
   *
   * @throws StreamCorruptedException if an answer is not the piece that was asked for
   * @throws GroupLostException if each holder fails, or none answers within the limit
   */
  void all(long from, Pieces to) throws IOException {
    isMixed = from > 0;
    long total = -1;
    long come = from;
    while (total < 0 || come < total) {
      ByteBuffer answer = ByteBuffer.wrap(piece(come)).order(ByteOrder.LITTLE_ENDIAN);
      total = checked(answer, come, total);
      long left = total - come;
      come += answer.remaining();
      askAhead(total);
      to.take(answer, left);
    }
  }

  private void askAhead(long total) {
    Asked from = giver;
    if (from != null && from.pieces.size() <= UNDER_WAY / 2 && from.end < total) {
      ask(from, UNDER_WAY, total);
    }
  }

  /** The length of the whole, if this is the piece that was asked for. */
  private static long checked(ByteBuffer answer, long from, long before)
      throws StreamCorruptedException {
    long total = answer.remaining() < LENGTH_BYTES ? -1 : answer.getLong();
    if (total < from
        || before >= 0 && total != before
        || answer.remaining() != Math.min(FetchGroup.PIECE_BYTES, total - from)) {
      throw new StreamCorruptedException(
          "it says that the group has "
              + total
              + " bytes, and has sent "
              + answer.remaining()
              + " from "
              + from
              + " on");
    }
    return total;
  }

  /**
   * What has come is not the group. The holder that gave the last of it is not asked any more if it
   * gave all of it; else it is the first to be asked for all.
   */
  void isWrong(IOException problem) {
    Asked last = giver;
    giveUpAll();
    if (last == null) {
      return;
    }
    next.remove(last.holder);
    if (isMixed && ++mistakes <= Directory.MAXIMUM_SOURCES) {
      next.addFirst(last.holder);
    } else {
      fails(last, "what it has sent is not the group: " + problem.getMessage());
    }
  }

  private void fails(Asked holder, String reason) {
    failures.add(holder.holder + ": " + reason);
  }

  /** The piece at an offset, of the first holder to give it, which gives the next ones. */
  private byte[] piece(long from) throws IOException {
    long begin = System.nanoTime();
    long pauses = 1;
    while (true) {
      long waited = System.nanoTime() - begin;
      Asked first = asked.stream().filter(each -> isDone(each)).findFirst().orElse(null);
      if (first != null) {
        byte[] piece = answer(first);
        if (piece != null) {
          becomesGiver(first);
          return piece;
        }
      } else if (asked.isEmpty()) {
        askAnother(from, true);
      } else if (waited >= limitNanos) {
        giveUpAll();
        next.forEach(each -> failures.add(each + ": no answer within " + limitMillis + " ms"));
        throw new GroupLostException(group, failures);
      } else if (waited >= pauses * silenceNanos) {
        pauses++;
        askAnother(from, waited >= limitNanos / 2);
      } else {
        awaitAnswer(pauses * silenceNanos - waited);
      }
    }
  }

  private static boolean isDone(Asked holder) {
    return holder.pieces.element().isDone();
  }

  private void awaitAnswer(long nanos) throws InterruptedIOException {
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

  /**
   * What a holder has answered; null if that is no piece. Then the holder is not asked any more,
   * unless its connection was lost for the first time since it has given a piece. One that could
   * not be made counts as well, if that did not take long.
   */
  private byte @Nullable [] answer(Asked from) throws InterruptedIOException {
    boolean again = false;
    try {
      if (from.pieces.remove().get() instanceof byte[] bytes) {
        return bytes;
      }
      fails(from, "its answer is no piece of a group");
    } catch (ExecutionException e) {
      Throwable cause = e.getCause() == null ? e : e.getCause();
      boolean isLost =
          cause instanceof UnmarshalException
              || cause instanceof ConnectIOException
                  && System.nanoTime() - from.sinceNanos < silenceNanos;
      again = isLost && lost.add(from.holder);
      if (!again) {
        fails(from, cause.getMessage() == null ? cause.toString() : cause.getMessage());
      }
    } catch (InterruptedException e) {
      throw interrupted();
    }
    asked.remove(from);
    cancel(from);
    if (again) {
      next.add(from.holder);
    }
    return null;
  }

  private void becomesGiver(Asked first) {
    isMixed |= giver != null && giver != first;
    giver = first;
    lost.remove(first.holder);
    for (Asked each : List.copyOf(asked)) {
      if (each != first) {
        giveUp(each);
      }
    }
  }

  /**
   * Asks one holder more for the piece at an offset.
   *
   * @param moreWanted whether the directory is asked for those who have come meanwhile, once; it is
   *     asked in any case if it was not yet
   * @throws GroupLostException if there is none, and no one is asked
   */
  private void askAnother(long from, boolean moreWanted) throws IOException {
    if (next.isEmpty() && (moreWanted || isGuess) && mayAskDirectory) {
      mayAskDirectory = isGuess;
      isGuess = false;
      Address[] now = directory.holders(group);
      if (secret != directory.joined().secret()) {
        known.clear(); // they may have known the new one only
      }
      add(now);
    }
    Address holder = next.poll();
    if (holder == null && asked.isEmpty()) {
      throw new GroupLostException(group, failures);
    }
    if (holder != null) {
      if (asked.size() >= ASKED_AT_A_TIME) {
        asked.stream().filter(each -> each != giver).findFirst().ifPresent(this::giveUp);
      }
      Asked one = new Asked(holder, from);
      asked.add(one);
      ask(one, 1, Long.MAX_VALUE);
    }
  }

  /** It may be asked again, when the others have been asked. */
  private void giveUp(Asked holder) {
    asked.remove(holder);
    cancel(holder);
    next.add(holder.holder);
  }

  private void giveUpAll() {
    List.copyOf(asked).forEach(this::giveUp);
    giver = null;
  }

  private static void cancel(Asked holder) {
    holder.pieces.forEach(each -> each.cancel(true));
  }

  /** Asks for pieces up to the end until so many are under way, all by one thread. */
  private void ask(Asked from, int underWay, long end) {
    Joined joined = directory.joined();
    List<Runnable> requests = new ArrayList<>(underWay);
    while (from.pieces.size() < underWay && from.end < end) {
      FetchGroup request = new FetchGroup(joined.space(), joined.secret(), group, from.end);
      from.end += FetchGroup.PIECE_BYTES;
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

  @Override
  public void close() {
    asked.forEach(Pull::cancel);
  }
}
