package io.karmi.connection.guard;

import io.karmi.guard.StuckThreads;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The place that a connection of others has among them. It is given back when the connection is
 * closed, by whichever thread, though the one that serves it may not come back from code of the
 * program: that one is {@linkplain StuckThreads written off} then. Thread-safe.
 */
public final class Slot {
  private final @Nullable Object host;
  private final Supplier<String> peer;
  private final Runnable free;

  /* All below is guarded by this. */
  private @Nullable Thread serving;
  private boolean given;
  private StuckThreads.@Nullable Entry writtenOff;

  /**
   * A place that is taken.
   *
   * @param host of the other end; null for a network without hosts
   * @param peer names the other end, for the log
   * @param free what is done when it is given back, without allocating
   */
  public Slot(@Nullable Object host, Supplier<String> peer, Runnable free) {
    this.host = host;
    this.peer = peer;
    this.free = free;
  }

  /** This thread serves the connection from now on. */
  public synchronized void enter() {
    serving = Thread.currentThread();
  }

  /** This thread serves it no more. */
  public synchronized void leave() {
    serving = null;
    StuckThreads.Entry entry = writtenOff;
    if (entry != null) {
      writtenOff = null;
      StuckThreads.back(entry);
    }
  }

  /** Whether another thread than this one serves it. */
  public synchronized boolean isServedByOther() {
    return serving != null && serving != Thread.currentThread();
  }

  /**
   * The connection is closed, or is about to be. Needs no memory where its own thread calls.
   *
   * @return whether the place is given back by this
   */
  public boolean giveBack() {
    if (!take()) {
      return false;
    }
    free.run();
    return true;
  }

  private synchronized boolean take() {
    if (given) {
      return false;
    }
    Thread other = serving;
    if (other != null && other != Thread.currentThread()) {
      writtenOff = StuckThreads.writeOff(host, "serves " + peer.get());
      if (writtenOff == null) {
        return false;
      }
    }
    given = true;
    return true;
  }
}
