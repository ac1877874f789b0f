package io.karmi.connection.guard;

import io.karmi.guard.StuckThreads;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * The place that a connection of others has among them, from its arrival on. It is given back when
 * the connection is closed, by whichever thread, though the one that serves it may not come back
 * from code of the program: that one is {@linkplain StuckThreads written off} then. Thread-safe.
 */
public final class Slot {
  private final ConnectionLimit limit;
  private final @Nullable Object host;

  /* All below is written under the lock of this. */
  private volatile Occupant occupant;
  private @Nullable Thread serving;
  private boolean given;
  private boolean answered;
  private volatile boolean kept;
  private @Nullable String whyTaken;
  private StuckThreads.@Nullable Entry writtenOff;

  /** What has the place at present: an arrival at first, and what the connection becomes. */
  public interface Occupant {
    /** Names the other end, for the log. */
    String peerName();

    /**
     * For how long the other end has kept this one waiting, in nanoseconds, so that the place may
     * be taken from it; 0 if it may not.
     */
    long waitedNanos(long now);

    /** Closes the connection, whose place others need; does not wait for its other end. */
    void giveWay(String reason);

    /** Its place has been given back. Needs no memory. */
    default void left() {}
  }

  /**
   * @param host of the other end; null for a network without hosts
   */
  Slot(ConnectionLimit limit, @Nullable Object host, Occupant occupant) {
    this.limit = limit;
    this.host = host;
    this.occupant = occupant;
  }

  /** The host of the other end; null for a network without hosts. */
  @Nullable Object host() {
    return host;
  }

  /**
   * Passes the place on to what the connection has become.
   *
   * @return false if it has been given back, so that the connection has to be closed
   */
  public synchronized boolean pass(Occupant next) {
    if (!given) {
      occupant = next;
      kept = false;
    }
    return !given;
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

  /** For how long others have been kept waiting; see {@link Occupant#waitedNanos}. */
  long waitedNanos(long now) {
    return kept ? 0 : occupant.waitedNanos(now);
  }

  /**
   * Takes the place from its connection, as others need it.
   *
   * @return false if that is not free, as too many threads are stuck, or it has gone
   */
  boolean giveWay(String reason) {
    boolean taken = giveBack(reason);
    if (taken) {
      occupant.giveWay(reason);
    }
    return taken;
  }

  /**
   * The connection is closed, or is about to be. Needs no memory where its own thread calls.
   *
   * @return whether the place is given back by this
   */
  public boolean giveBack() {
    return giveBack(null);
  }

  /**
   * Called before this end introduces itself.
   *
   * @throws IOException if the place was taken, so that a refusal is what has to be answered
   */
  public synchronized void answer() throws IOException {
    if (given) {
      throw new IOException("others were given its place");
    }
    answered = true;
  }

  /**
   * Lets nothing else take the place of a connection for calls until it is {@linkplain #pass passed
   * on}. Called, at the latest, before the other end may take the connection for open, and once
   * that cannot make this one wait: it would send a call, and could not be told that the connection
   * gives way. One for messages can make this end wait for its key; over UCX whoever knows the
   * secret can make it wait for the handshake.
   *
   * @throws IOException if the place was taken; {@link #answer} tells more of it
   */
  public synchronized void keep(boolean forMessages) throws IOException {
    answer();
    kept = !forMessages;
  }

  /** Why its place was taken before this end had answered; else null. */
  synchronized @Nullable String refusal() {
    return answered ? null : whyTaken;
  }

  private boolean giveBack(@Nullable String reason) {
    if (!take(reason)) {
      return false;
    }
    try {
      occupant.left(); // first: a connection that has left is counted
    } finally {
      limit.left(this);
    }
    return true;
  }

  private synchronized boolean take(@Nullable String reason) {
    if (given || kept && reason != null) {
      return false;
    }
    Thread other = serving;
    if (other != null && other != Thread.currentThread()) {
      writtenOff = StuckThreads.writeOff(host, "serves " + occupant.peerName());
      if (writtenOff == null) {
        return false;
      }
    }
    given = true;
    whyTaken = reason;
    return true;
  }
}
