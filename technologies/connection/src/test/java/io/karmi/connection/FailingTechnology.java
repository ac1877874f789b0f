package io.karmi.connection;

import io.karmi.connection.call.FrameHeader;
import io.karmi.connection.channel.Handshake;
import io.karmi.connection.channel.Introduction;
import io.karmi.connection.channel.NodeChannel;
import io.karmi.connection.channel.NothingSentException;
import io.karmi.connection.channel.PeerIdentity;
import io.karmi.id.NodeId;
import io.karmi.id.TechnologyId;
import io.karmi.technology.ConnectionSettings;
import io.karmi.technology.UpCall;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.rmi.ConnectException;
import java.rmi.RemoteException;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * A technology whose other ends are one node that answers each call at once, and whose connections
 * fail where a test wants.
 */
final class FailingTechnology extends ConnectedTechnology {
  /** What becomes of the next call. */
  enum Fault {
    /** It is executed and answered. */
    NONE,
    /** The channel fails in a part of the call that is not its last one. */
    IN_AN_EARLIER_PART,
    /** The channel fails, and the callee has not got the last bytes. */
    BEFORE_LAST_BYTES,
    /** The same, and the channel knows that. */
    KNOWN_BEFORE_LAST_BYTES,
    /** The channel fails when the callee has got all bytes, and executes the call. */
    AFTER_LAST_BYTES,
    /** The call is executed, and its reply is lost. */
    BEFORE_REPLY,
    /**
     * The callee calls back, as the connection's first call was made; the channel fails before the
     * last bytes of what the caller then sends first.
     */
    AFTER_CALL_BACK
  }

  /** {@code RETURNED} and an int, or the first byte of an object, which is null. */
  private static final byte[] REPLY = {FrameHeader.REPLY, 5, 0, 0, 0, 0, 0, 0, 0};

  private static final byte[] REPLY_OF_FUTURE = {FrameHeader.REPLY, 2, 0, 0, 0, 0};

  private final String name;
  private final UpCall upCall;
  private final ConnectionSettings settings;
  private final NodeId other;
  private final boolean inDoubt;

  /** Calls that the other ends have got completely. */
  final AtomicInteger executed = new AtomicInteger();

  /** Connections that were asked for. */
  final AtomicInteger dialled = new AtomicInteger();

  volatile Fault next = Fault.NONE;
  volatile boolean reachable = true;

  /** The address that cannot be dialled, if any. */
  volatile String unreachable = "";

  volatile boolean callsReturnObjects;

  /**
   * A technology without connections.
   *
   * @param inDoubt what its channels say of bytes that they have failed to send
   */
  FailingTechnology(String name, UpCall upCall, NodeId other, boolean inDoubt) {
    this(name, upCall, other, inDoubt, new ConnectionSettings(property -> null));
  }

  private FailingTechnology(
      String name, UpCall upCall, NodeId other, boolean inDoubt, ConnectionSettings settings) {
    super(upCall, settings);
    this.name = name;
    this.upCall = upCall;
    this.settings = settings;
    this.other = other;
    this.inDoubt = inDoubt;
  }

  /** The way to the other node. */
  TechnologyId way() {
    return new TechnologyId(name, "there");
  }

  @Override
  protected NodeChannel dial(String address, boolean messages) throws RemoteException {
    dialled.incrementAndGet();
    if (!reachable || unreachable.equals(address)) {
      throw new ConnectException("the test wants no connection of " + name);
    }
    Handshake answer = new Handshake(other, List.of("uka"));
    PeerIdentity peer = new PeerIdentity(other, 0, null);
    return new Line(
        new Introduction(upCall, settings, peer, upCall.formats().get(0), null, false, answer));
  }

  @Override
  protected List<String> addresses(String ofNode) {
    return List.of(ofNode);
  }

  @Override
  protected void closeListeners() {}

  @Override
  public String name() {
    return name;
  }

  @Override
  public int rank() {
    return 0;
  }

  @Override
  public TechnologyId listen(int port) {
    return way();
  }

  @Override
  public void release(TechnologyId endpoint) {}

  /** One connection; the callee is behind it. */
  private final class Line extends NodeChannel {
    /** What is left to come of the frame that is being sent. */
    private int leftOfFrame;

    private boolean isLastFrame;

    /** The first call, which names its interface. */
    private byte @Nullable [] firstCall;

    private volatile byte[] reply = {};
    private volatile int replied;
    private volatile int timeoutMillis;

    Line(Introduction introduction) {
      super(introduction);
    }

    @Override
    public void send(byte[] from, int offset, int length) throws IOException {
      if (isClosed()) {
        throw new IOException("closed");
      }
      Fault fault = next;
      if (firstCall == null) {
        firstCall = Arrays.copyOfRange(from, offset, offset + length);
      }
      if (leftOfFrame == 0) {
        isLastFrame = (from[offset] & FrameHeader.MORE) == 0;
        leftOfFrame = FrameHeader.HEADER_BYTES + FrameHeader.bodyBytes(from, offset);
        failAtBegin(fault);
      }
      leftOfFrame -= length;
      if (isLastFrame && leftOfFrame == 0) {
        executed.incrementAndGet();
        next = fault == Fault.AFTER_CALL_BACK ? Fault.BEFORE_LAST_BYTES : Fault.NONE;
        if (fault == Fault.AFTER_LAST_BYTES) {
          throw new IOException("reset behind the last bytes");
        }
        answer(fault);
      }
    }

    private void failAtBegin(Fault fault) throws IOException {
      boolean fails =
          isLastFrame
              ? fault == Fault.BEFORE_LAST_BYTES || fault == Fault.KNOWN_BEFORE_LAST_BYTES
              : fault == Fault.IN_AN_EARLIER_PART;
      if (fails) {
        next = Fault.NONE;
        IOException reset = new IOException("reset before the last bytes");
        throw fault == Fault.KNOWN_BEFORE_LAST_BYTES ? new NothingSentException(reset) : reset;
      }
    }

    private void answer(Fault fault) {
      byte[] whole = callsReturnObjects ? REPLY_OF_FUTURE : REPLY;
      byte[] call = firstCall;
      if (fault == Fault.AFTER_CALL_BACK && call != null) {
        whole = call;
      }
      reply = fault == Fault.BEFORE_REPLY ? new byte[0] : whole;
      replied = 0;
    }

    @Override
    public int receive(byte[] to, int offset, int length) throws IOException {
      byte[] coming = reply;
      int count = Math.min(length, coming.length - replied);
      System.arraycopy(coming, replied, to, offset, count);
      replied += count;
      if (count > 0) {
        return count;
      }
      if (timeoutMillis > 0) {
        throw new SocketTimeoutException("nothing comes while no call waits");
      }
      return -1;
    }

    @Override
    public boolean isSentInDoubt() {
      return inDoubt;
    }

    @Override
    public void setReceiveTimeout(int millis) {
      timeoutMillis = millis;
    }

    @Override
    public String peerName() {
      return "there";
    }

    @Override
    protected void closeChannel() {}
  }
}
