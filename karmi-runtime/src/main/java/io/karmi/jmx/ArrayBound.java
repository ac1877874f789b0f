package io.karmi.jmx;

import io.karmi.guard.InfoOfClass;
import java.io.ObjectInputFilter;
import org.jspecify.annotations.Nullable;

/**
 * Filter of one parameter, which is there as bytes: all its arrays together are no longer than
 * these bytes can fill. Behind it another filter may refuse more. For one thread at a time.
 */
final class ArrayBound implements ObjectInputFilter {
  /** Elements of the tables of the JDK's collections for each byte that fills them, at most. */
  private static final int ELEMENTS_FOR_A_BYTE = 4;

  private final @Nullable ObjectInputFilter next;
  private double bytesLeft;

  /**
   * @param next null for none but that of the JVM
   */
  ArrayBound(@Nullable ObjectInputFilter next, int bytes) {
    this.next = next == null ? Config.getSerialFilter() : next;
    this.bytesLeft = bytes;
  }

  @Override
  public Status checkInput(FilterInfo info) {
    Class<?> type = info.serialClass();
    if (info.arrayLength() >= 0 && type != null) {
      bytesLeft -= leastBytes(type) * info.arrayLength();
      if (bytesLeft < 0) {
        return Status.REJECTED;
      }
    }
    if (next == null) {
      return Status.UNDECIDED;
    }
    /* They see the class that was sent. */
    return next.checkInput(
        type == MatchQueryExp.class ? new InfoOfClass(info, MatchQueryExp.OF_JDK) : info);
  }

  /** The bytes that an element of such an array takes at least, in the JDK's format. */
  private static double leastBytes(Class<?> array) {
    Class<?> element = array.getComponentType();
    if (element == null || !element.isPrimitive()) {
      return 1.0 / ELEMENTS_FOR_A_BYTE;
    }
    if (element == long.class || element == double.class) {
      return Long.BYTES;
    }
    if (element == int.class || element == float.class) {
      return Integer.BYTES;
    }
    return element == short.class || element == char.class ? Short.BYTES : 1;
  }
}
