package io.karmi.contract.hostile;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;

/**
 * Attackers that send a megabyte a second together, as long as they like, and close only a part of
 * what they have opened. A client is served meanwhile, and in the end. Belongs to one thread, which
 * starts those of the attackers.
 */
final class SlowSiege {
  private static final int BYTES_PER_SECOND = 1_000_000;
  private static final int MOST_AT_ONCE = 16 << 10;
  private static final int ATTACKERS = 12;

  /** Attacks of which each attacker leaves open what they have opened. */
  private static final int KEPT = 8;

  private static final int PAUSE_MILLIS = 200;
  private static final int ATTEMPTS = 5;
  private static final byte[] HI = {0x10 + 2, 'h', 'i'};

  private final List<Attack> all;
  private final Door attackersDoor;
  private final Door clientsDoor;
  private final long object;
  private final Random random;
  private final Queue<Throwable> problems = new ConcurrentLinkedQueue<>();
  private final Pace pace = new Pace();
  private final List<Thread> threads = new ArrayList<>();
  private final List<List<Target>> kept = new ArrayList<>();
  private int attacks;
  private int served;
  private int notServed;
  private long slowestNanos;

  SlowSiege(List<Attack> all, Door attackersDoor, Door clientsDoor, long object, long seed) {
    this.all = all;
    this.attackersDoor = slow(attackersDoor);
    this.clientsDoor = clientsDoor;
    this.object = object;
    this.random = new Random(seed);
  }

  /** What all attackers together may still send. */
  private static final class Pace {
    private final long beginNanos = System.nanoTime();
    private long sent;
    private volatile boolean over;

    private synchronized long sent(int bytes) {
      sent += bytes;
      return sent;
    }

    void take(int bytes) throws IOException {
      long due = beginNanos + sent(bytes) * (TimeUnit.SECONDS.toNanos(1) / BYTES_PER_SECOND);
      for (long left = due - System.nanoTime(); left > 0; left = due - System.nanoTime()) {
        if (over) {
          throw new InterruptedIOException("the siege is over");
        }
        try {
          TimeUnit.NANOSECONDS.sleep(Math.min(left, TimeUnit.MILLISECONDS.toNanos(PAUSE_MILLIS)));
        } catch (InterruptedException e) {
          throw new InterruptedIOException();
        }
      }
    }
  }

  /** Why clients were not served, and how often. */
  private final Map<String, Integer> reasons = new TreeMap<>();

  private Door slow(Door door) {
    return new Door() {
      @Override
      public Channel open() throws IOException {
        return slow(door.open());
      }

      @Override
      public Channel openBelow() throws IOException {
        return slow(door.openBelow());
      }
    };
  }

  private Channel slow(Channel channel) {
    return new Channel() {
      @Override
      public InputStream in() throws IOException {
        return channel.in();
      }

      @Override
      public OutputStream out() throws IOException {
        return new FilterOutputStream(channel.out()) {
          @Override
          public void write(byte[] from, int offset, int length) throws IOException {
            for (int done = 0; done < length; ) {
              int count = Math.min(length - done, MOST_AT_ONCE);
              pace.take(count);
              out.write(from, offset + done, count);
              done += count;
            }
          }
        };
      }

      @Override
      public void endOutput() throws IOException {
        channel.endOutput();
      }

      @Override
      public void close() throws IOException {
        channel.close();
      }
    };
  }

  /**
   * Attacks for a time, and then serves the next clients while all is still open.
   *
   * @return nanoseconds that the fastest of some clients has taken for a call and a request
   */
  long run(long millis) throws InterruptedException {
    for (int i = 0; i < ATTACKERS; i++) {
      List<Target> ofThread = new ArrayList<>();
      kept.add(ofThread);
      Random own = new Random(random.nextLong());
      Thread thread = new Thread(() -> attack(ofThread, own), "attacker");
      thread.setDaemon(true);
      thread.start();
      threads.add(thread);
    }
    long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
    while (System.nanoTime() < end) {
      note(serveNanos());
      Thread.sleep(PAUSE_MILLIS);
    }
    pace.over = true;
    long fastest = Long.MAX_VALUE;
    for (int i = 0; i < ATTEMPTS; i++) {
      fastest = Math.min(fastest, serveNanos());
    }
    return fastest;
  }

  /**
   * Lets the attackers go; the node is gone by now, so that they wait for nothing.
   *
   * @throws AssertionError if an attack has found harm of its own
   */
  void end() throws InterruptedException {
    pace.over = true;
    for (Thread thread : threads) {
      thread.join();
    }
    kept.forEach(targets -> targets.forEach(Target::close));
    for (Throwable problem : problems) {
      throw new AssertionError("an attacker failed", problem);
    }
  }

  private void attack(List<Target> kept, Random random) {
    try {
      while (!pace.over) {
        Attack attack = all.get(random.nextInt(all.size()));
        Target target = new Target(attackersDoor, object, new Random(random.nextLong()));
        kept.add(target);
        countAttack();
        attack.run(target);
        if (kept.size() > KEPT || random.nextInt(4) == 0) {
          kept.remove(random.nextInt(kept.size())).close();
        }
      }
    } catch (RuntimeException | Error e) {
      problems.add(e);
    }
  }

  private synchronized void countAttack() {
    attacks++;
  }

  private void note(long nanos) {
    if (nanos == Long.MAX_VALUE) {
      notServed++;
    } else {
      served++;
      slowestNanos = Math.max(slowestNanos, nanos);
    }
  }

  /** Nanoseconds for a call and a request of a new client; the greatest if it is not served. */
  long serveNanos() {
    long begin = System.nanoTime();
    try (Target honest = new Target(clientsDoor, object, new Random(random.nextLong()))) {
      if (honest.serve() != 42) {
        throw new AssertionError("a wrong sum");
      }
      RawPeer sender = Attacks.keyed(honest);
      Attacks.sendFrame(sender, 0, 1, new WireBytes().int64(7).raw(HI).toArray());
      if (Attacks.readAnswer(sender, 7)) {
        return System.nanoTime() - begin;
      }
      return notServed("no answer to a request");
    } catch (IOException e) {
      return notServed(e.toString());
    }
  }

  private synchronized long notServed(String why) {
    reasons.merge(why, 1, Integer::sum);
    return Long.MAX_VALUE;
  }

  /** What has happened, in a line. */
  @Override
  public synchronized String toString() {
    return attacks
        + " attacks, "
        + pace.sent(0) / BYTES_PER_SECOND
        + " MB; clients meanwhile: "
        + served
        + " served, the slowest in "
        + TimeUnit.NANOSECONDS.toMillis(slowestNanos)
        + " ms, "
        + notServed
        + " not served "
        + reasons;
  }
}
