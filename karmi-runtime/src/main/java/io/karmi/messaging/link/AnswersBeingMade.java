package io.karmi.messaging.link;

/**
 * What handlers take that make answers, as the thread that stands by sees it: whether more of them
 * may run. Those that make much of the heap take long because of that, and do not wait inside; more
 * of them at once would take what is left. Not thread-safe.
 */
public final class AnswersBeingMade {
  /** What is much, in bytes: a part of the heap. */
  private static final long MUCH_BYTES = Runtime.getRuntime().maxMemory() / 128;

  /**
   * Looks in a row at which they have taken no more, after which they wait inside. Not a time: in a
   * pause of the garbage collector there are none.
   */
  private static final int QUIET_LOOKS = 20;

  /** Looks after which one more runs in any case: those that work for long keep no one out. */
  private static final int MANY_LOOKS = 100;

  private long made;
  private int quietLooks;
  private int looks;

  /**
   * Whether it is much; to be asked at each look while others wait.
   *
   * @param bytes what those that run have allocated to make their answers
   */
  public boolean isMuch(long bytes) {
    quietLooks = bytes == made ? quietLooks + 1 : 0;
    looks++;
    made = bytes;
    return bytes > MUCH_BYTES;
  }

  /** Whether one more may run though it is much; then that one is counted as let run. */
  public boolean letOneMoreRun() {
    if (quietLooks < QUIET_LOOKS && looks < MANY_LOOKS) {
      return false;
    }
    quietLooks = 0;
    looks = 0;
    return true;
  }
}
