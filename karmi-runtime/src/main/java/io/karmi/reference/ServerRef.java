package io.karmi.reference;

import io.karmi.id.ObjectId;
import io.karmi.marshal.CallInput;
import io.karmi.marshal.CallOutput;
import io.karmi.technology.CallDeadline;
import io.karmi.technology.InCall;
import io.karmi.technology.WatchedCall;
import java.io.IOException;
import java.io.ObjectInput;
import java.io.ObjectInputFilter;
import java.io.ObjectOutput;
import java.lang.ref.WeakReference;
import java.lang.reflect.Method;
import java.rmi.Remote;
import java.rmi.RemoteException;
import java.rmi.server.RemoteRef;
import java.rmi.server.RemoteStub;
import java.rmi.server.ServerNotActiveException;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import org.jspecify.annotations.Nullable;

/**
 * The callee's end of a reference: one exported object.
 *
 * <p>Holds the object weakly, and strongly only while its collector knows of remote references (or
 * for good, if it is permanent, as a registry is). Thread-safe.
 *
 * <p>It also is the {@code ref} of an exported {@link java.rmi.server.RemoteObject}, and gives it
 * identity: object and stub have one hash code; the object equals no stub, as in stock RMI.
 */
@SuppressWarnings(
    "deprecation") // java.rmi.server.ServerRef still names the types of the first stubs
public final class ServerRef implements java.rmi.server.ServerRef, NoJava11Stubs {
  private static final long serialVersionUID = 1;

  private static final String NO_STUB = "a node's own object has no stub";

  /** Set in {@link #calls} once the object is unexported; far from any number of running calls. */
  private static final int UNEXPORTED = 1 << 30;

  /** Set in {@link #calls} while stock RMI is asked whether it can do without the object. */
  private static final int ENDING = 1 << 28;

  /** Set besides {@link #UNEXPORTED} when the last call has ended. */
  private static final int OVER = UNEXPORTED | 1 << 29;

  /** Hexadecimal digits of a number, and those that a description shows. */
  private static final int HEX_DIGITS = 16;

  private static final int SHOWN_DIGITS = 4;

  private static final AtomicIntegerFieldUpdater<ServerRef> CALLS =
      AtomicIntegerFieldUpdater.newUpdater(ServerRef.class, "calls");

  static {
    Replies.prepare();
  }

  private final transient HomeNode node;
  private final transient ObjectId id;
  private final transient Skeleton skeleton;
  private final transient WeakReference<Remote> target;
  private final transient boolean permanent;
  private transient @Nullable ObjectInputFilter filter;
  private final transient @Nullable ClassLoader contextLoader;
  private final transient @Nullable ClassLoader interfaceLoader;
  private final transient NodeCallWatcher watching;

  /** Whether the object is a stub, whose calls are forwarded. */
  private transient volatile boolean forwarding;

  private transient volatile boolean withdrawn;

  private transient volatile int calls;
  private transient volatile @Nullable Remote stub;
  private transient volatile @Nullable Object form;
  private transient volatile @Nullable Remote pinned;

  /** A bit for each collector that knows of remote references. */
  private transient int holders;

  ServerRef(
      HomeNode node,
      ObjectId id,
      WeakReference<Remote> target,
      Skeleton skeleton,
      boolean permanent,
      @Nullable ObjectInputFilter filter) {
    this.node = node;
    this.watching = node.watching();
    this.id = id;
    this.skeleton = skeleton;
    this.target = target;
    this.permanent = permanent;
    this.filter = filter;
    this.contextLoader = Thread.currentThread().getContextClassLoader();
    this.interfaceLoader = skeleton.loader();
    if (permanent) {
      pinned = target.get();
    }
  }

  void setStub(Remote stub, Object form) {
    this.stub = stub;
    this.form = form;
    if (filter == null) {
      filter = InterfaceFilter.ofArguments(stub.getClass().getInterfaces());
    }
  }

  /**
   * Marks the object as a stub: what its calls throw comes from another node, and passes unchanged.
   */
  public void forwards() {
    forwarding = true;
  }

  /** The form in which the stub travels. */
  Object form() {
    return Objects.requireNonNull(form, NO_STUB);
  }

  /** What calls of peers go through. */
  public Skeleton skeleton() {
    return skeleton;
  }

  /** The stub that stands for the object elsewhere. */
  public Remote stub() {
    return Objects.requireNonNull(stub, NO_STUB);
  }

  /** The key of this entry in the export table. */
  WeakReference<Remote> identity() {
    return target;
  }

