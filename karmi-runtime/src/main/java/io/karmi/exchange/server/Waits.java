package io.karmi.exchange.server;

import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Calls that wait for what members will tell: of a key, of a group, or that they have heard what
 * was dropped. What is told of other keys and groups wakes no one. Thread-safe.
 */
final class Waits {
  /** The lock of the table, under which the conditions hold. */
  private final Object table;

  /** What may wait at a time; guarded by the table. */
  private final Claims claims;

  /** By key or group; guarded by the table. */
  private final Map<Object, Waiting> awaited = new HashMap<>();

  private final Waiting hearing = new Waiting();

  Waits(Object table, Claims claims) {
    this.table = table;
    this.claims = claims;
  }

  /** These keys or groups have been told of: who waits for one looks again. */
  void tell(Collection<?> keysOrGroups) {
    synchronized (table) {
      if (!awaited.isEmpty()) {
        for (Object each : keysOrGroups) {
          Waiting waiting = awaited.get(each);
          if (waiting != null) {
            waiting.changed();
          }
        }
      }
    }
  }

  /** A member has heard of something that was dropped, or has left. */
  void tellHeard() {
    hearing.changed();
  }

  /**
   * Waits for a key or a group, where {@link Claims#mayWait} has said yes to this payer.
   *
   * @param left nanoseconds for which it is waited for as things are; asked with the table's lock
   */
  void await(@Nullable Object payer, Object keyOrGroup, LongSupplier left)
      throws InterruptedException {
    Waiting on;
    synchronized (table) {
      on = awaited.computeIfAbsent(keyOrGroup, any -> new Waiting());
      on.waiters++;
    }
    try {
      await(on, left);
    } finally {
      synchronized (table) {
        if (--on.waiters == 0) {
          awaited.remove(keyOrGroup);
        }
        claims.waitsNoMore(payer);
      }
    }
  }

  /** The same for what members are to hear, for a call of the server's own. */
  void awaitHeard(LongSupplier left) throws InterruptedException {
    try {
      await(hearing, left);
    } finally {
      synchronized (table) {
        claims.waitsNoMore(null);
      }
    }
  }

  private void await(Waiting on, LongSupplier left) throws InterruptedException {
    while (true) {
      int seen;
      long nanos;
      synchronized (table) {
        seen = on.changes();
        nanos = left.getAsLong();
      }
      if (nanos <= 0) {
        return;
      }
      on.await(seen, nanos);
    }
  }
}
