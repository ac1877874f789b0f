package io.karmi.messaging.frame;

import io.karmi.guard.Ledger;
import io.karmi.guard.MessageMemory;
import java.io.IOException;
import java.io.StreamCorruptedException;
import java.util.function.Supplier;

/**
 * The parts of one message that have come, put together in one array.
 *
 * <p>Belongs to the thread that has the lane. Other threads may ask whether the message goes on,
 * and {@linkplain #end end} it.
 */
public final class MessageParts {
  private static final byte[] NONE = {};

  /** Upper bound of the room taken for a message by the last one's length, in bytes. */
  private static final int MAXIMUM_EXPECTED = 2 << 20;

  private final ArrayPool arrays;
  private final Ledger.Account memory;
  private final UnfinishedMessages unfinished;
  private final long maximumBytes;
  private final Supplier<String> sender;

  private byte[] bytes = NONE;

  /** The length of the last message. */
  private int lastBytes;

  private volatile int length;

  /** When the last part came. */
  private volatile long cameAtNanos;

  /**
   * Without parts.
   *
   * @param memory account that holds the array
   * @param unfinished bound of what the link has of such messages
   * @param maximumBytes length of the largest message
   * @param sender names who sends them
   */
  public MessageParts(
      ArrayPool arrays,
      Ledger.Account memory,
      UnfinishedMessages unfinished,
      long maximumBytes,
      Supplier<String> sender) {
    this.arrays = arrays;
    this.memory = memory;
    this.unfinished = unfinished;
    this.maximumBytes = maximumBytes;
    this.sender = sender;
  }

  /** Whether a part has come of a message that goes on. */
  public boolean isBegun() {
    return length > 0;
  }

  /** Bytes of the parts that have come. */
  public int length() {
    return length;
  }

  /** Whether a message has begun to come whose next part has not, for so long. */
  public boolean isUnfinishedFor(long now, long nanos) {
    return length > 0 && now - cameAtNanos > nanos;
  }

  /**
   * Adds a part.
   *
   * @throws IOException if the message is too long, or there is no memory for it
   */
  public void append(byte[] from, int start, int partBytes) throws IOException {
    begin(partBytes, 0);
    System.arraycopy(from, start, bytes, length, partBytes);
    end(partBytes);
  }

  /**
   * Makes room for a part, which comes in {@link #bytes} from {@link #length} on.
   *
   * @param behindBytes how many bytes may come behind it
   * @throws IOException as for {@link #append}
   */
  public void begin(int partBytes, int behindBytes) throws IOException {
    long whole = (long) length + partBytes;
    if (whole > maximumBytes) {
      throw new StreamCorruptedException(
          "a message of more than "
              + maximumBytes
              + " bytes from "
              + sender.get()
              + " (karmi.maxMessageBytes)");
    }
    unfinished.keep(partBytes);
    long wanted = whole + behindBytes;
    if (wanted > bytes.length) {
      long roomy = Math.min(maximumBytes, 2L * bytes.length);
      grow((int) Math.max(wanted, Math.max(roomy, Math.min(lastBytes, MAXIMUM_EXPECTED))));
    }
  }

  private void grow(int atLeastBytes) throws IOException {
    int counted = ArrayPool.lengthFor(atLeastBytes);
    MessageMemory.hold(memory, counted - bytes.length, sender, length, length);
    byte[] more = arrays.take(atLeastBytes);
    System.arraycopy(bytes, 0, more, 0, length);
    arrays.giveBack(bytes);
    bytes = more;
  }

  /** A part has come for which {@link #begin} has made room. */
  public void end(int partBytes) {
    length += partBytes;
    cameAtNanos = System.nanoTime();
  }

  /** The array with the parts, from its begin on. */
  public byte[] bytes() {
    return bytes;
  }

  /**
   * Takes the whole message out. The memory of its array is not counted any more, and the caller
   * gives the array back to the pool.
   */
  public byte[] take() {
    byte[] whole = bytes;
    lastBytes = length;
    unfinished.letGo(length); // before it is read: the sender has begun the next one
    bytes = NONE;
    length = 0;
    return whole;
  }

  /** Nothing more comes, and what has come is not needed: lets it go. */
  public void close() {
    bytes = NONE;
  }
}
