package io.karmi.reference;

import io.karmi.id.ObjectId;
import io.karmi.id.RemoteInterface;
import io.karmi.marshal.Arguments;
import io.karmi.marshal.CallObjectInput;
import io.karmi.marshal.CallObjectOutput;
import io.karmi.marshal.CallOutput;
import io.karmi.marshal.Pinned;
import io.karmi.reference.network.Bridges;
import io.karmi.technology.ApplicationCalls;
import io.karmi.technology.ThrownByCallee;
import java.io.IOException;
import java.io.ObjectInput;
import java.io.ObjectInputFilter;
import java.io.ObjectOutput;
import java.lang.reflect.Method;
import java.net.InetSocketAddress;
import java.rmi.ConnectException;
import java.rmi.Remote;
import java.rmi.server.RemoteRef;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The caller's end of a reference (paper 4.1): all that a stub knows.
 *
 * <p>A stub calls one of the {@code XApplicationCall}s, by result type, with the number of the
 * method in its {@link RemoteInterface}. The reference picks the best technology that both nodes
 * have, keeps that choice, and hands the call down; an object of this node is called without a
 * network. What the method threw is rethrown here, with the caller's stack trace below the
 * callee's.
 *
 * <p>It travels in any object stream by its {@link ObjectId}; the interface is a matter of the stub
 * around it. Thread-safe.
 */
public final class ClientRef implements NoJava11Stubs, Pinned {
  private static final long serialVersionUID = 1;

  /** Bytes of memory of a stub beside its {@link ObjectId}, about. */
  private static final long STUB_BYTES = 512;

  private transient HomeNode node;
  private transient ObjectId id;

  /** What is called: the object itself, or the object that forwards its calls in a third node. */
  private transient ObjectId callee;

  /** {@link RemoteInterface#NONE} while there is no stub. */
  private transient RemoteInterface type = RemoteInterface.NONE;

  private transient @Nullable ClassLoader loader;
  private transient volatile @Nullable ApplicationCalls route;

  /**
   * Interfaces of single methods of which only the hash is known, by hash; null if there are none.
   */
  private transient @Nullable Map<Long, RemoteInterface> single;

  /** Whether a peer, or whoever wrote a stream, has said where it leads: at any length. */
  private transient boolean read;

  /** The credit that came with the reference, until the collector takes it. */
  private transient long credit;

  /** Keeps the entry of the collector alive as long as any reference to the object is. */
  private transient @Nullable Object lease;

  /** For {@link java.io.Externalizable} only, which then sets the fields. */
  @SuppressWarnings("NullAway.Init")
  public ClientRef() {}

  ClientRef(HomeNode node, ObjectId id, RemoteInterface type) {
    this(node, id, node.bridges().called(id), type);
  }

  private ClientRef(HomeNode node, ObjectId id, ObjectId callee, RemoteInterface type) {
    this.node = node;
    this.id = Bridges.withUsed(id, callee);
    this.callee = callee;
    this.type = type;
  }

  /**
   * This reference for a stub with these methods. The first stub takes the reference itself,
   * another one with other methods gets a copy; both keep the object alive.
   *
   * @param loader where classes of results are looked for first: the stub's loader
   */
  public synchronized ClientRef forInterface(
      RemoteInterface methods, @Nullable ClassLoader loader) {
    Objects.requireNonNull(methods);
    if (type == RemoteInterface.NONE || type == methods && this.loader == null) {
      type = methods;
      this.loader = loader;
    }
    if (type == methods && this.loader == loader) {
      return this;
    }
    ClientRef copy = new ClientRef(node, id, callee, methods);
    copy.loader = loader;
    copy.lease = lease;
    copy.read = read;
    copy.route = route;
    return copy;
  }

  /** The name of the object. */
  public ObjectId id() {
    return id;
  }

  /** The object that calls go to, and that the collector holds: see {@link Bridges#called}. */
  ObjectId callee() {
    return callee;
  }

  /** The methods that the stub calls; none while there is no stub. */
  public RemoteInterface remoteInterface() {
    return type;
  }

  /** Where classes of results are looked for first; null if that is the context class loader. */
  public @Nullable ClassLoader loader() {
    return loader;
  }

  /** True if the object lives in this JVM. */
  public boolean isLocal() {
    return node.id().equals(id.node());
  }

  void setLease(Object lease) {
    this.lease = lease;
  }

  /**
   * The credit that came with the reference; {@link io.karmi.dgc.Collector#NO_CREDIT} from the
   * second call on.
   */
  long takeCredit() {
    long taken = credit;
    credit = 0;
    return taken;
  }

