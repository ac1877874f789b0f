package io.karmi.connection;

import io.karmi.guard.Ledger;
import io.karmi.guard.Ledgers;
import io.karmi.id.NodeId;
import io.karmi.id.ObjectId;
import io.karmi.id.TechnologyId;
import io.karmi.marshal.CallFormat;
import io.karmi.marshal.CallInput;
import io.karmi.marshal.CallOutput;
import io.karmi.marshal.RemoteTranslation;
import io.karmi.technology.ConnectionSettings;
import io.karmi.technology.Workers;
import java.io.IOException;
import java.rmi.ConnectIOException;
import org.jspecify.annotations.Nullable;

/**
 * Connection between two nodes that carries one call at a time, in either direction.
 *
 * <p>While a call runs, the callee may call back over the same connection; the thread that waits
 * for the reply executes such a call, and may itself call again, to any depth. So the ends take
 * turns: at any time exactly one of them may send. Both have the same parts, whichever opened the
 * connection: {@link OutgoingCalls} for the calls of this end, {@link IncomingCalls} for those of
 * the other.
 *
 * <p>Belongs to one thread at a time: the handler of an accepted connection, or the caller that
 * took an opened one out of its {@link ConnectionPool}. All memory of a call is here, so that a
 * call allocates nothing. Other threads may close it, and check whether it should be closed.
 */
public abstract class CallConnection extends OrderedByteChannel {
  /**
   * Milliseconds for which the check of an idle connection waits for bytes that should not come.
   */
  private static final int CHECK_MILLIS = 1;

  final PeerIdentity peer;
  final NodeId remote;

  /**
   * The pool that keeps it while idle, or null if this node did not open it; changed by the thread
   * that has taken it.
   */
  @Nullable ConnectionPool home;

  /** Whether it carries messages: then it is used by way of a {@link ConnectionPipe} only. */
  final boolean messages;

  final CallFormat format;

  /** Whether the other end takes messages with headers. */
  final boolean takesHeaders;

  final CallFrameInput frameIn;
  final CallInput in;
  final CallOutput out;
  final OutgoingCalls outgoing;
  final IncomingCalls incoming;

  /** Closes connections that have to give way: a network may keep who closes waiting. */
  private static final Workers CLOSING = new Workers("KaRMI Closing", 4);

  /** What is kept for the other end between calls. */
  final Ledger.Account tables =
      Ledgers.tables().open(this::accountable, Ledgers.FREE_TABLE_BYTES, this::dropTables);

  /** What the message takes that is being received. */
  private final Ledger.Account memory =
      Ledgers.messages().open(this::accountable, 0, this::giveWay);

  final CallFrameOutput frameOut;
  private final ReplyWait waiting;
  private final Patience patience;
  private final SignsOfLife signs;
  private final IncomingCall incomingCall;
  private final @Nullable TechnologyId endpoint;
  private final int responseTimeoutMillis;
  private @Nullable Arrivals arrivals;
  private @Nullable Runnable whenLimited;

  /** When it was taken for a call; kept by the {@link ConnectionPool}. */
  long takenAtNanos = System.nanoTime();

  /**
   * Whether it has been idle since the last round of the watchdog; the next two are from then on.
   */
  boolean seenIdle;

  /** Idle since then; kept by the {@link ConnectionPool}. */
  long idleSinceNanos;

  /** Known to be alive then; kept by the {@link ConnectionPool}. */
  long aliveAtNanos;

  /** The address that was dialled, or empty if this node did not open it. */
  String dialled = "";

  /** Number of calls since it was checked, or -1 if it never was. */
  int callsSinceCheck = -1;

  /** Number of calls of the other end that are being executed, one inside the other. */
  int depth;

  private volatile boolean closed;

  /** The place that it has among the connections of others; null if this node has opened it. */
  private volatile @Nullable Slot slot;

  /** The failure of the other end for which the watchdog has closed it; null for none. */
  private volatile @Nullable String failing;

  private volatile boolean signDue;

