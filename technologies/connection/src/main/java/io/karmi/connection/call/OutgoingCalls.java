package io.karmi.connection.call;

import io.karmi.connection.channel.ConnectionLog;
import io.karmi.id.ObjectId;
import io.karmi.id.RemoteInterface;
import io.karmi.marshal.Arguments;
import io.karmi.marshal.CallHeader;
import io.karmi.marshal.CallInput;
import io.karmi.technology.CallDeadline;
import java.io.EOFException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.StreamCorruptedException;
import java.net.SocketTimeoutException;
import java.rmi.MarshalException;
import java.rmi.RemoteException;
import java.rmi.UnmarshalException;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Calls of this end of a connection.
 *
 * <p>Belongs to the thread that has the connection.
 */
public final class OutgoingCalls {
  /**
   * Milliseconds for which a caller that could not send looks for what has come: it has, or not.
   */
  private static final int HEARING_MILLIS = 1;

  private static final ThreadLocal<CallConnection> REGISTERING = new ThreadLocal<>();

  private final CallConnection connection;
  private final CallFrameOutput frameOut;
  private final ReplyWait waiting;
  private final InterfaceNumbers sent = new InterfaceNumbers();

  /** Whether interrupts release callers, so that each wait must be noted. */
  private final boolean awaited;

  private boolean underWay;

  /** Whether the call under way is a message to a collector. */
  private boolean toCollector;

  private boolean registering;

  /** Whether this is a line; read by the watchdog, too. */
  private volatile boolean line;

  private boolean requestSent;

  /** Limit of the innermost call that may be given up, or null. */
  private ReplyWait.@Nullable Limit limit;

  /**
   * Number of calls; written by the thread that has the connection, and read by others now and
   * then.
   */
  public long callsMade;

  /** The same for calls that have had no reply. */
  public long callsLost;

  /**
   * Whether the last reply had references. The next call tells the other end that they are
   * registered, or {@link #acknowledge} does.
   */
  private boolean ackOwed;

  OutgoingCalls(CallConnection connection, CallFrameOutput frameOut, ReplyWait waiting) {
    this.connection = connection;
    this.frameOut = frameOut;
    this.waiting = waiting;
    this.awaited = waiting.isReleasing();
  }

  /** The connection whose references the current thread is registering, or null. */
  public static CallConnection registering() {
    return REGISTERING.get();
  }

  /**
   * True if the other end owns what is being registered, so that the message can go over this
   * connection.
   */
  public boolean canRegister(ObjectId collector) {
    return !underWay && collector.node().equals(connection.remote) && !connection.isClosed();
  }

  /** Makes the connection a line: it carries no further call, and is not given back to its pool. */
  public void becomeLine() {
    line = true;
    connection.channel.expectSilence();
  }

  /** Whether it is a line; may be asked by any thread. */
  public boolean isLine() {
    return line;
  }

  /** Tells over a line that this end is there; called now and then once it is open. */
  public void keepLine() {
    try {
      frameOut.begin(FrameHeader.ACK);
      frameOut.end();
    } catch (ConnectionLostException e) {
      connection.close();
    }
  }

  /** True while a call of this end waits for its reply, and executes no call back. */
  boolean isUnderWay() {
    return underWay;
  }

  /**
   * Sets whether a call waits. While the waiting thread executes a call back, it may call the other
   * end as any callee may.
   */
  void setUnderWay(boolean underWay) {
    this.underWay = underWay;
  }

  /** True if the last call was sent completely, so that it may have been executed. */
  public boolean isRequestSent() {
    return requestSent;
  }

  /** True if the last call was given up because its caller was interrupted. */
  boolean isInterrupted() {
    return waiting.isGivenUp();
  }

  /** True if the last call was not lost by chance, so that it is not repeated elsewhere. */
  public boolean isGivenUp() {
    return isInterrupted() || isOverdue() || connection.watch.failing() != null;
  }

  /**
   * True if the other end has told that it gives the connection up, and has not executed the last
   * call.
   */
  public boolean isDeclined() {
    return connection.frameIn.hasGivenWay();
  }

  /** True if the connection has announced enough interfaces that another one should go on. */
  public boolean isWornOut() {
    return sent.isFull();
  }

  /** See {@link CallFrameOutput#sendCarefully}; for the next call. */
  public void callCarefully() {
    frameOut.sendCarefully();
  }

  /**
   * Sends a call and waits for its reply, executing calls back meanwhile.
   *
   * @return the reply, at its first byte; lent until {@link CallInput.Lender} takes it back
   * @throws ConnectionLostException if the network fails; the connection is closed then
   * @throws IOException if the arguments cannot be marshalled; the connection is as before then, or
   *     closed
   */
  public CallInput call(ObjectId target, RemoteInterface type, int method, Arguments arguments)
      throws IOException {
    try {
      send(target, type, method, arguments);
      return await();
    } catch (InternalError e) {
      ConnectionLostException loss = lossBy(e); // it may be thrown at any point after its cause
      loseReply();
      throw loss;
    }
  }

