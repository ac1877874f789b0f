package io.karmi.technology;

import io.karmi.events.Recorder;
import io.karmi.id.ObjectId;
import io.karmi.id.RemoteInterface;
import io.karmi.marshal.Arguments;
import io.karmi.marshal.ArgumentsWithHeader;
import io.karmi.marshal.CallInput;
import io.karmi.marshal.CallOutput;
import java.io.Closeable;
import java.io.IOException;
import java.rmi.RemoteException;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Calls through a {@link Technology}. Primitive results come as bits, and so need no object (paper
 * 4.2).
 *
 * <p>They are built on {@link #exchange} of a technology, which sends a call, waits for the reply
 * and lends the memory in which it lies; the {@link CallInput.Lender} takes that back. Where the
 * technology opens no connection, the {@link Alternatives} carry the call.
 *
 * <p>Each call returns the result, or throws a {@link ThrownByCallee} with what the method threw,
 * or a {@link RemoteException} if the network failed. A call is executed at most once. Classes of
 * the result are looked for in the given loader first; null is the context class loader.
 * Thread-safe.
 */
public abstract class ApplicationCalls {
  private static final Recorder RECORDER = Recorder.instance();

  private @Nullable CallWatcher watcher;
  private Alternatives alternatives = Alternatives.NONE;

  /** Whether the watcher wants to know of all calls, not only of those that are recorded. */
  private volatile boolean intercepted;

  /** Whether any call of this JVM has had a deadline, or was forwarded. */
  private volatile boolean limited;

  /**
   * Sends a call and waits for the reply.
   *
   * @return the reply, positioned at its first byte ({@link CallOutput#RETURNED} or {@link
   *     CallOutput#THROWN}); lent until its {@link CallInput.Lender} takes it back
   * @throws NotConnectedException if nothing was sent, as there is no connection
   * @throws RemoteException if there is no reply
   */
  protected abstract CallInput exchange(
      ObjectId target, RemoteInterface type, int methodNumber, Arguments arguments)
      throws RemoteException;

  /**
   * Makes a call over a connection of its own, which then stays open.
   *
   * @return closes the connection
   * @throws NotConnectedException if nothing was sent, as there is no connection
   */
  protected abstract Closeable line(
      ObjectId target, RemoteInterface type, int methodNumber, Arguments arguments)
      throws RemoteException, ThrownByCallee;

  /** The same as {@link #exchange}, by another technology if this one opens no connection. */
  final CallInput exchangeAnyhow(
      ObjectId target, RemoteInterface type, int methodNumber, Arguments arguments)
      throws RemoteException {
    try {
      return exchange(target, type, methodNumber, arguments);
    } catch (NotConnectedException e) {
      ApplicationCalls next = alternatives.after(this, target, e);
      return next.exchangeAnyhow(target, type, methodNumber, arguments);
    }
  }

  /** The same as {@link #send}, by another technology if this one opens no connection. */
  final @Nullable SentCall sendAnyhow(
      ObjectId target, RemoteInterface type, int methodNumber, Arguments arguments)
      throws RemoteException {
    try {
      return send(target, type, methodNumber, arguments);
    } catch (NotConnectedException e) {
      ApplicationCalls next = alternatives.after(this, target, e);
      return next.sendAnyhow(target, type, methodNumber, arguments);
    }
  }

  /**
   * Makes a call over a way of its own, which then stays open, so that the callee notices when it
   * is closed or this process ends ({@link InCall#whenGone}).
   *
   * @param arguments of a method with a long result, which is dropped
   * @return closes the line
   */
  public final Closeable openLine(
      ObjectId target, RemoteInterface type, int methodNumber, Arguments arguments)
      throws RemoteException, ThrownByCallee {
    try {
      return line(target, type, methodNumber, arguments);
    } catch (NotConnectedException e) {
      ApplicationCalls next = alternatives.after(this, target, e);
      return next.openLine(target, type, methodNumber, arguments);
    }
  }

  /** Calls a method without a result. */
  public final void voidApplicationCall(
      ObjectId target,
      RemoteInterface type,
      int methodNumber,
      Arguments arguments,
      @Nullable ClassLoader loader)
      throws RemoteException, ThrownByCallee {
    CallInput reply = begin(target, type, methodNumber, arguments, loader);
    ReplyReader.end(reply);
  }

  /**
   * Calls a method with a primitive result.
   *
   * @param bytes of the result's type
   * @return the result's bits, the lowest ones; a number of fewer bytes keeps its sign
   */
  public final long bitsApplicationCall(
      int bytes,
      ObjectId target,
      RemoteInterface type,
      int methodNumber,
      Arguments arguments,
      @Nullable ClassLoader loader)
      throws RemoteException, ThrownByCallee {
    return bitsOf(bytes, begin(target, type, methodNumber, arguments, loader));
  }

  /** Reads the reply to the call of a method with a long result, and gives it back. */
  protected final long longResult(CallInput reply, RemoteInterface type)
      throws RemoteException, ThrownByCallee {
    checkReturned(reply, type, null, null);
    return bitsOf(Long.BYTES, reply);
  }

  private static long bitsOf(int bytes, CallInput reply) throws RemoteException {
    long result;
    try {
      result = reply.readBits(bytes);
    } catch (IOException | RuntimeException | Error e) {
      throw ReplyReader.unreadable(reply, e);
    }
    ReplyReader.end(reply);
    return result;
  }

  /** Calls a method whose result is an object or null. */
  public final @Nullable Object objectApplicationCall(
      ObjectId target,
      RemoteInterface type,
      int methodNumber,
      Arguments arguments,
      @Nullable ClassLoader loader)
      throws RemoteException, ThrownByCallee {
    CallInput reply = begin(target, type, methodNumber, arguments, loader);
    return objectResult(reply, type, loader, null);
  }

  /**
   * Calls a method whose result is null or of exactly one class; no object of another class is
   * created.
   *
   * @param exactly one of {@link io.karmi.marshal.ExactTypes}
   * @throws ClassCastException if the result is something else
   */
  public final @Nullable Object exactApplicationCall(
      ObjectId target,
      RemoteInterface type,
      int methodNumber,
      Arguments arguments,
      @Nullable ClassLoader loader,
      Class<?> exactly)
      throws RemoteException, ThrownByCallee {
    CallInput reply = begin(target, type, methodNumber, arguments, loader);
    return objectResult(reply, type, loader, exactly);
  }

  private @Nullable Object objectResult(
      CallInput reply,
      RemoteInterface type,
      @Nullable ClassLoader loader,
      @Nullable Class<?> exactly)
      throws RemoteException {
    Object attached = exactly == null ? reply.attachment() : null;
    WatchedCall call = attached == null ? null : (WatchedCall) attached;
    CallDeadline deadline = call == null ? null : deadlineOfReading(call);
    return call == null || deadline == null
        ? ReplyReader.object(reply, type, loader, exactly)
        : ReplyReader.objectInTime(call, deadline, reply, type, loader);
  }

  /** The deadline of a call whose reply comes from another JVM, or null. */
  private @Nullable CallDeadline deadlineOfReading(@Nullable WatchedCall call) {
    return call == null || isOfThisJvm() ? null : call.deadline();
  }

  /** Whether replies are written in this JVM, by the thread that reads them. */
  protected boolean isOfThisJvm() {
    return false;
  }

  /**
   * Calls a method that returns a future, and does not wait for the outcome.
   *
   * <p>The arguments are marshalled before this returns. A thread of the runtime then waits for the
   * reply; there are at most 1,000 of them. A technology that cannot leave a call pending makes it
   * now.
   *
   * @return completed with the result, with what the method or its future has thrown, or with a
   *     {@link RemoteException}; cancelling it gives the call up
   */
  public final CompletableFuture<Object> futureApplicationCall(
      ObjectId target,
      RemoteInterface type,
      int methodNumber,
      Arguments arguments,
      @Nullable ClassLoader loader) {
    FutureCall call = new FutureCall(this, type, loader);
    if (call.enter()) {
      call.start(isWatched() ? watcher : null, target, methodNumber, arguments);
    }
    return call.future;
  }

  /** Reads the reply to a call that was left pending. */
  final @Nullable Object readReply(
      CallInput reply, RemoteInterface type, @Nullable ClassLoader loader)
      throws RemoteException, ThrownByCallee {
    checkReturned(reply, type, loader, null);
    return ReplyReader.object(reply, type, loader, null);
  }

  /** A call that was sent, and whose reply is pending. */
  protected interface SentCall {
    /** Waits for the reply, in any one thread, which also reads it. */
    CallInput await() throws RemoteException;

    /**
     * Gives the call up if its reply has not come; called by any thread. Not all technologies can.
     */
    default void cancel() {}
  }

  /**
   * Sends a call and leaves it pending.
   *
   * @return null if this call, or any, cannot be left pending; then nothing has been sent
   */
  protected @Nullable SentCall send(
      ObjectId target, RemoteInterface type, int methodNumber, Arguments arguments)
      throws RemoteException {
    return null;
  }

  /**
   * Tells watchers of the calls that leave, except for messages of collectors: while the flight
   * recorder wants to know, and all of them once they are {@linkplain #intercept intercepted}.
   *
   * <p>Called once, by the node that the technology is added to.
   */
  public final void watch(CallWatcher callWatcher) {
    watcher = callWatcher;
  }

  /** Sets what carries calls for which this technology opens no connection; called once. */
  public final void replaceBy(Alternatives others) {
    alternatives = others;
  }

  /** What carries calls for which this technology opens no connection. */
  protected final Alternatives alternatives() {
    return alternatives;
  }

  /** From now on the watcher is told of all calls. */
  public final void intercept() {
    intercepted = true;
  }

  /** From now on there may be calls with a {@link CallDeadline}, and {@link ForwardedCall}s. */
  public final void expectDeadlines() {
    limited = true;
  }

  /** Called before each call: reads fields of this object, which is in the cache anyway. */
  private boolean isWatched() {
    return intercepted || limited && isLimited() || RECORDER.recordsCalls();
  }

  private static boolean isLimited() {
    return CallDeadline.current() != null || ForwardedCall.current() != null;
  }

  /** Makes a call, and returns the reply, positioned at its result. */
  private CallInput begin(
      ObjectId target,
      RemoteInterface type,
      int methodNumber,
      Arguments arguments,
      @Nullable ClassLoader loader)
      throws RemoteException, ThrownByCallee {
    CallWatcher watching = isWatched() ? watcher : null;
    if (watching != null && !target.isControl()) {
      return beginWatched(watching, target, type, methodNumber, arguments, loader);
    }
    CallInput reply = exchangeAnyhow(target, type, methodNumber, arguments);
    checkReturned(reply, type, loader, null);
    return reply;
  }

  private CallInput beginWatched(
      CallWatcher watching,
      ObjectId target,
      RemoteInterface type,
      int methodNumber,
      Arguments arguments,
      @Nullable ClassLoader loader)
      throws RemoteException, ThrownByCallee {
    WatchedCall call = watching.leaving(target, type, methodNumber);
    try {
      CallInput reply = exchangeInTime(call, target, type, methodNumber, arguments);
      checkReturned(reply, type, loader, call);
      reply.attach(call);
      return reply;
    } catch (ThrownByCallee e) {
      call.ended(e.getCause());
      throw e;
    } catch (RemoteException | RuntimeException | Error e) {
      call.ended(e);
      throw e;
    }
  }

  private CallInput exchangeInTime(
      WatchedCall call,
      ObjectId target,
      RemoteInterface type,
      int methodNumber,
      Arguments arguments)
      throws RemoteException {
    Arguments all = withHeader(arguments, call);
    CallDeadline deadline = call.deadline();
    if (deadline == null) {
      return exchangeAnyhow(target, type, methodNumber, all);
    }
    checkInTime(deadline, call);
    TimedReading.check(call);
    CallDeadline outer = CallDeadline.enter(deadline);
    try {
      return exchangeAnyhow(target, type, methodNumber, all);
    } catch (RemoteException e) {
      throw deadline.hasPassed() ? deadline.passed(call.toString(), e) : e;
    } finally {
      CallDeadline.leave(outer);
    }
  }

  static void checkInTime(CallDeadline deadline, WatchedCall call) throws RemoteException {
    if (deadline.hasPassed()) {
      throw deadline.passed(call.toString(), null);
    }
  }

  static Arguments withHeader(Arguments arguments, WatchedCall call) {
    return call.header().isEmpty() ? arguments : new ArgumentsWithHeader(arguments, call.header());
  }

  /**
   * Reads how the call ended; unless the method has returned, ends the exchange.
   *
   * @param call null if it is not watched
   */
  private void checkReturned(
      CallInput reply,
      RemoteInterface type,
      @Nullable ClassLoader loader,
      @Nullable WatchedCall call)
      throws RemoteException, ThrownByCallee {
    int outcome = ReplyReader.outcome(reply);
    if (outcome != CallOutput.RETURNED) {
      throw ReplyReader.thrown(reply, type, loader, outcome, call, deadlineOfReading(call));
    }
  }
}
