package io.karmi.messaging.link;

/**
 * What handlers take that make answers, as the thread that stands by sees it: how many more may
 * run. Those that make much of the heap take long because of that, and do not wait inside; more of
 * them at once would take what is left. Not thread-safe.
 */
public final class AnswersBeingMade {
  /** What they may take before no more are let run, in bytes: a part of the heap. */
  private static final long MUCH_BYTES = Runtime.getRuntime().maxMemory() / 32;

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
   * How many more handlers may run: as many as are wanted, or one or none. To be asked at each look
   * at which more are wanted.
   *
   * @param bytes what those that run have allocated to make their answers
   */
  public int more(long bytes, int wanted) {
    quietLooks = bytes == made ? quietLooks + 1 : 0;
    made = bytes;
    if (bytes <= MUCH_BYTES) {
      return wanted;
    }
    looks++;
    if (quietLooks < QUIET_LOOKS && looks < MANY_LOOKS) {
      return 0;
    }
    quietLooks = 0;
    looks = 0;
    return 1;
  }
}
