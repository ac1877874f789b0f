package io.karmi.dgc;

import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import org.jspecify.annotations.Nullable;

/**
 * The queue through which a collector learns which tokens of its {@link HeldObject}s have become
 * unreachable. One thread waits for them, any thread may wake it.
 *
 * <p>A token that could not be noted, for want of memory, is noted in the next round.
 */
public final class DroppedTokens {
  private static final long LONGEST_WAIT_MILLIS = 60_000;

  final ReferenceQueue<Object> queue = new ReferenceQueue<>();

  /** Taken from the queue, and not noted yet; used by the waiting thread only. */
  private @Nullable Reference<?> pending;

  /** Makes an empty queue. */
  public DroppedTokens() {}

  /** Waits for a token, for {@link #wake}, or for a time in milliseconds (a minute at most). */
  public void await(long millis) throws InterruptedException {
    if (pending == null) {
      pending = queue.remove(Math.max(1, Math.min(LONGEST_WAIT_MILLIS, millis)));
    }
  }

  /** Notes all tokens that have become unreachable. */
  public void noteAll() {
    while (pending != null) {
      HeldObject.note(pending);
      pending = queue.poll();
    }
  }

  /** Ends the waiting. */
  public void wake() {
    new WeakReference<>(this, queue).enqueue();
  }
}
