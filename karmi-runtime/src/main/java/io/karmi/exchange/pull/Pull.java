package io.karmi.exchange.pull;

import io.karmi.exchange.GroupAddress;
import io.karmi.exchange.GroupLostException;
import io.karmi.exchange.directory.Attempts;
import io.karmi.exchange.directory.Directory;
import io.karmi.exchange.pull.PieceRequests.Asked;
import io.karmi.messaging.Address;
import io.karmi.messaging.Messaging;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.StreamCorruptedException;
import java.nio.ByteBuffer;
import java.rmi.ConnectIOException;
import java.rmi.UnmarshalException;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
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
public final class Pull implements AutoCloseable {
  /** Requests to the holder that gives the pieces that are under way at a time. */
  private static final int UNDER_WAY = 4;

  /** Holders that are asked for the same piece at a time. */
  private static final int ASKED_AT_A_TIME = 4;

  /** One of so many parts of a piece shows how quick a holder is. */
  private static final int PARTS_OF_A_PIECE = 16;

  /** Twice as many as it takes to ask all in time, so that half of it is left for the piece. */
  private static final int PROBED_AT_A_TIME = 2;

  private final PieceRequests requests;
  private final Holders holders;
  private final ToldLengths lengths = new ToldLengths();
  private final long limitMillis = Attempts.limitMillis();
  private final long limitNanos = TimeUnit.MILLISECONDS.toNanos(limitMillis);

  /** After so long a holder is silent. */
  private final long silenceNanos = limitNanos / Directory.MAXIMUM_SOURCES;

  /** How often each was asked for the pieces because its part came quickly. */
  private final Map<Address, Integer> preferred = new HashMap<>();

  /** Those that are asked for the next piece, with the one that gave the piece before it. */
  private final Deque<Asked> asked = new ArrayDeque<>();

  /** Those that are asked for a part, or have given it. */
  private final Deque<Asked> probed = new ArrayDeque<>();

  /** Gave the piece before; null before the first one. */
  private @Nullable Asked giver;

  /** How many pieces the giver has given since a time. */
  private int counted;

  private long countedNanos = System.nanoTime();

  /** When these were looked at last, and whether they were few and no one else was asked since. */
  private long lookedNanos = countedNanos;

  private boolean isSlow;

  /** Whether not all of what has come was given by one holder. */
  private boolean isMixed;

  private int mistakes;

  /** Takes a piece, in order. */
  @FunctionalInterface
  public interface Pieces {
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

  /**
   * @param holders null if the directory is to be asked for them
   * @param likely who is asked before the directory is, unless holders are known; null for none
   */
  public Pull(
      GroupAddress group,
      Address @Nullable [] holders,
      @Nullable Address likely,
      Directory directory,
      Messaging messaging)
      throws IOException {
    requests = new PieceRequests(group, directory, messaging);
    this.holders = new Holders(group, holders, likely, directory, messaging.address());
  }

  /** Who has given the last piece; null if there was none. */
  public @Nullable Address giver() {
    return giver == null ? null : giver.holder;
  }

  /**
   * Gives all from an offset on. Other holders of a long group are probed once more each time as
   * much has come again: its length is a claim, and fills the disk, and a holder may have been slow
   * for a moment only.
   *
   * @throws StreamCorruptedException if all is to be given again, after {@link #isWrong}
   * @throws GroupLostException if each holder fails, or none answers within the limit
   */
  public void all(long from, Pieces to) throws IOException {
    isMixed = from > 0;
    lengths.beginAgain();
    long come = from;
    long probedAt = (long) UNDER_WAY * FetchGroup.PIECE_BYTES;
    while (lengths.believed() < 0 || come < lengths.believed()) {
      ByteBuffer piece = piece(come);
      long total = lengths.believed();
      long left = total - come;
      come += piece.remaining();
      askAhead(total);
      if (come >= probedAt && come < total) {
        probedAt = 2 * come;
        probed.stream().filter(Pull::hasGiven).toList().forEach(this::giveUp);
        if (holders.areLeft()) {
          probeAnother(come, false);
        }
      }
      to.take(piece, left);
    }
  }

  private void askAhead(long total) {
    Asked from = giver;
    if (from != null && from.underWay() <= UNDER_WAY / 2 && from.end() < total) {
      requests.ask(from, UNDER_WAY, total);
    }
  }

  /**
   * What has come is not the group. The holder that gave the last of it is not asked any more if it
   * gave all of it; else it is the first to be asked for all.
   */
  public void isWrong(IOException problem) {
    if (problem instanceof OtherLengthException) {
      return;
    }
    Asked last = giver;
    giveUpAll();
    if (last == null) {
      return;
    }
    if (isMixed && ++mistakes <= Directory.MAXIMUM_SOURCES) {
      holders.addFirst(last.holder);
    } else {
      holders.fails(last.holder, "what it has sent is not the group: " + problem.getMessage());
    }
  }

  /** There is no room for a group of the length that was told: others may tell a shorter one. */
  public void isTooLong(IOException problem) {
    lengths.isTooLong();
    isMixed = false;
    isWrong(problem);
  }