  /** Sends a call: the first half of {@link #call}. */
  public void send(ObjectId target, RemoteInterface type, int method, Arguments arguments)
      throws IOException {
    underWay = true;
    toCollector = target.isControl();
    requestSent = false;
    ackOwed &= toCollector; // other calls acknowledge
    beginWaiting();
    try {
      marshal(target, type, method, arguments);
      connection.out.endObjects();
      frameOut.end();
      requestSent = true;
      callsMade++;
      connection.out.endMessage();
    } catch (ConnectionLostException e) {
      boolean declined = hearsGivingWay();
      throw unsent(e, !declined && frameOut.isMaybeSent());
    } catch (InternalError e) {
      throw unsent(lossBy(e), frameOut.isMaybeSent());
    } finally {
      endWaiting();
    }
  }

  private ConnectionLostException unsent(ConnectionLostException loss, boolean maybeSent) {
    requestSent = maybeSent;
    connection.out.loseMessage();
    connection.close();
    return loss;
  }

  /** Whether the other end has told that it gives way; sending to it has failed. */
  private boolean hearsGivingWay() {
    try {
      if (connection.channel.isCheckable()) {
        connection.channel.setReceiveTimeout(HEARING_MILLIS);
        connection.awaitReply();
      }
    } catch (IOException | InternalError e) {
      ConnectionLog.LOG.log(System.Logger.Level.DEBUG, "nothing has come before the loss", e);
    }
    return isDeclined();
  }

  /** The loss of the connection behind an error; rethrows any other error. */
  private ConnectionLostException lossBy(InternalError error) {
    return new ConnectionLostException(connection.channel.lossOrThrow(error));
  }

  /** Waits for the reply: the second half of {@link #call}, in the same thread or another. */
  public CallInput await() throws ConnectionLostException {
    beginWaiting();
    try {
      awaitReply();
      return connection.in;
    } catch (InternalError e) {
      loseReply();
      throw lossBy(e);
    } catch (ConnectionLostException | RuntimeException | Error e) {
      loseReply();
      throw e;
    } finally {
      endWaiting();
    }
  }

  private void loseReply() {
    connection.out.loseMessage();
    connection.close();
  }

  private void beginWaiting() {
    if (awaited) {
      waiting.begin();
    }
  }

  /**
   * Ends the wait for a reply. If the call was given up the reply is dropped, even if it came at
   * the same moment.
   */
  private void endWaiting() throws ConnectionLostException {
    if (awaited && !waiting.end()) {
      connection.out.loseMessage();
      connection.close();
      throw new ConnectionLostException(new InterruptedIOException("the call was given up"));
    }
  }

  private void marshal(ObjectId target, RemoteInterface type, int method, Arguments arguments)
      throws IOException {
    Map<String, String> toSend = arguments.header();
    if (toSend != null || toCollector && connection.depth == 0) {
      limit(CallDeadline.current());
    }
    frameOut.begin(toSend == null ? FrameHeader.CALL : FrameHeader.CALL | FrameHeader.HEADER);
    try {
      if (toSend != null) {
        CallHeader.write(toSend, frameOut);
      }
      frameOut.writeLong(target.number());
      sent.write(type, frameOut);
      frameOut.writeVarInt(method);
      arguments.marshal(connection.out);
    } catch (ConnectionLostException e) {
      throw e;
    } catch (IOException | RuntimeException | Error e) {
      unmarshalled();
      throw e;
    }
  }

  /** Lets the watchdog give up the current call. */
  private void limit(@Nullable CallDeadline deadline) {
    if (deadline != null) {
      limit = waiting.limit(deadline, connection.depth);
      connection.watch.limited();
    }
  }

  /** Ends {@link #limit}: the call is over, and cannot be given up any more. */
  private void endLimit() {
    ReplyWait.Limit ended = limit;
    if (ended != null && ended.depth() == connection.depth) {
      limit = ended.outer();
      if (!waiting.endLimit(ended)) {
        connection.close(); // as the watchdog does just now: it is of no use for another call
      }
    }
  }

  /** True if the last call was given up before its reply came. */
  public boolean isOverdue() {
    return waiting.isOverdue();
  }

  /** Lets another thread give up the call that was sent, as long as its reply has not come. */
  public Runnable canceller() {
    ReplyWait.Limit mine = limit;
    if (mine == null || mine.depth() != connection.depth) {
      mine = waiting.limit(null, connection.depth);
      limit = mine;
    }
    ReplyWait.Limit given = mine;
    return () -> {
      if (waiting.take(given)) {
        connection.close();
      }
    };
  }

  /** Takes back a call that could not be marshalled. */
  private void unmarshalled() {
    endLimit();
    if (frameOut.isPartSent()) {
      connection.close();
    } else {
      try {
        sent.discard();
        connection.out.discardMessage();
      } catch (IOException e) {
        connection.close();
      }
    }
    release();
  }

