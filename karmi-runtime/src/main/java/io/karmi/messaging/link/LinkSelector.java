package io.karmi.messaging.link;

import io.karmi.technology.RuntimeThreads;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Reader of links that are idle or calm: one thread for all of them, and a queue of those that have
 * news (DXNet, XI). A link that becomes busy gets a thread of its own, and comes back afterwards.
 *
 * <p>One thread at a time selects. If it has to wait within a link, for room or for an answer,
 * another one goes on, so that what it waits for can come. The thread is started by the first link
 * with news, and ends after some time without.
 *
 * <p>Thread-safe.
 */
public final class LinkSelector {
  /** Idle time after which a thread ends. */
  private static final long KEPT_NANOS = TimeUnit.SECONDS.toNanos(10);

  /** Of the threads that select, or have. */
  private static final ThreadLocal<@Nullable LinkSelector> OWN = new ThreadLocal<>();

  private final Queue<Runnable> news = new ConcurrentLinkedQueue<>();

  /** The thread that selects; changed under the lock of this. */
  private volatile @Nullable Thread selecting;

  private volatile boolean asleep;

  /** The number of threads that have selected, and wait to do so again; guarded by this. */
  private int spare;

  /** Without links and threads. */
  public LinkSelector() {}

  /** Has a link read what has come; soon, by the thread that selects. */
  public void add(Runnable link) {
    news.add(link);
    Thread thread = selecting;
    if (thread == null) {
      ensureSelecting();
    } else if (asleep) {
      asleep = false;
      LockSupport.unpark(thread);
    }
  }

  private synchronized void ensureSelecting() {
    if (selecting == null) {
      letAnotherSelect();
    }
  }

  private void letAnotherSelect() {
    selecting = null; // before it is looked for news: what comes later finds no thread
    if (news.isEmpty()) {
      return;
    }
    if (spare > 0) {
      notify();
      return;
    }
    Thread made = RuntimeThreads.make("KaRMI Messages Selector", this::run, true);
    selecting = made;
    boolean started = false;
    try {
      made.start();
      started = true;
    } finally {
      if (!started) {
        selecting = null;
      }
    }
  }

  /** The current thread is about to wait: if it selects, another one goes on. */
  public static void leave() {
    LinkSelector own = OWN.get();
    if (own != null) {
      own.leave(Thread.currentThread());
    }
  }

  /** A thread waits or takes long within a link: if it selects, another one goes on. */
  public synchronized void leave(Thread thread) {
    if (thread == selecting) {
      letAnotherSelect();
    }
  }

  private void run() {
    OWN.set(this);
    do {
      select();
    } while (becomeSelecting());
  }

  /** Waits until this thread is to select; false if it is to end. */
  private synchronized boolean becomeSelecting() {
    long left = KEPT_NANOS;
    long end = System.nanoTime() + left;
    spare++;
    try {
      while ((selecting != null || news.isEmpty()) && left > 0) {
        TimeUnit.NANOSECONDS.timedWait(this, left);
        left = end - System.nanoTime();
      }
    } catch (InterruptedException e) {
      // a handler has interrupted its own thread, which may end
    } finally {
      spare--;
    }
    if (selecting == null && !news.isEmpty()) {
      selecting = Thread.currentThread();
      return true;
    }
    return false;
  }

  private void select() {
    while (selecting == Thread.currentThread()) {
      Runnable link = news.poll();
      if (link != null) {
        link.run();
      } else if (!sleep()) {
        return;
      }
    }
  }

  /** Waits for news; false if there were none for long, and the thread does not select any more. */
  private boolean sleep() {
    asleep = true;
    long end = System.nanoTime() + KEPT_NANOS;
    while (asleep && news.isEmpty()) {
      long left = end - System.nanoTime();
      if (left <= 0) {
        break;
      }
      LockSupport.parkNanos(this, left);
      Thread.interrupted(); // a handler may have interrupted its own thread
    }
    asleep = false;
    return !news.isEmpty() || !retire(end);
  }

  /** Ends selecting if there was no news up to now; what comes later starts a thread. */
  private synchronized boolean retire(long end) {
    if (System.nanoTime() - end < 0 || selecting != Thread.currentThread()) {
      return false;
    }
    selecting = null;
    if (!news.isEmpty()) { // it may have seen this thread
      selecting = Thread.currentThread();
      return false;
    }
    return true;
  }
}
