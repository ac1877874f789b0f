package io.karmi.rmi;

import java.lang.reflect.Proxy;
import java.rmi.Remote;

/**
 * The remote objects of the JDK itself, such as those of JMX and jstatd, and what applications
 * derive from them: they stay on stock RMI, where tools of other JVMs look for them.
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

  /**
   * Whether a remote type is one of the JDK's, or has one above it. Those of java.rmi are for
   * everybody, and the class of a program's proxy is of a module of the JDK's, too.
   */
  private static boolean isPlatform(Class<?> type) {
    if (type == null || !Remote.class.isAssignableFrom(type)) {
      return false;
    }
    if (isOfJdk(type.getModule()) && !Proxy.isProxyClass(type)) {
      return !type.getName().startsWith("java.rmi.");
    }
    for (Class<?> parent : type.getInterfaces()) {
      if (isPlatform(parent)) {
        return true;
      }
    }
    return isPlatform(type.getSuperclass());
  }

  private static boolean isOfJdk(Module module) {
    return module.isNamed()
        && (module.getName().startsWith("java.") || module.getName().startsWith("jdk."));
  }
}
