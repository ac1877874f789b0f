package io.karmi.uka.marshal;

import java.io.InvalidClassException;
import java.io.ObjectInputFilter;
import java.io.ObjectInputFilter.Status;

/**
 * Asks the stream's filter about each class, array and reference, with the counts of this stream.
 */
final class FilterGate {
  private ObjectInputFilter filter;
  private boolean open;

  /** Objects, references and classes read so far. */
  private long references;

  /** Counts afresh, and lets the next object fix the filter again. */
  void reset() {
    open = false;
    references = 0;
  }

  long references() {
    return references;
  }

  /** Counts one more; the first one fixes the filter. */
  void count(InputHooks hooks) {
    fix(hooks);
    references++;
  }

  /** An object is about to be read: from now on the filter stays the same. */
  void fix(InputHooks hooks) {
    if (!open) {
      open = !InputHooks.FILTER_MAY_BE_SET_LATE;
      filter = hooks.fixFilter();
    }
  }

  /** Whether there is a filter to ask. */
  boolean isClosed() {
    return filter != null;
  }

  /**
   * Lets the filter decide.
   *
   * @param type null for a back reference
   * @param arrayLength -1 if {@code type} is no array
   */
  void check(Class<?> type, long arrayLength, long depth, long streamBytes)
      throws InvalidClassException {
    Status status;
    RuntimeException failure = null;
    try {
      status = filter.checkInput(new Info(type, arrayLength, depth, references, streamBytes));
    } catch (RuntimeException e) {
      status = Status.REJECTED;
      failure = e;
    }
    if (status == null || status == Status.REJECTED) {
      InvalidClassException rejection = new InvalidClassException("filter status: " + status);
      rejection.initCause(failure);
      throw rejection;
    }
  }

  private record Info(
      Class<?> serialClass, long arrayLength, long depth, long references, long streamBytes)
      implements ObjectInputFilter.FilterInfo {}
}
