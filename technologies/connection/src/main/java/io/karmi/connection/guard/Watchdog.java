package io.karmi.connection.guard;

import io.karmi.connection.channel.ConnectionLog;
import io.karmi.guard.StuckThreads;
import io.karmi.technology.ConnectionSettings;
import io.karmi.technology.ServiceThread;
import io.karmi.technology.Workers;
import java.io.Closeable;
import java.io.IOException;
import java.net.Socket;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Watchdog of connections. It closes those that take too long to open, idle ones that are not
 * needed or whose other end is gone (paper 4.3), those of interrupted callers, and those whose
 * callee's process has stopped. It has signs of life sent to callers.
 *
 * <p>Checking a connection makes the JDK read it with three system calls instead of one from then
 * on. So it is done only when a connection has been idle for a while, and a checked one that
 * becomes busy again is replaced before long.
 */
public final class Watchdog {
  private static final long ROUND_MILLIS = 250;
  private static final long ROUND_NANOS = ROUND_MILLIS * 1_000_000;

  /**
   * Milliseconds for which a caller that was interrupted, or whose time is over, may wait for its
   * release.
   */
  private static final long STEP_MILLIS = 25;

  /** Number of threads that close, or write to, connections that may keep them waiting. */
  private static final int WORKERS = 4;

  private final ConnectionSettings settings;
  private final Rounds rounds;
  private final ServiceThread service;
  private final Workers workers;
  private final Map<Closeable, Long> deadlines = new ConcurrentHashMap<>();
  private final Object pause = new Object();

  /** Whether there are calls with a deadline. */
  private volatile boolean hurried;

  private long roundAtNanos = System.nanoTime();

  /** The connections that are watched. Each part of a round may fail; the next does all again. */
  public interface Rounds {
    /** True when there will be no further round. */
    boolean isOver();

    /**
     * Releases callers that were interrupted, and gives up calls that are overdue; called between
     * rounds, too.
     *
     * @return whether other calls have a deadline
     */
    boolean release(long now);

    /**
     * One round.
     *
     * @param pauseNanos time between two rounds
     */
    void round(long now, long pauseNanos);

    /** Counts a connection that was closed because of a setting. */
    void closedBy(String setting);
  }

  /**
   * A watchdog that does not watch yet.
   *
   * @param name of the technology, for its threads
   */
  public Watchdog(String name, ConnectionSettings settings, Rounds rounds) {
    this.settings = settings;
    this.rounds = rounds;
    service = new ServiceThread("KaRMI " + name + " Watchdog", true, this::pause, this::round);
    workers = new Workers("KaRMI " + name + " Check", WORKERS);
  }

  /** Starts the rounds, if they are not going on. */
  public void start() {
    service.ensureRunning();
  }

  /** Ends the rounds. */
  public void stop() {
    service.stop();
  }

  /** Executes work that may wait for a peer, or for code of the program. */
  public void execute(Runnable work) {
    workers.execute(work);
  }

  /** Closes something unless {@link #isOpen} is called in time. */
  public void expect(Closeable opening, long timeoutMillis) {
    if (timeoutMillis > 0) {
      deadlines.put(opening, System.nanoTime() + timeoutMillis * 1_000_000);
    }
  }

  /**
   * Called when something has opened, or failed to.
   *
   * @return false if it took too long and was closed
   */
  public boolean isOpen(Closeable opened, long timeoutMillis) {
    return deadlines.remove(opened) != null || timeoutMillis <= 0;
  }

  /**
   * Called when the other end of an accepted connection has introduced itself, or failed to. Counts
   * it if it took too long and was closed.
   */
  public void introduced(Closeable arrived) {
    if (!isOpen(arrived, settings.handshakeTimeoutMillis)) {
      rounds.closedBy("karmi.handshakeTimeout");
    }
  }

  /** Shortens the rounds, as long as there are calls with a deadline. */
  public void hurry() {
    if (!hurried) {
      synchronized (pause) {
        hurried = true;
        pause.notifyAll();
      }
    }
  }

  private void pause() throws InterruptedException {
    if (settings.interruptible || hurried) {
      Thread.sleep(STEP_MILLIS);
      return;
    }
    synchronized (pause) {
      if (!hurried) {
        pause.wait(ROUND_MILLIS);
      }
    }
  }

  private boolean round() {
    if (rounds.isOver()) {
      return false;
    }
    long now = System.nanoTime();
    boolean limited = rounds.release(now);
    if (now - roundAtNanos >= ROUND_NANOS) {
      roundAtNanos = now;
      hurried = limited;
      closeLate(now);
      rounds.round(now, ROUND_NANOS);
      StuckThreads.tell();
    }
    return true;
  }

  private void closeLate(long now) {
    for (Map.Entry<Closeable, Long> entry : deadlines.entrySet()) {
      Long deadline = entry.getValue();
      if (now - deadline > 0) {
        closeLate(entry.getKey(), deadline);
      }
    }
  }

  /** Closes what is late. Allocates all that it needs before it removes the entry. */
  private void closeLate(Closeable late, Long deadline) {
    boolean waits = late.getClass() != Socket.class;
    Workers.Task closing = waits ? new Workers.Task(() -> close(late)) : null;
    if (!deadlines.remove(late, deadline)) {
      return; // it has opened meanwhile
    }
    if (closing == null) {
      close(late);
    } else {
      workers.execute(closing);
    }
  }

  private static void close(Closeable late) {
    try {
      late.close();
    } catch (IOException e) {
      ConnectionLog.LOG.log(System.Logger.Level.DEBUG, "closing a late connection failed", e);
    }
  }
}
