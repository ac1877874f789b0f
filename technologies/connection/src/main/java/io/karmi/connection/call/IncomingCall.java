package io.karmi.connection.call;

import io.karmi.id.NodeId;
import io.karmi.id.RemoteInterface;
import io.karmi.id.TechnologyId;
import io.karmi.marshal.CallHeader;
import io.karmi.marshal.CallInput;
import io.karmi.marshal.CallOutput;
import io.karmi.technology.CallDeadline;
import io.karmi.technology.InCall;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The incoming call of a connection. There is one object for each connection, so that no call
 * allocates one. A nested call back replaces the outer one, which is not read any more.
 */
final class IncomingCall implements InCall {
  /**
   * Upper bound of watchers of a connection; a line needs one. A peer that causes more is
   * disconnected.
   */
  private static final int MAXIMUM_WATCHERS = 16;

  private final CallConnection connection;
  private final CallFrameOutput frameOut;
  private final @Nullable TechnologyId endpoint;
  private final InterfaceTable received;
  private final List<Runnable> whenGone = new ArrayList<>(0);
  private boolean gone;

  /** The thread to be interrupted if the call is given up; guarded by {@link #whenGone}. */
  private @Nullable Thread interruptible;

  private @Nullable CallDeadline interruptAt;
  private boolean interrupted;

  /** Whether {@link #interruptible} is set; for the watchdog. */
  private volatile boolean isInterruptible;

  private @Nullable Runnable whenReplied;
  private @Nullable Suspension suspension;

  private long objectNumber;

  /** Set by {@link #readRequest}, before the call is used. */
  @SuppressWarnings("NullAway.Init")
  private RemoteInterface callerInterface;

  private int methodNumber;

  /** Null for none. */
  private @Nullable Map<String, String> header;

  private @Nullable Object found;

  IncomingCall(
      CallConnection connection, CallFrameOutput frameOut, @Nullable TechnologyId endpoint) {
    this.connection = connection;
    this.frameOut = frameOut;
    this.endpoint = endpoint;
    this.received = new InterfaceTable(connection.tables);
  }

  void readRequest(CallFrameInput in, int frameHeader) throws IOException {
    header = (frameHeader & FrameHeader.HEADER) == 0 ? null : CallHeader.read(in);
    long number = in.readLong();
    if (number != objectNumber) {
      objectNumber = number;
      found = null;
    }
    RemoteInterface type = received.read(in);
    if (type != callerInterface) { // not stored again: that would be told to the garbage collector
      callerInterface = type;
    }
    methodNumber = type.checkMethodNumber(in.readVarInt());
  }

  /**
   * A call whose reply another thread sends.
   *
   * @param until when it can be sent
   * @param rest the rest of the call
   */
  record Suspension(CompletableFuture<?> until, Rest rest) {}

  /** How the call was suspended, or null; not forgotten until {@link #takeSuspension}. */
  @Nullable Suspension suspension() {
    return suspension;
  }

  /** The same, once. */
  @Nullable Suspension takeSuspension() {
    Suspension taken = suspension;
    suspension = null;
    return taken;
  }

  @Override
  public boolean isSuspendable() {
    return connection.incoming.isSuspendable();
  }

  @Override
  public void suspend(CompletableFuture<?> until, Rest rest) {
    suspension = new Suspension(until, rest);
  }

  /** Called when the reply to the outermost call has been sent, or cannot be. */
  void replied() {
    header = null; // a connection may be idle for long
    Runnable action = whenReplied;
    if (action != null) {
      whenReplied = null;
      action.run();
    }
  }

  /** Called when the connection is closed. */
  void gone() {
    List<Runnable> actions;
    synchronized (whenGone) {
      gone = true;
      interrupt();
      actions = List.copyOf(whenGone);
      whenGone.clear();
    }
    actions.forEach(Runnable::run);
  }

  private void interrupt() {
    Thread executing = interruptible;
    if (executing != null && !interrupted) {
      interrupted = true;
      executing.interrupt();
    }
  }

  @Override
  public boolean interruptIfGivenUp(Thread executing, @Nullable CallDeadline deadline) {
    synchronized (whenGone) {
      if (interruptible != null) {
        return false;
      }
      interruptible = executing;
      interruptAt = deadline;
      interrupted = false;
      if (gone) {
        interrupt();
      }
    }
    isInterruptible = true;
    connection.watch.limited();
    return true;
  }

  @Override
  public void interruptNoMore() {
    isInterruptible = false;
    synchronized (whenGone) {
      interruptible = null;
      interruptAt = null;
      if (interrupted) {
        Thread.interrupted();
      }
    }
  }

  /** Whether a thread is to be interrupted if the call is given up. */
  boolean isInterruptible() {
    return isInterruptible;
  }

  /** Interrupts it if the call's time is over; true if there may be a later time for that. */
  boolean interruptOverdue(long now) {
    if (!isInterruptible) {
      return false;
    }
    synchronized (whenGone) {
      CallDeadline deadline = interruptAt;
      if (deadline != null && deadline.hasPassed(now)) {
        interrupt();
      }
      return !interrupted && deadline != null;
    }
  }

  /** Whether its closing is watched: such a connection may be silent. */
  boolean isWatched() {
    synchronized (whenGone) {
      return !whenGone.isEmpty();
    }
  }

  @Override
  public void whenGone(Runnable action) {
    boolean tooMany = false;
    synchronized (whenGone) {
      if (!gone) {
        connection.channel.expectSilence();
        whenGone.add(action);
        tooMany = whenGone.size() > MAXIMUM_WATCHERS;
        if (!tooMany) {
          return;
        }
      }
    }
    if (tooMany) {
      connection.close(); // runs all
    } else {
      action.run();
    }
  }

  @Override
  public void whenReplied(Runnable action) {
    whenReplied = action;
  }

  @Override
  public long objectNumber() {
    return objectNumber;
  }

  @Override
  public int nesting() {
    return connection.incoming.nesting();
  }

  @Override
  public RemoteInterface callerInterface() {
    return callerInterface;
  }

  @Override
  public int methodNumber() {
    return methodNumber;
  }

  @Override
  public Map<String, String> header() {
    Map<String, String> sent = header;
    return sent == null ? Map.of() : sent;
  }

  @Override
  public @Nullable Object found() {
    return found;
  }

  @Override
  public void keepFound(Object what) {
    found = what;
  }

  @Override
  public NodeId caller() {
    return connection.remote;
  }

  @Override
  public Object callerIdentity() {
    return connection.peer;
  }

  @Override
  public @Nullable Object credential() {
    return connection.peer.credential;
  }

  @Override
  public String technology() {
    Home home = connection.home;
    return home == null ? InCall.super.technology() : home.technology();
  }

  @Override
  public void failed() {
    connection.incoming.callsFailed++;
  }

  @Override
  public String clientHost() {
    return connection.peerName();
  }

  @Override
  public @Nullable TechnologyId endpoint() {
    return endpoint;
  }

  @Override
  public CallInput in() {
    return connection.in;
  }

  @Override
  public void takeLongArguments() {
    connection.frameIn.limitMessage(Long.MAX_VALUE);
  }

  @Override
  public CallOutput out() {
    return connection.out;
  }

  @Override
  public void discardReply() throws IOException {
    if (frameOut.isPartSent()) {
      throw new IOException("a part of the reply has left already");
    }
    connection.out.discardMessage();
    frameOut.begin(FrameHeader.REPLY);
  }
}
