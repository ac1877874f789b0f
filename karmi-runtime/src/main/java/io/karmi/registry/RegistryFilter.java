package io.karmi.registry;

import io.karmi.guard.InfoOfClass;
import io.karmi.reference.Privileged;
import java.io.ObjectInputFilter;
import java.lang.reflect.Proxy;
import java.rmi.Remote;
import java.rmi.server.RMIClientSocketFactory;
import java.rmi.server.RMIServerSocketFactory;
import java.rmi.server.RemoteRef;
import java.rmi.server.UID;
import java.security.Security;
import org.jspecify.annotations.Nullable;

/**
 * Filter for what is bound: allows stubs, and the classes that they consist of.
 *
 * <p>The rules are those of stock registries, as is the property that comes before them, {@code
 * sun.rmi.registry.registryFilter}.
 */
final class RegistryFilter implements ObjectInputFilter {
  static final ObjectInputFilter INSTANCE = of(configuredPattern());

  private static final String PROPERTY = "sun.rmi.registry.registryFilter";
  private static final int MAXIMUM_DEPTH = 20;
  private static final int MAXIMUM_ARRAY_LENGTH = 1_000_000;

  private static final Class<?>[] ALLOWED = {
    Number.class,
    Remote.class,
    Proxy.class,
    RemoteRef.class,
    RMIClientSocketFactory.class,
    RMIServerSocketFactory.class,
    UID.class
  };

  private final @Nullable ObjectInputFilter configured;

  private RegistryFilter(@Nullable String pattern) {
    configured = pattern == null ? null : ObjectInputFilter.Config.createFilter(pattern);
  }

  /** Allows what stock RMI's registry allows under a pattern; null if there is none. */
  static RegistryFilter of(@Nullable String pattern) {
    return new RegistryFilter(pattern);
  }

  private static @Nullable String configuredPattern() {
    return Privileged.get(() -> System.getProperty(PROPERTY, Security.getProperty(PROPERTY)));
  }

  @Override
  public Status checkInput(FilterInfo info) {
    if (configured != null) {
      boolean array = info.serialClass() != null && info.serialClass().isArray();
      /* Limits count for arrays, and patterns only for what is in them, as in stock RMI. */
      Status status = configured.checkInput(array ? new InfoOfClass(info, int[].class) : info);
      if (status != Status.UNDECIDED) {
        return status;
      }
    }
    if (info.depth() > MAXIMUM_DEPTH) {
      return Status.REJECTED;
    }
    Class<?> type = info.serialClass();
    if (type == null) {
      return Status.UNDECIDED;
    }
    if (type.isArray()) {
      return info.arrayLength() > MAXIMUM_ARRAY_LENGTH ? Status.REJECTED : Status.UNDECIDED;
    }
    return isAllowed(type) ? Status.ALLOWED : Status.REJECTED;
  }

  private static boolean isAllowed(Class<?> type) {
    if (type == String.class) {
      return true;
    }
    for (Class<?> allowed : ALLOWED) {
      if (allowed.isAssignableFrom(type)) {
        return true;
      }
    }
    return false;
  }
}
