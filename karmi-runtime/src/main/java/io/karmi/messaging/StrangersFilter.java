package io.karmi.messaging;

import io.karmi.marshal.ExactTypes;
import java.io.ObjectInputFilter;
import java.util.Set;

/**
 * Filter for messages from a node that has shown no reference to this one. It allows the classes
 * that are registered, strings, boxes, numbers, dates of {@code java.time}, and arrays of these and
 * of primitives. What the filter of the JVM rejects stays rejected.
 */
final class StrangersFilter implements ObjectInputFilter {
  private static final int MAXIMUM_DEPTH = 64;

  private static final Set<Class<?>> PLAIN =
      Set.of(
          Number.class,
          Enum.class,
          Address.class,
          java.math.BigInteger.class,
          java.math.BigDecimal.class);

  private final Registrations<?> receivers;
  private final Registrations<?> answerers;

  StrangersFilter(Registrations<?> receivers, Registrations<?> answerers) {
    this.receivers = receivers;
    this.answerers = answerers;
  }

  @Override
  public Status checkInput(FilterInfo info) {
    ObjectInputFilter ofJvm = ObjectInputFilter.Config.getSerialFilter();
    Class<?> type = info.serialClass();
    if (info.depth() > MAXIMUM_DEPTH
        || ofJvm != null && ofJvm.checkInput(info) == Status.REJECTED) {
      return Status.REJECTED;
    }
    if (type == null) {
      return Status.UNDECIDED;
    }
    while (type.isArray()) {
      type = type.getComponentType();
    }
    boolean allowed =
        type.isPrimitive()
            || ExactTypes.contains(type)
            || PLAIN.contains(type)
            || type.getName().startsWith("java.time.")
            || receivers.classes().contains(type)
            || answerers.classes().contains(type);
    return allowed ? Status.ALLOWED : Status.REJECTED;
  }
}
