package io.karmi.reference;

import io.karmi.id.NodeId;
import io.karmi.id.ObjectId;
import io.karmi.id.RemoteInterface;
import io.karmi.id.TechnologyId;
import io.karmi.marshal.Arguments;
import io.karmi.marshal.CallFormat;
import io.karmi.marshal.CallInput;
import io.karmi.marshal.CallOutput;
import io.karmi.reference.network.ListeningEnds;
import io.karmi.technology.ApplicationCalls;
import io.karmi.technology.InCall;
import io.karmi.technology.ThrownByCallee;
import io.karmi.technology.UpCall;
import io.karmi.uka.buffer.InputBuffer;
import io.karmi.uka.buffer.OutputBuffer;
import java.io.Closeable;
import java.io.IOException;
import java.lang.ref.WeakReference;
import java.net.InetAddress;
import java.rmi.MarshalException;
import java.rmi.RemoteException;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The short-cut to objects of the same node (paper 4.2): no network and no second thread, but
 * arguments and results are copied as if there were.
 */
final class LocalCalls extends ApplicationCalls {
  private static final int BUFFER_BYTES = 512;
  private static final int KEPT_BYTES = 1 << 16;

  private final UpCall upCall;
  private final ListeningEnds ends;

  /**
   * Weak, because streams know the classes that have passed, and a thread may outlive their
   * loaders.
   */
  private final ThreadLocal<@Nullable WeakReference<ArrayDeque<LocalCall>>> idle =
      new ThreadLocal<>();

  /**
   * @param upCall brings calls to its objects
   * @param ends where they are called otherwise
   */
  LocalCalls(UpCall upCall, ListeningEnds ends) {
    this.upCall = upCall;
    this.ends = ends;
  }

  @Override
  protected boolean isOfThisJvm() {
    return true;
  }

  @Override
  protected CallInput exchange(
      ObjectId target, RemoteInterface type, int methodNumber, Arguments arguments)
      throws RemoteException {
    LocalCall call = idleCall();
    marshal(call, target, type, methodNumber, arguments);
    return executeWithin(call);
  }

  /** The arguments are copied now, and the call is executed in the thread that waits for it. */
  @Override
  protected SentCall send(
      ObjectId target, RemoteInterface type, int methodNumber, Arguments arguments)
      throws RemoteException {
    LocalCall call = new LocalCall(new ArrayDeque<>(1));
    marshal(call, target, type, methodNumber, arguments);
    return () -> executeWithin(call);
  }

  private static void marshal(
      LocalCall call, ObjectId target, RemoteInterface type, int methodNumber, Arguments arguments)
      throws RemoteException {
    try {
      arguments.marshal(call.request.out);
      call.request.sent();
    } catch (IOException e) {
      call.drop();
      throw new MarshalException("error marshalling arguments", e);
    } catch (RuntimeException | Error e) {
      call.drop();
      throw e;
    }
    Map<String, String> header = arguments.header();
    call.name(target, type, methodNumber, header == null ? Map.of() : header);
  }

  private CallInput executeWithin(LocalCall call) throws RemoteException {
    try {
      upCall.doApplicationCall(call);
      call.reply.sent();
    } catch (IOException e) {
      call.drop();
      throw new java.rmi.UnmarshalException("error unmarshalling return", e);
    }
    return call.reply.in;
  }

  private LocalCall idleCall() {
    ArrayDeque<LocalCall> calls = idleCalls();
    return calls.isEmpty() ? new LocalCall(calls) : calls.pop();
  }

  private ArrayDeque<LocalCall> idleCalls() {
    WeakReference<ArrayDeque<LocalCall>> known = idle.get();
    ArrayDeque<LocalCall> calls = known == null ? null : known.get();
    if (calls == null) {
      calls = new ArrayDeque<>();
      idle.set(new WeakReference<>(calls));
    }
    return calls;
  }

