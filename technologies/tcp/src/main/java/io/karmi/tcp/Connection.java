package io.karmi.tcp;

import io.karmi.id.NodeId;
import io.karmi.id.ObjectId;
import io.karmi.id.RemoteInterface;
import io.karmi.id.TechnologyId;
import io.karmi.marshal.Arguments;
import io.karmi.marshal.CallFormat;
import io.karmi.marshal.CallHeader;
import io.karmi.marshal.CallInput;
import io.karmi.marshal.CallOutput;
import io.karmi.technology.UpCall;
import java.io.EOFException;
import java.io.IOException;
import java.io.StreamCorruptedException;
import java.net.Socket;
import java.net.SocketException;
import java.util.List;
import java.util.Map;

/**
 * Carries one call at a time between two nodes, in either direction.
 *
 * <p>While a call runs, the callee may call back over the same connection; the thread that waits
 * for the reply executes such a call, and may itself call again, to any depth. So the ends take
 * turns: at any time exactly one of them may send. Both have the same state, whoever opened the
 * connection.
 *
 * <p>Belongs to one thread at a time: the handler of an accepted connection, or the caller that
 * took an opened one out of its {@link Peer}. All memory of a call is here, so that a call
 * allocates nothing.
 */
final class Connection extends IncomingCall {
  private static final ThreadLocal<Connection> SERVING = new ThreadLocal<>();
  private static final ThreadLocal<Connection> REGISTERING = new ThreadLocal<>();

  private final UpCall upCall;
  private final Peer home;
  private final Waiting waiting;
  private final FrameInput frameIn;
  private final FrameOutput frameOut;
  private final CallInput in;
  private final CallOutput out;
  private final InterfaceNumbers sent = new InterfaceNumbers();

  private int servingDepth;
  private boolean calling;
  private boolean registering;
  private boolean line;
  private boolean requestSent;

  /** Counted by the thread that has the connection, and read by others now and then. */
  long callsMade;

  long callsServed;

  /**
   * Whether the last reply had references. The next call says that they are registered, or {@link
   * #isAlive} does.
   */
  private boolean ackOwed;

  /** Idle since then; kept by the {@link Peer}. */
  long idleSinceNanos;

  /** Known to be alive then; kept by the {@link Watchdog}. */
  long aliveAtNanos;

