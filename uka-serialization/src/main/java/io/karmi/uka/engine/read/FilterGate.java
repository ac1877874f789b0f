package io.karmi.uka.engine.read;

import io.karmi.uka.buffer.InputBuffer;
import io.karmi.uka.engine.read.event.FilterEvents;
import io.karmi.uka.format.FrameInput;
import io.karmi.uka.format.StreamTally;
import java.io.InvalidClassException;
import java.io.ObjectInputFilter;
import java.io.ObjectInputFilter.Status;
import java.lang.System.Logger;
import java.lang.reflect.Proxy;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Gate of a stream's filter: shows it each class, array and reference with the stream's counts, and
 * reports them to {@link FilterEvents}.
 */
public final class FilterGate {
  private final InputBuffer in;

  /** Whether messages are framed by the caller, and may be for different programs. */
  private final boolean embedded;

  private @Nullable ObjectInputFilter filter;
  private boolean open;

  /** Whether {@link FilterEvents} records this message. */
  private boolean noted;

  /** Number of the message that is read, in embedded streams. */
  private int message;

  /** Objects, references and classes read so far. */
  private long references;

  public FilterGate(InputBuffer in, boolean embedded) {
    this.in = in;
    this.embedded = embedded;
  }

  /** Begins a message: counts start at 0, and its first object fixes the filter again. */
  public void reset() {
    message++;
    open = false;
    references = 0;
  }

  /** Takes over the counts of another gate. */
  public void succeed(FilterGate earlier) {
    references = earlier.references;
  }

  /** Takes over the number of the message, so that types are shown again to other programs. */
  public void goOnAfter(FilterGate failed) {
    message = failed.message;
    reset();
  }

  /** Counts one more value, class or reference. */
  public void count() {
    references++;
  }

  /**
   * Fixes the filter, as an object is about to be read.
   *
   * @return whether it is another one than before, or events are now recorded or no longer
   */
  public boolean fix(InputHooks hooks) {
    if (!open) {
      ObjectInputFilter fixed = hooks.fixFilter();
      open = !InputHooks.FILTER_MAY_BE_SET_LATE && (embedded || hooks.isFilterFinal());
      boolean wanted = FilterEvents.instance().areWanted();
      if (fixed != filter || wanted != noted) {
        filter = fixed;
        noted = wanted;
        return true;
      }
    }
    return false;
  }

  /** Whether there is a filter or a listener. */
  public boolean isClosed() {
    return filter != null || noted;
  }

  /**
   * Lets the filter decide, if there is one.
   *
   * @param type null for a back reference
   * @param arrayLength -1 if {@code type} is no array
   * @param bytesAhead counted as read
   */
  public void check(@Nullable Class<?> type, long arrayLength, long depth, int bytesAhead)
      throws InvalidClassException {
    long consumed = in instanceof FrameInput frames ? frames.consumedBytes() : in.position;
    Info shown = new Info(type, arrayLength, depth, references, consumed + bytesAhead);
    Status status = null;
    RuntimeException failure = null;
    if (filter != null) {
      try {
        status = filter.checkInput(shown);
      } catch (RuntimeException e) {
        status = Status.REJECTED;
        failure = e;
      }
      log(shown, status, failure);
    }
    if (noted) {
      FilterEvents.instance().note(filter != null, status, shown, failure);
    }
    if (filter != null && isRefused(status)) {
      StreamTally.refused();
      InvalidClassException rejection = new InvalidClassException("filter status: " + status);
      rejection.initCause(failure);
      throw rejection;
    }
  }

  private static boolean isRefused(@Nullable Status status) {
    return status == null || status == Status.REJECTED;
  }

  private static void log(Info shown, @Nullable Status status, @Nullable RuntimeException failure) {
    if (Log.OF_FILTERS != null) {
      Log.OF_FILTERS.log(
          isRefused(status) ? Logger.Level.DEBUG : Logger.Level.TRACE,
          "ObjectInputFilter {0}: {1}, array length: {2}, nRefs: {3}, depth: {4}, bytes: {5},"
              + " ex: {6}",
          status,
          shown.serialClass,
          shown.arrayLength,
          shown.references,
          shown.depth,
          shown.streamBytes,
          Objects.toString(failure, "n/a"));
    }
  }

  /** Shows the filter a type that an earlier message has described, perhaps for another caller. */
  public void checkAgain(ReadType type, long depth) throws InvalidClassException {
    if (!embedded || !isClosed()) {
      return;
    }
    for (ReadType level = type; level != null && level.enter(message); level = level.superclass()) {
      Class<?> known = level.type();
      if (known != null) {
        checkInterfacesOfProxy(known, depth);
        check(known, -1, depth, 0);
      }
    }
  }

  private void checkInterfacesOfProxy(Class<?> type, long depth) throws InvalidClassException {
    if (Proxy.isProxyClass(type)) {
      for (Class<?> implemented : type.getInterfaces()) {
        check(implemented, -1, depth, 0);
      }
    }
  }

  /**
   * The JDK's logger of filters, for those who write them. As in the JDK's streams it is used if it
   * is on when a filter is first asked.
   */
  private static final class Log {
    public static final @Nullable Logger OF_FILTERS = find();

    private static @Nullable Logger find() {
      Logger logger = System.getLogger("java.io.serialization");
      return logger.isLoggable(Logger.Level.DEBUG) || logger.isLoggable(Logger.Level.TRACE)
          ? logger
          : null;
    }
  }

  private record Info(
      @Nullable Class<?> serialClass,
      long arrayLength,
      long depth,
      long references,
      long streamBytes)
      implements ObjectInputFilter.FilterInfo {}
}
