package io.karmi.uka.engine.read;

import io.karmi.uka.buffer.InputBuffer;
import io.karmi.uka.handle.ReadHandleTable;
import java.io.IOException;
import java.io.StreamCorruptedException;

/**
 * Budget of the memory that a message may take for values that have not arrived.
 *
 * <p>An array is allocated before its first element is read, which may refer back to it. Arrays and
 * collections nest, and each could claim the same bytes, so all open ones are counted together.
 * Claims are granted while they are few, or few in comparison with what has been read. Beyond that
 * one byte must have arrived for each claimed value: an honest message has them.
 *
 * <p>What has been read is measured in handles, each of a byte at least. Not thread-safe.
 */
public final class Claims {
  /** Values that are granted without being counted, as an object with as many fields is. */
  public static final int FEW = 16;

  /** Upper bound of {@link InputBuffer#following}, so that sums do not overflow. */
  private static final int MAXIMUM_FOLLOWING = 1 << 30;

  /** Values that are granted to any message. */
  private static final int TRUSTED_VALUES = 1 << 16;

  /** Values that are granted in addition for each handle of the message. */
  private static final int VALUES_PER_HANDLE = 4;

  /**
   * Upper bound of the values that the arrays and collections around the next value still wait for,
   * besides that value. Readers of elements keep it up to date, and restore it at the end.
   */
  public long open;

  /**
   * Values of them that were granted without bytes. Readers of elements restore it at the end, if
   * it was less.
   */
  public long unproven;

  private final InputBuffer in;
  private final ReadHandleTable handles;
  private int firstHandle;

  /** Whether the message ended before values that it had claimed. */
  private boolean refuted;

  public Claims(InputBuffer in, ReadHandleTable handles) {
    this.in = in;
    this.handles = handles;
  }

  /** A message begins. */
  public void begin() {
    firstHandle = handles.size();
    open = 0;
    unproven = 0;
    refuted = false;
    in.following = 0;
  }

  /** The values of an array or collection have been read, or will not be. */
  public void restore(long outerOpen, long outerUnproven) {
    open = outerOpen;
    unproven = Math.min(unproven, outerUnproven);
  }

  /** A value of {@link InputBuffer#following} with {@code more} bytes added. */
  public static int following(int outer, int more) {
    return outer
        + Math.min(Math.max(more, 0), MAXIMUM_FOLLOWING - Math.min(outer, MAXIMUM_FOLLOWING));
  }

  /**
   * Grants memory for values that come next, each of a byte at least.
   *
   * @throws IOException if the message ends before
   */
  public void admit(int values) throws IOException {
    if (values > FEW && !isTrusted(values)) {
      in.require(lengthToCome(values));
      checkProven(values);
    }
  }

  /** Whether memory is granted for this many values; if not, the message ends before. */
  public boolean grants(long values) throws IOException {
    if (values <= FEW || isTrusted(values)) {
      return true;
    }
    if (refuted) {
      return false;
    }
    if (!in.comes(lengthToCome(values))) {
      refuted = true;
      return false;
    }
    checkProven(values);
    return true;
  }

  private boolean isTrusted(long values) {
    if (unproven + values > trustedValues()) {
      return false;
    }
    unproven += values;
    return true;
  }

  private long trustedValues() {
    return TRUSTED_VALUES + (long) VALUES_PER_HANDLE * handlesOfMessage();
  }

  private int handlesOfMessage() {
    return Math.max(0, handles.size() - firstHandle);
  }

  /** How many bytes are to come if each claimed value has one, these among them. */
  private int lengthToCome(long values) {
    /* Elements that are read together still count in open, but each has got a handle. */
    long toCome = Math.max(in.following, open - handlesOfMessage());
    return (int) Math.min(toCome + values, Integer.MAX_VALUE);
  }

  /** After these bytes have come. */
  private void checkProven(long values) throws StreamCorruptedException {
    if (open + values - in.remaining() > trustedValues()) {
      throw new StreamCorruptedException(
          "lengths of "
              + (open + values)
              + " values within each other, and "
              + in.remaining()
              + " bytes of them");
    }
    unproven = 0;
  }
}
