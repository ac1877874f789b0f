package io.karmi.connection.call;

import io.karmi.connection.channel.ConnectionLog;
import io.karmi.connection.channel.Introduction;
import io.karmi.connection.channel.NodeChannel;
import io.karmi.connection.channel.PeerIdentity;
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
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Connection between two nodes that carries one call at a time, in either direction.
 *
 * <p>While a call runs, the callee may call back over the same connection; the thread that waits
 * for the reply executes such a call, and may itself call again, as deep as its stack allows. So
 * the ends take turns: at any time exactly one of them may send. Both have the same parts,
 * whichever opened the connection: {@link OutgoingCalls} for the calls of this end, {@link
 * IncomingCalls} for those of the other.
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

  /** Its part of what the watchdog sees to. */
  public final ConnectionWatch watch;

  /** Bytes of {@link #unconfirmed} that count among its tables. */
  private long countedUnconfirmed;

  private final IncomingCall incomingCall;
  private final @Nullable TechnologyId endpoint;
  private final int responseTimeoutMillis;
  private @Nullable Arrivals arrivals;

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

  /** Whether this node ends, so that it executes no further call. */
  private volatile boolean ending;

  /** Whether the other end understands that this node ends. */
  private final boolean knowsFarewell;

  /** Whether the other end, which has opened the connection, understands that it gives way. */
  private final boolean tellsGivingWay;

  /** Whether others need its place. */
  private volatile boolean leaving;

  /** Whether the other end has been told; guarded by {@link #watch}. */
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
    if (introduction.givesSigns) {
      frameIn.expectSigns();
    }
    knowsFarewell = introduction.knowsGoAway;
    boolean saysFarewell = knowsFarewell && home == null;
    tellsGivingWay = introduction.knowsGivingWay && home == null;
    if (introduction.wantsSignsMillis > 0 || saysFarewell || tellsGivingWay) {
      frameOut.share();
    }
    if (knowsFarewell && home != null) {
      frameIn.expectFarewell();
    }
    if (introduction.knowsGivingWay && home != null) {
      frameIn.expectGivingWay();
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
    watch = new ConnectionWatch(this, introduction, waiting, incomingCall);
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

  /**
   * Counts among its tables what its last messages referred to, until the other end has told that
   * it registered that.
   *
   * @return false if there is no room, so that the connection has to be closed
   */
  boolean hasRoomForUnconfirmed() {
    long bytes = unconfirmedBytes();
    if (bytes != countedUnconfirmed && !tables.hold(bytes - countedUnconfirmed)) {
      return false;
    }
    countedUnconfirmed = bytes;
    return true;
  }

  /** Bytes that {@link #unconfirmed} takes, about. */
  public long unconfirmedBytes() {
    return out.pinnedBytes();
  }

  /** What its last messages referred to, if the other end has not told that it registered that. */
  public List<Object> unconfirmed() {
    return out.pinnedToTheEnd();
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
    if (depth > 0 && runsMethod()) {
      memory.forgo();
      return true;
    }
    return end(reason);
  }

  private boolean end(String reason) {
    watch.fails(reason);
    CLOSING.execute(this::close);
    return true;
  }

  /**
   * Ends the connection, whose place others need; does not wait for its other end. Between two
   * calls its own thread tells the other end that no further call was executed, and closes it; also
   * if a call has come at this moment, once that has its reply. Else it is closed at once, as where
   * the network has layers, such as TLS, that may keep waiting who tells.
   *
   * @return whether it has to be closed once its thread has had the time, and {@link #isExecuting}
   *     does not hold; false if it is closed, or is being closed
   */
  public boolean giveUp(String reason) {
    if (channel.isSentInDoubt()) {
      end(reason);
      return false;
    }
    watch.fails(reason);
    leaving = true;
    boolean tells = false;
    try {
      tells = tellsGivingWay && (endsBetweenCalls() ? channel.endInput() : isExecuting());
    } catch (IOException e) {
      ConnectionLog.LOG.log(System.Logger.Level.DEBUG, "a caller cannot be told", e);
    } finally {
      if (!tells) {
        close();
      }
    }
    return tells;
  }

  /** Whether no call is executed from now on. */
  private boolean endsBetweenCalls() {
    return depth == 0 && frameOut.giveWay();
  }

  /**
   * Closes an accepted connection, and tells the other end so if that is by {@link #giveUp}. Called
   * by the thread that has it.
   *
   * @param unexecuted whether no call has been executed since the last reply
   */
  void leave(boolean unexecuted) {
    try {
      if (leaving && unexecuted && tellsGivingWay && !isClosed()) {
        frameOut.begin(FrameHeader.GIVES_WAY);
        frameOut.end();
      }
    } catch (ConnectionLostException e) {
      ConnectionLog.LOG.log(System.Logger.Level.DEBUG, "a caller was not told", e);
    } finally {
      close();
    }
  }

  /** Sets the place that it gives back when it is closed. */
  public void occupy(Slot place) {
    slot = place;
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
    return !leaving && (!ending || sayFarewell());
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
    synchronized (watch) {
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

  /** Whether a method runs that the other end has called, or its future is not complete yet. */
  public boolean isExecuting() {
    return depth == 0 ? frameOut.isExecuting() : runsMethod() || outgoing.isUnderWay();
  }

  private boolean runsMethod() {
    return in.isArgumentsEnded() && !out.isReplyBegun();
  }

  /** Listener to references to objects of the node that has sent them. */
  public interface Arrivals {
    /** Called in the connection's thread, while the reference is read. */
    void arrived(CallConnection over, ObjectId object);
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
