package io.karmi.interceptor;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Observer of calls between nodes, and of messages and requests. It can send text along with them,
 * and limit the time of a call.
 *
 * <p>Called in the threads that make and execute calls, so it must be thread-safe and quick. What
 * it throws fails the call: at the caller before anything is sent, at the callee before arguments
 * are read, as if the method had thrown it. The same holds for messages, which the receiver has
 * read by then.
 */
public interface CallInterceptor {
  /**
   * Name of the header entry with a call's deadline, in milliseconds from now on. At the caller an
   * interceptor may put a number there, or a smaller one in place of the present one. The call is
   * given up if it is not over by then.
   */
  String DEADLINE = "karmi-deadline";

  /**
   * A call is about to leave. Not asked for messages of collectors.
   *
   * @param header what is sent along: put text there under names of your own, such as {@code
   *     traceparent}; at most 64 entries and 16 KiB in all
   * @return told how the call has ended, in the thread that learns of it
   */
  default Ended calling(Call call, Map<String, String> header) {
    return Ended.UNHEARD;
  }

  /**
   * A call has come in.
   *
   * @param header what the caller's interceptors have sent along; it cannot be changed
   * @return told how the call has ended, before the reply is sent; in the same thread, unless it
   *     was told before that the call is suspended
   */
  default Ended called(Call call, Map<String, String> header) {
    return Ended.UNHEARD;
  }

  /**
   * A message or request is about to leave; asked for each node that it is sent to.
   *
   * @param header what is sent along, as with a call; a node of an earlier version does not get it
   * @return told that the message is on its way, or how the request has ended: when its future has.
   *     Not told where {@code trySend} has sent nothing
   */
  default Ended sending(Message message, Map<String, String> header) {
    return Ended.UNHEARD;
  }

  /**
   * A message or request has come in, and its receiver or answerer is about to be called.
   *
   * @param header what the sender's interceptors have sent along; it cannot be changed
   * @return told how that one has ended, before an answer is sent; in the same thread, unless it
   *     was told before that the request is suspended
   */
  default Ended received(Message message, Map<String, String> header) {
    return Ended.UNHEARD;
  }

  /** Listener for the end of one call, message or request. */
  interface Ended {
    /** For calls whose end does not matter. */
    Ended UNHEARD =
        new Ended() {
          @Override
          public void ended(@Nullable Throwable problem) {}
        };

    /**
     * The thread that executes the call leaves it: the method has returned a future that is not
     * complete. Its outcome is that of the call. Told at the callee only, in that thread; what this
     * throws is logged and forgotten.
     */
    default void suspended() {}

    /**
     * The call has ended. What this throws is logged and forgotten.
     *
     * @param problem what the method threw, or why there is no outcome; null if it has returned
     */
    void ended(@Nullable Throwable problem);
  }
}
