package io.karmi.stock;

import io.karmi.reference.InterfaceFilter;
import java.io.ObjectInputFilter;
import java.rmi.server.RMIClientSocketFactory;
import java.rmi.server.RMIServerSocketFactory;
import java.util.Set;

/**
 * Filter for answers about counterparts: allows a stub of either runtime, or an exception of the
 * platform. The answering node is at an address that some peer has named.
 */
final class StubFilter implements ObjectInputFilter {
  static final ObjectInputFilter INSTANCE = new StubFilter();

  private static final int MAXIMUM_DEPTH = 50;
  private static final int MAXIMUM_ARRAY_LENGTH = 10_000;

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

  private StubFilter() {}

  @Override
  public Status checkInput(FilterInfo info) {
    ObjectInputFilter ofJvm = ObjectInputFilter.Config.getSerialFilter();
    Status before = ofJvm == null ? Status.UNDECIDED : ofJvm.checkInput(info);
    if (before == Status.REJECTED
        || info.depth() > MAXIMUM_DEPTH
        || info.arrayLength() > MAXIMUM_ARRAY_LENGTH) {
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

  private static boolean isAllowed(Class<?> type) {
    return type == String.class
        || InterfaceFilter.isOfStub(type)
        || RMIClientSocketFactory.class.isAssignableFrom(type)
        || RMIServerSocketFactory.class.isAssignableFrom(type)
        || OF_EXCEPTIONS.contains(type.getName())
        || Throwable.class.isAssignableFrom(type) && EXCEPTIONS.contains(type.getPackageName());
  }
}
