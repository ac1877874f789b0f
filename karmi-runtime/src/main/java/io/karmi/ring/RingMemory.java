package io.karmi.ring;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/**
 * The memory of one ring: control words and the bytes between its ends.
 *
 * <pre>
 *   0    committed         how far the consumer may read        written by the producer
 *   128  consumerAsleep    1 while the consumer waits in the kernel     by the consumer
 *   256  consumed          how far the producer may overwrite           by the consumer
 *   384  producerAsleep    1 while the producer waits in the kernel     by the producer
 *   512  the ring, a power of two of bytes
 * </pre>
 *
 * <p>Each word is a {@code long} in the processor's byte order, on two cache lines of its own, as
 * processors fetch lines in pairs. A word that one end writes often never shares a line with one
 * that the other end reads often.
 *
 * <p>The words lie in direct or mapped memory: those of a buffer on the heap cannot be accessed
 * atomically. In memory of another process they are only loaded and stored: where a page is gone,
 * because that process has cut its file off, a load or store is an {@link InternalError}, but an
 * exchange or compare-and-set by interpreted code ends the JVM. Thread-safe as the ends that use it
 * are.
 */
public final class RingMemory {
  /** Bytes in front of the ring. */
  public static final int CONTROL_BYTES = 512;

  private static final int COMMITTED = 0;
  private static final int CONSUMER_ASLEEP = 128;
  private static final int CONSUMED = 256;
  private static final int PRODUCER_ASLEEP = 384;

  private static final VarHandle WORD =
      MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.nativeOrder());

  private final ByteBuffer memory;
  private final int control;
  private final ByteBuffer data;
  private final int ring;
  private final int capacity;

  /** The pages with the bytes; null if these are in {@link #data}. */
  private final @Nullable RingPages pages;

  private RingMemory(
      ByteBuffer memory,
      int control,
      ByteBuffer data,
      int ring,
      int capacity,
      @Nullable RingPages pages) {
    if (Integer.bitCount(capacity) != 1 || capacity < 64) {
      throw new IllegalArgumentException(
          "the capacity of a ring is a power of two from 64 on, not " + capacity);
    }
    this.memory = memory;
    this.control = control;
    this.data = data;
    this.ring = ring;
    this.capacity = capacity;
    this.pages = pages;
  }

  /** The size, in bytes, of a ring of this capacity, with its control words. */
  public static int sizeBytes(int capacity) {
    return CONTROL_BYTES + capacity;
  }

  /**
   * Makes a ring of memory that only this process has, all of it at once.
   *
   * @param capacity in bytes, a power of two
   */
  public static RingMemory allocate(int capacity) {
    ByteBuffer control = ByteBuffer.allocateDirect(CONTROL_BYTES);
    return new RingMemory(control, 0, ByteBuffer.allocate(capacity), 0, capacity, null);
  }

  /**
   * Makes a ring for an {@link OutgoingRing}, which has memory for bytes only while some lie there.
   *
   * @param capacity in bytes, a power of two
   * @param pool has the memory in the meantime
   */
  public static RingMemory paged(int capacity, RingPagePool pool) {
    ByteBuffer control = ByteBuffer.allocateDirect(CONTROL_BYTES);
    RingPages pages = new RingPages(capacity, pool);
    return new RingMemory(control, 0, ByteBuffer.allocate(0), 0, capacity, pages);
  }

  /**
   * Sees a ring in memory that is shared: zeros, if it is new.
   *
   * @param memory direct or mapped; its position and limit are ignored and stay
   * @param offset where the control words begin; a multiple of 8
   * @param capacity in bytes, a power of two
   */
  public static RingMemory in(ByteBuffer memory, int offset, int capacity) {
    if (offset < 0 || memory.capacity() - offset < sizeBytes(capacity)) {
      throw new IllegalArgumentException(
          "a ring of "
              + capacity
              + " bytes at "
              + offset
              + " does not fit into "
              + memory.capacity()
              + " bytes");
    }
    ByteBuffer all = memory.duplicate().clear();
    return new RingMemory(all, offset, all, offset + CONTROL_BYTES, capacity, null);
  }

  /** The capacity in bytes; a power of two. */
  public int capacity() {
    return capacity;
  }

  /**
   * The position up to which the consumer may read; it sees all that was stored before this was
   * set.
   */
  long committed() {
    return (long) WORD.getAcquire(memory, control + COMMITTED);
  }

  /** As {@link #committed}, in one order with all other accesses of this kind. */
  long committedVolatile() {
    return (long) WORD.getVolatile(memory, control + COMMITTED);
  }

  void setCommitted(long position) {
    WORD.setRelease(memory, control + COMMITTED, position);
  }

  /**
   * Moves the committed position if it is where the caller has seen it; in memory of this process
   * only.
   */
  boolean advanceCommitted(long expected, long position) {
    return WORD.compareAndSet(memory, control + COMMITTED, expected, position);
  }

  long consumed() {
    return (long) WORD.getAcquire(memory, control + CONSUMED);
  }

  void setConsumed(long position) {
    WORD.setRelease(memory, control + CONSUMED, position);
  }

  boolean isConsumerAsleep() {
    return (long) WORD.getOpaque(memory, control + CONSUMER_ASLEEP) != 0;
  }

  void setConsumerAsleep(boolean asleep) {
    WORD.setVolatile(memory, control + CONSUMER_ASLEEP, asleep ? 1L : 0L);
  }

  boolean isProducerAsleep() {
    return (long) WORD.getOpaque(memory, control + PRODUCER_ASLEEP) != 0;
  }

  void setProducerAsleep(boolean asleep) {
    WORD.setVolatile(memory, control + PRODUCER_ASLEEP, asleep ? 1L : 0L);
  }

  /** Stores bytes from a position of the ring on, around its end if need be. */
  void put(long position, byte[] from, int offset, int length) {
    if (pages != null) {
      pages.put(position, from, offset, length);
      return;
    }
    int at = (int) position & capacity - 1;
    int first = Math.min(length, capacity - at);
    data.put(ring + at, from, offset, first);
    if (first < length) {
      data.put(ring, from, offset + first, length - first);
    }
  }

  void get(long position, byte[] to, int offset, int length) {
    if (pages != null) {
      pages.get(position, to, offset, length);
      return;
    }
    int at = (int) position & capacity - 1;
    int first = Math.min(length, capacity - at);
    data.get(ring + at, to, offset, first);
    if (first < length) {
      data.get(ring, to, offset + first, length - first);
    }
  }

  /** Lets go of bytes that were consumed; to be called before {@link #setConsumed}. */
  void drop(long from, long to) {
    if (pages != null) {
      pages.drop(from, to);
    }
  }

  /**
   * The pages of a ring that has them.
   *
   * @throws IllegalStateException if it has none
   */
  RingPages pages() {
    if (pages == null) {
      throw new IllegalStateException("a ring with many producers is made with RingMemory.paged");
    }
    return pages;
  }
}
