package io.karmi.ring;

import java.util.concurrent.atomic.AtomicLong;

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
 * for those that have returned. A note stands where its bytes begin, and says how many they are.
 *
 * <p>The ring lies in pages ({@link RingMemory#paged}), which exist while bytes lie in them. A page
 * is free when all of it was consumed; so up to one page less than the capacity can be reserved.
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
  private final RingPages pages;

  /**
   * Makes the producers' end of a ring to which nothing was written yet.
   *
   * @param memory made by {@link RingMemory#paged}
   */
  public OutgoingRing(RingMemory memory) {
    this.memory = memory;
    this.capacity = memory.capacity();
    this.pages = memory.pages();
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
      if (end > limit || end > pages.pageStart(consumed(start)) + capacity) {
        return -1;
      }
      if (reserved.compareAndSet(start, end)) {
        return start;
      }
    }
  }

  /**
   * As {@link #tryReserve}, at a position only.
   *
   * @return false if there is no room, or another reservation begins there
   */
  public boolean tryReserveAt(long start, int length, long limit) {
    long end = start + length;
    return end <= limit
        && end <= pages.pageStart(memory.consumed()) + capacity
        && reserved.compareAndSet(start, end);
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
    pages.setNote(start, length);
    catchUp();
  }

  private void catchUp() {
    long committed = memory.committedVolatile();
    int length = lengthCompleteAt(committed);
    while (length > 0) {
      long end = committed + length;
      committed = memory.advanceCommitted(committed, end) ? end : memory.committedVolatile();
      length = lengthCompleteAt(committed);
    }
  }

  /**
   * A page has notes of this round where a position in it is reserved; in a full ring it is not.
   */
  private int lengthCompleteAt(long committed) {
    return committed < reserved.get() ? pages.note(committed) : 0;
  }

  /**
   * Hands reserved room over in which nothing was stored, as the caller is the consumer and has its
   * bytes elsewhere. It has consumed all that was reserved before.
   *
   * @param start what {@link #tryReserve} has returned
   * @param length what was reserved
   */
  public void commitUnstored(long start, int length) {
    if (!memory.advanceCommitted(start, start + length)) {
      throw new IllegalStateException("not all before " + start + " is consumed");
    }
    catchUp();
  }

  /** Whether this many bytes could be reserved now, if no other thread reserves any. */
  public boolean hasRoom(long bytes) {
    return reserved.get() + bytes <= pages.pageStart(memory.consumed()) + capacity;
  }

  /**
   * Gives the memory of an empty ring back. No thread may reserve, store or commit meanwhile.
   *
   * @return false if it is not empty
   */
  public boolean rest() {
    long all = reserved.get();
    if (memory.consumed() != all) {
      return false;
    }
    pages.dropPage(all);
    return true;
  }

  /** Bytes of memory that the ring has at the moment, without its notes. */
  public int heldBytes() {
    return pages.heldBytes();
  }

  /** The capacity in bytes. */
  public int capacity() {
    return capacity;
  }

  /** The position of the first byte that is not reserved yet. */
  public long reserved() {
    return reserved.get();
  }
}