  /** A line that is gone when it is closed: both ends are in one process. */
  @Override
  protected Closeable line(
      ObjectId target, RemoteInterface type, int methodNumber, Arguments arguments)
      throws RemoteException, ThrownByCallee {
    LocalCall call = idleCall();
    marshal(call, target, type, methodNumber, arguments);
    CallInput reply = executeWithin(call);
    Runnable gone = call.takeWhenGone();
    longResult(reply, type);
    return gone::run;
  }

  /** One direction of a local call: both ends over one array. */
  private final class Direction {
    final CallOutput out;
    final CallInput in;

    Direction(LocalCall call) {
      CallFormat format = upCall.formats().get(0);
      out =
          new CallOutput(
              new OutputBuffer(BUFFER_BYTES), format, upCall.translation(), upCall.node());
      in = new CallInput(new InputBuffer(new byte[0], 0, 0), format, upCall.translation());
      in.lentBy(call);
    }

    void sent() throws IOException {
      out.endMessage();
      in.buffer.bytes = out.buffer.bytes;
      in.buffer.position = 0;
      in.buffer.limit = out.buffer.position;
      in.beginMessage();
    }

    void end() {
      if (in.takeRenewal()) {
        out.renew();
      }
      out.unpin(out.pinMark());
      out.buffer.position = 0;
      if (out.buffer.bytes.length > KEPT_BYTES) {
        out.buffer.bytes = new byte[BUFFER_BYTES];
      }
      in.buffer.bytes = out.buffer.bytes;
    }
  }

  /** The state of one call; used again by the next call of the same thread. */
  private final class LocalCall implements InCall, CallInput.Lender {
    private final ArrayDeque<LocalCall> home;
    final Direction request = new Direction(this);
    final Direction reply = new Direction(this);
    private @Nullable ObjectId target;
    private RemoteInterface type = RemoteInterface.NONE;
    private int methodNumber;
    private @Nullable Runnable whenGone;
    private Map<String, String> header = Map.of();

    LocalCall(ArrayDeque<LocalCall> home) {
      this.home = home;
    }

    void name(ObjectId target, RemoteInterface type, int methodNumber, Map<String, String> header) {
      this.target = target;
      this.header = header;
      this.type = type;
      this.methodNumber = methodNumber;
    }

    @Override
    public void finish() throws IOException {
      reply.in.register(reply.in.endMessage());
      request.end();
      reply.end();
      target = null;
      type = RemoteInterface.NONE;
      home.push(this);
    }

    @Override
    public void abandon() {
      drop();
    }

    private ObjectId target() {
      return Objects.requireNonNull(target, "the call is over");
    }

    /** Ends the call without using its streams again. */
    void drop() {
      target = null;
      type = RemoteInterface.NONE;
    }

    @Override
    public long objectNumber() {
      return target().number();
    }

    @Override
    public RemoteInterface callerInterface() {
      return type;
    }

    @Override
    public int methodNumber() {
      return methodNumber;
    }

    @Override
    public Map<String, String> header() {
      return header.isEmpty() ? header : Collections.unmodifiableMap(header);
    }

    @Override
    public CallInput in() {
      return request.in;
    }

    @Override
    public CallOutput out() {
      return reply.out;
    }

    @Override
    public void discardReply() throws IOException {
      reply.out.discardMessage();
      reply.out.buffer.position = 0;
    }

    /** The caller's own thread takes the reply. */
    @Override
    public void whenReplied(Runnable action) {
      action.run();
    }

    @Override
    public void whenGone(Runnable action) {
      whenGone = action;
    }

    Runnable takeWhenGone() {
      Runnable action = whenGone;
      whenGone = null;
      return action != null ? action : () -> {};
    }

    @Override
    public NodeId caller() {
      return upCall.node();
    }

    @Override
    public String technology() {
      return "local";
    }

    @Override
    public String clientHost() {
      try {
        return InetAddress.getLocalHost().getHostAddress();
      } catch (java.net.UnknownHostException e) {
        return InetAddress.getLoopbackAddress().getHostAddress();
      }
    }

    @Override
    public @Nullable TechnologyId endpoint() {
      return ends.first(target());
    }
  }
}
