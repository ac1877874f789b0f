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
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Takes the pieces of one group from its holders, in order. One of them gives all, unless it fails,
 * or gives fewer than four within a sixteenth of {@code karmi.keepAlive}. Then the next one is
 * asked for a small part, and for the pieces as well if it would have given them in half of the
 * time; the first to answer goes on. So holders that are silent cost one time-out together, and
 * those that share a slow line with the first one do not slow it down. Belongs to one thread.
 *
 * <p>The length is a claim of each holder. Where claims differ, the shortest is taken first, as its
 * check sum is soonest compared. A longer one is when that holder fails, or is slow.
 */
final class Pull implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger("io.karmi.exchange");

  /** Bytes before each piece: the length of the whole. */
  static final int LENGTH_BYTES = Long.BYTES;

  /** Requests to the holder that gives the pieces that are under way at a time. */
  private static final int UNDER_WAY = 4;

  /** Holders that are asked for the same piece at a time. */
  private static final int ASKED_AT_A_TIME = 4;

  /** One of so many parts of a piece shows how quick a holder is. */
  private static final int PARTS_OF_A_PIECE = 16;

  /** Twice as many as it takes to ask all in time, so that half of it is left for the piece. */
  private static final int PROBED_AT_A_TIME = 2;

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

  /** Those that were asked for all because their length was another one: each once. */
  private final Set<Address> believed = new HashSet<>();

  /** Lengths of which the pieces came too slowly. */
  private final Set<Long> givenUp = new HashSet<>();

  /** Those that tell a length which is not believed, until no one else is left. */
  private final List<Address> doubted = new ArrayList<>();

  /** How often each was asked for the pieces because its part came quickly. */
  private final Map<Address, Integer> preferred = new HashMap<>();

  private final List<String> failures = new ArrayList<>();

  /** Those that are asked for the next piece, with the one that gave the piece before it. */
  private final Deque<Asked> asked = new ArrayDeque<>();

  /** Those that are asked for a part, or have given it. */
  private final Deque<Asked> probed = new ArrayDeque<>();

  /** Gave the piece before; null before the first one. */
  private @Nullable Asked giver;

  /** What the giver says of the length; negative before the first piece. */
  private long total = -1;

  /** The longest for which there is room. */
  private long longest = Long.MAX_VALUE;

  /** How many pieces the giver has given since a time. */
  private int counted;

  private long countedNanos = System.nanoTime();

  /** When these were looked at last, and whether they were few and no one else was asked since. */
  private long lookedNanos = countedNanos;

  private boolean isSlow;

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

  /** A holder says another length, and is the first to be asked for all from now on. */
  private static final class OtherLengthException extends StreamCorruptedException {
    private static final long serialVersionUID = 1;
  }

  /** A holder, and what it is asked for. */
  private static final class Asked {
    final Address holder;
    final long sinceNanos = System.nanoTime();
    final Deque<CompletableFuture<Object>> pieces = new ArrayDeque<>();

    /** Bytes of each request. */
    final int most;

    /** Where the first of those begins. */
    long begin;

    /** Where the piece behind those begins. */
    long end;

    /** What it says of the length. */
    long says;

    /** Of one that has given a part: the time that it has taken. */
    long tookNanos;

    Asked(Address holder, long from, int most) {
      this.holder = holder;
      this.most = most;
      begin = from;
      end = from;
    }

    /** The piece that is an answer; null if it is none. */
    @Nullable ByteBuffer taken(@Nullable Object answer) {
      if (!(answer instanceof byte[] bytes) || bytes.length < LENGTH_BYTES) {
        return null;
      }
      ByteBuffer piece = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
      says = piece.getLong();
      if (says < 0 || piece.remaining() != Math.max(0, Math.min(most, says - begin))) {
        return null;
      }
      begin += piece.remaining();
      return piece;
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
   * Gives all from an offset on. A long one is probed at other holders as well, each time as much
   * has come again: its length is a claim, and fills the disk.
   *
   * @throws StreamCorruptedException if all is to be given again, after {@link #isWrong}
   * @throws GroupLostException if each holder fails, or none answers within the limit
   */
  void all(long from, Pieces to) throws IOException {
    isMixed = from > 0;
    total = -1;
    long come = from;
    long probedAt = (long) UNDER_WAY * FetchGroup.PIECE_BYTES;
    while (total < 0 || come < total) {
      ByteBuffer piece = piece(come);
      long left = total - come;
      come += piece.remaining();
      askAhead();
      if (come >= probedAt && come < total && !next.isEmpty()) {
        probedAt = 2 * come;
        probeAnother(come, false);
      }
      to.take(piece, left);
    }
  }

  private void askAhead() {
    Asked from = giver;
    if (from != null && from.pieces.size() <= UNDER_WAY / 2 && from.end < total) {
      ask(from, UNDER_WAY, total);
    }
  }

  /**
   * What has come is not the group. The holder that gave the last of it is not asked any more if it
   * gave all of it; else it is the first to be asked for all.
   */
  void isWrong(IOException problem) {
    if (problem instanceof OtherLengthException) {
      return;
    }
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

  /** There is no room for a group of the length that was told: others may tell a shorter one. */
  void isTooLong(IOException problem) {
    longest = total - 1;
    isMixed = false;
    isWrong(problem);
  }

  private void fails(Asked holder, String reason) {
    failures.add(holder.holder + ": " + reason);
  }

  /** The piece at an offset, of the first holder to give it, which gives the next ones. */
  private ByteBuffer piece(long from) throws IOException {
    long begin = System.nanoTime();
    while (true) {
      long now = System.nanoTime();
      boolean late = now - begin >= limitNanos / 2;
      hearProbed();
      Asked first = asked.stream().filter(Pull::isDone).findFirst().orElse(null);
      if (first != null) {
        ByteBuffer piece = answer(first);
        if (piece != null && agrees(first, from)) {
          becomesGiver(first, from);
          return piece;
        }
      } else if (asked.isEmpty()) {
        startsCounting();
        askAlone(from);
      } else if (now - begin >= limitNanos) {
        giveUpAll();
        next.forEach(each -> failures.add(each + ": no answer within " + limitMillis + " ms"));
        throw new GroupLostException(group, failures);
      } else if (isSlow && askQuicker(from, now, late)) {
        isSlow = false; // until it is looked again
      } else if (now - lookedNanos >= silenceNanos) {
        look(from, now, late);
      } else {
        awaitAnswer(lookedNanos + silenceNanos - now);
      }
    }
  }

  private static boolean isDone(Asked holder) {
    return holder.pieces.element().isDone();
  }

  private void startsCounting() {
    countedNanos = System.nanoTime();
    counted = 0;
    isSlow = false;
  }

  /** Sees whether few pieces come; then others are probed. */
  private void look(long from, long now, boolean late) throws IOException {
    lookedNanos = now;
    isSlow = counted * silenceNanos < UNDER_WAY * (now - countedNanos);
    if (isSlow) {
      for (int i = 0; i < PROBED_AT_A_TIME; i++) {
        probeAnother(from, late);
      }
    } else {
      startsCounting();
    }
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
  private @Nullable ByteBuffer answer(Asked from) throws InterruptedIOException {
    boolean again = false;
    try {
      ByteBuffer piece = from.taken(from.pieces.remove().get());
      if (piece != null && from.says <= longest) {
        return piece;
      }
      fails(from, "its answer is no piece of a group for which there is room");
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
    drop(from);
    if (again) {
      next.add(from.holder);
    }
    return null;
  }

  /** Whether the length that a holder tells with a piece is the one that is believed. */
  private boolean agrees(Asked one, long from) throws OtherLengthException {
    if (total < 0 && one.says >= from) {
      total = one.says;
    }
    if (one.says == total) {
      return true;
    }
    differs(one);
    return false;
  }

  /**
   * A holder tells another length than the one that was believed. It is doubted, if that length was
   * given up before, or another one was for this holder.
   */
  private void differs(Asked one) throws OtherLengthException {
    drop(one);
    if (!givenUp.contains(one.says) && believed.add(one.holder)) {
      restartWith(one);
    }
    doubted.add(one.holder);
  }

  private void restartWith(Asked one) throws OtherLengthException {
    giveUpAll();
    next.addFirst(one.holder);
    throw new OtherLengthException();
  }

  private void becomesGiver(Asked first, long from) {
    if (giver != first) {
      isMixed |= from > 0;
      giver = first;
      startsCounting();
    }
    counted++;
    lost.remove(first.holder);
    for (Asked each : List.copyOf(asked)) {
      if (each != first) {
        giveUp(each);
      }
    }
  }

  private void hearProbed() throws IOException {
    for (Asked each : List.copyOf(probed)) {
      if (each.tookNanos == 0 && isDone(each) && answer(each) != null) {
        each.tookNanos = Math.max(1, System.nanoTime() - each.sinceNanos);
      }
      if (each.tookNanos > 0 && each.says < total) {
        differs(each);
      }
    }
  }

  /**
   * Asks one more for the piece at an offset that would have given those that have come in half of
   * the time, as the part that it has given shows; when it is late, any that has given one.
   */
  private boolean askQuicker(long from, long now, boolean late) throws IOException {
    long pace = late ? Long.MAX_VALUE : (now - countedNanos) / (counted + 1);
    Asked quick =
        probed.stream()
            .filter(each -> each.tookNanos > 0 && each.tookNanos <= pace / (2 * PARTS_OF_A_PIECE))
            .filter(each -> preferred(each) < Directory.MAXIMUM_SOURCES)
            .min(
                Comparator.comparing(this::preferred)
                    .thenComparing(each -> each.says != total)
                    .thenComparing(each -> each.tookNanos))
            .orElse(null);
    if (quick == null) {
      return false;
    }
    preferred.merge(quick.holder, 1, Integer::sum);
    drop(quick);
    if (total >= 0 && quick.says != total) {
      givenUp.add(total);
      restartWith(quick);
    }
    if (asked.size() >= ASKED_AT_A_TIME) {
      asked.stream().filter(each -> each != giver).findFirst().ifPresent(this::giveUp);
    }
    askFor(from, quick.holder);
    return true;
  }

  /** Whether it has given a part, and tells the length that is believed. */
  private boolean isReady(Asked probe) {
    return probe.tookNanos > 0 && (total < 0 || probe.says == total);
  }

  private int preferred(Asked one) {
    return preferred.getOrDefault(one.holder, 0);
  }

  /**
   * Asks a holder for the piece at an offset while no other one is asked.
   *
   * @throws GroupLostException if there is none
   */
  private void askAlone(long from) throws IOException {
    Asked ready = probed.stream().filter(this::isReady).findFirst().orElse(null);
    if (ready != null) {
      drop(ready);
      askFor(from, ready.holder);
      return;
    }
    Address holder = another(true);
    if (holder == null) {
      List.copyOf(probed).forEach(this::giveUp); // silent till now
      holder = next.poll();
    }
    if (holder == null && !doubted.isEmpty()) {
      giveUpAll();
      throw new OtherLengthException();
    }
    if (holder == null) {
      throw new GroupLostException(group, failures);
    }
    askFor(from, holder);
  }

  private void askFor(long from, Address holder) {
    Asked one = new Asked(holder, from, FetchGroup.PIECE_BYTES);
    asked.add(one);
    ask(one, 1, Long.MAX_VALUE);
  }

  /** Asks one holder more for a part. A directory that does not name it ends nothing. */
  private void probeAnother(long from, boolean moreWanted) throws InterruptedIOException {
    Address holder = null;
    try {
      holder = another(moreWanted);
    } catch (InterruptedIOException e) {
      throw e;
    } catch (IOException e) {
      LOG.log(System.Logger.Level.DEBUG, "no more holders of group " + group + " are known", e);
    }
    if (holder != null) {
      Asked one = new Asked(holder, from, FetchGroup.PIECE_BYTES / PARTS_OF_A_PIECE);
      probed.add(one);
      ask(one, 1, Long.MAX_VALUE);
    }
  }

  /**
   * The next holder that was not asked; null for none.
   *
   * @param moreWanted whether the directory is asked for those who have come meanwhile, once; it is
   *     asked in any case if it was not yet
   */
  private @Nullable Address another(boolean moreWanted) throws IOException {
    if (next.isEmpty() && (moreWanted || isGuess) && mayAskDirectory) {
      mayAskDirectory = isGuess;
      isGuess = false;
      Address[] now = directory.holders(group);
      if (secret != directory.joined().secret()) {
        known.clear(); // they may have known the new one only
      }
      add(now);
    }
    return next.poll();
  }

  private void drop(Asked holder) {
    asked.remove(holder);
    probed.remove(holder);
    holder.pieces.forEach(each -> each.cancel(true));
    giver = giver == holder ? null : giver;
  }

  /** It may be asked again, when the others have been asked. */
  private void giveUp(Asked holder) {
    drop(holder);
    next.add(holder.holder);
  }

  private void giveUpAll() {
    List.copyOf(asked).forEach(this::giveUp);
    List.copyOf(probed).forEach(this::giveUp);
    next.addAll(doubted);
    doubted.clear();
    giver = null;
  }

  /** Asks for pieces up to the end until so many are under way, all by one thread. */
  private void ask(Asked from, int underWay, long end) {
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

  @Override
  public void close() {
    giveUpAll();
  }
}
