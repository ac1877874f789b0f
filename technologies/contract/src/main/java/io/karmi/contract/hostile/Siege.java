package io.karmi.contract.hostile;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * All attacks on one node, again and again, in an order that a seed decides; after each of them an
 * honest client must be served, and in the end nothing may be left of them. Belongs to one thread.
 */
public final class Siege {
  /** How long the node may take to serve the first client after an attack. */
  private static final long SERVE_NANOS = TimeUnit.SECONDS.toNanos(10);

  /** How long it may take to be rid of what attackers have left, once they are gone. */
  private static final long RECOVER_NANOS = TimeUnit.SECONDS.toNanos(90);

  private static final long HEAP_SLACK_BYTES = 24 << 20;
  private static final int THREAD_SLACK = 12;
  private static final int DESCRIPTOR_SLACK = 24;
  private static final int PAUSE_MILLIS = 100;

  private final Door door;
  private final long object;
  private final Supplier<Besieged.State> state;
  private final Random random;
  private final Map<String, Long> slowest = new TreeMap<>();
  private int attacks;

  /**
   * A siege that has not begun.
   *
   * @param object the number of the object that the node serves
   * @param state asks the node how it is
   */
  public Siege(Door door, long object, Supplier<Besieged.State> state, long seed) {
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
   * Attacks until a time has passed, but at least once in each way.
   *
   * @throws AssertionError if an attack does harm; it says which
   */
  public void run(long millis) throws InterruptedException {
    long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
    round(Long.MAX_VALUE);
    Besieged.State before = state.get(); // all classes are loaded, all buffers have grown
    while (System.nanoTime() - end < 0) {
      round(end);
    }
    awaitRecovery(before);
  }

  private void round(long end) {
    List<Attack> all = new ArrayList<>(Attacks.all());
    Collections.shuffle(all, random);
    for (Attack each : all) {
      if (end != Long.MAX_VALUE && System.nanoTime() - end > 0) {
        return;
      }
      make(each);
    }
  }

  /** Makes one attack. */
  public void make(Attack attack) {
    attacks++;
    long begin = System.nanoTime();
    try (Target target = new Target(door, object, random)) {
      attack.run(target);
      assertServes(attack);
    }
    slowest.merge(attack.toString(), (System.nanoTime() - begin) / 1_000_000, Math::max);
  }

  private void assertServes(Attack attack) {
    long begin = System.nanoTime();
    try (Target honest = new Target(door, object, random)) {
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
