package io.karmi.technology;

import org.jspecify.annotations.Nullable;

/**
 * A thread of the runtime. It has fields for the call that it executes and for the sender of the
 * message that it handles: reading one is faster than a {@link ThreadLocal}.
 *
 * <p>Only the thread itself reads and writes them.
 */
public final class RuntimeThread extends Thread {
  /**
   * The current or the last call; kept after a call, so that the next one on the same connection
   * stores nothing.
   */
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

  /** The pipe of the message that the current thread handles; null if it handles none. */
  public static @Nullable Pipe sender() {
    Thread thread = Thread.currentThread();
    return thread instanceof RuntimeThread ? ((RuntimeThread) thread).sender : null;
  }

  /** Sets the pipe of the message that the current thread handles; null afterwards. */
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
