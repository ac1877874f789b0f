package io.karmi.connection.pool;

import io.karmi.guard.Ledger;
import io.karmi.guard.Ledgers;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * What replies referred to whose connection ended before the caller had told that it has registered
 * the references. A caller that has the reply tells their owner over another connection, for which
 * all is kept alive for a while, as stock RMI does for five minutes. Thread-safe.
 */
final class UnconfirmedReplies {
  /** Bytes of an entry, about. */
  private static final long BYTES_EACH = 64;

  private final long keptNanos;
  private final Queue<Kept> all = new ArrayDeque<>();
  private boolean closed;

  private record Kept(
      List<Object> referenced, @Nullable Object host, long bytes, long untilNanos) {}

  UnconfirmedReplies(long keptMillis) {
    keptNanos = TimeUnit.MILLISECONDS.toNanos(keptMillis);
  }

  /**
   * Keeps something, if the ledger of leases has room for it.
   *
   * @param referencedBytes that it takes, about
   * @param host of the caller; null for a network without hosts
   */
  synchronized void keep(List<Object> referenced, long referencedBytes, @Nullable Object host) {
    long bytes = BYTES_EACH + referencedBytes;
    if (!closed
        && !referenced.isEmpty()
        && Ledgers.leases().take(host, bytes) == Ledger.Outcome.TAKEN) {
      all.add(new Kept(referenced, host, bytes, System.nanoTime() + keptNanos));
    }
  }

  /** Lets go of what was kept for long enough; called now and then. */
  synchronized void round(long now) {
    Kept oldest = all.peek();
    while (oldest != null && (closed || now - oldest.untilNanos > 0)) {
      all.remove();
      Ledgers.leases().giveBack(oldest.host, oldest.bytes);
      oldest = all.peek();
    }
  }

  synchronized void close() {
    closed = true;
    round(System.nanoTime());
  }
}
