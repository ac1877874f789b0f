package io.karmi.uka.engine;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Stack of the running calls of {@code writeObject} or {@code readObject} methods, each with a
 * {@link CallbackContext}, which is used again.
 */
public final class CallbackContexts<T> {
  private static final int NONE = -1;

  private static final CallbackContext<?>[] NO_CONTEXTS = {};

  private CallbackContext<T>[] contexts = none();

  /** Number of running calls. */
  private int used;

  /* An index, as storing a reference into an old object costs a memory fence. */
  private int active = NONE;

  @SuppressWarnings("unchecked") // it stays empty
  private static <T> CallbackContext<T>[] none() {
    return (CallbackContext<T>[]) NO_CONTEXTS;
  }

  /** The context of the running method; null if it has none. */
  public @Nullable CallbackContext<T> active() {
    return active < 0 ? null : contexts[active];
  }

  /** Begins a call; returns the argument for {@link #end}. */
  public int begin(Object object, T level) {
    int outer = active;
    if (used == contexts.length) {
      contexts = Arrays.copyOf(contexts, Math.max(1, 2 * used));
    }
    if (contexts[used] == null) {
      contexts[used] = new CallbackContext<>(level);
    }
    active = used++;
    contexts[active].begin(object, level);
    return outer;
  }

  /** Begins a call without context; returns the argument for {@link #end}. */
  public int beginWithout() {
    int outer = active;
    active = NONE;
    return outer;
  }

  /** Ends the call. */
  public void end(int outer) {
    if (active >= 0) {
      used = active;
      contexts[active].end();
    }
    active = outer;
  }

  /** Forgets interrupted calls. */
  public void clear() {
    used = 0;
    active = NONE;
  }
}
