package io.karmi.messaging;

import io.karmi.guard.Ledger;
import io.karmi.guard.Ledgers;
import io.karmi.id.TechnologyId;
import io.karmi.messaging.frame.MessageFrame;
import io.karmi.messaging.frame.ReceiveWindow;
import io.karmi.messaging.frame.TablePressure;
import io.karmi.messaging.frame.Twin;
import io.karmi.messaging.frame.UnfinishedMessages;
import io.karmi.messaging.link.LinkSelector;
import io.karmi.messaging.link.LinkSilence;
import io.karmi.messaging.link.OwedAnswers;
import io.karmi.technology.Pipe;
import java.io.EOFException;
import java.io.IOException;
import java.io.ObjectInputFilter;
import java.rmi.AccessException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The connection to one node, as messages see it: lanes, a {@link LinkOutput} that sends and a
 * {@link LinkInput} that receives.
 *
 * <p>Thread-safe.
 */
final class Link implements LinkOutput.Side {
  /** Nanoseconds for which nothing must have been done with a link that gives way. */
  static final long LEAST_UNUSED_NANOS = 20_000_000;

  /** Nanoseconds that the other end of a link that gives way has for its goodbye. */
  private static final long GOODBYE_NANOS = 100_000_000;

  final LinkOwner owner;
  final Pipe pipe;
  final Address address;
  final LinkOutput output;
  final LinkInput input;
  final LinkSender sender;
  final LinkFarewell farewell;
  final UnfinishedMessages unfinished;
  private final ReceiveWindow window;

  /** By how much its window is longer than the shortest one. */
  private final Ledger.Account longer;

  /** What its lanes keep of the other end's types. */
  final Ledger.Account tables;

  /** What the parts of messages take that have not come whole. */
  final Ledger.Account memory;

  /** What messages take that are being read. */
  final Ledger.Account reading;

  final TablePressure pressure = new TablePressure();

  /** What answers take that the other end does not take yet. */
  final Ledger.Account untaken;

  final OwedAnswers owed;
  private final LinkSilence silence = new LinkSilence();

  /** When this end has last given a sign of life; of the thread that looks after links. */
  private long signAtNanos = System.nanoTime();

  /** Lanes of the other end; made when the first frame of each comes, by the reading thread. */
  private final @Nullable InLane[] inLanes = new InLane[MessageFrame.MAXIMUM_LANES];

  final @Nullable ObjectInputFilter filter;

  /** Whether the other node has opened it, which then only says who it is. */
  final boolean accepted;

  final Twin<Link> twin;
  private volatile @Nullable Throwable lostBecause;

  /** Whether the loss of the node has been told already. */
  volatile boolean lossKnown;

  /** Whether nothing more is handled of what has come. */
  volatile boolean dropped;

  /**
   * Links to the same node that are being closed: what is sent in order over this one waits until
   * all is processed that was sent over them.
   */
  private final List<Link> before = new CopyOnWriteArrayList<>();

  private @Nullable Runnable whenEnded;

  /** Number of answers that are yet to be sent over this link. */
  final AtomicInteger answers = new AtomicInteger();

  /**
   * Makes a link of a pipe, which it owns from now on.
   *
   * @param address of the other node
   * @param dialled where this node has opened it; null if the other one has
   * @param filter what messages may contain, or null for what the JVM allows
   */
  Link(
      LinkOwner owner,
      Pipe pipe,
      Address address,
      @Nullable TechnologyId dialled,
      @Nullable ObjectInputFilter filter) {
    this.owner = owner;
    this.pipe = pipe;
    this.address = address;
    this.accepted = dialled == null;
    twin = new Twin<>(dialled == null ? null : dialled.toString());
    this.filter = filter;
    MessagingSettings settings = owner.settings();
    output = new LinkOutput(this, pipe, owner.pages(), owner.counts(), settings);
    longer = Ledgers.windows().open(pipe::host, 0, reason -> false);
    window = new ReceiveWindow(settings.windowBytes, pipe.takesWindows(), longer);
    input = new LinkInput(this, window);
    unfinished = new UnfinishedMessages(settings.messageBytes);
    tables =
        Ledgers.tables().open(pipe::host, Ledgers.FREE_TABLE_BYTES, reason -> pressure.ask(reason));
    memory = Ledgers.messages().open(pipe::host, 0, this::giveWay);
    reading = Ledgers.messages().open(pipe::host, 0, this::giveWay);
    untaken = Ledgers.messages().open(pipe::host, 0, this::giveWay);
    OutLane[] lanes =
        OutLane.lanes(settings.lanes, pipe, owner.translation(), owner.arrays(), tables);
    sender =
        new LinkSender(output, this, address, lanes, settings.windowBytes, unfinished, untaken);
    farewell = new LinkFarewell(this);
    owed = new OwedAnswers(pipe.peerName(), this::isLost, untaken, this::drop);
  }

  /** Says what is done once when it ends; before it is started. */
  void whenEnded(Runnable action) {
    whenEnded = action;
  }

