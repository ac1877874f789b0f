package io.karmi.reference;

import java.io.ObjectInputFilter;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Filter for answers to what the runtime asks on its own account: allows some classes, arrays of
 * them, and the platform's exceptions. Who answers is at an address that anyone may have named. The
 * JVM-wide filter may refuse more. Thread-safe.
 */
public final class AnswerFilter implements ObjectInputFilter {
  private static final int MAXIMUM_DEPTH = 50;

  /** Packages of the exceptions that a runtime itself throws. */
  private static final Set<String> EXCEPTIONS = Set.of("java.io", "java.lang", "java.rmi");

  /** Classes that stack traces and suppressed exceptions consist of. */
  private static final Set<String> OF_EXCEPTIONS =
      Set.of(
          "java.lang.StackTraceElement",
          "java.util.ArrayList",
          "java.util.Collections$EmptyList",
          "java.util.Collections$UnmodifiableCollection",
          "java.util.Collections$UnmodifiableList",
          "java.util.Collections$UnmodifiableRandomAccessList");

  private final Predicate<Class<?>> allowed;
  private final int maximumLength;

  /**
   * A filter.
   *
   * @param allowed tells the classes that answers consist of, beside strings
   * @param maximumLength of arrays
   */
  public AnswerFilter(Predicate<Class<?>> allowed, int maximumLength) {
    this.allowed = allowed;
    this.maximumLength = maximumLength;
  }

  @Override
  public Status checkInput(FilterInfo info) {
    ObjectInputFilter ofJvm = ObjectInputFilter.Config.getSerialFilter();
    Status before = ofJvm == null ? Status.UNDECIDED : ofJvm.checkInput(info);
    if (before == Status.REJECTED
        || info.depth() > MAXIMUM_DEPTH
        || info.arrayLength() > maximumLength) {
      return Status.REJECTED;
    }
    Class<?> type = info.serialClass();
    if (type == null) {
      return Status.UNDECIDED;
    }
    while (type.isArray()) {
      type = type.getComponentType();
    }
    return type.isPrimitive() || isAllowed(type) ? Status.ALLOWED : Status.REJECTED;
  }

  private boolean isAllowed(Class<?> type) {
    return type == String.class
        || allowed.test(type)
        || OF_EXCEPTIONS.contains(type.getName())
        || Throwable.class.isAssignableFrom(type) && EXCEPTIONS.contains(type.getPackageName());
  }
}
