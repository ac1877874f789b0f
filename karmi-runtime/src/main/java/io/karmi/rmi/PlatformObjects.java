package io.karmi.rmi;

import java.rmi.Remote;

/**
 * The remote objects of the JDK itself, which JMX exports: they stay on stock RMI, where tools of
 * other JVMs look for them.
 */
final class PlatformObjects {
  private static final ClassValue<Boolean> IS_PLATFORM =
      new ClassValue<>() {
        @Override
        protected Boolean computeValue(Class<?> type) {
          return isPlatform(type);
        }
      };

  private PlatformObjects() {}

  static boolean contain(Remote object) {
    return IS_PLATFORM.get(object.getClass());
  }

  private static boolean isPlatform(Class<?> type) {
    for (Class<?> each = type; each != null; each = each.getSuperclass()) {
      if (isOfJmx(each)) {
        return true;
      }
      for (Class<?> implemented : each.getInterfaces()) {
        if (isOfJmx(implemented)) {
          return true;
        }
      }
    }
    return false;
  }

  private static boolean isOfJmx(Class<?> type) {
    String name = type.getName();
    return type.getModule().isNamed()
        && (name.startsWith("javax.management.remote.rmi.")
            || name.startsWith("sun.management.")
            || name.startsWith("sun.rmi.")
            || name.startsWith("jdk.internal."));
  }
}
