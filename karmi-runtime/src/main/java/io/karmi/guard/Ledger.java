package io.karmi.guard;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Ledger of one resource that peers make this JVM hold, such as bytes of unfinished messages.
 *
 * <p>It has three levels: the {@link Account} of a connection or link, the host of its other end,
 * and the JVM. The first units of an account are free. Of the rest one host may take seven eighths,
 * so that there is room for others. Where the JVM's share is used up, an account of the host that
 * holds most gives way; where a host's share is, one of that host. Who wants more than half of a
 * host's share gets no room of others.
 *
 * <p>Thread-safe.
 */
public final class Ledger {
  /** One in this many units is kept for other hosts than the one with the most. */
  private static final int SHARE_OF_OTHERS = 8;

  /** Youngest age of an account for which its pace is computed, in nanoseconds. */
  private static final long YOUNGEST_NANOS = 1_000_000;

  /**
   * How long an account that gives way may take to give back what it holds, in milliseconds. Until
   * then its memory is still in use; a holder that is stuck is waited for no longer.
   */
  private static final long LEAVING_MILLIS = 250;

  /** How many accounts who asks for more asks, or waits for, in vain. */
  private static final int MAXIMUM_IN_VAIN = 4;

  /** Which account of a host gives way. */
  public enum Weakest {
    /** None: who asks is refused. */
    NONE,
    /** The one that has held least for each second since it began to hold anything. */
    SLOWEST,
    /** The one that holds most. */
    LARGEST
  }

  /** What became of a request for more. */
  public enum Outcome {
    TAKEN,
    HOST_IS_FULL,
    ALL_IS_FULL
  }

  /** The owner of an account. */
  public interface Holder {
    /**
     * Asks the holder to give up what it holds, so that others have room. Returns at once.
     *
     * @param reason for a log or an exception
     * @return whether it surely does so, without being asked again, or has {@linkplain
     *     Account#forgo forgone} it
     */
    boolean giveWay(String reason);
  }

  private final LongSupplier clock;
  private final String setting;
  private final long most;
  private final long mostOfHost;
  private final Weakest weakest;

  /** Gives back what is held no more; run before somebody without an account is refused. */
  private volatile Runnable tidying = () -> {};

  /* All below is guarded by this. */
  private final Map<Object, Host> hosts = new HashMap<>();
  private long taken;

  /**
   * An empty ledger.
   *
   * @param setting for messages, such as {@code karmi.maxUnfinishedBytes}
   * @param most how many units all may hold together, beside the free ones
   */
  public Ledger(String setting, long most, Weakest weakest) {
    this(setting, most, shareOfHost(most), weakest);
  }

  /** The same with another share of one host. */
  public Ledger(String setting, long most, long mostOfHost, Weakest weakest) {
    this(setting, most, mostOfHost, weakest, System::nanoTime);
  }

  /** The same with a clock of nanoseconds. */
  Ledger(String setting, long most, long mostOfHost, Weakest weakest, LongSupplier clock) {
    this.clock = clock;
    this.setting = setting;
    this.most = most;
    this.mostOfHost = mostOfHost;
    this.weakest = weakest;
  }

  /** The usual share of one host. */
  public static long shareOfHost(long most) {
    return Math.max(1, most - most / SHARE_OF_OTHERS);
  }

  /** What one host holds; there as long as it holds something or has an account. */
  private static final class Host {
    final @Nullable Object key;
    long taken;
    int accounts;

    /** The accounts that hold more than what is free: a list of their own fields. */
    @Nullable Account first;

    Host(@Nullable Object key) {
      this.key = key;
    }
  }

  /** For connections of networks without hosts: its share is not limited. */
  private final Host noHost = new Host(null);

  private Host hostOf(@Nullable Object key) {
    return key == null ? noHost : hosts.computeIfAbsent(key, Host::new);
  }

  private void forgetIfEmpty(Host host) {
    if (host.key != null && host.taken == 0 && host.accounts == 0) {
      hosts.remove(host.key);
    }
  }

  /**
   * Sets what gives back units that are held no more. It is run in a thread that is about to be
   * refused, and must not wait.
   */
  public void tidyBeforeRefusing(Runnable tidying) {
    this.tidying = tidying;
  }

  /** Takes units for a host without an account; {@link #giveBack} must follow. */
  public Outcome take(@Nullable Object key, long units) {
    Outcome outcome = tryTake(key, units);
    if (outcome != Outcome.TAKEN) {
      tidying.run();
      outcome = tryTake(key, units);
    }
    return outcome;
  }

