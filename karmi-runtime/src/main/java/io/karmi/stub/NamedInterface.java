package io.karmi.stub;

import io.karmi.marshal.CallObjectInput;
import java.io.InvalidClassException;
import java.io.ObjectInput;
import java.io.ObjectInputFilter;

/**
 * An interface that a stub names, as a filter sees it: in the same way as an interface of a proxy.
 * The stream's counts are not known here.
 */
record NamedInterface(Class<?> serialClass) implements ObjectInputFilter.FilterInfo {
  /**
   * Asks the filter of the call that the stub comes in, or that of the JVM.
   *
   * @throws InvalidClassException if it refuses
   */
  static void check(Class<?> type, ObjectInput in) throws InvalidClassException {
    ObjectInputFilter filter = in instanceof CallObjectInput call ? call.call().filter() : null;
    if (filter == null) {
      filter = ObjectInputFilter.Config.getSerialFilter();
    }
    if (filter != null
        && filter.checkInput(new NamedInterface(type)) == ObjectInputFilter.Status.REJECTED) {
      throw new InvalidClassException(type.getName(), "filter status: REJECTED");
    }
  }

  @Override
  public long arrayLength() {
    return -1;
  }

  @Override
  public long depth() {
    return 1;
  }

  @Override
  public long references() {
    return 1;
  }

  @Override
  public long streamBytes() {
    return 0;
  }
}
