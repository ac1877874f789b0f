package io.karmi.messaging.link;

import io.karmi.guard.Ledger;
import io.karmi.technology.RuntimeThreads;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Answers for which a link has no room yet. One handler at a time may wait for the link itself;
 * what others have to answer waits here, and is sent by a thread of the link's own. So a peer that
 * takes no answers keeps one handler, and not all.
 *
 * <p>A request counts as processed when its answer is sent. So no more answers wait than the window
 * has requests, but for those of futures. What waits is held by an account: a short request may
 * have a long answer. Thread-safe.
 */
public final class OwedAnswers {
  /** Time without answers after which the thread ends. */
  private static final long KEPT_MILLIS = 1_000;

  /** What an answer takes beside its bytes while it waits, about. */
  private static final long BESIDE_BYTES = 256;

  private final String peer;
  private final BooleanSupplier lost;
  private final Ledger.Account account;
  private final Consumer<Throwable> failed;
  private final AtomicBoolean entered = new AtomicBoolean();
  private final ArrayDeque<Owed> answers = new ArrayDeque<>();
  private boolean running;

  /** Whether an answer found no memory, and none was sent since. */
  private volatile boolean full;

  /** What goes on then; guarded by this. */
  private final List<Runnable> heldBack = new ArrayList<>(0);

  private record Owed(Runnable sending, long heldBytes) {}

  /**
   * Of a link that owes none.
   *
   * @param lost whether the link is
   * @param account of the link, which holds what waits
   * @param failed ends the link
   */
  public OwedAnswers(
      String peer, BooleanSupplier lost, Ledger.Account account, Consumer<Throwable> failed) {
    this.peer = peer;
    this.lost = lost;
    this.account = account;
    this.failed = failed;
  }

  /**
   * Whether what has come is to wait until some of the answers are sent, as there is no memory for
   * more of them.
   *
   * @param goOn done by another thread then
   */
  public boolean holdsBack(Runnable goOn) {
    return full && holdBack(goOn);
  }

  private synchronized boolean holdBack(Runnable goOn) {
    boolean holds = full && running && !answers.isEmpty();
    if (holds) {
      heldBack.add(goOn);
    }
    return holds;
  }

  private synchronized void free() {
    full = false;
    while (!heldBack.isEmpty()) {
      heldBack.remove(heldBack.size() - 1).run();
    }
  }

  /** Whether this thread may wait for the link; {@link #leave} must follow then. */
  public boolean enter() {
    return !hasAny() && entered.compareAndSet(false, true);
  }

  public void leave() {
    entered.set(false);
  }

  /** Whether answers wait: one more goes behind them. */
  public synchronized boolean hasAny() {
    return !answers.isEmpty();
  }

  /**
   * Has an answer sent by another thread.
   *
   * @param sending sends it, and waits for room; throws nothing
   * @param made bytes that were allocated to make it, which count until its memory is known
   * @param memory finds out how many bytes it takes, for which it needs time and memory; not asked
   *     where there is no room even so
   * @param inAnyCase whether it waits though there may be no memory: no further ones are made then
   * @return false if there is no memory for one more to wait
   */
  public boolean add(Runnable sending, long made, LongSupplier memory, boolean inAnyCase) {
    long held = BESIDE_BYTES + made;
    boolean counted = account.hold(held);
    boolean room = counted;
    if (counted) {
      long further = further(made, memory, held);
      room = account.hold(further);
      held += room ? further : 0;
    }
    if (!room) {
      full = true;
      if (counted) {
        account.hold(-held);
      }
      if (!inAnyCase) {
        return false;
      }
      account.keep(held);
    }
    add(new Owed(sending, held));
    return true;
  }

  /** Gives back what is held if the memory cannot be found out, as while the heap is full. */
  private long further(long made, LongSupplier memory, long held) {
    boolean found = false;
    try {
      long further = memory.getAsLong() - made;
      found = true;
      return further;
    } finally {
      if (!found) {
        account.hold(-held);
      }
    }
  }

  private synchronized void add(Owed answer) {
    answers.add(answer);
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
    for (Owed next = next(); next != null; next = next()) {
      try {
        next.sending.run();
      } catch (RuntimeException | Error e) {
        end(e);
      } finally {
        account.hold(-next.heldBytes);
        free();
      }
    }
  }

  /** What waits behind an answer that has failed so finds the link ended. */
  private void end(Throwable because) {
    try {
      failed.accept(because);
    } catch (RuntimeException | Error e) {
      because.addSuppressed(e); // no memory for that either; the next answer may find some
    }
  }

  /** The next answer; null if there was none for a while, and the thread ends. */
  private synchronized @Nullable Owed next() {
    if (answers.isEmpty() && !lost.getAsBoolean()) {
      try {
        wait(KEPT_MILLIS);
      } catch (InterruptedException e) {
        // a writeObject method has interrupted its own thread: it looks once more
      }
    }
    Owed next = answers.poll();
    running = next != null;
    return next;
  }
}
