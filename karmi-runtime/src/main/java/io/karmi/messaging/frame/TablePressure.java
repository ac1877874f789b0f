package io.karmi.messaging.frame;

import org.jspecify.annotations.Nullable;

/**
 * Whether a link is to give up the types of its lanes, as others have no room for theirs. Its peer
 * is asked to begin all lanes with fresh types, and has some seconds for that. A link that is quiet
 * is closed.
 *
 * <p>Any thread may {@link #ask}; the rest is for the one that looks after links now and then.
 */
public final class TablePressure {
  /** Time for a busy peer to begin with fresh types, in nanoseconds. */
  private static final long PATIENCE_NANOS = 10_000_000_000L;

  private volatile @Nullable String asked;
  private boolean begun;
  private long begunAtNanos;
  private long heldThen;

  /** Others need the room. Returns false: it takes a while. */
  public boolean ask(String reason) {
    asked = reason;
    return false;
  }

  public boolean isAsked() {
    return asked != null;
  }

  /**
   * Looks once.
   *
   * @param heldBytes what its tables take now
   * @param renewals asks the peer for fresh types
   * @return whether it had its time, and takes as much as before
   */
  public boolean isOver(long now, long heldBytes, Runnable renewals) {
    if (asked == null) {
      return false;
    }
    if (!begun) {
      begun = true;
      begunAtNanos = now;
      heldThen = heldBytes;
      renewals.run();
      return false;
    }
    if (now - begunAtNanos <= PATIENCE_NANOS) {
      return false;
    }
    begun = false;
    asked = null;
    return heldBytes > heldThen / 2;
  }
}
