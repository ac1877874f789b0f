package io.karmi.uka.engine;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The calls of {@code writeObject} or {@code readObject} methods that are under way within each
 * other, each with its {@link CallbackContext}. They are used again: a stream that has long been
 * open makes none.
 */
public final class CallbackContexts<T> {
  private static final int NONE = -1;

  private static final CallbackContext<?>[] NO_CONTEXTS = {};

  private CallbackContext<T>[] contexts = none();

  /** How many calls are under way. */
  private int used;

  /* A number, as a reference in an object that has lived long costs a memory fence to store. */
  private int active = NONE;

  @SuppressWarnings("unchecked") // it stays empty
  private static <T> CallbackContext<T>[] none() {
    return (CallbackContext<T>[]) NO_CONTEXTS;
  }

  /** The context of the method that runs; null if that is none of those. */
  public @Nullable CallbackContext<T> active() {
    return active < 0 ? null : contexts[active];
  }

  /** Begins a call; returns what {@link #end} needs. */
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

  /** Begins a call of a method that has no context; returns what {@link #end} needs. */
  public int beginWithout() {
    int outer = active;
    active = NONE;
    return outer;
  }

  /** Ends the call that has returned this when it began. */
  public void end(int outer) {
    if (active >= 0) {
      used = active;
      contexts[active].end();
    }
    active = outer;
  }

  /** Forgets calls that were interrupted. */
  public void clear() {
    used = 0;
    active = NONE;
  }
}
