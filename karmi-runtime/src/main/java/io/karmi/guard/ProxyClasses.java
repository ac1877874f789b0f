package io.karmi.guard;

import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.security.AccessController;
import java.security.PrivilegedAction;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.WeakHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Maker of the classes of dynamic proxies whose interfaces peers name.
 *
 * <p>A class loader keeps the proxy classes in it as long as it lives. So the classes of the first
 * lists are made in the loader that the interfaces are found by, as by stock RMI, and those of
 * further lists in loaders of their own, which are unloaded with the proxies. Thread-safe.
 */
public final class ProxyClasses {
  /** Upper bound of the lists whose classes one loader keeps. */
  static final int MAXIMUM_LASTING = 256;

  private static final ProxyClasses OF_JVM = new ProxyClasses();

  /** The lists whose classes a loader keeps. */
  private final Map<@Nullable ClassLoader, Set<String>> lasting = new WeakHashMap<>();

  ProxyClasses() {}

  /** Those of this JVM. */
  public static ProxyClasses ofJvm() {
    return OF_JVM;
  }

  /**
   * Whether a loader keeps the class of a list of interfaces, which others may make in it then. A
   * list for which there is room counts from now on.
   */
  public boolean lasts(String[] names, @Nullable ClassLoader loader) {
    return mayLast(list(names), loader);
  }

  private static String list(String[] names) {
    return String.join(", ", names);
  }

  /**
   * The proxy class of a list of interfaces.
   *
   * @param from finds them
   * @throws ClassNotFoundException if one is absent, if there is no proxy of these, or if one is
   *     not public and there are too many lists in its loader
   */
  @SuppressWarnings("deprecation") // the only way to the class of a proxy without making one
  public Class<?> find(String[] names, @Nullable ClassLoader from) throws ClassNotFoundException {
    Class<?>[] interfaces = new Class<?>[names.length];
    ClassLoader definer = from;
    boolean arePublic = true;
    for (int i = 0; i < interfaces.length; i++) {
      interfaces[i] = Class.forName(names[i], false, from);
      if (!Modifier.isPublic(interfaces[i].getModifiers())) {
        definer = interfaces[i].getClassLoader();
        arePublic = false;
      }
    }
    String list = list(names);
    boolean lasts = mayLast(list, definer);
    if (!lasts && !arePublic) {
      throw new ClassNotFoundException(
          "no proxy of "
              + list
              + ": one of these is not public, and its loader keeps proxy classes of "
              + MAXIMUM_LASTING
              + " lists that peers have named already");
    }
    try {
      return Proxy.getProxyClass(lasts ? definer : unloadable(definer), interfaces);
    } catch (IllegalArgumentException e) {
      throw new ClassNotFoundException("no proxy of " + list + " in " + definer, e);
    }
  }

  private boolean mayLast(String list, @Nullable ClassLoader definer) {
    synchronized (lasting) {
      Set<String> lists = lasting.computeIfAbsent(definer, any -> new HashSet<>());
      return lists.contains(list) || lists.size() < MAXIMUM_LASTING && lists.add(list);
    }
  }

  @SuppressWarnings("removal") // a program under a security manager need not have the permission
  private static ClassLoader unloadable(@Nullable ClassLoader parent) {
    return AccessController.doPrivileged(
        (PrivilegedAction<ClassLoader>) () -> new Unloadable(parent));
  }

  /** Whether a proxy class was made because it was asked for, and will be made anew next time. */
  public static boolean isMadeEachTime(Class<?> proxy) {
    return proxy.getClassLoader() instanceof Unloadable;
  }

  /** Loader of one proxy class. */
  private static final class Unloadable extends ClassLoader {
    Unloadable(@Nullable ClassLoader parent) {
      super(parent);
    }
  }
}
