package io.karmi.tcp;

import io.karmi.id.NodeId;
import io.karmi.id.TechnologyId;
import io.karmi.marshal.CallFormat;
import io.karmi.marshal.CallInput;
import io.karmi.marshal.CallOutput;
import io.karmi.technology.UpCall;
import java.io.IOException;
import java.net.Socket;
import org.jspecify.annotations.Nullable;

/**
 * Carries one call at a time between two nodes, in either direction.
 *
 * <p>While a call runs, the callee may call back over the same connection; the thread that waits
 * for the reply executes such a call, and may itself call again, to any depth. So the ends take
 * turns: at any time exactly one of them may send. Both have the same parts, whoever opened the
 * connection: {@link Calling} for the calls of this end, {@link Serving} for those of the other.
 *
 * <p>Belongs to one thread at a time: the handler of an accepted connection, or the caller that
 * took an opened one out of its {@link Peer}. All memory of a call is here, so that a call
 * allocates nothing. Other threads may close it, and look whether it should be.
 */
final class Connection {
  final Socket socket;
  final NodeId remote;

  /**
   * Where it lives while idle, or null if this node did not open it; changed by who has taken it.
   */
  @Nullable Peer home;

  final FrameInput frameIn;
  final CallInput in;
  final CallOutput out;
  final Calling calling;
  final Serving serving;

  private final FrameOutput frameOut;
  private final Waiting waiting;
  private final IncomingCall incoming;

  /** When it was taken for a call; kept by the {@link Peer}. */
  long takenAtNanos = System.nanoTime();

  /** Whether it has been idle since the watchdog came by; the next two are from then on. */
  boolean seenIdle;

  /** Idle since then; kept by the {@link Peer}. */
  long idleSinceNanos;

  /** Known to be alive then; kept by the {@link Peer}. */
  long aliveAtNanos;

  /** How many calls it has carried since it was checked, or -1 if it never was. */
  int callsSinceCheck = -1;

  /** How many calls of the other end are being executed, one inside the other. */
  int depth;

  private volatile boolean closed;

  /**
   * Makes a connection of a socket whose ends have introduced themselves.
   *
   * @param secured the socket, or TLS over it; it is closed by closing the socket, which never
   *     waits
   * @param endpoint where it came in, or null if this node opened it
   * @param home where it lives while idle, or null if this node did not open it
   */
  Connection(
      UpCall upCall,
      Socket socket,
      Socket secured,
      NodeId remote,
      CallFormat format,
      @Nullable TechnologyId endpoint,
      @Nullable Peer home,
      TcpSettings settings)
      throws IOException {
    this.socket = socket;
    this.remote = remote;
    this.home = home;
    waiting = new Waiting(settings.interruptible);
    frameIn = new FrameInput(secured.getInputStream(), this, settings.maximumMessageBytes);
    frameOut = new FrameOutput(secured.getOutputStream(), this);
    in = new CallInput(frameIn, format, upCall.translation());
    out = new CallOutput(frameOut, format, upCall.translation(), remote);
    incoming = new IncomingCall(this, frameOut, endpoint);
    calling = new Calling(this, frameOut, waiting);
    boolean suspends = home == null && !settings.virtualThreads; // those cost nothing while waiting
    serving = new Serving(this, frameOut, upCall, incoming, suspends);
  }

  /** The address of the other end. */
  String clientHost() {
    return socket.getInetAddress().getHostAddress();
  }

  /**
   * Waits for what the other end sends next.
   *
   * @return kind and flags of a message, or -1 if the connection was closed before one
   */
  int awaitMessage() throws ConnectionLostException {
    int header = frameIn.awaitMessage();
    if (header >= 0 && (header & Frame.RENEW) != 0) {
      out.renew();
    }
    return header;
  }

  /** True once after a message could not be read: the frame that goes out next must say so. */
  boolean takeRenewal() {
    return in.takeRenewal();
  }

  /** The other end has registered all references that it was sent. */
  void unpinAll() {
    out.unpin(out.pinMark());
  }

  boolean isClosed() {
    return closed;
  }

  void close() {
    closed = true;
    try {
      socket.close(); // first: what follows takes memory
    } catch (IOException e) {
      TcpTechnology.LOG.log(System.Logger.Level.DEBUG, "closing a connection failed", e);
    } finally {
      tellClosed();
    }
  }

  private void tellClosed() {
    try {
      incoming.gone();
    } finally {
      Peer lives = home;
      if (lives != null) {
        lives.technology.connections().closed(this);
      }
    }
  }

  /** Gives up a call whose caller was interrupted; called by the watchdog. */
  void releaseInterrupted() {
    if (waiting.isToBeGivenUp()) {
      close();
    }
  }

  /**
   * Closes the connection if its other end owes bytes for so long: the next call, or the rest of
   * one. Called by the watchdog.
   */
  void closeStalled(long now, long timeoutNanos) {
    boolean mayBeSilent = calling.isUnderWay() || incoming.isWatched();
    if (waiting.isStalled(frameIn.progress(), mayBeSilent, now, timeoutNanos)) {
      TcpTechnology.LOG.log(
          System.Logger.Level.DEBUG, "nothing comes from {0} (karmi.readTimeout)", clientHost());
      close();
    }
  }

  /**
   * Finds out, in about a millisecond, whether the other end of an idle connection is still there;
   * and acknowledges what no call has acknowledged so far.
   */
  boolean isAlive(int callTimeoutMillis) {
    try {
      calling.acknowledge();
      socket.setSoTimeout(1);
      boolean alive = frameIn.isSilent();
      socket.setSoTimeout(callTimeoutMillis);
      return alive;
    } catch (IOException e) {
      return false;
    }
  }
}