  private synchronized Outcome tryTake(@Nullable Object key, long units) {
    Host host = hostOf(key);
    Outcome outcome = take(host, units, false);
    forgetIfEmpty(host);
    return outcome;
  }

  /** Gives back what a host has {@linkplain #take taken}. Needs no memory. */
  public synchronized void giveBack(@Nullable Object key, long units) {
    Host host = key == null ? noHost : hosts.get(key);
    if (host != null) {
      giveBack(host, units);
      forgetIfEmpty(host);
    }
  }

  private Outcome take(Host host, long units, boolean inAnyCase) {
    if (!inAnyCase && units > most - taken) {
      return Outcome.ALL_IS_FULL;
    }
    if (!inAnyCase && host.key != null && units > mostOfHost - host.taken) {
      return Outcome.HOST_IS_FULL;
    }
    taken += units;
    host.taken += units;
    return Outcome.TAKEN;
  }

  private void giveBack(Host host, long units) {
    taken -= units;
    host.taken -= units;
  }

  /** How many units are taken, without those that are free. */
  public synchronized long taken() {
    return taken;
  }

  /** How many units a host has taken. */
  public synchronized long takenBy(Object key) {
    Host host = hosts.get(key);
    return host == null ? 0 : host.taken;
  }

  /** How many units there are. */
  public long most() {
    return most;
  }

  /** How many hosts are remembered. */
  synchronized int hosts() {
    return hosts.size();
  }

  /**
   * Opens an account of a connection or link, which must be {@linkplain Account#close closed}.
   *
   * @param key tells the host of its other end, or null for a network without hosts; asked when
   *     more than what is free is held for the first time
   * @param free how many units of it are not counted
   */
  public Account open(Supplier<? extends @Nullable Object> key, long free, Holder holder) {
    return new Account(key, free, holder);
  }

  /** What one connection or link holds. Thread-safe; a closed one counts nothing any more. */
  public final class Account {
    private final Supplier<? extends @Nullable Object> key;
    private final long free;
    private final Holder holder;

    /* All below is guarded by the ledger. */

    /** Null until more than what is free is held, and once it is closed. */
    private @Nullable Host host;

    private long held;
    private long counted;
    private boolean closed;

    /** Whether it only gives back. */
    private boolean retired;

    /** How often it has given all back in place of giving way. */
    private int forgone;

    private long sinceNanos;
    private @Nullable Account previous;
    private @Nullable Account next;

    Account(Supplier<? extends @Nullable Object> key, long free, Holder holder) {
      this.key = key;
      this.free = free;
      this.holder = holder;
    }

    /**
     * Holds more units, or fewer if negative. If there is no room other accounts may have to give
     * way. Some that do not are passed over, and stuck ones are waited for, for a second at most.
     *
     * @return false if there is no room; then nothing has changed
     */
    public boolean hold(long more) {
      int inVain = 0;
      List<Account> busy = new ArrayList<>(0);
      while (true) {
        Account weak;
        int forgone;
        Outcome outcome;
        synchronized (Ledger.this) {
          outcome = change(more, false);
          if (outcome == Outcome.TAKEN) {
            return true;
          }
          weak = findWeakest(this, more, outcome, busy);
          forgone = weak == null ? 0 : weak.forgone;
        }
        if (inVain == MAXIMUM_IN_VAIN || weak == null) {
          return false;
        }
        if (!weak.holder.giveWay(reason(outcome))) {
          busy.add(weak);
          inVain++;
        } else if (!weak.leave(forgone)) {
          inVain++;
        }
      }
    }

    /**
     * Gives all back in place of giving way. What it stands for is in use, and does not count any
     * more; the account goes on.
     */
    public void forgo() {
      synchronized (Ledger.this) {
        change(-held, false);
        forgone++;
      }
    }

    /** Holds more units though there may be no room: what they stand for is in use already. */
    public void keep(long more) {
      synchronized (Ledger.this) {
        change(more, true);
      }
    }

    /**
     * Waits until an account that gives way has given back what it holds, or retires it.
     *
     * @param before how often it had forgone that before it was asked
     * @return false if it still holds something
     */
    private boolean leave(int before) {
      long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(LEAVING_MILLIS);
      synchronized (Ledger.this) {
        if (forgone != before) {
          return true;
        }
        try {
          for (long left = end - System.nanoTime();
              counted > 0 && left > 0;
              left = end - System.nanoTime()) {
            TimeUnit.NANOSECONDS.timedWait(Ledger.this, left);
          }
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
        }
        boolean left = counted == 0;
        if (!left) {
          retire();
        }
        return left;
      }
    }

