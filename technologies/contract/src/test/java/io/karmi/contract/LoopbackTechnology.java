package io.karmi.contract;

import io.karmi.id.NodeId;
import io.karmi.id.ObjectId;
import io.karmi.id.RemoteInterface;
import io.karmi.id.TechnologyId;
import io.karmi.marshal.Arguments;
import io.karmi.marshal.CallFormat;
import io.karmi.marshal.CallInput;
import io.karmi.marshal.CallOutput;
import io.karmi.messaging.link.MemoryPipe;
import io.karmi.technology.InCall;
import io.karmi.technology.Pipe;
import io.karmi.technology.Pipes;
import io.karmi.technology.Technology;
import io.karmi.technology.ThrownByCallee;
import io.karmi.technology.UpCall;
import io.karmi.uka.buffer.InputBuffer;
import io.karmi.uka.buffer.OutputBuffer;
import java.io.Closeable;
import java.io.IOException;
import java.rmi.ConnectException;
import java.rmi.MarshalException;
import java.rmi.RemoteException;
import java.rmi.UnmarshalException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A network without sockets, streams, connections or threads: the caller marshals into memory and
 * executes the callee's half itself. It keeps the interface honest.
 */
public final class LoopbackTechnology extends Technology implements Pipes {
  private static final Map<String, LoopbackTechnology> LISTENING = new ConcurrentHashMap<>();
  private static final AtomicInteger COUNT = new AtomicInteger();

  private final UpCall upCall;
  private final String host;
  private final TechnologyId id =
      new TechnologyId("loopback", String.valueOf(COUNT.incrementAndGet()));

  /** One more instance. */
  public LoopbackTechnology(UpCall upCall) {
    this(upCall, "127.0.0.1");
  }

  /** One more instance, whose callees see its calls come from a host. */
  public LoopbackTechnology(UpCall upCall, String host) {
    this.upCall = upCall;
    this.host = host;
  }

  @Override
  public String name() {
    return "loopback";
  }

  @Override
  public int rank() {
    return 100;
  }

  @Override
  public TechnologyId listen(int port) {
    LISTENING.put(id.address(), this);
    return id;
  }

  @Override
  public void release(TechnologyId endpoint) {}

  @Override
  public boolean reaches(TechnologyId other) {
    return other.technology().equals(name());
  }

  @Override
  public Pipe open(NodeId node, TechnologyId way, long key) throws RemoteException {
    LoopbackTechnology callee = LISTENING.get(way.address());
    if (callee == null || !callee.upCall.takesMessages()) {
      throw new ConnectException("no messages are taken at " + way);
    }
    if (node != NodeId.UNKNOWN && !node.equals(callee.upCall.node())) {
      throw new ConnectException(way + " is another node");
    }
    MemoryPipe[] ends =
        MemoryPipe.open(upCall.node(), callee.upCall.node(), upCall.formats().get(0), key);
    callee.upCall.accept(ends[1]);
    return ends[0];
  }

  @Override
  protected CallInput exchange(
      ObjectId target, RemoteInterface type, int methodNumber, Arguments arguments)
      throws RemoteException {
    return execute(target, type, methodNumber, arguments).reply(upCall);
  }

  @Override
  protected Closeable line(
      ObjectId target, RemoteInterface type, int methodNumber, Arguments arguments)
      throws RemoteException, ThrownByCallee {
    Call call = execute(target, type, methodNumber, arguments);
    longResult(call.reply(upCall), type);
    return () -> call.whenGone.forEach(Runnable::run);
  }

  private Call execute(ObjectId target, RemoteInterface type, int methodNumber, Arguments arguments)
      throws RemoteException {
    LoopbackTechnology callee = LISTENING.get(target.technology(name()).address());
    if (callee == null) {
      throw new ConnectException("nothing listens at " + target.technology(name()));
    }
    CallFormat format = upCall.formats().get(0);
    OutputBuffer sent = new OutputBuffer(64);
    CallOutput request = new CallOutput(sent, format, upCall.translation(), callee.upCall.node());
    try {
      arguments.marshal(request);
      request.endMessage();
    } catch (IOException e) {
      throw new MarshalException("error marshalling arguments", e);
    }
    Map<String, String> sentAlong = arguments.header();
    Map<String, String> header = sentAlong == null ? Map.of() : sentAlong;
    Call call = new Call(callee, this, target, type, methodNumber, header, sent, format);
    try {
      callee.upCall.doApplicationCall(call);
    } catch (IOException e) {
      throw new UnmarshalException("error unmarshalling return", e);
    }
    return call;
  }

  @Override
  public void close() {
    LISTENING.remove(id.address());
  }

  private static final class Call implements InCall {
    private final LoopbackTechnology callee;
    private final NodeId caller;
    private final String host;
    private final ObjectId target;
    private final RemoteInterface type;
    private final int methodNumber;
    private final Map<String, String> header;
    private final CallInput in;
    private final CallFormat format;
    final CallOutput out;
    final List<Runnable> whenGone = new ArrayList<>();

    Call(
        LoopbackTechnology callee,
        LoopbackTechnology caller,
        ObjectId target,
        RemoteInterface type,
        int methodNumber,
        Map<String, String> header,
        OutputBuffer sent,
        CallFormat format) {
      this.header = header;
      this.callee = callee;
      this.caller = caller.upCall.node();
      this.host = caller.host;
      this.target = target;
      this.type = type;
      this.methodNumber = methodNumber;
      this.format = format;
      UpCall above = callee.upCall;
      in =
          new CallInput(new InputBuffer(sent.bytes, 0, sent.position), format, above.translation());
      out = new CallOutput(new OutputBuffer(64), format, above.translation(), this.caller);
    }

    CallInput reply(UpCall below) {
      CallInput reply =
          new CallInput(
              new InputBuffer(out.buffer.bytes, 0, out.buffer.position),
              format,
              below.translation());
      reply.lentBy(
          new CallInput.Lender() {
            @Override
            public void finish() throws IOException {
              reply.register(reply.endMessage());
            }

            @Override
            public void abandon() {
              reply.abandonMessage();
            }
          });
      return reply;
    }

    @Override
    public void whenGone(Runnable action) {
      whenGone.add(action);
    }

    @Override
    public long objectNumber() {
      return target.number();
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
      return header;
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
      out.discardMessage();
      out.buffer.position = 0;
    }

    @Override
    public void whenReplied(Runnable action) {
      action.run();
    }

    @Override
    public NodeId caller() {
      return caller;
    }

    @Override
    public String clientHost() {
      return host;
    }

    @Override
    public TechnologyId endpoint() {
      return callee.id;
    }
  }
}
