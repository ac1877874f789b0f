package io.karmi.interceptor;

import java.rmi.AccessException;

/**
 * Authorization of calls by object, method and caller. It is asked for each call of an object of
 * this node, before the arguments are read. Nothing of a refused call is deserialized, and its
 * caller gets the {@link AccessException}.
 *
 * <p>Asked in the threads that execute calls, so it must be thread-safe and quick. One that fails,
 * with whatever it throws, refuses the call. If there are several, all must agree. They are found
 * by the service loader, or added by {@code io.karmi.Karmi.add} before the first export.
 *
 * <p>Asked for the registry, too, and for calls within the JVM, which are made over a stub; and for
 * each message and request of {@code io.karmi.messaging}: {@link Call#isMessage} is true then, and
 * {@link Call#method} begins with {@code send} or {@code request}. Not asked for messages of the
 * collectors, which carry numbers alone. Stock RMI would not ask: while there is an authorizer,
 * programs without KaRMI cannot connect, and exports that need stock RMI fail, such as those with
 * socket factories or filters at ports of their own.
 */
public interface CallAuthorizer {
  /**
   * Returns normally if a call may be executed.
   *
   * @throws AccessException if it may not; its message is sent to the caller
   */
  void check(Call call, Caller caller) throws AccessException;
}