  /** How many calls it has carried since it was checked, or -1 if it never was. */
  int callsSinceCheck = -1;

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
      TechnologyId endpoint,
      Peer home,
      TcpSettings settings)
      throws IOException {
    super(socket, remote, endpoint);
    this.upCall = upCall;
    this.home = home;
    waiting = new Waiting(settings.interruptible);
    frameIn = new FrameInput(secured.getInputStream(), this, settings.maximumMessageBytes);
    frameOut = new FrameOutput(secured.getOutputStream(), this);
    in = new CallInput(frameIn, format, upCall.translation());
    out = new CallOutput(frameOut, format, upCall.translation(), remote);
  }

  /**
   * The connection on which the current thread has just got references that it registers, or null.
   */
  static Connection registering() {
    return REGISTERING.get();
  }

  /**
   * True if the owner of what is being registered is the other end, so that it can be told here.
   */
  boolean canRegister(ObjectId collector) {
    return !calling && collector.node().equals(remote) && !socket.isClosed();
  }

  /** Keeps the connection out of its peer's: it carries no call but the first. */
  void becomeLine() {
    line = true;
    KeepAlive.set(socket);
  }

  /** The connection whose call the current thread executes, or null. */
  static Connection serving() {
    return SERVING.get();
  }

  NodeId remote() {
    return remote;
  }

  Peer home() {
    return home;
  }

  FrameInput frameIn() {
    return frameIn;
  }

  /**
   * True if the thread that executes a call of this connection may call the object back through it:
   * the other end waits, and this one is neither reading arguments nor writing anything.
   */
  boolean canCallBack(ObjectId target) {
    return !calling
        && in.isArgumentsEnded()
        && !out.isReplyBegun()
        && target.number() != ObjectId.REGISTRY
        && target.node().equals(remote)
        && !socket.isClosed();
  }

  /** True if the last call was sent completely, so that it may have been executed. */
  boolean isRequestSent() {
    return requestSent;
  }

  /** True if the last call was given up because its caller was interrupted. */
  boolean isInterrupted() {
    return waiting.isGivenUp();
  }

  /** See {@link FrameOutput#sendCarefully}; for the next call. */
  void callCarefully() {
    frameOut.sendCarefully();
  }

  /**
   * Sends a call and waits for its reply, executing calls back meanwhile.
   *
   * @return the reply, at its first byte; {@link #finish} or {@link #abandon} must follow
   * @throws ConnectionLostException if the network fails; the connection is closed then
   * @throws IOException if the arguments cannot be marshalled; the connection is as before then, or
   *     closed
   */
  CallInput call(ObjectId target, RemoteInterface type, int method, Arguments arguments)
      throws IOException {
    send(target, type, method, arguments);
    return await();
  }

  /** The first half of {@link #call}. */
  void send(ObjectId target, RemoteInterface type, int method, Arguments arguments)
      throws IOException {
    calling = true;
    requestSent = false;
    ackOwed &= target.number() == ObjectId.COLLECTOR; // other calls acknowledge
    waiting.begin();
    try {
      marshal(target, type, method, arguments);
      frameOut.end();
      requestSent = true;
      callsMade++;
      out.endMessage();
    } catch (ConnectionLostException e) {
      out.loseMessage();
      close();
      throw e;
    } finally {
      waiting.end();
    }
  }

  /** The second half of {@link #call}, in the same thread or another. */
  CallInput await() throws ConnectionLostException {
    waiting.begin();
    try {
      awaitReply();
      return in;
    } catch (ConnectionLostException e) {
      out.loseMessage();
      close();
      throw e;
    } finally {
      waiting.end();
    }
  }

  private void marshal(ObjectId target, RemoteInterface type, int method, Arguments arguments)
      throws IOException {
    Map<String, String> toSend = arguments.header();
    frameOut.begin(toSend.isEmpty() ? Frame.CALL : Frame.CALL | Frame.HEADER);
    try {
      if (!toSend.isEmpty()) {
        CallHeader.write(toSend, frameOut);
      }
      frameOut.writeLong(target.number());
      sent.write(type, frameOut);
      frameOut.writeVarInt(method);
      arguments.marshal(out);
    } catch (ConnectionLostException e) {
      throw e;
    } catch (IOException | RuntimeException | Error e) {
      unmarshalled();
      throw e;
    }
  }

  /** Takes back a call that could not be marshalled. */
  private void unmarshalled() {
    if (frameOut.isPartSent()) {
      close();
    } else {
      try {
        sent.discard();
        out.discardMessage();
      } catch (IOException e) {
        close();
      }
    }
    release();
  }

  private void awaitReply() throws ConnectionLostException {
    for (; ; ) {
      int header = awaitMessage();
      if (header < 0) {
        throw new ConnectionLostException(
            new EOFException("connection closed by " + clientHost() + " before the reply"));
      }
      if ((header & Frame.KIND_MASK) == Frame.REPLY) {
        in.beginMessage();
        return;
      }
      serveCallBack(header);
    }
  }

  private int awaitMessage() throws ConnectionLostException {
    int header = frameIn.awaitMessage();
    if (header >= 0 && (header & Frame.RENEW) != 0) {
      out.renew();
    }
    return header;
  }

  private void serveCallBack(int header) throws ConnectionLostException {
    checkCall(header);
    Connection outer = SERVING.get();
    SERVING.set(this);
    calling = false;
    try {
      serve(header);
    } finally {
      calling = true;
      SERVING.set(outer);
    }
  }

  /** Executes calls until the other end closes the connection. */
  void serveAll() {
    SERVING.set(this);
    try {
      int header = awaitMessage();
      while (header >= 0) {
        if ((header & Frame.KIND_MASK) == Frame.ACK) {
          out.unpin(out.pinMark());
        } else {
          checkCall(header);
          serve(header);
        }
        header = awaitMessage();
      }
    } catch (IOException e) {
      TcpTechnology.LOG.log(
          System.Logger.Level.DEBUG, "connection from {0} ends: {1}", clientHost(), e);
    } finally {
      SERVING.remove();
      close();
    }
  }

  private static void checkCall(int header) throws ConnectionLostException {
    if ((header & Frame.KIND_MASK) != Frame.CALL) {
      throw new ConnectionLostException(
          new StreamCorruptedException("a frame of kind " + header + " where a call is expected"));
    }
  }

  private void serve(int frameHeader) throws ConnectionLostException {
    long earlier = out.pinMark();
    boolean ordinary;
    servingDepth++;
    try {
      in.beginMessage();
      readRequest(frameIn, frameHeader);
      callsServed++;
      ordinary = objectNumber() != ObjectId.COLLECTOR;
      if (closed) {
        /* A read that waits while its socket is closed may still return what comes just then. */
        throw new SocketException("closed before the call was executed");
      }
      frameOut.begin(Frame.REPLY);
      upCall.doApplicationCall(this);
      frameOut.end();
      out.endMessage();
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
      servingDepth--;
      if (servingDepth == 0) {
        replied();
      }
    }
    if (ordinary) {
      // whoever calls has read all that was sent before; a collector may still be registering it
      out.unpin(earlier);
    }
  }

  private void closeUnsent() {
    out.loseMessage();
    close();
  }

  /** True once after a message could not be read: the frame that goes out next must say so. */
  boolean takeRenewal() {
    return in.takeRenewal();
  }

  /**
   * Ends a call whose reply has been read, and gives the connection back.
   *
   * @throws IOException if there is more in the reply than was read
   */
  void finish() throws IOException {
    List<Object> references;
    try {
      references = in.endMessage();
      if (!frameIn.isAtEnd()) {
        throw new StreamCorruptedException("the reply is longer than its result");
      }
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
   * Until the references are registered the connection stays with this thread: another one's call
   * over it would say that they are. Only their owner may be told over it.
   */
  private void register(List<Object> references) {
    Connection outer = REGISTERING.get();
    REGISTERING.set(this);
    registering = true;
    calling = false;
    try {
      in.register(references);
    } finally {
      registering = false;
      REGISTERING.set(outer);
      ackOwed = true;
      release();
    }
  }

  /** Ends a call whose reply could not be read. */
  void abandon() {
    in.abandonMessage();
    release();
  }

  /** Gives the connection back to the call that is being executed, or to its peer. */
  private void release() {
    calling = false;
    out.unpin(out.pinMark());
    if (registering || line) {
      return;
    }
    if (servingDepth > 0) {
      in.resume();
      frameOut.begin(Frame.REPLY);
    } else {
      home.giveBack(this);
    }
  }

  boolean isClosed() {
    return socket.isClosed();
  }

  boolean isWornOut() {
    return sent.isFull();
  }

  void close() {
    closed = true;
    if (home != null) {
      home.technology.connections().closed(this);
    }
    try {
      socket.close();
    } catch (IOException e) {
      TcpTechnology.LOG.log(System.Logger.Level.DEBUG, "closing a connection failed", e);
    }
    ended();
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
    boolean mayBeSilent = calling || isWatched();
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
      if (ackOwed) {
        frameOut.begin(Frame.ACK);
        frameOut.end();
        ackOwed = false;
      }
      socket.setSoTimeout(1);
      boolean alive = frameIn.isSilent();
      socket.setSoTimeout(callTimeoutMillis);
      return alive;
    } catch (IOException e) {
      return false;
    }
  }

  @Override
  public CallInput in() {
    return in;
  }

  @Override
  public CallOutput out() {
    return out;
  }

  @Override
  public void discardReply() throws IOException {
    if (frameOut.isPartSent()) {
      throw new IOException("a part of the reply has left already");
    }
    out.discardMessage();
    frameOut.begin(Frame.REPLY);
  }
}
