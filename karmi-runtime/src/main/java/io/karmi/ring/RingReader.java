package io.karmi.ring;

import java.lang.invoke.VarHandle;

/**
 * The consumer's end of a ring, whether one producer writes to it or many.
 *
 * <p>Belongs to one thread at a time.
 */
public final class RingReader {
  private final RingMemory memory;
  private long read;

  /** The committed position when it was last read. */
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
   * The number of bytes that can be taken now.
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
   * Shows bytes of an {@link OutgoingRing} that were committed, without taking them: in {@link
   * #bytes}, from {@link #offset} on.
   *
   * @param mostBytes how many are wanted at most
   * @return how many are shown; there may be more, which lie elsewhere
   */
  public int peek(int mostBytes) throws RingCorruptedException {
    int available = available();
    return Math.min(Math.min(mostBytes, available), memory.pages().untilEnd(read));
  }

  /** The number of bytes, taken or not, between this end and the end of their page. */
  public int untilPageEnd() {
    return memory.pages().untilEnd(read);
  }

  /** Whether there are bytes to take up to the end of a page; may be asked by any thread. */
  public boolean hasFullPage() {
    long consumed = memory.consumed();
    return memory.committed() - consumed >= memory.pages().untilEnd(consumed);
  }

  /** Whether a page ends within bytes of the ring; may be asked by any thread. */
  public boolean endsPage(long position, int length) {
    return length >= memory.pages().untilEnd(position);
  }

  /** The array in which the bytes are that {@link #peek} shows. */
  public byte[] bytes() {
    return memory.pages().bytes(read);
  }

  /** Index in {@link #bytes} of the first byte that {@link #peek} shows. */
  public int offset() {
    return memory.pages().offsetIn(read);
  }

  /** Gives room back to the producers: that of the next bytes, which have been used. */
  public void release(int count) {
    long end = read + count;
    memory.drop(read, end);
    read = end;
    memory.setConsumed(end);
  }

  /**
   * True once if the producer sleeps until there is room: then it must be woken, in any case, as by
   * {@link RingWriter#mustWakeConsumer}. To be asked after room was given back.
   */
  public boolean mustWakeProducer() {
    VarHandle.fullFence(); // the consumed position is out before the flag is looked at
    if (!memory.isProducerAsleep()) {
      return false;
    }
    memory.setProducerAsleep(false);
    return true;
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
