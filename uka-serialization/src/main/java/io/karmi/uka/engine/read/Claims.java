package io.karmi.uka.engine.read;

import io.karmi.uka.buffer.InputBuffer;
import io.karmi.uka.handle.ReadHandleTable;
import java.io.EOFException;
import java.io.IOException;
import java.io.StreamCorruptedException;

/**
 * The memory that a message may take for values that have not arrived, whatever lengths it claims.
 *
 * <p>An array has to have its size before its first element is read, which may refer back to it. A
 * length that lies is harmless once; but arrays and collections lie within each other, and each
 * could lie about the same bytes. So all those that are being read are seen together. As long as
 * the values that they wait for are few, or few in comparison with what has been read, they are
 * believed. Beyond that as many bytes must have arrived as those values take at least, one for
 * each: a message that is honest has them, and is never refused.
 *
 * <p>What has been read is measured in handles: each is of a byte at least. Not thread-safe.
 */
public final class Claims {
  /** Up to this many values nothing is noted: an object with as many fields takes as much. */
  public static final int FEW = 16;

  /** Upper bound of {@link InputBuffer#following}, so that sums do not overflow. */
  private static final int MOST_FOLLOWING = 1 << 30;

  /** How many values are believed in to begin with, in each message. */
  private static final int TRUSTED_VALUES = 1 << 16;

  /** How many more for each handle that has been given. */
  private static final int VALUES_PER_HANDLE = 4;

  /**
   * How many values at most the arrays and collections around the next value wait for, itself not
   * counted. Who reads elements keeps it up to date, and puts it back at the end.
   */
  public long open;

  /**
   * Of those the ones that have been believed in. Who reads elements puts it back at the end to
   * what it has been, if that is less.
   */
  public long unproven;

  private final InputBuffer in;
  private final ReadHandleTable handles;
  private int firstHandle;

  /** Whether the message has ended before values that it has claimed. */
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

  /** More bytes that are sure to be asked for, as {@link InputBuffer#following} counts them. */
  public static int following(int outer, int more) {
    return outer + Math.min(Math.max(more, 0), MOST_FOLLOWING - Math.min(outer, MOST_FOLLOWING));
  }

  /**
   * Lets memory be taken for values that come next, each of a byte at least.
   *
   * @throws EOFException if they do not all come
   */
  public void admit(int values) throws IOException {
    if (values > FEW && !isTrusted(values)) {
      prove(values);
    }
  }

  /** Whether memory may be taken for this many values; if not, they do not all come. */
  public boolean areBelievable(long values) throws IOException {
    if (values <= FEW || isTrusted(values)) {
      return true;
    }
    if (refuted) {
      return false;
    }
    try {
      prove(values);
      return true;
    } catch (EOFException e) {
      refuted = true;
      return false;
    }
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

  /** Waits for bytes of all values that are waited for, which then need not be believed in. */
  private void prove(long values) throws IOException {
    /* Elements that are read together still count in open, but each has got a handle. */
    long toCome = Math.max(in.following, open - handlesOfMessage());
    in.require((int) Math.min(toCome + values, Integer.MAX_VALUE));
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
