package io.karmi.ring;

import java.lang.invoke.VarHandle;

/**
 * The producer's end of a ring that has one producer.
 *
 * <p>It looks at the consumer's position only when the room that it knows of is used up, and so
 * takes that cache line away from the consumer seldom. Belongs to one thread at a time.
 */
public final class RingWriter {
  private final RingMemory memory;

  /**
   * The position up to which this end has written; the consumer sees it as the committed position.
   */
  private long written;

  /** The consumer's position when it was last read. */
  private long consumed;

  /** The writing end of a ring to which nothing was written yet. */
  public RingWriter(RingMemory memory) {
    this.memory = memory;
  }

  /**
   * Stores as many bytes as there is room for, and shows them to the consumer.
   *
   * @return how many were stored, 0 if the ring is full
   * @throws RingCorruptedException if the consumer's position cannot be
   */
  public int write(byte[] from, int offset, int length) throws RingCorruptedException {
    int count = Math.min(length, room(length));
    if (count > 0) {
      memory.put(written, from, offset, count);
      written += count;
      memory.setCommitted(written);
    }
    return count;
  }

  private int room(int wanted) throws RingCorruptedException {
    int room = (int) (consumed + memory.capacity() - written);
    return room >= wanted ? room : refresh();
  }

  private int refresh() throws RingCorruptedException {
    long now = memory.consumed();
    if (now < consumed || now > written) {
      throw new RingCorruptedException("consumed", now, consumed, written);
    }
    consumed = now;
    return (int) (now + memory.capacity() - written);
  }

  /** True if at least one byte can be written. */
  public boolean hasRoom() throws RingCorruptedException {
    return hasRoom(1);
  }

  /** True if at least that many bytes can be written at once. */
  public boolean hasRoom(int bytes) throws RingCorruptedException {
    return room(bytes) >= bytes;
  }

  /**
   * True once if the consumer has gone to sleep before it could see what was written: then it must
   * be woken, in any case. It may have fallen asleep anew by the time that its flag is taken here.
   * To be asked after each {@link #write}.
   */
  public boolean mustWakeConsumer() {
    VarHandle.fullFence(); // the committed position is out before the flag is looked at
    if (!memory.isConsumerAsleep()) {
      return false;
    }
    memory.setConsumerAsleep(false);
    return true;
  }

  /**
   * Says that this end is about to sleep until there is room. {@link #hasRoom} is to be asked once
   * more before it does, and {@link #awake} to be called afterwards.
   */
  public void fallAsleep() {
    memory.setProducerAsleep(true);
  }

  /** Says that this end does not sleep any more. */
  public void awake() {
    memory.setProducerAsleep(false);
  }
}