  /**
   * Waits for a reply, and executes calls back. While a collector is called there may be none: it
   * could bring the reference that is being registered, and wait for itself.
   */
  private void awaitReply() throws ConnectionLostException {
    for (; ; ) {
      int header = connection.awaitReply();
      if (header < 0 && isDeclined()) {
        requestSent = false;
        throw new ConnectionLostException(
            new EOFException(
                connection.peerName()
                    + " gave the connection's place to others, and did not execute the call: see"
                    + " karmi.maxConnections there"));
      }
      if (header < 0) {
        throw new ConnectionLostException(
            new EOFException(
                "connection closed by " + connection.peerName() + " before the reply"));
      }
      if ((header & FrameHeader.KIND_MASK) == FrameHeader.REPLY) {
        connection.in.beginMessage();
        return;
      }
      if (toCollector) {
        throw new ConnectionLostException(
            new StreamCorruptedException(
                connection.peerName() + " answers a message to its collector by a call"));
      }
      try {
        connection.incoming.serveCallBack(header);
      } finally {
        /* Whatever became of calls that it made in turn over this connection. */
        requestSent = true;
        if (awaited) {
          waiting.goOn();
        }
      }
    }
  }

  /**
   * The caller's exception if the connection is lost. Whether the method may have run depends on
   * whether the call was sent.
   */
  public RemoteException lost(ConnectionLostException e) {
    callsLost++;
    if (isInterrupted()) {
      return interrupted(e);
    }
    String failing = connection.watch.failing();
    if (failing != null) {
      return failed(failing, e);
    }
    return requestSent
        ? new UnmarshalException("Error unmarshaling return header", e.reason())
        : new MarshalException("error marshalling arguments", unsent(e.reason()));
  }

  /** Why a request could not be sent: what the other end says of it is in its log alone. */
  private IOException unsent(IOException reason) {
    return connection.frameOut.isPartSent()
        ? new IOException(
            "the connection to "
                + connection.peerName()
                + " was lost while arguments were on their way; perhaps they are longer than that"
                + " end allows: see karmi.maxMessageBytes there, and its log",
            reason)
        : reason;
  }

  /**
   * The caller's exception if the watchdog has closed the connection: why, and what to do about it.
   */
  private RemoteException failed(String how, ConnectionLostException e) {
    String who = connection.peerName() + " (node " + connection.remote + ")";
    SocketTimeoutException reason = new SocketTimeoutException(who + ": " + how);
    reason.initCause(e.reason());
    String next =
        "; see whether its process is stopped or its host unreachable, or allow more time";
    return requestSent
        ? new UnmarshalException(
            "call to " + who + " given up, which may have been executed: " + how + next, reason)
        : new MarshalException(
            "call to " + who + " given up, which has not been executed: " + how + next, reason);
  }

  private RemoteException interrupted(ConnectionLostException e) {
    String way = " to " + connection.peerName() + " (karmi.interruptible)";
    InterruptedIOException reason = new InterruptedIOException("the caller was interrupted");
    reason.initCause(e.reason());
    return requestSent
        ? new UnmarshalException(
            "interrupted while waiting for the reply of a call" + way + "; it may be executed",
            reason)
        : new MarshalException("interrupted while sending a call" + way, reason);
  }

  /**
   * Ends a call whose reply has been read, and gives the connection back.
   *
   * @throws IOException if there is more in the reply than was read
   */
  void finish() throws IOException {
    List<Object> references;
    try {
      references = connection.in.endMessage();
      connection.frameIn.endReading();
      connection.frameIn.letGo();
      if (!connection.frameIn.isAtEnd()) {
        throw new StreamCorruptedException("the reply is longer than its result");
      }
      endLimit();
    } catch (IOException | RuntimeException | Error e) {
      abandon();
      throw e;
    }
    if (references.isEmpty()) {
      release();
    } else {
      register(references);
    }
  }

  /**
   * Registers references. Until then the connection stays with this thread, as another one's call
   * over it would tell that they are registered. Only messages to their owner may go over it.
   */
  private void register(List<Object> references) {
    CallConnection outer = REGISTERING.get();
    REGISTERING.set(connection);
    registering = true;
    underWay = false;
    if (connection.depth > 0) {
      frameOut.execute(); // the other end waits
    }
    try {
      connection.in.register(references);
    } finally {
      registering = false;
      REGISTERING.set(outer);
      ackOwed = true;
      release();
    }
  }

  /** Ends a call whose reply could not be read. */
  void abandon() {
    endLimit();
    connection.in.abandonMessage();
    connection.frameIn.giveUpMessage();
    release();
  }

  /** Gives the connection back to the call that is being executed, or to its peer. */
  private void release() {
    underWay = false;
    toCollector = false;
    connection.unpinAll();
    if (registering || line) {
      if (connection.depth > 0) {
        frameOut.execute(); // the other end waits
      }
      return;
    }
    if (connection.depth > 0) {
      connection.in.resume();
      frameOut.begin(FrameHeader.REPLY);
    } else {
      Home home = connection.home;
      if (home != null) {
        home.giveBack(connection);
      }
    }
  }

  /**
   * Tells the other end that the references in the last reply are registered, unless a call has
   * done so.
   */
  void acknowledge() throws ConnectionLostException {
    if (ackOwed) {
      frameOut.begin(FrameHeader.ACK);
      frameOut.end();
      ackOwed = false;
    }
  }
}