  /** The loader that calls run with: that of the thread which exported the object. */
  public @Nullable ClassLoader contextLoader() {
    return contextLoader;
  }

  /** What arguments may contain, or null. */
  public @Nullable ObjectInputFilter filter() {
    return filter;
  }

  /** The object's name. */
  public ObjectId id() {
    return id;
  }

  /** The object, or null if it was collected. */
  public @Nullable Remote target() {
    return target.get();
  }

  /** The class of the object, for people. */
  String targetName() {
    Remote object = target.get();
    return object == null ? "(collected)" : object.getClass().getName();
  }

  /** The entry in one line, for people. */
  String describe() {
    int running = calls & ~OVER;
    return shownNumber()
        + " "
        + targetName()
        + " implements "
        + skeleton.remoteInterface()
        + (permanent ? ", permanent" : isReferenced() ? ", referenced" : ", not referenced")
        + (running > 0 ? ", calls running: " + running : "");
  }

  /**
   * The beginning of the number, to be compared with logs: with all of it the object could be
   * called, and the description is shown to all users of the host.
   */
  private String shownNumber() {
    String digits = Long.toHexString(id.number());
    return id.isWellKnown()
        ? digits
        : "0".repeat(HEX_DIGITS - digits.length()).concat(digits).substring(0, SHOWN_DIGITS)
            + "...";
  }

  /** Whether a collector knows of remote references, or the object is permanent. */
  public boolean isReferenced() {
    return pinned != null;
  }

  /** True if the object is never collected and does not keep the JVM alive. */
  public boolean isPermanent() {
    return permanent;
  }

  /** True until the object is unexported. */
  public boolean isExported() {
    return calls < ENDING;
  }

  /** Called when a collector learns of the first remote reference. */
  synchronized void hold(int collector) {
    holders |= collector;
    if (isExported()) {
      pinned = target.get();
    }
  }

  /**
   * Called when a collector knows of no remote reference any more.
   *
   * @param collector its bit
   * @return true if none knows of any
   */
  synchronized boolean letGo(int collector) {
    holders &= ~collector;
    if (holders == 0 && !permanent) {
      pinned = null;
    }
    return holders == 0;
  }

  /**
   * Ends the export, here and on stock RMI. New calls wait until both agree.
   *
   * @param force even while calls are running
   * @return false if calls are running and {@code force} is not set
   */
  boolean unexport(boolean force, StockRuntime stock) {
    if (force) {
      CALLS.getAndUpdate(this, n -> n | UNEXPORTED);
      stock.unexport(this, true);
      return true;
    }
    if (!CALLS.compareAndSet(this, 0, ENDING)) {
      return calls >= UNEXPORTED;
    }
    boolean idle = stock.unexport(this, false);
    CALLS.getAndUpdate(this, n -> n & ~ENDING | (idle ? UNEXPORTED : 0));
    return idle;
  }

  /** The export has failed: the entry is of no use, also if it cannot be removed now. */
  void withdraw() {
    withdrawn = true;
  }

  boolean isWithdrawn() {
    return withdrawn;
  }

  /** Releases the object; called when the entry leaves the table. */
  void unpin() {
    pinned = null;
  }

  /** Executes a call and leaves the complete reply in {@link InCall#out}. */
  void doApplicationCall(InCall call) throws IOException {
    Remote object = pinned;
    if (object == null) {
      object = target.get();
    }
    if (object == null || !enter()) {
      Replies.noSuchObject(call);
      return;
    }
    Map<String, String> header = call.header();
    if (header.isEmpty()) {
      execute(object, call, null);
    } else {
      executeInTime(object, call, header);
    }
  }

  /** Executes a call under its deadline, which also holds for the calls that the method makes. */
  private void executeInTime(Remote object, InCall call, Map<String, String> header)
      throws IOException {
    CallDeadline deadline = CallDeadline.sent(header, "the caller's");
    if (deadline == null) {
      execute(object, call, null);
      return;
    }
    node.limitCalls();
    CallDeadline outer = CallDeadline.enter(deadline);
    try {
      execute(object, call, null);
    } finally {
      CallDeadline.leave(outer);
    }
  }

