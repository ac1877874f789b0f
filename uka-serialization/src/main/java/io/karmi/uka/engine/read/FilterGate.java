package io.karmi.uka.engine.read;

import io.karmi.uka.buffer.FrameInput;
import io.karmi.uka.buffer.InputBuffer;
import java.io.InvalidClassException;
import java.io.ObjectInputFilter;
import java.io.ObjectInputFilter.Status;
import java.lang.System.Logger;
import java.lang.reflect.Proxy;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Asks the stream's filter about each class, array and reference, with the counts of this stream,
 * and tells {@link FilterEvents} of them.
 */
public final class FilterGate {
  private final InputBuffer in;

  /** Whether messages are framed by the caller, and may be for one program each. */
  private final boolean embedded;

  private @Nullable ObjectInputFilter filter;
  private boolean open;

  /** Whether {@link FilterEvents} wants to know of this message. */
  private boolean noted;

  /** Number of the message that is read; embedded streams count them. */
  private int message;

  /** Objects, references and classes read so far. */
  private long references;

  public FilterGate(InputBuffer in, boolean embedded) {
    this.in = in;
    this.embedded = embedded;
  }

  /** A message begins: counts afresh, and lets its first object fix the filter again. */
  public void reset() {
    message++;
    open = false;
    references = 0;
  }

  /** Goes on counting where another one has stopped. */
  public void succeed(FilterGate earlier) {
    references = earlier.references;
  }

  /** Counts the messages on, so that each type is shown again to whom it has not been shown. */
  public void goOnAfter(FilterGate failed) {
    message = failed.message;
    reset();
  }

  public long references() {
    return references;
  }

  /** Counts one more value, class or reference. */
  public void count() {
    references++;
  }

  /**
   * An object is about to be read: from now on the filter stays the same.
   *
   * @return whether it is another one than before, or another caller is to be told
   */
  public boolean fix(InputHooks hooks) {
    if (!open) {
      open = !InputHooks.FILTER_MAY_BE_SET_LATE;
      ObjectInputFilter fixed = hooks.fixFilter();
      boolean wanted = FilterEvents.instance().areWanted();
      if (fixed != filter || wanted != noted) {
        filter = fixed;
        noted = wanted;
        return true;
      }
    }
    return false;
  }

  /** Whether there is a filter to ask, or a listener to tell. */
  public boolean isClosed() {
    return filter != null || noted;
  }

  /**
   * Lets the filter decide, if there is one.
   *
   * @param type null for a back reference
   * @param arrayLength -1 if {@code type} is no array
   */
  public void check(@Nullable Class<?> type, long arrayLength, long depth)
      throws InvalidClassException {
    long streamBytes = in instanceof FrameInput frames ? frames.consumedBytes() : in.position;
    Info shown = new Info(type, arrayLength, depth, references, streamBytes);
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

  /**
   * Shows the filter a class that an earlier message has described: that message may have been for
   * another caller.
   *
   * @param type used again
   */
  public void checkAgain(ReadType type, long depth) throws InvalidClassException {
    if (!embedded || !isClosed()) {
      return;
    }
    for (ReadType level = type; level != null && level.enter(message); level = level.superclass()) {
      Class<?> known = level.type();
      if (known != null) {
        checkInterfacesOfProxy(known, depth);
        check(known, -1, depth);
      }
    }
  }

  private void checkInterfacesOfProxy(Class<?> type, long depth) throws InvalidClassException {
    if (Proxy.isProxyClass(type)) {
      for (Class<?> implemented : type.getInterfaces()) {
        check(implemented, -1, depth);
      }
    }
  }

  /**
   * What operators make filters with. As the JDK's streams do, it is looked for when a filter is
   * asked for the first time, and not any more if it is off then.
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