  /** Ends it, as others need the memory of its messages. */
  boolean giveWay(String reason) {
    owner.execute(() -> drop(new IOException(reason)));
    return true;
  }

  /** Ends it, and handles nothing more of what has come. */
  void drop(Throwable because) {
    dropped = true;
    end(because);
    letGo();
  }

  /** Gives back what was held for messages that have come. */
  private void letGo() {
    memory.close();
    longer.close();
    reading.retire(); // a thread may be in code of the program, and hold what it has read
    untaken.retire(); // the same
    tables.close();
    for (InLane lane : inLanes) {
      if (lane != null) {
        lane.end();
      }
    }
  }

  /** Another link to the same node, if it is known and can be sent over. */
  @Nullable Link otherOpen() {
    Link known = twin.other();
    return known != null && known.isOpen() ? known : null;
  }

  /** Messages that went over a link that is being closed go over this one from now on. */
  void follow(Link other) {
    if (!before.contains(other)) {
      before.addAll(other.before);
      before.add(other);
      before.removeIf(each -> each == this || each.isLost());
    }
  }

  /** A link has ended. */
  void followNoMore(Link ended) {
    before.remove(ended);
  }

  /** A link that this one follows; null if all have ended. */
  @Nullable Link oneBefore() {
    for (Link each : before) {
      if (!each.isLost()) { // it may follow this one
        return each;
      }
    }
    return null;
  }

  /**
   * Waits until all is processed that was sent over the links that this one follows, or they have
   * ended.
   *
   * @return false if that is not so yet, and the caller does not wait
   */
  boolean isNext(boolean mayWait) {
    for (Link each : before) {
      if (mayWait) {
        each.output.awaitProcessed();
      } else if (!each.isLost() && !each.output.isProcessed()) {
        return false;
      }
    }
    return true;
  }

  /** Why a message that has come may not be read; null if it may. */
  @Nullable AccessException refusal(boolean request) {
    return owner.refusal(pipe, request);
  }

  /** Whether an answer with this number is wanted by this end. */
  boolean awaits(long number) {
    return owner.awaits(number, this);
  }

  /**
   * Describes a deadline that the other end has missed, or null. Called periodically by one thread.
   */
  @Nullable String failing(long now) {
    MessagingSettings settings = owner.settings();
    long writeNanos = settings.writeTimeoutMillis * 1_000_000;
    if (writeNanos > 0) {
      if (farewell.hasBegunBefore(now, writeNanos) && isSilentFor(now, writeNanos)) {
        return "has not said goodbye for "
            + settings.writeTimeoutMillis
            + " ms (karmi.writeTimeout)";
      }
      if (output.isStuckFor(now, writeNanos, accepted)) {
        return "has taken nothing for " + settings.writeTimeoutMillis + " ms (karmi.writeTimeout)";
      }
    }
    String silent =
        silence.exceeded(
            now,
            output.hasWaiting(),
            sender.requests.get() > 0,
            input.usedAtNanos(),
            settings.writeTimeoutMillis,
            settings.keepAliveMillis);
    if (silent != null) {
      return silent;
    }
    if (pressure.isOver(now, tables.held(), this::askForRenewals)) {
      return "keeps its types, of which others have no room: " + tables;
    }
    long messageNanos = settings.messageTimeoutMillis * 1_000_000;
    if (messageNanos > 0 && input.isQuiet()) {
      for (InLane lane : inLanes) {
        if (lane != null && lane.isUnfinishedFor(now, messageNanos)) {
          return "has not gone on with a message for "
              + settings.messageTimeoutMillis
              + " ms (karmi.messageTimeout)";
        }
      }
    }
    return null;
  }

  private void askForRenewals() {
    for (int lane = 0; lane < inLanes.length; lane++) {
      if (inLanes[lane] != null) {
        output.sendRenewal(lane);
      }
    }
  }

  /** Whether the other end is to say goodbye, and this one does nothing that it may wait for. */
  private boolean isSilentFor(long now, long nanos) {
    return now - usedAtNanos() > nanos
        && answers.get() == 0
        && sender.requests.get() == 0
        && input.isQuiet();
  }

  /**
   * For how long nothing was done with the link, so that it may give way to another one, in
   * nanoseconds; 0 while this end works for the other one or waits for its answer.
   */
  long unusedNanos(long now) {
    boolean works = answers.get() > 0 && !output.hasWaiting();
    boolean leaves = farewell.hasBegun() && !farewell.hasBegunBefore(now, GOODBYE_NANOS);
    long unused = now - usedAtNanos();
    return !works
            && !leaves
            && !isLost()
            && input.isQuiet()
            && sender.requests.get() == 0
            && unused >= LEAST_UNUSED_NANOS
        ? unused
        : 0;
  }

