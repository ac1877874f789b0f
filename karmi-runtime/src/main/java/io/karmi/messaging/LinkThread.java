package io.karmi.messaging;

import io.karmi.technology.RuntimeThreads;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A link's own thread, which sends what no sender hands to the network itself. It is started when
 * there is something for it, and sleeps without.
 *
 * <p>Thread-safe.
 */
final class LinkThread {
  /** Number of times that it looks for more before it sleeps. */
  private static final int LOOKS = 40;

  /** Longest time that committed bytes wait for more. */
  static final long LONGEST_WAIT_NANOS = 1_000_000;

  /* What it does: it sends or looks, waits with something left to send, or sleeps. */
  private static final int AWAKE = 0;
  private static final int DOZING = 1;
  private static final int ASLEEP = 2;

  private final LinkOutput output;
  private final String name;
  private @Nullable Thread thread;
  private volatile int state;

  LinkThread(LinkOutput output, String name) {
    this.output = output;
    this.name = name;
  }

  /** Whether it waits for more than there is. */
  boolean isDozing() {
    return state == DOZING;
  }

  /** Has it look for what is to be sent. */
  void wake() {
    if (thread == null) {
      start();
    } else if (state != AWAKE) {
      state = AWAKE;
      LockSupport.unpark(thread);
    }
  }

  private synchronized void start() {
    if (thread == null && !output.isOver()) {
      thread = RuntimeThreads.start(name, this::run, true);
    }
  }

  private void run() {
    int looks = 0;
    while (!output.isOver()) {
      if (output.isDue() && output.trySendingAll()) {
        looks = 0;
      } else if (output.hasCommitted() && !output.isDue()) {
        doze();
      } else if (looks < LOOKS) {
        looks++;
        Thread.yield();
      } else {
        sleep();
        looks = 0;
      }
    }
  }

  private void sleep() {
    state = ASLEEP;
    if (output.hasWorkLeft() || output.isOver()) {
      state = AWAKE;
      return;
    }
    while (state == ASLEEP) { // a sender that leaves work behind wakes this thread
      LockSupport.park(this);
      Thread.interrupted();
    }
  }

  /** Leaves what may wait to those that send more, and sends it if none has for a while. */
  private void doze() {
    long position = output.position();
    state = DOZING;
    if (!output.isDue() && !output.isOver()) {
      LockSupport.parkNanos(this, LONGEST_WAIT_NANOS);
      Thread.interrupted();
    }
    boolean woken = state == AWAKE;
    state = AWAKE;
    if (!woken && output.position() == position) {
      output.trySendingAll();
    }
  }

  /** The link has ended, and so does this. */
  synchronized void end() {
    if (thread != null) {
      state = AWAKE;
      LockSupport.unpark(thread);
    }
  }
}
