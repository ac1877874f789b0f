package io.karmi.connection.call;

import io.karmi.connection.channel.ConnectionLog;
import io.karmi.connection.channel.Introduction;
import io.karmi.connection.channel.NodeChannel;
import io.karmi.connection.channel.PeerIdentity;
import io.karmi.connection.guard.ConnectionLimit;
import io.karmi.connection.guard.Patience;
import io.karmi.connection.guard.SignsOfLife;
import io.karmi.connection.guard.Slot;
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
import java.io.Closeable;
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
 * took an opened one out of its pool. All memory of a call is here, so that a call allocates
 * nothing. Other threads may close it, and check whether it should be closed.
 */
public final class CallConnection implements FrameOwner, CallInput.Lender, Closeable {
  /**
   * Milliseconds for which the check of an idle connection waits for bytes that should not come.
   */
  private static final int CHECK_MILLIS = 1;

  /** Time without getting on after which a thread that reads a call may lose its connection. */
  public static final long STUCK_NANOS = 300_000_000;

  public final NodeChannel channel;
  public final PeerIdentity peer;
  public final NodeId remote;

  /**
   * The pool that keeps it while idle, or null if this node did not open it; changed by the thread
   * that has taken it.
   */
  public @Nullable Home home;

  public final CallFrameInput frameIn;
  final CallInput in;
  final CallOutput out;
  public final OutgoingCalls outgoing;
  public final IncomingCalls incoming;

  /** Closes connections that have to give way: a network may keep who closes waiting. */
  private static final Workers CLOSING = new Workers("KaRMI Closing", 4);

  /** What is kept for the other end between calls. */
  final Ledger.Account tables =
      Ledgers.tables().open(this::accountable, Ledgers.FREE_TABLE_BYTES, this::dropTables);

  /** What the message takes that is being received. */
  private final Ledger.Account memory =
      Ledgers.messages().open(this::accountable, 0, this::giveWay);

  public final CallFrameOutput frameOut;
  private final ReplyWait waiting;
  private final Patience patience;
  private final SignsOfLife signs;
  private final IncomingCall incomingCall;
  private final @Nullable TechnologyId endpoint;
  private final int responseTimeoutMillis;
  private @Nullable Arrivals arrivals;
  private @Nullable Runnable whenLimited;

  /** When it was taken for a call; kept by its home. */
  public long takenAtNanos = System.nanoTime();

  /**
   * Whether it has been idle since the last round of the watchdog; the next two are from then on.
   */
  public boolean seenIdle;

  /** Idle since then; kept by its home. */
  public long idleSinceNanos;

  /** Known to be alive then; kept by its home. */
  public long aliveAtNanos;

  /** The address that was dialled, or empty if this node did not open it. */
  public String dialled = "";

  /** Number of calls since it was checked, or -1 if it never was; kept by its home. */
  public int callsSinceCheck = -1;

  /** Number of calls of the other end that are being executed, one inside the other. */
  int depth;

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

  /**
   * Makes a connection over a channel, which belongs to it from now on.
   *
   * @param home keeps it while it is idle; null if this node did not open it
   */
  public CallConnection(NodeChannel channel, @Nullable Home home) {
    this.channel = channel;
    this.home = home;
    Introduction introduction = channel.introduction();
    ConnectionSettings settings = introduction.settings;
    CallFormat format = introduction.format;
    RemoteTranslation translation = introduction.upCall.translation();
    peer = introduction.peer;
    remote = peer.node;
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
    in.lentBy(this);
    out = new CallOutput(frameOut, format, translation, remote);
    out.tellHost(() -> technology() + ' ' + peerName());
    out.tellIdentity(peer);
    endpoint = introduction.endpoint;
    incomingCall = new IncomingCall(this, frameOut, endpoint);
    outgoing = new OutgoingCalls(this, frameOut, waiting);
    boolean suspends = home == null && !settings.virtualThreads; // those cost nothing while waiting
    incoming = new IncomingCalls(this, frameOut, introduction.upCall, incomingCall, suspends);
    channel.whenInterrupted(this::callerInterrupted);
  }