  /** Whether this node ends, so that it executes no further call. */
  private volatile boolean ending;

  /** Whether the other end understands that this node ends. */
  private final boolean knowsFarewell;

  /** Whether the other end has been told; guarded by {@link #signs}. */
  private boolean farewellSaid;

  /** Makes a connection whose ends have introduced themselves. */
  protected CallConnection(Introduction introduction) {
    ConnectionSettings settings = introduction.settings;
    format = introduction.format;
    messages = introduction.messages;
    takesHeaders = introduction.takesHeaders;
    RemoteTranslation translation = introduction.upCall.translation();
    peer = introduction.peer;
    remote = peer.node;
    home = introduction.home;
    responseTimeoutMillis = settings.responseTimeoutMillis;
    waiting = new ReplyWait(settings.interruptible);
    frameIn = new CallFrameInput(this, settings.maximumMessageBytes, memory);
    frameOut = new CallFrameOutput(this);
    patience = new Patience(frameIn, frameOut);
    int keepAliveMillis = introduction.givesSigns ? settings.keepAliveMillis : 0;
    signs = new SignsOfLife(frameIn, frameOut, keepAliveMillis, introduction.wantsSignsMillis);
    if (introduction.givesSigns) {
      frameIn.expectSigns();
    }
    knowsFarewell = introduction.knowsGoAway;
    boolean saysFarewell = knowsFarewell && home == null;
    if (introduction.wantsSignsMillis > 0 || saysFarewell) {
      frameOut.share();
    }
    if (knowsFarewell && home != null) {
      frameIn.expectFarewell();
    }
    in = new CallInput(frameIn, format, translation);
    in.tellArrivals(this::arrived);
    in.keepTypesIn(tables);
    out = new CallOutput(frameOut, format, translation, remote);
    out.tellHost(() -> technology() + ' ' + peerName());
    out.tellIdentity(peer);
    endpoint = introduction.endpoint;
    incomingCall = new IncomingCall(this, frameOut, endpoint);
    outgoing = new OutgoingCalls(this, frameOut, waiting);
    boolean suspends = home == null && !settings.virtualThreads; // those cost nothing while waiting
    incoming = new IncomingCalls(this, frameOut, introduction.upCall, incomingCall, suspends);
  }

  /**
   * Waits for what the other end sends next.
   *
   * @return kind and flags of a message, or -1 if the connection was closed before one
   */
  final int awaitMessage() throws ConnectionLostException {
    return renewed(frameIn.awaitMessage());
  }

  /** The same, while the other end executes a call of this one. */
  final int awaitReply() throws ConnectionLostException {
    return renewed(frameIn.awaitReply());
  }

  private int renewed(int header) {
    if (header >= 0 && (header & FrameHeader.RENEW) != 0) {
      out.renew();
    }
    return header;
  }

  @Override
  final void skipMessage() throws IOException {
    frameIn.skipMessage();
  }

  @Override
  final boolean takeRenewal() {
    return in.takeRenewal();
  }

  /** Called when the other end has registered all references that it was sent. */
  final void unpinAll() {
    out.unpin(out.pinMark());
  }

  /** The listening end at which it came in; null if this node has opened it. */
  final @Nullable TechnologyId endpoint() {
    return endpoint;
  }

  /** The name of its technology. */
  final String technology() {
    ConnectionPool lives = home;
    return lives != null ? lives.owner.name() : endpoint == null ? "" : endpoint.technology();
  }

  final boolean isClosed() {
    return closed;
  }

  @Override
  public final void close() {
    closed = true;
    try {
      closeChannel(); // first: what follows takes memory
    } catch (IOException e) {
      ConnectionLog.LOG.log(System.Logger.Level.DEBUG, "closing a connection failed", e);
    } finally {
      tellClosed();
    }
  }

  private void tellClosed() {
    memory.close();
    tables.close();
    Slot place = slot;
    if (place != null) {
      place.giveBack();
    }
    try {
      incomingCall.gone();
    } finally {
      ConnectionPool lives = home;
      if (lives != null) {
        lives.owner.closed(this);
      }
    }
  }

