package io.karmi.uka.platform;

import java.io.ObjectStreamConstants;
import java.security.AccessController;
import java.security.PrivilegedAction;
import org.jspecify.annotations.Nullable;

/**
 * Where a security manager is (JDKs before 24), the library must be permitted to reflect on
 * classes, but the program that called it need not be: so it is with java.io's streams. None of a
 * program's methods may run inside.
 */
public final class Permitted {
  private Permitted() {}

  /** Does what the library is permitted to do, for any caller. */
  @SuppressWarnings("removal")
  public static <T extends @Nullable Object> T get(PrivilegedAction<T> action) {
    return isNeeded() ? AccessController.doPrivileged(action) : action.run();
  }

  /**
   * Whether there is a security manager. What the first message of a JVM comes by asks before it
   * uses {@link #get}: to link a lambda takes longer there than most of what is done in it.
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
