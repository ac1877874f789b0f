package io.karmi.technology;

import io.karmi.id.ObjectId;
import io.karmi.id.RemoteInterface;
import io.karmi.marshal.Arguments;
import io.karmi.marshal.CallInput;
import java.rmi.RemoteException;
import java.rmi.UnmarshalException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** A call whose caller does not wait: its future, and the task that completes it. */
final class FutureCall implements Runnable {
  /**
   * Time after the deadline in which the connection, closed by then, may tell what has happened.
   */
  private static final long GRACE_MILLIS = 200;

  private final AtomicBoolean over = new AtomicBoolean();

  final CompletableFuture<Object> future = new CompletableFuture<>();
  private final ApplicationCalls technology;
  private final RemoteInterface type;
  private final @Nullable ClassLoader loader;
  private final ClassLoader context = Thread.currentThread().getContextClassLoader();

  /** Set before the call is completed. */
  @SuppressWarnings("NullAway.Init")
  private ApplicationCalls.SentCall sent;

  private @Nullable WatchedCall watched;
  private final AtomicBoolean entered = new AtomicBoolean();

  FutureCall(ApplicationCalls technology, RemoteInterface type, @Nullable ClassLoader loader) {
    this.technology = technology;
    this.type = type;
    this.loader = loader;
  }

  /**
   * Sends the call, and has its future completed. It is made now where it cannot be left pending.
   *
   * @param watching told of the call; null for none
   */
  void start(
      @Nullable CallWatcher watching, ObjectId target, int methodNumber, Arguments arguments) {
    try {
      WatchedCall leaving = watching == null ? null : watching.leaving(target, type, methodNumber);
      watched = leaving;
      Arguments all = leaving == null ? arguments : ApplicationCalls.withHeader(arguments, leaving);
      ApplicationCalls.SentCall pending = sendInTime(leaving, target, methodNumber, all);
      endInTime();
      if (pending == null) {
        CallInput reply = technology.exchangeAnyhow(target, type, methodNumber, all);
        sent = () -> reply;
        complete();
      } else {
        sent = pending;
        cancelBy(pending);
        awaitElsewhere();
      }
    } catch (RemoteException | RuntimeException | Error e) {
      fail(e);
    }
  }

  private ApplicationCalls.@Nullable SentCall sendInTime(
      @Nullable WatchedCall call, ObjectId target, int methodNumber, Arguments arguments)
      throws RemoteException {
    CallDeadline deadline = call == null ? null : call.deadline();
    if (call == null || deadline == null) {
      return technology.sendAnyhow(target, type, methodNumber, arguments);
    }
    ApplicationCalls.checkInTime(deadline, call);
    CallDeadline outer = CallDeadline.enter(deadline);
    try {
      ApplicationCalls.SentCall pending =
          technology.sendAnyhow(target, type, methodNumber, arguments);
      if (pending == null) {
        CallInput reply = technology.exchangeAnyhow(target, type, methodNumber, arguments);
        return () -> reply;
      }
      return pending;
    } catch (RemoteException e) {
      throw deadline.hasPassed() ? deadline.passed(call.toString(), e) : e;
    } finally {
      CallDeadline.leave(outer);
    }
  }

  /**
   * Waits in a thread of the runtime, or in this one if none can be started: the call has left, so
   * its reply will come and must be read.
   */
  private void awaitElsewhere() {
    try {
      PendingCalls.await(this);
    } catch (OutOfMemoryError e) {
      complete();
    }
  }

  /** Waits for the reply with the caller's context class loader, in a thread of the runtime. */
  @Override
  public void run() {
    Thread.currentThread().setContextClassLoader(context);
    try {
      complete();
    } finally {
      Thread.currentThread().setContextClassLoader(ClassLoader.getSystemClassLoader());
    }
  }

  private void complete() {
    CallDeadline outer = CallDeadline.enter(watched == null ? null : watched.deadline());
    try {
      Object result = technology.readReply(sent.await(), type, loader);
      end(null);
      future.complete(result);
    } catch (ThrownByCallee e) {
      fail(e.getCause());
    } catch (RemoteException e) {
      CallDeadline deadline = watched == null ? null : watched.deadline();
      fail(
          deadline != null && deadline.hasPassed()
              ? deadline.passed(String.valueOf(watched), e)
              : e);
    } catch (Exception | Error e) {
      fail(e);
    } finally {
      CallDeadline.leave(outer);
    }
  }

  /** Has the future fail at its deadline, though its reply may still be being read. */
  private void endInTime() {
    CallDeadline deadline = watched == null ? null : watched.deadline();
    if (deadline != null) {
      CompletableFuture<Object> timer = new CompletableFuture<>();
      timer
          .orTimeout(deadline.leftMillis() + GRACE_MILLIS, TimeUnit.MILLISECONDS)
          .whenComplete((result, late) -> endLate(deadline, late));
      future.whenComplete((result, problem) -> timer.complete(null)); // no timer is left behind
    }
  }

  private void endLate(CallDeadline deadline, @Nullable Throwable late) {
    if (late != null) {
      fail(
          deadline.passed(
              String.valueOf(watched), new UnmarshalException("its reply has not been read")));
    }
  }

  /** Cancelling the future gives the call up. */
  private void cancelBy(ApplicationCalls.SentCall given) {
    future.whenComplete(
        (result, problem) -> {
          if (future.isCancelled()) {
            given.cancel();
          }
        });
  }

  private void fail(Throwable problem) {
    end(problem);
    future.completeExceptionally(problem);
  }

  /**
   * Counts this call as pending. If too many are pending already it fails, and false is returned.
   */
  boolean enter() {
    boolean enters = PendingCalls.enter();
    entered.set(enters);
    if (!enters) {
      fail(new RemoteException(PendingCalls.MAXIMUM + " calls are pending already"));
    }
    return enters;
  }

  /**
   * Called before the future is completed, so that the thread that waits for it can make the next
   * call.
   */
  private void end(@Nullable Throwable problem) {
    if (entered.getAndSet(false)) {
      PendingCalls.leave();
    }
    if (watched != null && !over.getAndSet(true)) {
      watched.ended(problem);
    }
  }
}