  /**
   * Closes the link in good order, if the other end says goodbye at once; else it is ended. Waits
   * for that.
   */
  void yieldPlace() {
    farewell.sayIf(() -> true);
    long end = System.nanoTime() + GOODBYE_NANOS;
    boolean interrupted = false;
    synchronized (this) {
      long left = GOODBYE_NANOS;
      while (lostBecause == null && left > 0 && !interrupted) {
        try {
          TimeUnit.NANOSECONDS.timedWait(this, left);
        } catch (InterruptedException e) {
          interrupted = true;
        }
        left = end - System.nanoTime();
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    end(new EOFException("others need its place, and nothing was done with it"));
  }

  /**
   * Tells the other end that this one works for it, if it does; else that all is processed, of
   * which the last bytes are not told at once. To be called now and then.
   */
  void giveSign(long now) {
    boolean works = !input.isQuiet() || answers.get() > 0;
    boolean due = now - signAtNanos > LinkSilence.SIGN_NANOS;
    boolean told = (!works || due) && tellProcessed();
    if (works && due) {
      if (!told) {
        output.sign();
      }
      signAtNanos = now;
    }
  }

  /**
   * Tells the other end what was processed, if it does not know; returns whether it did not. A link
   * that leaves does not rely on another thread that is about to tell it.
   */
  boolean tellProcessed() {
    boolean told = window.tellAll();
    if (told || isLeaving()) {
      output.sendCredit(window.told());
    }
    return told;
  }

  @Override
  public void roomIsAwaited() {
    LinkSelector.leave();
    input.recallReader();
  }

  @Override
  public void credited(long processed) {
    sender.unpinIdleLanes(processed);
    farewell.endIfOver();
  }

  /** The lane of the other end with this number; called by the reading thread. */
  InLane inLane(int number) {
    InLane lane = inLanes[number];
    if (lane == null) {
      lane = new InLane(this, number);
      inLanes[number] = lane;
    }
    return lane;
  }

  /**
   * Bytes of frames that were received have been processed: the other end may send as many more.
   *
   * @param soon whether the other end waits for just this
   */
  void processed(int bytes, boolean soon) {
    processed(bytes, soon, false);
  }

  /** The same, of a part of a message that goes on. */
  void partProcessed(int bytes) {
    long more = window.grow(bytes);
    if (more > 0) {
      output.sendGrant(more);
    }
    processed(bytes, false, true);
  }

  private void processed(int bytes, boolean soon, boolean goesOn) {
    if (window.processed(bytes, soon, goesOn, isLeaving())) {
      output.sendCredit(window.told());
    }
    if (isLost() && window.isAllProcessed()) {
      letGo();
    }
  }

  /** Gives a long window back if no large message was sent for so long. */
  void giveBackWindow(long now, long nanos) {
    if (output.hasLongWindow() && now - sender.largeAtNanos() > nanos) {
      sender.whileNoThreadSends(
          () -> {
            output.giveBackWindow();
            return true;
          });
    }
  }

  /** When something was last sent or received, as {@link System#nanoTime} tells it. */
  long usedAtNanos() {
    return Math.max(output.usedAtNanos(), input.usedAtNanos());
  }

  /** Whether nothing is under way in either direction, and nothing is expected. */
  boolean isQuiet() {
    return output.isDrained() && input.isQuiet() && answers.get() == 0;
  }

  /** Bytes that are held for messages that come and go. */
  long heldBytes() {
    return output.heldBytes() + input.heldBytes() + sender.heldBytes();
  }

  /** Gives back what is held for messages to come. To be called when the link is quiet. */
  void rest() {
    input.rest();
    sender.whileNoThreadSends(
        () -> {
          output.rest();
          sender.rest();
          return true;
        });
  }

  /** Whether it is quiet, and no answer is awaited. */
  boolean isIdle() {
    return isQuiet() && sender.requests.get() == 0;
  }

  /** Whether all that was sent over it has been processed, and nothing is under way. */
  boolean isProcessed() {
    return output.isProcessed() && isIdle();
  }

  /** Whether it can be sent over. */
  boolean isOpen() {
    return !isLeaving() && !isLost();
  }

  /** Whether this end takes no more messages to send, or the other one has said goodbye. */
  boolean isLeaving() {
    return farewell.hasBegun() || farewell.isHeard();
  }

  boolean isLost() {
    return lostBecause != null;
  }

  @Override
  public @Nullable Throwable lostBecause() {
    return lostBecause;
  }

  /** Ends the link: its pipe has failed, was closed, or its peer has broken the rules. */
  @Override
  public void end(Throwable because) {
    boolean inOrder; // the other end closes when it has got a goodbye, and processed all
    synchronized (this) {
      if (lostBecause != null) {
        return;
      }
      lostBecause = because;
      inOrder = farewell.hasBegun() && output.isProcessed();
      notifyAll();
    }
    Runnable action = whenEnded;
    if (action != null) {
      action.run();
    }
    pipe.close();
    output.end();
    unfinished.close();
    if (input.isAllProcessed()) {
      letGo();
    } // else what has come is still handled
    owner.ended(this, because, inOrder);
  }
}