  /**
   * Waits for what the other end sends next.
   *
   * @return kind and flags of a message, or -1 if the connection was closed before one
   */
  int awaitMessage() throws ConnectionLostException {
    return renewed(frameIn.awaitMessage());
  }

  /** The same, while the other end executes a call of this one. */
  int awaitReply() throws ConnectionLostException {
    return renewed(frameIn.awaitReply());
  }

  private int renewed(int header) {
    if (header >= 0 && (header & FrameHeader.RENEW) != 0) {
      out.renew();
    }
    return header;
  }

  @Override
  public void finish() throws IOException {
    outgoing.finish();
  }

  @Override
  public void abandon() {
    outgoing.abandon();
  }

  @Override
  public Throwable lossBy(InternalError error) {
    IOException loss = channel.lossBy(error);
    return loss == null ? error : loss;
  }

  @Override
  public NodeChannel channel() {
    return channel;
  }

  /** The host of the other end, as {@code RemoteServer.getClientHost} shows it. */
  public String peerName() {
    return channel.peerName();
  }

  /** The host of the other end of an accepted connection; null if the network has none. */
  public @Nullable Object host() {
    return channel.host();
  }

  @Override
  public void argumentsRead() {
    frameIn.endReading();
  }

  @Override
  public void replyLeaves() {
    frameIn.keep();
  }

  @Override
  public void skipMessage() throws IOException {
    frameIn.skipMessage();
  }

  @Override
  public boolean takeRenewal() {
    return in.takeRenewal();
  }

  /** Called when the other end has registered all references that it was sent. */
  void unpinAll() {
    out.unpin(out.pinMark());
  }

  /** The name of its technology. */
  public String technology() {
    Home lives = home;
    return lives != null ? lives.technology() : endpoint == null ? "" : endpoint.technology();
  }

  /** Whether it was closed. */
  public boolean isClosed() {
    return channel.isClosed();
  }

  @Override
  public void close() {
    try {
      channel.close(); // first: what follows takes memory
    } finally {
      tellClosed();
    }
  }

  private void tellClosed() {
    Slot place = slot;
    if (place != null && place.isServedByOther()) {
      memory.retire(); // that thread may be in code of the program, and hold what it has read
    } else {
      memory.close();
    }
    tables.close();
    if (place != null) {
      place.giveBack();
    }
    try {
      incomingCall.gone();
    } finally {
      Home lives = home;
      if (lives != null) {
        lives.closed(this);
      }
    }
  }

  private @Nullable Object accountable() {
    return channel.accountable();
  }

  /** Called when others need the memory of its message. While a method runs it only forgoes it. */
  private boolean giveWay(String reason) {
    if (depth > 0 && in.isArgumentsEnded() && !out.isReplyBegun()) {
      memory.forgo();
      return true;
    }
    return end(reason);
  }

  private boolean end(String reason) {
    failing = reason;
    CLOSING.execute(this::close);
    return true;
  }

  /**
   * Ends the connection, whose place others need; does not wait for its other end. It is closed
   * when this returns, unless closing may wait, so that a caller that goes on notices.
   */
  public void giveUp(String reason) {
    if (channel.isSentInDoubt()) {
      end(reason);
    } else {
      failing = reason;
      close();
    }
  }

  /** Sets the place that it gives back when it is closed. */
  public void occupy(Slot place) {
    slot = place;
  }

  /** Looks at its threads, for {@link #waitedNanos}; called by the watchdog. */
  public void look(long now) {
    patience.look(now);
  }

  /**
   * For how long its other end has kept this one waiting, so that it may give way, in nanoseconds:
   * for a call or the rest of one, to take a reply, or because the thread does not get on that
   * reads a call or tells the owners of references in it. It is 0 while a call is executed, while
   * this end calls back, and if the other end only wants to notice its closing.
   */
  public long waitedNanos(long now) {
    boolean reads = depth > 0 && (!in.isArgumentsEnded() || in.isRegistering());
    long stuck = reads ? patience.stuckNanos(now) : 0;
    if (stuck > STUCK_NANOS) {
      return stuck;
    }
    boolean silent = outgoing.isUnderWay() || incomingCall.isWatched();
    long waited = silent ? 0 : patience.waitedNanos(now);
    return waited >= ConnectionLimit.LEAST_WAIT_NANOS ? waited : 0;
  }

