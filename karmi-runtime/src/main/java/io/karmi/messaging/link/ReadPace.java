package io.karmi.messaging.link;

/**
 * How busily a link is read: a busy one has a thread of its own, a calm one is read by the {@link
 * LinkSelector}.
 *
 * <p>A read is busy if it follows soon after the one before, or if its messages take long. Some
 * more busy reads than others make the link busy, some more of the others make it calm. Of the
 * thread that reads.
 */
public final class ReadPace {
  /** Time since the last messages were handled within which a read counts as busy. */
  private static final long SOON_NANOS = 10_000;

  /** The same for an answer for which a thread waits: that may read the next one itself. */
  private static final long SOON_FOR_ANSWERS_NANOS = 10_000_000;

  /** Time that messages take from which on other links are not to wait for them. */
  private static final long LONG_NANOS = 50_000;

  /** How many more busy reads than others make a calm link busy. */
  private static final int READS = 16;

  private int busyReads;
  private long endNanos;

  /** What was read has been handled. */
  public void handled(long beginNanos, long nowNanos, boolean awaitedAnswer) {
    long soon = awaitedAnswer ? SOON_FOR_ANSWERS_NANOS : SOON_NANOS;
    if (beginNanos - endNanos < soon || nowNanos - beginNanos > LONG_NANOS) {
      busyReads = Math.min(READS, busyReads + 1);
    } else {
      busyReads = Math.max(0, busyReads - 1);
    }
    endNanos = nowNanos;
  }

  /** It is busy for another reason, or has a thread of its own anyway. */
  public void setBusy() {
    busyReads = READS;
  }

  /** Nothing has come for long. */
  public void setCalm() {
    busyReads = 0;
  }

  /** Whether a calm link has become busy. */
  public boolean isBusy() {
    return busyReads == READS;
  }

  /** Whether a busy link has become calm. */
  public boolean isCalm() {
    return busyReads == 0;
  }
}
