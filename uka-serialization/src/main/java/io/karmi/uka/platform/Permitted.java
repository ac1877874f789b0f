package io.karmi.uka.platform;

import java.io.ObjectStreamConstants;
import java.security.AccessController;
import java.security.PrivilegedAction;
import org.jspecify.annotations.Nullable;

/**
 * Privileged actions for JVMs with a security manager (JDKs before 24): as with java.io's streams,
 * the library needs permission to reflect on classes, and its caller does not. No method of a
 * program may run inside.
 */
public final class Permitted {
  private Permitted() {}

  /** Runs a privileged action. */
  @SuppressWarnings("removal")
  public static <T extends @Nullable Object> T get(PrivilegedAction<T> action) {
    return isNeeded() ? AccessController.doPrivileged(action) : action.run();
  }

  /**
   * Whether there is a security manager. Code of a JVM's first message asks before it uses {@link
   * #get}, as to link a lambda takes longer than most actions.
   */
  @SuppressWarnings("removal")
  public static boolean isNeeded() {
    return System.getSecurityManager() != null;
  }

  /** Throws if a program may not implement a stream of its own. */
  @SuppressWarnings("removal")
  public static void checkSubclassImplementation() {
    SecurityManager manager = System.getSecurityManager();
    if (manager != null) {
      manager.checkPermission(ObjectStreamConstants.SUBCLASS_IMPLEMENTATION_PERMISSION);
    }
  }

  /** {@link Boolean#getBoolean}. */
  public static boolean hasFlag(String property) {
    return isNeeded() ? get(() -> Boolean.getBoolean(property)) : Boolean.getBoolean(property);
  }
}
