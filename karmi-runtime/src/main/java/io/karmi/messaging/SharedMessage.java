package io.karmi.messaging;

import io.karmi.marshal.CallFormat;
import io.karmi.marshal.CallOutput;
import java.io.IOException;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A message to several nodes. If it takes long to marshal, that is done once: the lane to the first
 * node begins with fresh types, and its bytes are copied to lanes to the others, which begin with
 * fresh types, too, and do so once more with what comes next, as they do not know those of the
 * copy.
 *
 * <p>Where types are described afresh, the receiver makes its reader anew, which takes longer than
 * to marshal a short message, or an array. So each class is taken to need as long as its last
 * message to several nodes. A message in which references travel is marshalled for each node:
 * collectors count by receiver.
 *
 * <p>Not thread-safe.
 */
final class SharedMessage {
  /** Time that a message may take to be marshalled for each node. */
  private static final long SHORT_NANOS = 20_000;

  /** Length up to which a message is taken to need less: to look at the clock needs as much. */
  private static final int SMALL_BYTES = 4 * 1024;

  /** What the last message of a class was like; before the first one, what is to be found out. */
  private static final class Last {
    boolean large = true;
    boolean slow = true;
  }

  private static final ClassValue<Last> LAST =
      new ClassValue<>() {
        @Override
        protected Last computeValue(Class<?> type) {
          return new Last();
        }
      };

  private final Object object;
  private final Last last;

  /** Whether lanes begin with fresh types for it. */
  private boolean standsAlone;

  /** What the first lane has marshalled, and how; null if that is of no use to others. */
  private byte @Nullable [] bytes;

  private @Nullable CallFormat format;

  SharedMessage(Object object) {
    this.object = object;
    last = LAST.get(object.getClass());
    standsAlone = last.slow;
  }

  /** Whether a lane of this format is to begin with fresh types. */
  boolean standsAlone(CallFormat wanted) {
    return standsAlone && (format == null || format.name().equals(wanted.name()));
  }

  /**
   * Marshals it, or copies what was marshalled.
   *
   * @param alone what {@link #standsAlone} has said
   * @return whether the output does not know the types that this message describes
   */
  boolean write(CallOutput out, CallFormat wanted, boolean alone) throws IOException {
    if (alone && bytes != null) {
      out.buffer.writeBytes(bytes, 0, bytes.length);
      return true;
    }
    int start = out.buffer.position;
    long pinned = out.pinMark();
    boolean timed = last.large;
    long begin = timed ? System.nanoTime() : 0;
    out.writeObject(object);
    last.slow = timed && System.nanoTime() - begin > SHORT_NANOS;
    last.large = out.buffer.position - start > SMALL_BYTES;
    if (alone) {
      standsAlone = out.pinMark() == pinned;
      format = wanted;
      bytes = standsAlone ? Arrays.copyOfRange(out.buffer.bytes, start, out.buffer.position) : null;
    }
    return false;
  }
}
