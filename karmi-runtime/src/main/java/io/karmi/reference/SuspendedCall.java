package io.karmi.reference;

import io.karmi.marshal.CallOutput;
import io.karmi.technology.InCall;
import io.karmi.technology.WatchedCall;
import java.io.IOException;
import java.rmi.Remote;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * A call whose method has returned a future that was not complete. It counts as running until the
 * outcome is sent, and keeps the object alive as the thread of any other call does.
 */
final class SuspendedCall implements InCall.Rest {
  private final ServerRef ref;
  private final Remote object;
  private final InCall call;
  private final CompletableFuture<?> future;

  /** Null if no watcher observes the call. */
  private final @Nullable WatchedCall watched;

  SuspendedCall(
      ServerRef ref,
      Remote object,
      InCall call,
      CompletableFuture<?> future,
      @Nullable WatchedCall watched) {
    this.ref = ref;
    this.object = object;
    this.call = call;
    this.future = future;
    this.watched = watched;
  }

  @Override
  public void run() throws IOException {
    ref.execute(object, call, this);
  }

  /** Replies with the outcome of the future, which is complete now. */
  void reply() throws IOException {
    Throwable problem = null;
    try {
      Object result = Skeleton.outcome(future);
      CallOutput out = call.out();
      out.beginResult();
      out.writeObject(result);
    } catch (Throwable e) {
      problem = e;
      ref.fail(call, e);
    } finally {
      if (watched != null) {
        watched.ended(problem);
      }
    }
  }
}
