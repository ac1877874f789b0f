package io.karmi.stock;

import io.karmi.guard.AbsentNames;
import io.karmi.guard.ArrayNames;
import io.karmi.guard.ProxyClasses;
import java.io.ObjectStreamClass;

/**
 * Names of classes that come over connections of stock RMI, whose streams look for them: the limits
 * are those of names that come over KaRMI's. Thread-safe.
 */
public final class StockNames {
  private StockNames() {}

  /**
   * Checks that a stream may look for the class of a description, and returns that.
   *
   * @throws ClassNotFoundException if loaders are not to be asked for it
   */
  public static ObjectStreamClass check(ObjectStreamClass description)
      throws ClassNotFoundException {
    check(description.getName());
    return description;
  }

  private static void check(String name) throws ClassNotFoundException {
    ArrayNames.check(name);
    AbsentNames.ofJvm().askedElsewhere(name, Thread.currentThread().getContextClassLoader());
  }

  /** Whether a stream may look for the class of a proxy, which its loader keeps. */
  public static boolean mayLookFor(String[] interfaces) {
    try {
      for (String name : interfaces) {
        check(name);
      }
    } catch (ClassNotFoundException e) {
      return false;
    }
    return ProxyClasses.ofJvm().lasts(interfaces, Thread.currentThread().getContextClassLoader());
  }

  /**
   * The class of a proxy that a stream may not look for, in a loader of its own.
   *
   * @throws ClassNotFoundException as {@link #check}, or if there is none
   */
  public static Class<?> proxyClass(String[] interfaces) throws ClassNotFoundException {
    for (String name : interfaces) {
      check(name);
    }
    return ProxyClasses.ofJvm().find(interfaces, Thread.currentThread().getContextClassLoader());
  }
}
