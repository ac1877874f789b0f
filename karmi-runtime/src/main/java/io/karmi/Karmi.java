package io.karmi;

import io.karmi.interceptor.CallAuthorizer;
import io.karmi.interceptor.CallInterceptor;
import io.karmi.interceptor.Caller;
import io.karmi.reference.CallContext;
import io.karmi.reference.Node;
import io.karmi.stub.Replicas;
import io.karmi.technology.CallDeadline;
import java.rmi.Remote;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/**
 * Services of this JVM's node beyond java.rmi: interceptors, authorizers, deadlines, replicated
 * stubs and shutdown. Thread-safe.
 */
public final class Karmi {
  private Karmi() {}

  /** Adds an interceptor to the calls of this JVM's node, behind those that are there. */
  public static void add(CallInterceptor interceptor) {
    Node.current().add(interceptor);
  }

  /**
   * Adds an authorizer for the calls of this JVM's objects; all authorizers have to agree. Add it
   * before the first export: earlier connections and exports of stock RMI stay as they are.
   */
  public static void add(CallAuthorizer authorizer) {
    Node.current().add(authorizer);
  }

  /**
   * The caller of the remote method that this thread executes, or the sender of the message that it
   * handles. For remote methods, interceptors, authorizers and handlers; also while arguments are
   * read.
   *
   * @return empty outside of such a call, in threads that a method has started, and in calls of
   *     programs without KaRMI, of which {@code RemoteServer.getClientHost} knows the host
   */
  public static Optional<Caller> caller() {
    return Optional.ofNullable(CallContext.caller());
  }

  /**
   * One stub for several interchangeable objects (paper 4.2). It calls the first one, and the next
   * one when that cannot be reached. The stub can be passed, bound and stored as any other.
   *
   * <p>It is for methods that read. Where a connection is lost during a call, the call may have
   * been executed, and is executed once more by another object.
   *
   * @param stubs of KaRMI, the preferred one first; at most 64
   * @return implements the remote interfaces that all of them have
   * @throws IllegalArgumentException if one is no stub of KaRMI's, or they have no remote interface
   *     in common
   */
  public static Remote replicated(Remote... stubs) {
    return Replicas.of(stubs);
  }

  /**
   * Limits the time of all remote calls together that this thread makes while it executes some
   * work. The remaining time is sent along, so that it also limits what a callee calls for this
   * thread. Limits can be nested; the one that ends first counts.
   *
   * <p>A call that is not over in time throws an {@link java.rmi.UnmarshalException}, or, if it has
   * surely not been executed, a {@link java.rmi.MarshalException}; each says so and has a {@link
   * java.net.SocketTimeoutException} as its cause. The callee goes on, unless its method asked to
   * be {@linkplain #interruptible interrupted}. Work of this thread that is no remote call, and a
   * call of an object of this JVM, is not ended.
   *
   * @return what the work returns
   * @throws Exception what the work throws
   */
  public static <T extends @Nullable Object> T withDeadline(Duration limit, Callable<T> work)
      throws Exception {
    Node.current().limitCalls();
    CallDeadline outer = CallDeadline.enter(CallDeadline.in(millis(limit), "Karmi.withDeadline"));
    try {
      return work.call();
    } finally {
      CallDeadline.leave(outer);
    }
  }

  /**
   * Ends this JVM's node in good order. Calls of other nodes that come from now on are refused with
   * a {@link java.rmi.ConnectException}, which lets a {@linkplain #replicated replicated} stub go
   * on with the next object; those that run may end within the limit, and may call others
   * meanwhile. Messages that were sent here are handled, and requests answered, within the same
   * limit. Then all connections are closed. The node cannot be used again.
   *
   * <p>With {@code karmi.drainOnExit}, in milliseconds, this is done when the JVM ends.
   *
   * @return whether all calls and messages have ended within the limit
   * @throws IllegalStateException in a remote method or a handler of messages, which would wait for
   *     itself
   */
  public static boolean shutdown(Duration limit) throws InterruptedException {
    return Node.current().shutDown(millis(limit));
  }

  private static long millis(Duration limit) {
    try {
      return limit.toMillis();
    } catch (ArithmeticException e) {
      return Long.MAX_VALUE;
    }
  }

  /**
   * Executes a part of a remote method, and interrupts its thread when the caller has given the
   * call up: the deadline has passed, the caller was interrupted, it has cancelled the call, or its
   * process has ended. Outside of a remote call the work is just executed.
   *
   * @return what the work returns
   * @throws Exception what the work throws, such as an {@link InterruptedException}
   */
  public static <T extends @Nullable Object> T interruptible(Callable<T> work) throws Exception {
    return CallContext.interruptible(work);
  }
}
