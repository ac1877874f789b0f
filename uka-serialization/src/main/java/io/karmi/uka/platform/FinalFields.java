package io.karmi.uka.platform;

/**
 * Final fields of objects that exist already. From JDK 26 on (JEP 500) the JDK warns where {@link
 * java.lang.reflect.Field} or an unreflected setter sets one, and refuses it in packages that were
 * opened while the JVM ran. Unsafe and {@code ReflectionFactory} set them as before.
 */
public final class FinalFields {
  private static final int FIRST_WARNING_RELEASE = 26;

  private FinalFields() {}

  /** Whether reflection and unreflected setters set them in silence. */
  public static boolean canBeSet() {
    return Runtime.version().feature() < FIRST_WARNING_RELEASE;
  }
}
