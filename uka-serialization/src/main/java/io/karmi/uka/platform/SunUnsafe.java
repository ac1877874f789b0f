package io.karmi.uka.platform;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Field;

/**
 * Access to {@code sun.misc.Unsafe} by reflection, as the compiler would warn.
 *
 * <p>To allocate an instance is silent on every JDK; methods that access memory warn from JDK 24
 * on.
 */
public final class SunUnsafe {
  public static final Object INSTANCE =
      Permitted.isNeeded() ? Permitted.get(SunUnsafe::instance) : instance();
  private static final MethodHandle ALLOCATE =
      Permitted.isNeeded() ? Permitted.get(SunUnsafe::allocate) : allocate();

  private static final int FIRST_WARNING_RELEASE = 24;

  private SunUnsafe() {}

  /** Whether the JDK does not warn of methods that access memory. */
  public static boolean isSilent() {
    return Runtime.version().feature() < FIRST_WARNING_RELEASE;
  }

  /** A new instance of a class, without a constructor. */
  public static Object allocate(Class<?> type) throws InstantiationException {
    try {
      return (Object) ALLOCATE.invokeExact(type);
    } catch (InstantiationException | RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException("cannot allocate " + type.getName(), e);
    }
  }

  /** A handle of type {@code ()Object} that makes instances of one class, for generated code. */
  public static MethodHandle allocator(Class<?> type) {
    return MethodHandles.insertArguments(ALLOCATE, 0, type);
  }

  /**
   * Offset of the first element of an array, in bytes.
   *
   * @param elements their primitive type, in upper case
   */
  public static long arrayBaseOffset(String elements) {
    String constant = "ARRAY_" + elements + "_BASE_OFFSET";
    try {
      return INSTANCE.getClass().getField(constant).getInt(null);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("no " + constant + " in " + INSTANCE.getClass(), e);
    }
  }

  private static Object instance() {
    try {
      Field field = Class.forName("sun.misc.Unsafe").getDeclaredField("theUnsafe");
      field.setAccessible(true);
      return field.get(null);
    } catch (ReflectiveOperationException e) {
      return instanceWithinJavaBase(e);
    }
  }

  /** The instance of {@code jdk.internal.misc.Unsafe}, which can allocate, too. */
  private static Object instanceWithinJavaBase(ReflectiveOperationException reason) {
    try {
      return Class.forName("jdk.internal.misc.Unsafe").getMethod("getUnsafe").invoke(null);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(
          "this Java runtime lacks the module jdk.unsupported;"
              + " start with --add-modules jdk.unsupported, or add it to the image",
          reason);
    }
  }

  private static MethodHandle allocate() {
    try {
      return MethodHandles.lookup()
          .findVirtual(
              INSTANCE.getClass(),
              "allocateInstance",
              MethodType.methodType(Object.class, Class.class))
          .bindTo(INSTANCE);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("this JDK's sun.misc.Unsafe has no allocateInstance", e);
    }
  }
}
