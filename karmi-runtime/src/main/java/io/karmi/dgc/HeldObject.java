package io.karmi.dgc;

import java.lang.ref.PhantomReference;
import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;

/**
 * An object of some node that somebody here can call.
 *
 * <p>All references to it share a token. The object is held until every token that was ever given
 * out has been found unreachable: a second one is made if a reference arrives when the first is
 * gone already, but not yet noticed.
 *
 * <p>Guarded by the lock it is made with.
 */
public abstract class HeldObject {
  private final Object lock;
  private final ReferenceQueue<Object> queue;
  private final List<Drop> drops = new ArrayList<>(1);
  private WeakReference<Object> token = new WeakReference<>(null);

  /**
   * Makes an object without a token.
   *
   * @param queue takes what {@link #note} wants when a token is unreachable
   */
  protected HeldObject(Object lock, ReferenceQueue<Object> queue) {
    this.lock = lock;
    this.queue = queue;
  }

  /** The token that all references to the object share; the caller has the lock. */
  public final Object token() {
    Object known = token.get();
    if (known == null) {
      known = new Object();
      token = new WeakReference<>(known);
      drops.add(new Drop(known, this));
    }
    return known;
  }

  /** Called with the lock when no reference is left. */
  protected abstract void dropped();

  /** Takes note of what has come out of the queue. */
  public static void note(Reference<?> enqueued) {
    Drop drop = (Drop) enqueued;
    HeldObject held = drop.held;
    synchronized (held.lock) {
      if (held.drops.remove(drop) && held.drops.isEmpty()) {
        held.dropped();
      }
    }
  }

  private static final class Drop extends PhantomReference<Object> {
    private final HeldObject held;

    Drop(Object token, HeldObject held) {
      super(token, held.queue);
      this.held = held;
    }
  }
}