  /** Calls a method without a result. */
  public void voidApplicationCall(int methodNumber, Arguments arguments) throws Exception {
    try {
      route().voidApplicationCall(callee, type, methodNumber, arguments, loader);
    } catch (ThrownByCallee e) {
      throw exceptionReceivedFromServer(e);
    }
  }

  /** Calls a method with a boolean result. */
  public boolean booleanApplicationCall(int methodNumber, Arguments arguments) throws Exception {
    return bits(Byte.BYTES, methodNumber, arguments) != 0;
  }

  /** Calls a method with a byte result. */
  public byte byteApplicationCall(int methodNumber, Arguments arguments) throws Exception {
    return (byte) bits(Byte.BYTES, methodNumber, arguments);
  }

  /** Calls a method with a char result. */
  public char charApplicationCall(int methodNumber, Arguments arguments) throws Exception {
    return (char) bits(Character.BYTES, methodNumber, arguments);
  }

  /** Calls a method with a short result. */
  public short shortApplicationCall(int methodNumber, Arguments arguments) throws Exception {
    return (short) bits(Short.BYTES, methodNumber, arguments);
  }

  /** Calls a method with an int result. */
  public int intApplicationCall(int methodNumber, Arguments arguments) throws Exception {
    return (int) bits(Integer.BYTES, methodNumber, arguments);
  }

  /** Calls a method with a long result. */
  public long longApplicationCall(int methodNumber, Arguments arguments) throws Exception {
    return bits(Long.BYTES, methodNumber, arguments);
  }

  /** Calls a method with a float result. */
  public float floatApplicationCall(int methodNumber, Arguments arguments) throws Exception {
    return Float.intBitsToFloat((int) bits(Float.BYTES, methodNumber, arguments));
  }

  /** Calls a method with a double result. */
  public double doubleApplicationCall(int methodNumber, Arguments arguments) throws Exception {
    return Double.longBitsToDouble(bits(Double.BYTES, methodNumber, arguments));
  }

  private long bits(int bytes, int methodNumber, Arguments arguments) throws Exception {
    try {
      return route().bitsApplicationCall(bytes, callee, type, methodNumber, arguments, loader);
    } catch (ThrownByCallee e) {
      throw exceptionReceivedFromServer(e);
    }
  }

  /** Calls a method whose result is an object or null. */
  public @Nullable Object objectApplicationCall(int methodNumber, Arguments arguments)
      throws Exception {
    try {
      return route().objectApplicationCall(callee, type, methodNumber, arguments, loader);
    } catch (ThrownByCallee e) {
      throw exceptionReceivedFromServer(e);
    }
  }

  /**
   * Calls a method whose result is null or of exactly one class.
   *
   * @param exactly one of {@link io.karmi.marshal.ExactTypes}
   */
  public @Nullable Object objectApplicationCall(
      int methodNumber, Arguments arguments, Class<?> exactly) throws Exception {
    try {
      return route().exactApplicationCall(callee, type, methodNumber, arguments, loader, exactly);
    } catch (ThrownByCallee e) {
      throw exceptionReceivedFromServer(e);
    }
  }

