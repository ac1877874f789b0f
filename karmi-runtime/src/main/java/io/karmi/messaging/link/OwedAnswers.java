package io.karmi.messaging.link;

import io.karmi.technology.RuntimeThreads;
import java.util.ArrayDeque;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Answers for which a link has no room yet. One handler at a time may wait for the link itself;
 * what others have to answer waits here, and is sent by a thread of the link's own. So a peer that
 * takes no answers keeps one handler, and not all.
 *
 * <p>A request counts as processed when its answer is sent. So no more answers wait than the window
 * has requests. Thread-safe.
 */
public final class OwedAnswers {
  /** Time without answers after which the thread ends. */
  private static final long KEPT_MILLIS = 1_000;

  /** Upper bound of answers that come from futures, whose requests count as processed before. */
  private static final int MOST = 65_536;

  private final String peer;
  private final BooleanSupplier lost;
  private final Consumer<Exception> tooMany;
  private final AtomicBoolean entered = new AtomicBoolean();
  private final ArrayDeque<Runnable> answers = new ArrayDeque<>();
  private boolean running;

  /**
   * Of a link that owes none.
   *
   * @param lost whether the link is
   * @param tooMany ends the link
   */
  public OwedAnswers(String peer, BooleanSupplier lost, Consumer<Exception> tooMany) {
    this.peer = peer;
    this.lost = lost;
    this.tooMany = tooMany;
  }

  /** Whether this thread may wait for the link; {@link #leave} must follow then. */
  public boolean enter() {
    return !hasAny() && entered.compareAndSet(false, true);
  }

  public void leave() {
    entered.set(false);
  }

  private synchronized boolean hasAny() {
    return !answers.isEmpty();
  }

  /**
   * Has an answer sent by another thread.
   *
   * @param sending sends it, and waits for room; throws nothing
   */
  public synchronized void add(Runnable sending) {
    if (answers.size() >= MOST) {
      tooMany.accept(new IllegalStateException(MOST + " answers that it does not take"));
      return;
    }
    answers.add(sending);
    if (!running) {
      running = true;
      boolean started = false;
      try {
        RuntimeThreads.start("KaRMI Answers to " + peer, this::run, true);
        started = true;
      } finally {
        running = started; // the next one tries again
      }
    } else {
      notifyAll();
    }
  }

  private void run() {
    for (Runnable next = next(); next != null; next = next()) {
      next.run();
    }
  }

  /** The next answer; null if there was none for a while, and the thread ends. */
  private synchronized @Nullable Runnable next() {
    if (answers.isEmpty() && !lost.getAsBoolean()) {
      try {
        wait(KEPT_MILLIS);
      } catch (InterruptedException e) {
        // a writeObject method has interrupted its own thread: it looks once more
      }
    }
    Runnable next = answers.poll();
    running = next != null;
    return next;
  }
}