    private Outcome change(long more, boolean inAnyCase) {
      long after = Math.max(0, held + more);
      long countedAfter = closed ? 0 : Math.max(0, after - free);
      if (countedAfter != counted) {
        Outcome outcome = count(host(), countedAfter, inAnyCase);
        if (outcome != Outcome.TAKEN) {
          return outcome;
        }
      }
      held = after;
      if (retired && counted == 0) {
        close();
      }
      return Outcome.TAKEN;
    }

    private Host host() {
      Host known = host;
      if (known == null) {
        known = hostOf(key.get());
        known.accounts++;
        host = known;
      }
      return known;
    }

    private Outcome count(Host host, long after, boolean inAnyCase) {
      if (after > counted) {
        Outcome outcome = take(host, after - counted, inAnyCase);
        if (outcome != Outcome.TAKEN) {
          return outcome;
        }
      } else {
        Ledger.this.giveBack(host, counted - after);
        Ledger.this.notifyAll();
      }
      if (after > 0 && counted == 0) {
        enlist(host);
      } else if (after == 0 && counted > 0) {
        delist(host);
      }
      counted = after;
      return Outcome.TAKEN;
    }

    private void enlist(Host host) {
      sinceNanos = clock.getAsLong();
      next = host.first;
      if (next != null) {
        next.previous = this;
      }
      host.first = this;
    }

    private void delist(Host host) {
      if (previous == null) {
        host.first = next;
      } else {
        previous.next = next;
      }
      if (next != null) {
        next.previous = previous;
      }
      previous = null;
      next = null;
    }

    /** How many units it has held for each millisecond, with some that it wants. */
    private double pace(long more, long now) {
      long since = counted == 0 ? now : sinceNanos;
      return (double) (held + more) / Math.max(YOUNGEST_NANOS, now - since);
    }

    /** How many units it holds, the free ones included. */
    public long held() {
      synchronized (Ledger.this) {
        return held;
      }
    }

    /** Whether it has been closed or retired, or had to give way. */
    public boolean isClosed() {
      synchronized (Ledger.this) {
        return closed || retired;
      }
    }

    /**
     * Ends the account of a connection that is closed while a thread may still hold its memory: it
     * does not give way again, and what it holds counts until it is given back.
     */
    public void retire() {
      synchronized (Ledger.this) {
        retired = true;
        change(0, false);
      }
    }

    /** Gives all back: it is in use no more. What is held from now on does not count. */
    public void close() {
      synchronized (Ledger.this) {
        retired = false;
        closed = true;
        change(0, false);
        Host left = host;
        if (left != null) {
          host = null;
          left.accounts--;
          forgetIfEmpty(left);
        }
      }
    }

    /** What this one, its host and the JVM hold, and how much that may be, for messages. */
    @Override
    public String toString() {
      synchronized (Ledger.this) {
        return "all together take "
            + taken
            + " of "
            + most
            + " bytes ("
            + setting
            + "), those of its host "
            + (host == null ? 0 : host.taken)
            + " of "
            + (host == null || host.key == null ? most : mostOfHost);
      }
    }
  }

  private String reason(Outcome outcome) {
    return (outcome == Outcome.HOST_IS_FULL ? "the share of its host" : "the share of this JVM")
        + " is used up ("
        + setting
        + "), and others have to go on";
  }

  /**
   * The account that gives way so that another one gets more; null if that one is refused. Of equal
   * ones it is the one that has held longest: the latest may be about to be used.
   *
   * @param busy those that were asked already
   */
  private @Nullable Account findWeakest(
      Account asking, long more, Outcome outcome, List<Account> busy) {
    if (weakest == Weakest.NONE || asking.held + more > mostOfHost / 2) {
      return null;
    }
    Host host = outcome == Outcome.HOST_IS_FULL ? asking.host() : largestHost();
    long now = clock.getAsLong();
    double own = host == asking.host ? weakness(asking, more, now) : Double.NEGATIVE_INFINITY;
    double best = own;
    Account found = null;
    for (Account each = host.first; each != null; each = each.next) {
      if (each != asking && !each.retired && !busy.contains(each)) {
        double weakness = weakness(each, 0, now);
        if (weakness > own && weakness >= best) {
          best = weakness;
          found = each;
        }
      }
    }
    return found;
  }

  private double weakness(Account account, long more, long now) {
    return weakest == Weakest.LARGEST ? account.held + more : -account.pace(more, now);
  }

  private Host largestHost() {
    Host largest = noHost;
    for (Host each : hosts.values()) {
      if (each.taken > largest.taken) {
        largest = each;
      }
    }
    return largest;
  }
}
