package io.karmi.reference;

import io.karmi.interceptor.Caller;
import io.karmi.technology.CallDeadline;
import io.karmi.technology.InCall;
import io.karmi.technology.Pipe;
import io.karmi.technology.RuntimeThread;
import java.rmi.server.RemoteServer;
import java.rmi.server.ServerNotActiveException;
import java.security.cert.X509Certificate;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/** Access to the incoming call that the current thread executes. */
public final class CallContext {
  /** The calls of threads that are not the runtime's. */
  private static final ThreadLocal<@Nullable InCall> CURRENT = new ThreadLocal<>();

  private CallContext() {}

  /**
   * The address of the client whose call this thread executes.
   *
   * @throws ServerNotActiveException outside such a call
   */
  public static String clientHost() throws ServerNotActiveException {
    InCall call = current();
    if (call == null) {
      throw new ServerNotActiveException("not in a remote call");
    }
    return call.clientHost();
  }

  /**
   * Who has made the call that this thread executes, or has sent the message that it handles; null
   * outside of both.
   */
  public static @Nullable Caller caller() {
    InCall call = current();
    if (call != null) {
      return callerOf(call);
    }
    Pipe sender = RuntimeThread.sender();
    return sender == null ? null : callerOf(sender);
  }

  static Caller callerOf(Pipe pipe) {
    return new Caller(
        pipe.remote(),
        pipe.identity(),
        pipe.peerName(),
        pipe.technology(),
        certificate(pipe.credential()));
  }

  private static @Nullable X509Certificate certificate(@Nullable Object credential) {
    return credential instanceof X509Certificate ? (X509Certificate) credential : null;
  }

  static Caller callerOf(InCall call) {
    return new Caller(
        call.caller(),
        call.callerIdentity(),
        call.clientHost(),
        call.technology(),
        certificate(call.credential()));
  }

  /** True in a thread that executes a call which came in through KaRMI. */
  public static boolean isActive() {
    return current() != null;
  }

  /** Whether this thread reads, or executes, what a peer has sent, with KaRMI or without it. */
  public static boolean isServing() {
    return isActive() || Thread.currentThread() instanceof RuntimeThread || isServedByStock();
  }

  private static boolean isServedByStock() {
    try {
      return !RemoteServer.getClientHost().isEmpty();
    } catch (ServerNotActiveException e) {
      return false;
    }
  }

  /**
   * Lets the call that this thread executes have {@linkplain InCall#takeLongArguments long
   * arguments}: its caller has been checked. Does nothing outside a call.
   */
  public static void takeLongArguments() {
    InCall call = current();
    if (call != null) {
      call.takeLongArguments();
    }
  }

  /**
   * Executes something that is interrupted once the caller has given up the call that this thread
   * executes.
   */
  public static <T extends @Nullable Object> T interruptible(Callable<T> work) throws Exception {
    InCall call = current();
    if (call == null || !call.interruptIfGivenUp(Thread.currentThread(), CallDeadline.current())) {
      return work.call();
    }
    try {
      return work.call();
    } finally {
      call.interruptNoMore();
    }
  }

  /** The call that this thread executes, or null. */
  static @Nullable InCall current() {
    Thread thread = Thread.currentThread();
    return thread instanceof RuntimeThread ? ((RuntimeThread) thread).call() : CURRENT.get();
  }

  /** Enters a call; returns what {@link #leave} needs. */
  static @Nullable InCall enter(InCall call) {
    Thread thread = Thread.currentThread();
    if (thread instanceof RuntimeThread) {
      return ((RuntimeThread) thread).enter(call);
    }
    InCall outer = CURRENT.get();
    CURRENT.set(call);
    return outer;
  }

  static void leave(@Nullable InCall outer) {
    Thread thread = Thread.currentThread();
    if (thread instanceof RuntimeThread) {
      ((RuntimeThread) thread).leave(outer);
    } else {
      CURRENT.set(outer);
    }
  }
}
