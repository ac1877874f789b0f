package io.karmi.tcp;

import io.karmi.id.ObjectId;
import io.karmi.technology.UpCall;
import java.io.IOException;
import java.io.StreamCorruptedException;
import java.net.SocketException;

/**
 * The calls of the other end of a connection, which this end executes.
 *
 * <p>Belongs to the thread that has the connection.
 */
final class Serving {
  private static final ThreadLocal<Connection> CURRENT = new ThreadLocal<>();

  private final Connection connection;
  private final FrameOutput frameOut;
  private final UpCall upCall;
  private final IncomingCall call;
  private int depth;

  /** Counted by the thread that has the connection, and read by others now and then. */
  long callsServed;

  Serving(Connection connection, FrameOutput frameOut, UpCall upCall, IncomingCall call) {
    this.connection = connection;
    this.frameOut = frameOut;
    this.upCall = upCall;
    this.call = call;
  }

  /** The connection whose call the current thread executes, or null. */
  static Connection current() {
    return CURRENT.get();
  }

  /** True while a call is executed, at whatever depth. */
  boolean isServing() {
    return depth > 0;
  }

  /**
   * True if the thread that executes a call of this connection may call the object back through it:
   * the other end waits, and this one is neither reading arguments nor writing anything.
   */
  boolean canCallBack(ObjectId target) {
    return !connection.calling.isUnderWay()
        && connection.in.isArgumentsEnded()
        && !connection.out.isReplyBegun()
        && target.number() != ObjectId.REGISTRY
        && target.node().equals(connection.remote)
        && !connection.isClosed();
  }

  /** Executes a call of the other end, in the thread that waits for its reply. */
  void serveCallBack(int header) throws ConnectionLostException {
    checkCall(header);
    Connection outer = CURRENT.get();
    CURRENT.set(connection);
    connection.calling.setUnderWay(false);
    try {
      serve(header);
    } finally {
      connection.calling.setUnderWay(true);
      CURRENT.set(outer);
    }
  }

  /** Executes calls until the other end closes the connection. */
  void serveAll() {
    CURRENT.set(connection);
    try {
      int header = connection.awaitMessage();
      while (header >= 0) {
        if ((header & Frame.KIND_MASK) == Frame.ACK) {
          connection.unpinAll();
        } else {
          checkCall(header);
          serve(header);
          Thread.interrupted(); // what one method leaves behind is none of the next one's
        }
        header = connection.awaitMessage();
      }
    } catch (IOException e) {
      TcpTechnology.LOG.log(
          System.Logger.Level.DEBUG, "connection from {0} ends: {1}", connection.clientHost(), e);
    } finally {
      CURRENT.remove();
      connection.close();
    }
  }

  private static void checkCall(int header) throws ConnectionLostException {
    if ((header & Frame.KIND_MASK) != Frame.CALL) {
      throw new ConnectionLostException(
          new StreamCorruptedException("a frame of kind " + header + " where a call is expected"));
    }
  }

  private void serve(int frameHeader) throws ConnectionLostException {
    long earlier = connection.out.pinMark();
    boolean ordinary;
    depth++;
    try {
      connection.in.beginMessage();
      call.readRequest(connection.frameIn, frameHeader);
      callsServed++;
      ordinary = call.objectNumber() != ObjectId.COLLECTOR;
      if (connection.isClosed()) {
        /* A read that waits while its socket is closed may still return what comes just then. */
        throw new SocketException("closed before the call was executed");
      }
      frameOut.begin(Frame.REPLY);
      upCall.doApplicationCall(call);
      frameOut.end();
      connection.out.endMessage();
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
      depth--;
      if (depth == 0) {
        call.replied();
      }
    }
    if (ordinary) {
      // whoever calls has read all that was sent before; a collector may still be registering it
      connection.out.unpin(earlier);
    }
  }

  private void closeUnsent() {
    connection.out.loseMessage();
    connection.close();
  }
}