  /** Calls a method that returns a future; see {@link ApplicationCalls#futureApplicationCall}. */
  public CompletableFuture<@Nullable Object> futureApplicationCall(
      int methodNumber, Arguments arguments) {
    try {
      return route().futureApplicationCall(callee, type, methodNumber, arguments, loader);
    } catch (ConnectException e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  private ApplicationCalls route() throws ConnectException {
    ApplicationCalls known = route;
    return known != null ? known : findRoute();
  }

  private ApplicationCalls findRoute() throws ConnectException {
    ApplicationCalls found = node.route(callee);
    route = found;
    return found;
  }

  /**
   * Unwraps what the method threw, and puts the callee's frames above those of the caller. Named as
   * stock RMI's method, whose frame people look for between the two.
   */
  private Exception exceptionReceivedFromServer(ThrownByCallee result) {
    Exception thrown = result.getCause();
    StackTraceElement[] callers = Replies.ofThisCall(new Throwable().getStackTrace());
    if (isLocal()) {
      Replies.endTraces(thrown);
    }
    StackTraceElement[] callees = thrown.getStackTrace();
    StackTraceElement[] all = Arrays.copyOf(callees, callees.length + callers.length);
    System.arraycopy(callers, 0, all, callees.length, callers.length);
    thrown.setStackTrace(all);
    return thrown;
  }

  /**
   * Calls a method that is known by its hash, for proxies and for stubs that were written by hand.
   *
   * @return the result; primitive values boxed, null for void
   */
  @Override
  public @Nullable Object invoke(
      Remote stub, Method method, @Nullable Object @Nullable [] arguments, long methodHash)
      throws Exception {
    RemoteInterface methods = type;
    int number = methods.methodNumber(methodHash);
    ClassLoader from = loader != null ? loader : method.getDeclaringClass().getClassLoader();
    if (number < 0) {
      methods = byHash(method, methodHash);
      number = 0;
    }
    try {
      return ReflectiveCall.invoke(route(), callee, methods, number, method, arguments, from);
    } catch (ThrownByCallee e) {
      throw exceptionReceivedFromServer(e);
    }
  }

  /** Kept, because a connection announces each interface once. */
  private synchronized RemoteInterface byHash(Method method, long methodHash) {
    if (single == null) {
      single = new HashMap<>();
    }
    return single.computeIfAbsent(
        methodHash,
        hash -> {
          Class<?> declarer = method.getDeclaringClass();
          ObjectInputFilter filter = InterfaceFilter.ofResults(declarer);
          return RemoteInterface.ofHash(declarer.getName(), method.getName(), hash, filter);
        });
  }

  @Override
  public void writeExternal(ObjectOutput out) throws IOException {
    if (node.stock().isOfCall(out)) {
      node.stock().writeReference(this, out);
      return;
    }
    if (out instanceof CallObjectOutput) {
      CallOutput call = ((CallObjectOutput) out).call();
      node.bridges().leaving(id, this, call).write(out);
      call.pin(this);
      pinOwn(call);
      writeCredit(out, call);
    } else {
      id.write(out);
    }
  }

  @Override
  public long pinnedBytes() {
    return read ? STUB_BYTES + id.memoryBytes() : Pinned.super.pinnedBytes();
  }

  /**
   * Keeps an object of this node alive until the call has arrived: its stub does not refer to it.
   */
  private void pinOwn(CallOutput call) {
    Remote object = isLocal() && !id.isWellKnown() ? node.object(id.number()) : null;
    if (object != null) {
      call.pin(object);
    }
  }

  private void writeCredit(ObjectOutput out, CallOutput call) throws IOException {
    boolean counts = isLocal() && !id.isWellKnown();
    Credit counted = counts ? node.leaving(id.number(), call.receiverIdentity()) : null;
    out.writeBoolean(counted != null);
    if (counted != null) {
      call.pin(counted);
      out.writeLong(counted.value);
    }
  }

  @Override
  public void readExternal(ObjectInput in) throws IOException {
    ObjectId read = ObjectId.read(in);
    if (in instanceof CallObjectInput) {
      CallObjectInput call = (CallObjectInput) in;
      credit = in.readBoolean() ? in.readLong() : 0;
      arrive(((HomeNode.Border) call.call().translation()).home(), read);
      call.call().referenceArrived(callee, this);
    } else {
      arrive(HomeNode.ofJvm(), read);
      node.translation().referencesArrived(List.of(this));
    }
  }

  private void arrive(HomeNode here, ObjectId named) {
    node = here;
    callee = here.bridges().called(named);
    id = Bridges.withUsed(named, callee);
    read = true;
  }

  /**
   * Empty: the reference itself is written after it, so that any object stream can carry it. Only
   * the streams of stock RMI's calls have to know it by a name of theirs.
   */
  @Override
  public String getRefClass(@Nullable ObjectOutput out) {
    return out != null && node.stock().isOfCall(out) ? node.stock().referenceName() : "";
  }

  @Override
  public int remoteHashCode() {
    return id.hashCode();
  }

  @Override
  public boolean remoteEquals(@Nullable RemoteRef other) {
    RemoteRef same =
        other instanceof StoredForm.StandIn ? ((StoredForm.StandIn) other).reference() : other;
    return same instanceof ClientRef && ((ClientRef) same).id.equals(id);
  }

  @Override
  public String remoteToString() {
    return "UnicastRef [" + text(node, id) + "]";
  }

  /** As references of java.rmi print themselves: programs take host and port from there. */
  static String text(HomeNode node, ObjectId id) {
    InetSocketAddress at = node.address(id);
    String end = node.id().equals(id.node()) ? "local" : "remote";
    String endpoint = at == null ? "" : at.getHostString() + ":" + at.getPort();
    return "liveRef: [endpoint:[" + endpoint + "](" + end + "),objID:[" + id + "]]";
  }
}
