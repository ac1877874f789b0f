package io.karmi.dgc;

import java.lang.ref.PhantomReference;
import java.lang.ref.Reference;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;

/**
 * An object, of this node or another, to which this node holds references.
 *
 * <p>All references to it share a token. The object is held until every token that was ever given
 * out has been found unreachable: a second one is made if a reference arrives when the first is
 * unreachable already, but not yet noticed.
 *
 * <p>Guarded by the lock it is made with.
 */
public abstract class HeldObject {
  private final Object lock;
  private final DroppedTokens dropped;
  private final List<Drop> drops = new ArrayList<>(1);
  private WeakReference<Object> token = new WeakReference<>(null);

  /**
   * Makes an object without a token.
   *
   * @param dropped takes the tokens that have become unreachable
   */
  protected HeldObject(Object lock, DroppedTokens dropped) {
    this.lock = lock;
    this.dropped = dropped;
  }

  /** The token that all references to the object share; the caller has the lock. */
  public final Object token() {
    Object known = token.get();
    if (known == null) {
      known = new Object();
      WeakReference<Object> reference = new WeakReference<>(known);
      drops.add(new Drop(known, this));
      token = reference;
    }
    return known;
  }

  /** Called with the lock when no reference is left; called again if it has failed. */
  protected abstract void dropped();

  /** Notes a token that has come out of the queue; called again if it has failed. */
  static void note(Reference<?> enqueued) {
    if (!(enqueued instanceof Drop)) {
      return;
    }
    Drop drop = (Drop) enqueued;
    HeldObject held = drop.held;
    synchronized (held.lock) {
      if (held.drops.contains(drop)) {
        if (held.drops.size() == 1) {
          held.dropped();
        }
        held.drops.remove(drop);
      }
    }
  }

  private static final class Drop extends PhantomReference<Object> {
    private final HeldObject held;

    Drop(Object token, HeldObject held) {
      super(token, held.dropped.queue);
      this.held = held;
    }
  }
}
