package io.karmi.contract.hostile;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * All attacks on one node, each once alone and then two at a time, in an order that a seed decides;
 * after each of them an honest client must be served, and in the end nothing may be left of them.
 * Belongs to one thread.
 */
public final class Siege {
  /** Time for the node to serve the first client after an attack. */
  private static final long SERVE_NANOS = TimeUnit.SECONDS.toNanos(10);

  /** Time for the node to free what attackers have left, once they are gone. */
  private static final long RECOVER_NANOS = TimeUnit.SECONDS.toNanos(90);

  private static final long HEAP_SLACK_BYTES = 24 << 20;
  private static final int THREAD_SLACK = 12;
  private static final int DESCRIPTOR_SLACK = 24;
  private static final int PAUSE_MILLIS = 100;

  private final List<Attack> all;
  private final Door door;
  private final long object;
  private final Supplier<Besieged.State> state;
  private final Random random;
  private final Map<String, Long> slowest = new TreeMap<>();
  private int attacks;

  /**
   * A siege that has not begun.
   *
   * @param all the attacks
   * @param object the number of the object that the node serves
   * @param state asks the node how it is
   */
  public Siege(
      List<Attack> all, Door door, long object, Supplier<Besieged.State> state, long seed) {
    this.all = all;
    this.door = door;
    this.object = object;
    this.state = state;
    this.random = new Random(seed);
  }

  /** How many attacks were made. */
  public int attacks() {
    return attacks;
  }

  /** The longest time in milliseconds that each attack has taken, with the client after it. */
  public Map<String, Long> slowestMillis() {
    return slowest;
  }

  /**
   * Attacks until a time has passed, but at least once in each way, alone.
   *
   * @throws AssertionError if an attack does harm; it says which
   */
  public void run(long millis) throws InterruptedException {
    long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
    shuffled().forEach(this::make);
    Besieged.State before = state.get(); // all classes are loaded, all buffers have grown
    while (System.nanoTime() - end < 0) {
      roundOfPairs(end);
    }
    awaitRecovery(before);
  }

  private List<Attack> shuffled() {
    List<Attack> shuffled = new ArrayList<>(all);
    Collections.shuffle(shuffled, random);
    return shuffled;
  }

  private void roundOfPairs(long end) throws InterruptedException {
    List<Attack> shuffled = shuffled();
    List<Attack> others = shuffled();
    for (int i = 0; i < shuffled.size() && System.nanoTime() - end < 0; i++) {
      makeBoth(shuffled.get(i), others.get(i));
    }
  }

  /** Makes one attack. */
  public void make(Attack attack) {
    attacks++;
    long begin = System.nanoTime();
    try (Target target = target()) {
      attack.run(target);
      assertServes(attack.toString());
    }
    note(attack, begin);
  }

  /** Makes two attacks at the same time, which may be the same one. */
  private void makeBoth(Attack one, Attack other) throws InterruptedException {
    attacks += 2;
    long begin = System.nanoTime();
    try (Target target = target();
        Target targetOfOther = target()) {
      FutureTask<Void> second =
          new FutureTask<>(
              () -> {
                other.run(targetOfOther);
                return null;
              });
      Thread thread = new Thread(second, "second attacker");
      thread.setDaemon(true);
      thread.start();
      try {
        one.run(target);
      } finally {
        thread.join(); // what it has opened is closed by this one
      }
      second.get();
      assertServes(one + "' and '" + other);
    } catch (ExecutionException e) {
      throw new AssertionError("'" + other + "' failed beside '" + one + "'", e.getCause());
    }
    note(one, begin);
    note(other, begin);
  }

  /** Each attacker has random numbers of its own: how threads take turns changes none of them. */
  private Target target() {
    return new Target(door, object, new Random(random.nextLong()));
  }

  private void note(Attack attack, long begin) {
    slowest.merge(attack.toString(), (System.nanoTime() - begin) / 1_000_000, Math::max);
  }

  private void assertServes(String attack) {
    long begin = System.nanoTime();
    try (Target honest = target()) {
      int sum = honest.serve();
      long took = System.nanoTime() - begin;
      if (sum != 42 || took > SERVE_NANOS) {
        throw new AssertionError(
            "after '" + attack + "': " + sum + " in " + took / 1_000_000 + " ms");
      }
    } catch (IOException e) {
      throw new AssertionError("after '" + attack + "' the next client is not served", e);
    }
  }

  private void awaitRecovery(Besieged.State before) throws InterruptedException {
    long end = System.nanoTime() + RECOVER_NANOS;
    Besieged.State now = state.get();
    while (!isRecovered(before, now)) {
      if (System.nanoTime() - end > 0) {
        throw new AssertionError(
            attacks + " attacks have left something behind: before " + before + ", now " + now);
      }
      Thread.sleep(PAUSE_MILLIS);
      now = state.get();
    }
  }

  private static boolean isRecovered(Besieged.State before, Besieged.State now) {
    return now.gadgets() == 0
        && now.heapBytes() <= before.heapBytes() + HEAP_SLACK_BYTES
        && now.threads() <= before.threads() + THREAD_SLACK
        && now.descriptors() <= before.descriptors() + DESCRIPTOR_SLACK;
  }
}
