package io.karmi.technology;

import org.jspecify.annotations.Nullable;

/**
 * A thread of the runtime's. It knows which call it executes, or whose message it handles: a field
 * of the thread is at hand where a {@link ThreadLocal} has to be looked for.
 *
 * <p>Only the thread itself asks and tells.
 */
public final class RuntimeThread extends Thread {
  /** The call, or the last one if there is none now: it is not stored anew for each. */
  private @Nullable InCall call;

  private boolean executing;

  private @Nullable Pipe sender;

  RuntimeThread(ThreadGroup group, Runnable work, String name) {
    super(group, work, name, 0, false);
  }

  /** The call that is executed, or null. */
  public @Nullable InCall call() {
    return executing ? call : null;
  }

  /**
   * Enters a call.
   *
   * @return the one around it, or null; {@link #leave} needs it
   */
  public @Nullable InCall enter(InCall entered) {
    InCall outer = call();
    if (call != entered) {
      call = entered;
    }
    executing = true;
    return outer;
  }

  /** By which pipe the message has come that the current thread handles; null if it does not. */
  public static @Nullable Pipe sender() {
    Thread thread = Thread.currentThread();
    return thread instanceof RuntimeThread ? ((RuntimeThread) thread).sender : null;
  }

  /** The current thread handles a message that has come by a pipe; null when it has done so. */
  public static void handleMessageOf(@Nullable Pipe pipe) {
    Thread thread = Thread.currentThread();
    if (thread instanceof RuntimeThread) {
      ((RuntimeThread) thread).sender = pipe;
    }
  }

  /** Goes back to the call around the one that was entered last. */
  public void leave(@Nullable InCall outer) {
    executing = outer != null;
    if (outer != null && call != outer) {
      call = outer;
    }
  }
}
