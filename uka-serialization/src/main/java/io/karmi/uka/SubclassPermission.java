package io.karmi.uka;

import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import org.jspecify.annotations.Nullable;

/**
 * Check of the permission to extend the object streams, with a security manager (JDKs before 24).
 *
 * <p>java.io's constructor without arguments, which the library's streams call, requires the
 * permission {@code enableSubclassImplementation}, which a program does not need for java.io's
 * streams. Where KaRMI may change the JDK's classes, that constructor asks this class instead.
 */
public final class SubclassPermission {
  private static final ClassValue<Boolean> NEEDED =
      new ClassValue<>() {
        @Override
        protected Boolean computeValue(Class<?> type) {
          return isNeeded(type);
        }
      };

  private SubclassPermission() {}

  /**
   * The security manager that has to permit the class of {@code stream}; null for the library's
   * streams and for subclasses that override none of the methods for which java.io asks.
   */
  @SuppressWarnings("removal")
  public static @Nullable SecurityManager managerFor(Object stream) {
    SecurityManager manager = System.getSecurityManager();
    return manager == null || !NEEDED.get(stream.getClass()) ? null : manager;
  }

  private static boolean isNeeded(Class<?> type) {
    for (Class<?> level = type; level != Object.class; level = level.getSuperclass()) {
      if (level == UkaObjectOutputStream.class || level == UkaObjectInputStream.class) {
        return false;
      }
      if (level == ObjectOutputStream.class
          || level == ObjectInputStream.class
          || overridesSensitive(level)) {
        return true;
      }
    }
    return true;
  }

  private static boolean overridesSensitive(Class<?> type) {
    return Overrides.declares(type, "writeUnshared", Object.class)
        || Overrides.declares(type, "putFields")
        || Overrides.declares(type, "readUnshared")
        || Overrides.declares(type, "readFields");
  }
}