  /** The host that its memory is charged to; null for a network without hosts. */
  final @Nullable Object accountable() {
    return home == null && host() == null ? null : peerName();
  }

  /** Ends the connection, as others need the memory of its unfinished message. */
  private boolean giveWay(String reason) {
    failing = reason;
    CLOSING.execute(this::close);
    return true;
  }

  /**
   * Ends the connection, as others need its place.
   *
   * @return false if that is not free, as too many threads are stuck
   */
  final boolean giveUpPlace(String reason) {
    Slot place = slot;
    return place != null && place.giveBack() && giveWay(reason);
  }

  /** Sets the place that it gives back when it is closed. */
  final void occupy(Slot place) {
    slot = place;
  }

  /**
   * For how long its thread has been reading the arguments of a call without getting on, or telling
   * the owners of references in them, in nanoseconds; 0 if it does something else. Looked at by the
   * watchdog in each round, and by others.
   */
  final long stuckNanos(long now) {
    boolean reads = depth > 0 && (!in.isArgumentsEnded() || in.isRegistering());
    return reads ? patience.stuckNanos(now) : 0;
  }

  /** Ends the connection, as others need the memory of its tables, unless a call is under way. */
  private boolean dropTables(String reason) {
    return isBetweenCalls() && giveWay(reason);
  }

  /**
   * Called by a channel that has cleared the interrupted state of its waiting thread, and sets it
   * again afterwards. If interrupts release callers, this caller is released.
   */
  protected final void callerInterrupted() {
    if (waiting.isReleasedNow()) {
      close();
    }
  }

  /**
   * Called when the other end has sent a reference. One to its own object is called over its ways.
   */
  private void arrived(ObjectId object) {
    Arrivals known = arrivals;
    if (known != null && object.node().equals(remote)) {
      known.arrived(this, object);
    }
  }

  /** Sets the listener to references that the other end sends to its own objects. */
  final void tellArrivals(Arrivals wanted) {
    arrivals = wanted;
  }

  /**
   * Ends service, as this node ends: the running call may end, and no other one begins. If the
   * other end understands it, it has to be {@linkplain #sayFarewell told}, and closes the
   * connection. Otherwise this end does, after the next reply.
   */
  final void end() {
    ending = true;
  }

  /** Whether this end goes on after a reply. Called by the thread that has the connection. */
  final boolean goesOn() {
    return !ending || sayFarewell();
  }

  /**
   * Tells the other end once that this node ends. May be called by any thread.
   *
   * @return false if the other end does not understand it, or cannot be told now
   */
  final boolean sayFarewell() {
    if (!knowsFarewell) {
      return false;
    }
    synchronized (signs) {
      try {
        farewellSaid = farewellSaid || frameOut.sayFarewell();
      } catch (IOException e) {
        close();
      }
      return farewellSaid;
    }
  }

  /** Called when the node at the other end takes no more calls: the present one is the last. */
  @Override
  final void peerEnds() {
    callsSinceCheck = ConnectionPool.CALLS_OF_CHECKED;
    ConnectionPool lives = home;
    if (lives != null) {
      lives.ends(this);
    }
  }

  /**
   * Whether the next call of the other end is awaited, so that the last reply has left. May be
   * called by any thread.
   */
  final boolean isBetweenCalls() {
    return closed || frameIn.isBetweenMessages() && depth == 0;
  }

  /**
   * Sets the action for the first deadline of a call: the connection must be checked soon from then
   * on.
   */
  final void tellLimits(Runnable wanted) {
    whenLimited = wanted;
  }

  /** Called when a call over it has a deadline, at either end. */
  final void limited() {
    Runnable told = whenLimited;
    if (told != null) {
      told.run();
    }
  }

  /**
   * Gives up calls that have taken too long: one of this end, and one of the other end that is
   * executed here. Called by the watchdog.
   *
   * @return whether other calls have a deadline
   */
  final boolean giveUpOverdue(long now) {
    if (waiting.takeOverdue(now)) {
      close();
      return false;
    }
    return waiting.isLimited() | incomingCall.interruptOverdue(now);
  }

