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

  private static final int FIRST_WARNING_RELEASE = 24;

  /** Made where {@link InternalUnsafe} cannot allocate, or for generated code. */
  private static final class Allocator {
    private static final MethodType TYPE = MethodType.methodType(Object.class, Class.class);
    static final MethodHandle ALLOCATE =
        Permitted.isNeeded() ? Permitted.get(Allocator::find) : find();

    private static MethodHandle find() {
      return handle("allocateInstance", TYPE);
    }
  }

  private SunUnsafe() {}

  /** Whether the JDK does not warn of methods that access memory. */
  public static boolean isSilent() {
    return Runtime.version().feature() < FIRST_WARNING_RELEASE;
  }

  /** Whether {@link #INSTANCE} is a {@code sun.misc.Unsafe}, and not the JDK's internal one. */
  static boolean isThere() {
    return INSTANCE.getClass().getPackageName().equals("sun.misc");
  }

  /** A new instance of a class, without a constructor. */
  static Object allocate(Class<?> type) throws InstantiationException {
    try {
      return (Object) Allocator.ALLOCATE.invokeExact(type);
    } catch (InstantiationException | RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException("cannot allocate " + type.getName(), e);
    }
  }

  /** A handle of type {@code ()Object} that makes instances of one class, for generated code. */
  public static MethodHandle allocator(Class<?> type) {
    return MethodHandles.insertArguments(Allocator.ALLOCATE, 0, type);
  }

  /** A handle of a method of {@link #INSTANCE}. */
  static MethodHandle handle(String method, MethodType type) {
    try {
      return MethodHandles.lookup().findVirtual(INSTANCE.getClass(), method, type).bindTo(INSTANCE);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("this JDK's sun.misc.Unsafe has no " + method, e);
    }
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
      if (InternalVm.isOpen()) {
        return InternalUnsafe.METHODS.unsafe(); // can allocate, too
      }
      throw new IllegalStateException(
          "this Java runtime lacks the module jdk.unsupported;"
              + " start with --add-modules jdk.unsupported, or add it to the image",
          e);
    }
  }
}