  /**
   * Bytes of a long reply of which its caller has taken nothing for some time; else 0. Looked at by
   * the watchdog in each round.
   */
  public long untakenBytes(long now, long millis) {
    long bytes = frameOut.longReplyBytes();
    return bytes > 0 && !isClosed() && patience.isWritingFor(now, millis) ? bytes : 0;
  }

  /** Ends the connection, as others need the memory of its reply. */
  public void giveUpReply(long bytes) {
    failing = "the heap is short, and a reply of " + bytes + " bytes is not taken";
    close();
    ConnectionLog.LOG.log(System.Logger.Level.DEBUG, "{0}: {1}", peerName(), failing);
  }

  /** Ends the connection, as others need the memory of its tables, unless a call is under way. */
  private boolean dropTables(String reason) {
    return isBetweenCalls() && end(reason);
  }

  /** Called in a waiting thread that was interrupted: it is released, if interrupts do so. */
  private void callerInterrupted() {
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
  public void tellArrivals(Arrivals wanted) {
    arrivals = wanted;
  }

  /**
   * Ends service, as this node ends: the running call may end, and no other one begins. If the
   * other end understands it, it has to be {@linkplain #sayFarewell told}, and closes the
   * connection. Otherwise this end does, after the next reply.
   */
  public void end() {
    ending = true;
  }

  /** Whether this end goes on after a reply. Called by the thread that has the connection. */
  boolean goesOn() {
    return !ending || sayFarewell();
  }

  /**
   * Tells the other end once that this node ends. May be called by any thread.
   *
   * @return false if the other end does not understand it, or cannot be told now
   */
  public boolean sayFarewell() {
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
  public void peerEnds() {
    Home lives = home;
    if (lives != null) {
      lives.ends(this);
    }
  }

  /**
   * Whether the next call of the other end is awaited, so that the last reply has left. May be
   * called by any thread.
   */
  public boolean isBetweenCalls() {
    return isClosed() || frameIn.isBetweenMessages() && depth == 0;
  }

  /**
   * Sets the action for the first deadline of a call: the connection must be checked soon from then
   * on.
   */
  public void tellLimits(Runnable wanted) {
    whenLimited = wanted;
  }

  /** Called when a call over it has a deadline, at either end. */
  void limited() {
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
  public boolean giveUpOverdue(long now) {
    if (waiting.takeOverdue(now)) {
      close();
      return false;
    }
    return waiting.isLimited() | incomingCall.interruptOverdue(now);
  }

  /** Listener to references to objects of the node that has sent them. */
  public interface Arrivals {
    /** Called in the connection's thread, while the reference is read. */
    void arrived(CallConnection over, ObjectId object);
  }

  /** Gives up a call whose caller was interrupted; called by the watchdog. */
  public void releaseInterrupted() {
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
  public @Nullable String closeStalled(long now, ConnectionSettings settings) {
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
  public void closeSilent(long now, ConnectionSettings settings) {
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
  @Nullable String failing() {
    return failing;
  }

  /** Whether the other end has to be told that a call is still executed; called by the watchdog. */
  public boolean isSignDue(long now) {
    signDue = signs.isDue(now, incoming.callsServed, incomingCall.isInterruptible());
    return signDue;
  }

  /** The same, for the thread that sends the sign. */
  public boolean takeDueSign() {
    boolean due = signDue;
    signDue = false;
    return due;
  }

  /** Tells the other end that this one still executes a call, if it does. */
  public void giveSign() throws IOException {
    frameOut.giveSign();
  }

  /**
   * Checks, in about a millisecond, whether the other end of an idle connection is still there.
   * Acknowledges references that no call has acknowledged so far.
   */
  public boolean isAlive() {
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
  public void limitWaiting() throws ConnectIOException {
    if (responseTimeoutMillis > 0) {
      try {
        channel.setReceiveTimeout(responseTimeoutMillis);
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
  private boolean isSilent() throws IOException {
    channel.setReceiveTimeout(CHECK_MILLIS);
    boolean silent = frameIn.isSilent();
    channel.setReceiveTimeout(responseTimeoutMillis);
    return silent;
  }
}
