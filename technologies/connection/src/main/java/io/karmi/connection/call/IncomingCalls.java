package io.karmi.connection.call;

import io.karmi.connection.channel.ConnectionLog;
import io.karmi.guard.PeerLog;
import io.karmi.id.ObjectId;
import io.karmi.technology.InCall;
import io.karmi.technology.UpCall;
import java.io.IOException;
import java.io.StreamCorruptedException;
import java.net.SocketException;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Calls of the other end of a connection, which this end executes.
 *
 * <p>Belongs to the thread that has the connection. A call is suspended if its method has returned
 * a future. Then the connection has no thread, as its other end waits. The thread that goes on with
 * the call has the connection next.
 */
public final class IncomingCalls {
  private static final ThreadLocal<CallConnection> CURRENT = new ThreadLocal<>();

  /**
   * Largest call of an object with a well-known number, such as a registry, in bytes, unless it
   * {@linkplain InCall#takeLongArguments takes more} of this caller.
   */
  private static final long WELL_KNOWN_BYTES = 1 << 16;

  /** The same for collectors. */
  private static final long COLLECTOR_BYTES = 1 << 18;

  private final CallConnection connection;
  private final CallFrameOutput frameOut;
  private final UpCall upCall;
  private final IncomingCall call;
  private final boolean suspends;

  /** Calls back that this thread executes, one inside the other, over whatever connections. */
  private int nesting;

  /** Mark behind the pins from before the suspended call. */
  private long pinnedBefore;

  /**
   * Number of calls; written by the thread that has the connection, and read by others now and
   * then.
   */
  public long callsServed;

  /** The same for those whose reply is an exception. */
  public long callsFailed;

  /**
   * @param suspends whether a call may be suspended, so that its thread need not wait
   */
  IncomingCalls(
      CallConnection connection,
      CallFrameOutput frameOut,
      UpCall upCall,
      IncomingCall call,
      boolean suspends) {
    this.suspends = suspends;
    this.connection = connection;
    this.frameOut = frameOut;
    this.upCall = upCall;
    this.call = call;
  }

  /** The connection whose call the current thread executes, or null. */
  public static CallConnection current() {
    return CURRENT.get();
  }

  /** True if another thread can go on with the call: this one does nothing else. */
  boolean isSuspendable() {
    return suspends && connection.depth == 1;
  }

  /**
   * True if the thread that executes a call of this connection may call the object back through it:
   * the other end waits, and this one is neither reading arguments nor writing anything.
   */
  public boolean canCallBack(ObjectId target) {
    return !connection.outgoing.isUnderWay()
        && connection.in.isArgumentsEnded()
        && !connection.out.isReplyBegun()
        && !target.isOfOneEnd()
        && target.node().equals(connection.remote)
        && !connection.isClosed();
  }

  /** How many calls back the thread executes that has the connection. */
  int nesting() {
    return nesting;
  }

  /** Executes a call of the other end, in the thread that waits for its reply. */
  void serveCallBack(int header) throws ConnectionLostException {
    checkCall(header);
    CallConnection outer = CURRENT.get();
    Home home = connection.home;
    int before = nesting;
    nesting = outer == null ? 1 : outer.incoming.nesting + 1;
    CURRENT.set(connection);
    connection.outgoing.setUnderWay(false);
    if (home != null) { // else the thread serves the connection anyway
      home.beginServing();
    }
    try {
      serve(header);
    } finally {
      if (home != null) {
        home.endServing();
      }
      connection.outgoing.setUnderWay(true);
      CURRENT.set(outer);
      nesting = before;
    }
  }

  /**
   * Executes calls until the other end closes the connection, or until one is suspended.
   *
   * @return null if the connection is closed; otherwise when {@link #serveAll} is to be called
   *     again, by whatever thread
   */
  public @Nullable CompletableFuture<?> serveAll() {
    CallConnection outer = CURRENT.get();
    CURRENT.set(connection);
    boolean suspended = false;
    try {
      suspended = !serveUntilClosed();
    } catch (IOException e) {
      if (connection.frameIn.isTooLong()) {
        String peer = connection.peerName();
        PeerLog.warn(ConnectionLog.LOG, peer, "connection from " + peer + " ends: " + e, null);
      } else {
        ConnectionLog.ended(connection.peerName(), e);
      }
    } catch (InternalError e) {
      ConnectionLog.ended(connection.peerName(), connection.channel.lossOrThrow(e));
    } finally {
      CURRENT.set(outer);
      if (!suspended) {
        connection.leave(true);
      }
    }
    IncomingCall.Suspension suspension = call.suspension();
    return suspended && suspension != null ? suspension.until() : null;
  }

