package io.karmi.exchange;

import java.lang.ref.PhantomReference;
import java.lang.ref.ReferenceQueue;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * That a {@code Group} holds what it names. It is given up when the group is closed, or has been
 * collected. Holds are in a list of their own fields, which keeps them until then.
 */
final class Hold extends PhantomReference<Object> {
  private final Holds all;
  final OpenGroup group;

  /* The list; guarded by it. */
  private @Nullable Hold before;
  private @Nullable Hold next;
  private boolean open;

  private Hold(Holds all, OpenGroup group, Object by) {
    super(by, all.collected);
    this.all = all;
    this.group = group;
  }

  boolean isOpen() {
    synchronized (all) {
      return open;
    }
  }

  /** Gives it up; without effect the second time. */
  void close() {
    synchronized (all) {
      if (!open) {
        return;
      }
      open = false;
      clear();
      unlink();
    }
    all.whenClosed.accept(group);
  }

  private void unlink() {
    if (before == null) {
      all.first = next;
    } else {
      before.next = next;
    }
    if (next != null) {
      next.before = before;
    }
  }

  static final class Holds {
    private final Consumer<OpenGroup> whenClosed;
    private final ReferenceQueue<Object> collected = new ReferenceQueue<>();
    private @Nullable Hold first;

    Holds(Consumer<OpenGroup> whenClosed) {
      this.whenClosed = whenClosed;
    }

    /** Begins a hold of a group that has been counted for it. */
    synchronized Hold open(OpenGroup group, Object by) {
      Hold hold = new Hold(this, group, by);
      hold.open = true;
      hold.next = first;
      if (first != null) {
        first.before = hold;
      }
      first = hold;
      return hold;
    }

    /** Gives up the holds of groups that have been collected. */
    void sweep() {
      Object each = collected.poll();
      while (each != null) {
        ((Hold) each).close();
        each = collected.poll();
      }
    }
  }
}