  /** The piece at an offset, of the first holder to give it, which gives the next ones. */
  private ByteBuffer piece(long from) throws IOException {
    long begin = System.nanoTime();
    while (true) {
      long now = System.nanoTime();
      boolean late = now - begin >= limitNanos / 2;
      hearProbed();
      Asked first = asked.stream().filter(Asked::isDone).findFirst().orElse(null);
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
        holders.allFail("no answer within " + limitMillis + " ms");
        throw holders.failure();
      } else if (isSlow && askQuicker(from, now, late)) {
        isSlow = false; // until it is looked again
      } else if (now - lookedNanos >= silenceNanos) {
        look(from, now, late);
      } else {
        requests.await(lookedNanos + silenceNanos - now);
      }
    }
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

  /**
   * What a holder has answered; null if that is no piece. Then the holder is not asked any more,
   * unless its connection was lost for the first time since it has given a piece. One that could
   * not be made counts as well, if that did not take long.
   */
  private @Nullable ByteBuffer answer(Asked from) throws InterruptedIOException {
    boolean again = false;
    try {
      ByteBuffer piece = from.take();
      if (piece != null && lengths.isRoomFor(from.says())) {
        return piece;
      }
      holders.fails(from.holder, "its answer is no piece of a group for which there is room");
    } catch (ExecutionException e) {
      Throwable cause = e.getCause() == null ? e : e.getCause();
      boolean isLost =
          cause instanceof UnmarshalException
              || cause instanceof ConnectIOException
                  && System.nanoTime() - from.sinceNanos < silenceNanos;
      again = isLost && holders.isLostFirst(from.holder);
      if (!again) {
        holders.fails(
            from.holder, cause.getMessage() == null ? cause.toString() : cause.getMessage());
      }
    }
    drop(from);
    if (again) {
      holders.addLast(from.holder);
    }
    return null;
  }

  /** Whether the length that a holder tells with a piece is the one that is believed. */
  private boolean agrees(Asked one, long from) throws OtherLengthException {
    if (lengths.isBelieved(one.says(), from)) {
      return true;
    }
    differs(one);
    return false;
  }

  /** A holder tells another length than the one that is believed. */
  private void differs(Asked one) throws OtherLengthException {
    drop(one);
    if (lengths.isHeard(one.holder, one.says())) {
      restartWith(one);
    }
  }

  private void restartWith(Asked one) throws OtherLengthException {
    giveUpAll();
    holders.addFirst(one.holder);
    throw new OtherLengthException();
  }

  private void becomesGiver(Asked first, long from) {
    if (giver != first) {
      isMixed |= from > 0;
      giver = first;
      startsCounting();
    }
    counted++;
    holders.hasGiven(first.holder);
    for (Asked each : List.copyOf(asked)) {
      if (each != first) {
        giveUp(each);
      }
    }
  }

  private void hearProbed() throws IOException {
    for (Asked each : List.copyOf(probed)) {
      boolean hasGiven = hasGiven(each) || each.isDone() && answer(each) != null;
      if (hasGiven && each.says() < lengths.believed()) {
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
            .filter(Pull::hasGiven)
            .filter(each -> each.tookNanos() <= pace / (2 * PARTS_OF_A_PIECE))
            .filter(each -> preferred(each) < Directory.MAXIMUM_SOURCES)
            .min(
                Comparator.comparing(this::preferred)
                    .thenComparing(each -> each.says() != lengths.believed())
                    .thenComparing(Asked::tookNanos))
            .orElse(null);
    if (quick == null) {
      return false;
    }
    preferred.merge(quick.holder, 1, Integer::sum);
    drop(quick);
    if (lengths.believed() >= 0 && quick.says() != lengths.believed()) {
      lengths.giveUp();
      restartWith(quick);
    }
    if (asked.size() >= ASKED_AT_A_TIME) {
      asked.stream().filter(each -> each != giver).findFirst().ifPresent(this::giveUp);
    }
    askFor(from, quick.holder);
    return true;
  }

  private static boolean hasGiven(Asked probe) {
    return probe.tookNanos() > 0;
  }

  /** Whether it has given a part, and tells the length that is believed. */
  private boolean isReady(Asked probe) {
    long total = lengths.believed();
    return hasGiven(probe) && (total < 0 || probe.says() == total);
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
    Address holder = holders.next(true);
    if (holder == null) {
      List.copyOf(probed).forEach(this::giveUp); // silent till now
      holder = holders.nextKnown();
    }
    if (holder == null && lengths.areDoubted()) {
      giveUpAll();
      throw new OtherLengthException();
    }
    if (holder == null) {
      throw holders.failure();
    }
    askFor(from, holder);
  }

  private void askFor(long from, Address holder) {
    asked.add(requests.begin(holder, from, FetchGroup.PIECE_BYTES));
  }

  /** Asks one holder more for a part. */
  private void probeAnother(long from, boolean moreWanted) throws InterruptedIOException {
    Address holder = holders.nextIfAny(moreWanted);
    if (holder != null) {
      probed.add(requests.begin(holder, from, FetchGroup.PIECE_BYTES / PARTS_OF_A_PIECE));
    }
  }

  private void drop(Asked holder) {
    asked.remove(holder);
    probed.remove(holder);
    holder.cancel();
    giver = giver == holder ? null : giver;
  }

  /** It may be asked again, when the others have been asked. */
  private void giveUp(Asked holder) {
    drop(holder);
    holders.addLast(holder.holder);
  }

  private void giveUpAll() {
    List.copyOf(asked).forEach(this::giveUp);
    List.copyOf(probed).forEach(this::giveUp);
    holders.addLast(lengths.takeDoubted());
    giver = null;
  }

  @Override
  public void close() {
    giveUpAll();
  }
}