  /** Listener to references to objects of the node that has sent them. */
  interface Arrivals {
    /** Called in the connection's thread, while the reference is read. */
    void arrived(CallConnection over, ObjectId object);
  }

  /** Gives up a call whose caller was interrupted; called by the watchdog. */
  final void releaseInterrupted() {
    if (waiting.isToBeGivenUp()) {
      close();
    }
  }

  /**
   * Closes the connection if its other end has not sent the next call or the rest of one for too
   * long, or has taken nothing of a reply. Called by the watchdog.
   *
   * @return the setting that it has exceeded; null if it has not
   */
  final @Nullable String closeStalled(long now, ConnectionSettings settings) {
    String setting =
        patience.exceeded(now, outgoing.isUnderWay(), incomingCall.isWatched(), settings);
    if (setting != null) {
      failing =
          "kept waiting for longer than " + setting + " allows"; // what is called back over it
      close();
      ConnectionLog.LOG.log(
          System.Logger.Level.DEBUG, "{0} keeps this node waiting ({1})", peerName(), setting);
    }
    return setting;
  }

  /**
   * Closes the connection if a call of this end waits, and the other end's process has shown no
   * sign of life for too long, or takes nothing of a request. The latter holds for peers that give
   * no signs of life, too. Called by the watchdog.
   */
  final void closeSilent(long now, ConnectionSettings settings) {
    if (signs.isSilentTooLong(now, outgoing.isUnderWay())) {
      fail("no sign of life for " + settings.keepAliveMillis + " ms (karmi.keepAlive)");
    } else if (home != null
        && settings.keepAliveMillis > 0
        && patience.isWritingFor(now, settings.writeTimeoutMillis)) {
      fail("nothing taken for " + settings.writeTimeoutMillis + " ms (karmi.writeTimeout)");
    }
  }

  private void fail(String how) {
    failing = how;
    close();
    ConnectionLog.LOG.log(
        System.Logger.Level.DEBUG, "{0} keeps a call of this node waiting: {1}", peerName(), how);
  }

  /** Why the watchdog has closed it while a call of this end waited, or null. */
  final @Nullable String failing() {
    return failing;
  }

  /** Whether the other end has to be told that a call is still executed; called by the watchdog. */
  final boolean isSignDue(long now) {
    signDue = signs.isDue(now, incoming.callsServed, incomingCall.isInterruptible());
    return signDue;
  }

  /** The same, for the thread that sends the sign. */
  final boolean takeDueSign() {
    boolean due = signDue;
    signDue = false;
    return due;
  }

  /** Tells the other end that this one still executes a call, if it does. */
  final void giveSign() throws IOException {
    frameOut.giveSign();
  }

  /**
   * Checks, in about a millisecond, whether the other end of an idle connection is still there.
   * Acknowledges references that no call has acknowledged so far.
   */
  final boolean isAlive() {
    try {
      outgoing.acknowledge();
      return isSilent();
    } catch (IOException e) {
      return false;
    }
  }

  /**
   * Lets a caller wait for a reply for as long as the settings say.
   *
   * @throws ConnectIOException if it cannot be limited; the connection is closed then
   */
  final void limitWaiting() throws ConnectIOException {
    if (responseTimeoutMillis > 0) {
      try {
        setReceiveTimeout(responseTimeoutMillis);
      } catch (IOException e) {
        close();
        throw new ConnectIOException("no timeout for the connection to " + peerName(), e);
      }
    }
  }

  /**
   * Whether nothing comes for a moment: an idle peer that is alive sends nothing. Called between
   * two calls of this end.
   *
   * @throws IOException if the connection has failed
   */
  protected boolean isSilent() throws IOException {
    setReceiveTimeout(CHECK_MILLIS);
    boolean silent = frameIn.isSilent();
    setReceiveTimeout(responseTimeoutMillis);
    return silent;
  }
}
