package io.karmi.messaging.channel;

import io.karmi.technology.ServiceThread;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/**
 * Looks after channels: a thread that runs as long as there are any. It tells and asks where that
 * could not be done at once, and ends those of which nothing comes. Thread-safe.
 */
public final class ChannelUpkeep {
  private static final long ROUND_NANOS = TimeUnit.MILLISECONDS.toNanos(250);

  /** Time between two rounds while something waits that has found no room. */
  private static final long RETRY_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

  /** A channel's way. */
  public interface Kept {
    /**
     * Does what is to be done now and then; never waits.
     *
     * @return whether something waits to be sent
     */
    boolean keep(long now);
  }

  private final Set<Kept> all = ConcurrentHashMap.newKeySet();
  private final ServiceThread service =
      new ServiceThread("KaRMI Channels Upkeep", true, this::awaitRound, this::round);

  /** Whether a round is to come soon; guarded by this. */
  private boolean wanted;

  private volatile boolean waiting;

  public void add(Kept kept) {
    all.add(kept);
    service.ensureRunning();
  }

  public void remove(Kept kept) {
    all.remove(kept);
  }

  /** Begins a round soon. */
  public synchronized void soon() {
    wanted = true;
    notifyAll();
  }

  private synchronized void awaitRound() throws InterruptedException {
    long end = System.nanoTime() + (waiting ? RETRY_NANOS : ROUND_NANOS);
    for (long left = end - System.nanoTime();
        left > 0 && !(wanted && !waiting);
        left = end - System.nanoTime()) {
      TimeUnit.NANOSECONDS.timedWait(this, left);
    }
    wanted = false;
  }

  private boolean round() {
    boolean more = false;
    for (Kept each : all) {
      more |= each.keep(System.nanoTime());
    }
    waiting = more;
    return !all.isEmpty();
  }
}
