package io.karmi.guard;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Threads of the runtime that are written off: code of others, such as a {@code readObject} method,
 * does not come back, and their connection is closed. What the connection had is given back to
 * others, but for the thread itself, which nothing can end, and for the memory of the call or
 * message that it reads: that counts until it comes back.
 *
 * <p>There may be one for each 256 KB of the heap, and one host may cause seven eighths of them.
 * Beyond that a connection keeps what it has until its thread comes back. Thread-safe.
 */
public final class StuckThreads {
  private static final System.Logger LOG = System.getLogger(StuckThreads.class.getName());

  private static final long HEAP_BYTES_EACH = 256 * 1024;
  private static final long MINIMUM = 300;
  private static final long MAXIMUM = 5_000;

  private static final Ledger LEDGER =
      new Ledger(
          "a thread for each 256 KB of the heap",
          Math.max(MINIMUM, Math.min(MAXIMUM, Runtime.getRuntime().maxMemory() / HEAP_BYTES_EACH)),
          Ledger.Weakest.NONE);

  /** Time after which a thread counts as stuck: most come back as soon as they are written off. */
  private static final long STUCK_NANOS = 1_000_000_000;

  private static final Set<Entry> ENTRIES = ConcurrentHashMap.newKeySet();

  /** How many were stuck when that was last logged. */
  private static long logged;

  private StuckThreads() {}

  /** A thread that is written off. */
  public static final class Entry {
    private final @Nullable Object host;
    private final String what;
    private final long sinceNanos = System.nanoTime();

    private Entry(@Nullable Object host, String what) {
      this.host = host;
      this.what = what;
    }
  }

  /**
   * Writes a thread off; {@link #back} must follow if it comes back.
   *
   * @param host the other end of its connection; null for a network without hosts
   * @param what it does, for the log
   * @return null if there are too many
   */
  public static @Nullable Entry writeOff(@Nullable Object host, String what) {
    Entry entry = new Entry(host, what);
    if (LEDGER.take(host, 1) != Ledger.Outcome.TAKEN) {
      return null;
    }
    ENTRIES.add(entry);
    return entry;
  }

  /** Whether no further thread can be written off. */
  public static boolean areTooMany() {
    return LEDGER.taken() >= LEDGER.most();
  }

  /** A thread that was written off has come back. */
  public static void back(Entry entry) {
    if (ENTRIES.remove(entry)) {
      LEDGER.giveBack(entry.host, 1);
    }
  }

  /** How many have not come back for a second. */
  public static long count() {
    return LEDGER.taken() == 0 ? 0 : count(System.nanoTime());
  }

  private static long count(long now) {
    return ENTRIES.stream().filter(each -> now - each.sinceNanos > STUCK_NANOS).count();
  }

  /** Logs the first one, the second, the fourth and so on; called now and then. */
  public static synchronized void tell() {
    long stuck = count();
    if (stuck > 0 && stuck >= 2 * logged) {
      logged = stuck;
      LOG.log(
          System.Logger.Level.WARNING,
          "{0} of at most {1} threads have not come back from code of others, and are written off;"
              + " one of them {2}. A thread dump shows where they are",
          stuck,
          LEDGER.most(),
          ENTRIES.stream().map(each -> each.what).findAny().orElse("has just come back"));
    }
  }
}
