package io.karmi.messaging.link;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The right to read a link: held by the link's own thread, or by one that waits for an answer.
 *
 * <p>An answer that the link's thread reads takes a wake-up more than one that is read by the
 * thread that waits for it. So where one thread asks and waits, again and again, the link's thread
 * steps aside. The role is free then, and the next thread that waits for an answer takes it. If
 * none does for a millisecond, the link's thread takes it back. If then anything else has come,
 * which had to wait for it, it will not step aside so soon again.
 *
 * <p>A thread that takes the role sees all that the one before it has done. Thread-safe.
 */
public final class ReaderRole {
  /** Time after which the link's thread takes a free role back. */
  private static final long FREE_NANOS = 1_000_000;

  /** Answers in a row, each awaited by one thread alone, after which the link steps aside. */
  private static final int MINIMUM_ANSWERS = 4;

  private static final int MAXIMUM_ANSWERS = 4096;

  private static final int OWN = 0;
  private static final int FREE = 1;
  private static final int TAKEN = 2;

  private final AtomicInteger state = new AtomicInteger(OWN);
  private volatile long freeSinceNanos;

  /** The thread that is expected to take the free role. */
  private volatile @Nullable Thread expected;

  /* Of the thread that has the role. */
  private int answersInRow;
  private int answersWanted = MINIMUM_ANSWERS;

  /** Whether the link's thread has read nothing since it had to take the role back. */
  private boolean retaken;

  /** Whether the link's own thread has the role. */
  public boolean isOwn() {
    return state.get() == OWN;
  }

  /** The link's thread has read something; true if it is to step aside, for a waiting thread. */
  public boolean isToBeFreed(@Nullable Thread waiting) {
    if (waiting == null) {
      answersInRow = 0;
      if (retaken) {
        answersWanted = Math.min(MAXIMUM_ANSWERS, 2 * answersWanted);
        retaken = false;
      }
      return false;
    }
    retaken = false;
    return ++answersInRow >= answersWanted;
  }

  /** The thread that has the role lets go of it; another one is expected to take it. */
  public void free(Thread next) {
    expected = next;
    freeSinceNanos = System.nanoTime();
    state.set(FREE);
  }

  /** Takes the role for this thread, which waits for an answer, if it is free. */
  public boolean take() {
    if (state.get() != FREE || !state.compareAndSet(FREE, TAKEN)) {
      return false;
    }
    answersWanted = Math.max(MINIMUM_ANSWERS, answersWanted / 2);
    return true;
  }

  /** The thread that has taken the role gives it back to the link's thread. */
  public void giveBack(@Nullable Thread own) {
    answersInRow = 0;
    state.set(OWN);
    LockSupport.unpark(own);
  }

  /** Something is awaited by a thread that will not read itself: a free role is taken back. */
  public void recall(@Nullable Thread own) {
    if (state.get() == FREE
        && expected != Thread.currentThread()
        && state.compareAndSet(FREE, TAKEN)) {
      giveBack(own);
    }
  }

  /** Waits for a moment, and takes the role if it has been free for long. For the link's thread. */
  public void await() {
    long left = FREE_NANOS;
    if (state.get() == FREE) {
      left -= System.nanoTime() - freeSinceNanos;
      if (left <= 0 && state.compareAndSet(FREE, OWN)) {
        retaken = true;
        return;
      }
    }
    if (left > 0 && state.get() != OWN) {
      LockSupport.parkNanos(this, left);
      Thread.interrupted();
    }
  }
}