  /** False if a call was suspended. */
  private boolean serveUntilClosed() throws ConnectionLostException {
    IncomingCall.Suspension left = call.takeSuspension();
    if (left != null) {
      resume(left.rest());
    }
    boolean open = left == null || goesOn();
    while (open && call.suspension() == null) {
      open = serveNext();
    }
    return !open;
  }

  /*
   * Serves one message. It is a method of its own because a loop that runs as long as a connection
   * is compiled late, and anew for each connection.
   */
  private boolean serveNext() throws ConnectionLostException {
    int header = connection.awaitMessage();
    if (header < 0) {
      return false;
    }
    if ((header & FrameHeader.KIND_MASK) == FrameHeader.ACK) {
      connection.unpinAll();
      return connection.hasRoomForUnconfirmed();
    }
    checkCall(header);
    serve(header);
    if (call.suspension() == null) {
      Thread.interrupted(); // what one method leaves behind is none of the next one's
      return goesOn();
    }
    return true;
  }

  private boolean goesOn() {
    return connection.hasRoomForUnconfirmed() && connection.goesOn();
  }

  private static void checkCall(int header) throws ConnectionLostException {
    if ((header & FrameHeader.KIND_MASK) != FrameHeader.CALL) {
      throw new ConnectionLostException(
          new StreamCorruptedException("a frame of kind " + header + " where a call is expected"));
    }
  }

  private void serve(int frameHeader) throws ConnectionLostException {
    long earlier = connection.out.pinMark();
    boolean ordinary = execute(frameHeader, null);
    if (call.suspension() != null) {
      pinnedBefore = earlier;
    } else if (ordinary) {
      // a peer that calls has read all that was sent before; a collector may still be registering
      // it
      connection.out.unpin(earlier);
    }
  }

  /** Sends the reply of a call that was suspended. */
  private void resume(InCall.Rest rest) throws ConnectionLostException {
    execute(0, rest);
    connection.out.unpin(pinnedBefore); // collectors return no futures
  }

  /**
   * Executes a call, or the rest of it.
   *
   * @return false for a message of a collector
   */
  private boolean execute(int frameHeader, InCall.@Nullable Rest rest)
      throws ConnectionLostException {
    boolean ordinary = true;
    connection.depth++;
    try {
      if (rest == null) {
        begin(frameHeader);
        ordinary = !ObjectId.isControl(call.objectNumber());
        upCall.doApplicationCall(call);
      } else {
        rest.run();
      }
      if (call.suspension() == null) {
        connection.out.endObjects();
        frameOut.end();
        connection.out.endMessage();
      }
    } catch (ConnectionLostException e) {
      closeUnsent();
      throw e;
    } catch (IOException e) {
      closeUnsent();
      throw new ConnectionLostException(e);
    } catch (RuntimeException | Error e) {
      closeUnsent();
      throw e;
    } finally {
      connection.depth--;
      connection.frameIn.letGo();
      if (connection.depth == 0 && call.suspension() == null) {
        call.replied();
      }
    }
    return ordinary;
  }

  private void begin(int frameHeader) throws IOException {
    connection.in.beginMessage();
    call.readRequest(connection.frameIn, frameHeader);
    if (ObjectId.isWellKnown(call.objectNumber())) { // strangers may call it
      connection.frameIn.limitMessage(
          ObjectId.isControl(call.objectNumber()) ? COLLECTOR_BYTES : WELL_KNOWN_BYTES);
    }
    callsServed++;
    frameOut.begin(FrameHeader.REPLY);
    if (connection.isClosed() || frameOut.hasGivenWay()) {
      /* A read that waits while its socket is closed may still return bytes of a call. */
      throw new SocketException("closed before the call was executed");
    }
  }

  private void closeUnsent() {
    connection.out.loseMessage();
    connection.leave(connection.depth == 1 && !connection.in.isArgumentsEnded());
  }
}
