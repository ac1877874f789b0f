package io.karmi.technology;

import org.jspecify.annotations.Nullable;

/**
 * A thread of the runtime's. It knows which call it executes: a field of the thread is at hand
 * where a {@link ThreadLocal} has to be looked for.
 *
 * <p>Only the thread itself asks and tells.
 */
public final class RuntimeThread extends Thread {
  /** The call, or the last one if there is none now: it is not stored anew for each. */
  private @Nullable InCall call;

  private boolean executing;

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

  /** Goes back to the call around the one that was entered last. */
  public void leave(@Nullable InCall outer) {
    executing = outer != null;
    if (outer != null && call != outer) {
      call = outer;
    }
  }
}
