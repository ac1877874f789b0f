package io.karmi.ring;

import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;

/**
 * The consumer's end of a ring, whether one producer writes to it or many.
 *
 * <p>Belongs to one thread at a time.
 */
public final class RingReader {
  private final RingMemory memory;
  private long read;

  /** How far the producer was when it was last looked at. */
  private long committed;

  /** The reading end of a ring from which nothing was read yet. */
  public RingReader(RingMemory memory) {
    this.memory = memory;
  }

  /** The count of bytes that this end has taken; may be asked by any thread. */
  public long position() {
    return memory.consumed();
  }

  /**
   * How many bytes can be taken now, 0 if there are none.
   *
   * @throws RingCorruptedException if the producer's position cannot be
   */
  public int available() throws RingCorruptedException {
    return committed > read ? (int) (committed - read) : refresh();
  }

  /** Whether there are bytes to take; may be asked by any thread. */
  public boolean hasMore() {
    return memory.committed() != memory.consumed();
  }

  private int refresh() throws RingCorruptedException {
    long now = memory.committed();
    if (now < committed || now > read + memory.capacity()) {
      throw new RingCorruptedException("committed", now, committed, read + memory.capacity());
    }
    committed = now;
    return (int) (now - read);
  }

  /**
   * Takes as many bytes as there are, and gives their room back to the producer.
   *
   * @return how many were taken, 0 if there are none
   */
  public int read(byte[] to, int offset, int length) throws RingCorruptedException {
    int count = Math.min(length, available());
    if (count > 0) {
      memory.get(read, to, offset, count);
      release(count);
    }
    return count;
  }

  /**
   * Shows bytes that were committed, without taking them.
   *
   * @param pieces two views made by {@link #view}; the second is empty unless the bytes go around
   *     the end of the ring
   * @param mostBytes how many are wanted at most
   * @return how many are shown
   */
  public int peek(ByteBuffer[] pieces, int mostBytes) throws RingCorruptedException {
    int count = Math.min(mostBytes, refresh());
    int first = Math.min(count, memory.untilEnd(read));
    memory.show(pieces[0], read, first);
    memory.show(pieces[1], read + first, count - first);
    return count;
  }

  /** A view of the ring's memory for {@link #peek}. */
  public ByteBuffer view() {
    return memory.view();
  }

  /** Gives room back to the producers: that of the next bytes, which have been used. */
  public void release(int count) {
    read += count;
    memory.setConsumed(read);
  }

  /**
   * True once if the producer sleeps until there is room: then it is to be woken. To be asked after
   * room was given back.
   */
  public boolean mustWakeProducer() {
    VarHandle.fullFence(); // the consumed position is out before the flag is looked at
    return memory.isProducerAsleep() && memory.wakeProducer();
  }

  /**
   * Says that this end is about to sleep until bytes come. {@link #available} is to be asked once
   * more before it does, and {@link #awake} to be called afterwards.
   */
  public void fallAsleep() {
    memory.setConsumerAsleep(true);
  }

  /** Says that this end does not sleep any more. */
  public void awake() {
    memory.setConsumerAsleep(false);
  }
}
