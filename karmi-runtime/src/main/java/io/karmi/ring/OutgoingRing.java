package io.karmi.ring;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * The producers' end of a ring that has many producers and one consumer (DXNet, IV-A and IV-B).
 *
 * <p>A producer reserves room by moving {@code reserved} in one atomic step, stores its bytes, and
 * commits them. The consumer sees bytes up to {@code committed}, so what was committed since it
 * last looked leaves together. Producers may finish in any order:
 *
 * <pre>
 *   consumed          committed                    reserved
 *      |  can be sent     |  A: storing | B: done     |  free
 *                                         B left a note: "from here, done until …"
 * </pre>
 *
 * <p>A producer that finishes before a predecessor leaves a note and returns. The one that finishes
 * at {@code committed} moves it over its own bytes and over all notes that follow: it catches up
 * for those that have returned. A note stands at the index of the position where its bytes begin,
 * and says where they end. Both are 64 bits wide and only grow, so a note of an earlier round
 * through the ring is never mistaken for a new one, and notes need not be cleared.
 *
 * <p>Lengths are multiples of {@value #GRANULE} bytes, and there is one note for each multiple.
 * Thread-safe, without locks: a producer that is stopped between reserving and committing keeps the
 * bytes behind it from being sent, and no other producer from returning.
 */
public final class OutgoingRing {
  /** Lengths and positions of reservations are multiples of this many bytes. */
  public static final int GRANULE = 8;

  private final RingMemory memory;
  private final int capacity;
  private final AtomicLong reserved = new AtomicLong();
  private final AtomicLongArray notes;

  /** Makes the producers' end of a ring to which nothing was written yet. */
  public OutgoingRing(RingMemory memory) {
    this.memory = memory;
    this.capacity = memory.capacity();
    this.notes = new AtomicLongArray(capacity / GRANULE);
  }

  /** The smallest multiple of {@link #GRANULE} that is not less than a length. */
  public static int align(int length) {
    return length + GRANULE - 1 & -GRANULE;
  }

  /**
   * Reserves room for bytes that will be consumed in the order of reservations.
   *
   * @param length a multiple of {@link #GRANULE}, at most the capacity
   * @param limit no reservation may end behind this position, whatever room there is; {@link
   *     Long#MAX_VALUE} for no limit
   * @return the position of its first byte, or -1 if there is no room now
   * @throws RingCorruptedException if the consumer's position cannot be
   */
  public long tryReserve(int length, long limit) throws RingCorruptedException {
    if (length <= 0 || length > capacity || length % GRANULE != 0) {
      throw new IllegalArgumentException(
          "cannot reserve "
              + length
              + " bytes: only multiples of "
              + GRANULE
              + " up to the capacity of "
              + capacity);
    }
    while (true) {
      long start = reserved.get();
      long end = start + length;
      if (end > limit || end > consumed(start) + capacity) {
        return -1;
      }
      if (reserved.compareAndSet(start, end)) {
        return start;
      }
    }
  }

  /** The consumer's position, which is behind all reservations of a moment before. */
  private long consumed(long reservedBefore) throws RingCorruptedException {
    long consumed = memory.consumed();
    if (consumed > reservedBefore && consumed > reserved.get()) {
      throw new RingCorruptedException("consumed", consumed, 0, reserved.get());
    }
    return consumed;
  }

  /** Stores bytes into room that was reserved. */
  public void put(long position, byte[] from, int offset, int length) {
    memory.put(position, from, offset, length);
  }

  /**
   * Hands reserved room, which has been filled, to the consumer: at once, or when those before it
   * are committed.
   *
   * @param start what {@link #tryReserve} has returned
   * @param length what was reserved
   */
  public void commit(long start, int length) {
    notes.set(note(start), start + length);
    long committed = memory.committedVolatile();
    long end = notes.get(note(committed));
    while (end > committed && end <= committed + capacity) {
      committed = memory.advanceCommitted(committed, end) ? end : memory.committedVolatile();
      end = notes.get(note(committed));
    }
  }

  private int note(long position) {
    return (int) (position & capacity - 1) / GRANULE;
  }

  /** How many bytes the ring holds. */
  public int capacity() {
    return capacity;
  }

  /** The position of the first byte that is not reserved yet. */
  public long reserved() {
    return reserved.get();
  }
}