  /**
   * Executes a call, or the rest of it, with the loader of the export.
   *
   * @param rest null to begin
   */
  void execute(Remote object, InCall call, @Nullable SuspendedCall rest) throws IOException {
    InCall outer = CallContext.enter(call);
    Thread thread = Thread.currentThread();
    ClassLoader callersLoader = thread.getContextClassLoader();
    if (callersLoader != contextLoader) {
      Privileged.setContextLoader(thread, contextLoader);
    }
    boolean suspended = false;
    try {
      if (rest == null) {
        suspended = dispatch(object, call);
      } else {
        rest.reply();
      }
    } finally {
      if (callersLoader != contextLoader) {
        Privileged.setContextLoader(thread, callersLoader);
      }
      CallContext.leave(outer);
      if (!suspended && CALLS.decrementAndGet(this) == UNEXPORTED) {
        call.whenReplied(() -> node.callEnded(this));
      }
    }
  }

  private boolean enter() {
    while (CALLS.getAndIncrement(this) >= ENDING) {
      int others = CALLS.decrementAndGet(this);
      if (others == UNEXPORTED) {
        node.callEnded(this);
      }
      if (others >= UNEXPORTED) {
        return false;
      }
      Thread.yield();
    }
    return true;
  }

  /** True once: when the object is unexported and no call of it is running any more. */
  boolean isOver() {
    return CALLS.compareAndSet(this, UNEXPORTED, OVER);
  }

  /** True if the call is suspended: its reply is still to come. */
  private boolean dispatch(Remote object, InCall call) throws IOException {
    CallInput in = call.in();
    CallOutput out = call.out();
    in.readFor(interfaceLoader, filter);
    @Nullable WatchedCall watched = null;
    boolean suspended = false;
    Throwable problem = null;
    try {
      int method = skeleton.methodNumber(call.callerInterface(), call.methodNumber());
      if (CallLog.isOn()) {
        CallLog.came(
            call.clientHost(),
            object.getClass(),
            id.number(),
            skeleton.remoteInterface().methodName(method));
      }
      if (watching.isOn()) {
        watched = watching.came(call, id, object.getClass(), skeleton.remoteInterface(), method);
      }
      skeleton.upCall(object, method, in, out);
    } catch (Skeleton.Unfinished e) {
      if (watched != null) {
        watched.suspended();
      }
      call.suspend(e.future, new SuspendedCall(this, object, call, e.future, watched));
      suspended = true;
    } catch (RefusedCallException e) {
      problem = e.reason;
      call.failed();
      call.in().abandonMessage();
      CallLog.failed(call, e.reason);
      Replies.thrown(call, e.reason);
    } catch (Throwable e) {
      problem = in.isArgumentsEnded() ? e : skeleton.argumentProblem(e);
      fail(call, problem);
    } finally {
      if (watched != null && !suspended) {
        watched.ended(problem);
      }
    }
    return suspended;
  }

  /** Replies to a call that has failed, at whatever point. */
  void fail(InCall call, Throwable e) throws IOException {
    call.failed();
    boolean forwarded = forwarding && e instanceof RemoteException;
    if (forwarded && call.in().isArgumentsEnded() && !call.out().isReplyBegun()) {
      CallLog.failed(call, e);
      Replies.thrown(call, e);
    } else {
      Replies.failed(call, e);
    }
  }

  /** The reference of a new stub. */
  ClientRef clientRef() {
    return new ClientRef(node, id, skeleton.remoteInterface());
  }

  @Override
  public String getClientHost() throws ServerNotActiveException {
    return CallContext.clientHost();
  }

  @Override
  public RemoteStub exportObject(Remote object, @Nullable Object data) throws RemoteException {
    throw new java.rmi.server.ExportException("object already exported");
  }

  /**
   * The name under which java.rmi writes the reference of an implementation. Such a reference has
   * no content, and is replaced when the implementation is exported again on reading; so any
   * runtime can read it.
   */
  @Override
  public String getRefClass(@Nullable ObjectOutput out) {
    return "UnicastServerRef";
  }

  @Override
  public void writeExternal(ObjectOutput out) {}

  @Override
  public void readExternal(ObjectInput in) throws IOException {
    throw new java.io.InvalidObjectException("a server reference is not read but exported");
  }

  @Override
  public int remoteHashCode() {
    return id.hashCode();
  }

  @Override
  public boolean remoteEquals(@Nullable RemoteRef other) {
    return other == this;
  }

  @Override
  public String remoteToString() {
    return "UnicastServerRef [" + ClientRef.text(node, id) + "]";
  }

  /** Calls the object as any client would. */
  @Override
  public @Nullable Object invoke(
      Remote object, Method method, @Nullable Object @Nullable [] arguments, long methodHash)
      throws Exception {
    return clientRef().invoke(object, method, arguments, methodHash);
  }
}
