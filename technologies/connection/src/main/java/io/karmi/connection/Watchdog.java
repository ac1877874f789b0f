package io.karmi.connection;

import java.io.Closeable;
import java.io.IOException;
import java.util.Iterator;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Closes what takes too long to open, idle connections that nobody needs or whose other end is gone
 * (paper 4.3), and connections of callers that were interrupted.
 *
 * <p>Checking a connection makes the JDK read it with three system calls instead of one from then
 * on. So it is done only when a connection has been idle for a while, and a checked one that
 * becomes busy again is replaced before long.
 */
public final class Watchdog implements Runnable {
  private static final long ROUND_MILLIS = 250;
  private static final long ROUND_NANOS = ROUND_MILLIS * 1_000_000;

  /** How long an interrupted caller may have to wait for its release. */
  private static final long STEP_MILLIS = 25;

  private final ConnectionSettings settings;
  private final Connections connections;
  private final Rounds rounds;
  private final Map<Closeable, Long> deadlines = new ConcurrentHashMap<>();

  /** What else is done in each round. */
  interface Rounds {
    /** True when there will be no further round. */
    boolean isOver();

    /** Looks after idle connections. */
    void tendAll(long now, long checkAfterNanos);
  }

  Watchdog(ConnectionSettings settings, Connections connections, Rounds rounds) {
    this.settings = settings;
    this.connections = connections;
    this.rounds = rounds;
  }

  /** Closes something unless {@link #isOpen} is said in time. */
  public void expect(Closeable opening, long timeoutMillis) {
    if (timeoutMillis > 0) {
      deadlines.put(opening, System.nanoTime() + timeoutMillis * 1_000_000);
    }
  }

  /**
   * It has opened, or failed to.
   *
   * @return false if it took too long and was closed
   */
  public boolean isOpen(Closeable opened, long timeoutMillis) {
    return deadlines.remove(opened) != null || timeoutMillis <= 0;
  }

  /** How much it may still have to close. */
  int expectedCount() {
    return deadlines.size();
  }

  @Override
  public void run() {
    try {
      while (!rounds.isOver()) {
        pause();
        long now = System.nanoTime();
        closeLate(now);
        connections.closeStalled(now, readTimeoutNanos());
        rounds.tendAll(now, ROUND_NANOS);
      }
    } catch (InterruptedException e) {
      // the technology was closed
    }
  }

  private long readTimeoutNanos() {
    return settings.readTimeoutMillis * 1_000_000L;
  }

  private void pause() throws InterruptedException {
    if (!settings.interruptible) {
      Thread.sleep(ROUND_MILLIS);
      return;
    }
    for (long slept = 0; slept < ROUND_MILLIS; slept += STEP_MILLIS) {
      Thread.sleep(STEP_MILLIS);
      connections.releaseInterrupted();
    }
  }

  private void closeLate(long now) {
    for (Iterator<Map.Entry<Closeable, Long>> all = deadlines.entrySet().iterator();
        all.hasNext(); ) {
      Map.Entry<Closeable, Long> entry = all.next();
      if (now - entry.getValue() > 0) {
        all.remove();
        try {
          entry.getKey().close();
        } catch (IOException e) {
          ConnectionLog.LOG.log(System.Logger.Level.DEBUG, "closing a late connection failed", e);
        }
      }
    }
  }
}
