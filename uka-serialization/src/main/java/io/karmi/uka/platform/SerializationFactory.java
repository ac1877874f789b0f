package io.karmi.uka.platform;

import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.OptionalDataException;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import org.jspecify.annotations.Nullable;

/**
 * Access to {@code sun.reflect.ReflectionFactory} of the module {@code jdk.unsupported}, the JDK's
 * support for serialization libraries, or to its counterpart in java.base.
 *
 * <p>By reflection, as the compiler would warn. Hooks work for any class, and are {@code null} for
 * a class that declares none. Their handles take the object and then, if the hook has one, the
 * stream.
 */
public final class SerializationFactory {
  private static final Object FACTORY =
      Permitted.isNeeded() ? Permitted.get(SerializationFactory::factory) : factory();
  private static final @Nullable Method DEFAULT_READ =
      optional("defaultReadObjectForSerialization");
  private static final @Nullable Method DEFAULT_WRITE =
      optional("defaultWriteObjectForSerialization");

  private SerializationFactory() {}

  /** The {@code writeObject} method that {@code type} itself declares. */
  public static @Nullable MethodHandle writeObject(Class<?> type) {
    return declares(type, "writeObject", ObjectOutputStream.class)
        ? hook("writeObjectForSerialization", type)
        : null;
  }

  /** The {@code readObject} method that {@code type} itself declares. */
  public static @Nullable MethodHandle readObject(Class<?> type) {
    return declares(type, "readObject", ObjectInputStream.class)
        ? hook("readObjectForSerialization", type)
        : null;
  }

  /** The {@code readObjectNoData} method that {@code type} itself declares. */
  public static @Nullable MethodHandle readObjectNoData(Class<?> type) {
    if (!declares(type, "readObjectNoData")) {
      return null;
    }
    MethodHandle hook = hook("readObjectNoDataForSerialization", type);
    return hook == null ? declaredReadObjectNoData(type) : hook;
  }

  /* Early releases of JDK 17 look for a method with a stream as parameter, and find none. */
  private static @Nullable MethodHandle declaredReadObjectNoData(Class<?> type) {
    try {
      Method method = type.getDeclaredMethod("readObjectNoData");
      boolean counts =
          method.getReturnType() == void.class
              && Modifier.isPrivate(method.getModifiers())
              && !Modifier.isStatic(method.getModifiers());
      return counts && method.trySetAccessible() ? MethodHandles.lookup().unreflect(method) : null;
    } catch (NoSuchMethodException e) {
      return null;
    } catch (IllegalAccessException e) {
      throw new IllegalStateException("made accessible, but is not: " + type.getName(), e);
    }
  }

  /** The {@code writeReplace} method that {@code type} declares or inherits. */
  public static @Nullable MethodHandle writeReplace(Class<?> type) {
    return hasMethod(type, "writeReplace") ? hook("writeReplaceForSerialization", type) : null;
  }

  /** The {@code readResolve} method that {@code type} declares or inherits. */
  public static @Nullable MethodHandle readResolve(Class<?> type) {
    return hasMethod(type, "readResolve") ? hook("readResolveForSerialization", type) : null;
  }

  /**
   * Makes instances of {@code type} by the no-argument constructor of its first superclass that is
   * not serializable; null if that is missing or not accessible from {@code type}.
   */
  public static @Nullable Constructor<?> constructor(Class<?> type) {
    return (Constructor<?>) call(method("newConstructorForSerialization", Class.class), type);
  }

  /** Makes instances of {@code type} by {@code initializer}, perhaps of a superclass. */
  public static Constructor<?> constructor(Class<?> type, Constructor<?> initializer) {
    Method method = method("newConstructorForSerialization", Class.class, Constructor.class);
    return (Constructor<?>) call(method, type, initializer);
  }

  /** The public no-argument constructor of an externalizable class; null if it has none. */
  public static @Nullable Constructor<?> externalizableConstructor(Class<?> type) {
    return (Constructor<?>) call(method("newConstructorForExternalization", Class.class), type);
  }

  /** A new exception, whose constructor is not public. */
  public static OptionalDataException optionalDataException(boolean endOfData) {
    return Permitted.get(() -> newOptionalDataException(endOfData));
  }

  /** The exception where a program asks for an object and its own bytes come. */
  public static OptionalDataException optionalDataException(int lengthBytes) {
    OptionalDataException exception = optionalDataException(false);
    exception.length = lengthBytes;
    return exception;
  }

  private static OptionalDataException newOptionalDataException(boolean endOfData) {
    String name = "newOptionalDataExceptionForSerialization";
    try {
      return (OptionalDataException)
          call(FACTORY.getClass().getMethod(name, boolean.class), endOfData);
    } catch (NoSuchMethodException e) {
      /* The factory in java.base returns the constructor. */
      return construct((Constructor<?>) call(method(name)), endOfData);
    }
  }

  private static OptionalDataException construct(Constructor<?> constructor, boolean endOfData) {
    try {
      return (OptionalDataException) constructor.newInstance(endOfData);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(constructor + " failed", e);
    }
  }

  /** Sets the fields of {@code type} from {@code readFields()} of a stream; null before JDK 24. */
  public static @Nullable MethodHandle defaultReadObject(Class<?> type) {
    return DEFAULT_READ == null ? null : (MethodHandle) call(DEFAULT_READ, type);
  }

  /** Hands the fields of {@code type} to {@code putFields()} of a stream; null before JDK 24. */
  public static @Nullable MethodHandle defaultWriteObject(Class<?> type) {
    return DEFAULT_WRITE == null ? null : (MethodHandle) call(DEFAULT_WRITE, type);
  }

  /* The first reflective call of the factory takes milliseconds, as the JDK assembles method handles.
   * Most classes have no hooks, and so need no call. */
  private static boolean declares(Class<?> type, String name, Class<?>... parameters) {
    try {
      return type.getDeclaredMethod(name, parameters) != null;
    } catch (NoSuchMethodException e) {
      return false;
    }
  }

  private static boolean hasMethod(Class<?> type, String name) {
    for (Class<?> level = type; level != null; level = level.getSuperclass()) {
      if (declares(level, name)) {
        return true;
      }
    }
    return false;
  }

  private static @Nullable MethodHandle hook(String name, Class<?> type) {
    return (MethodHandle) call(method(name, Class.class), type);
  }

  private static Object factory() {
    try {
      return factory("sun.reflect.ReflectionFactory");
    } catch (ReflectiveOperationException e) {
      return factoryWithinJavaBase(e);
    }
  }

  /** The factory in java.base, accessible on the boot path; modular programs may have no other. */
  private static Object factoryWithinJavaBase(ReflectiveOperationException reason) {
    try {
      return factory("jdk.internal.reflect.ReflectionFactory");
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(
          "this Java runtime lacks the module jdk.unsupported;"
              + " start with --add-modules jdk.unsupported, or add it to the image",
          reason);
    }
  }

  private static Object factory(String className) throws ReflectiveOperationException {
    return Class.forName(className).getMethod("getReflectionFactory").invoke(null);
  }

  private static @Nullable Method optional(String name) {
    try {
      return FACTORY.getClass().getMethod(name, Class.class);
    } catch (NoSuchMethodException e) {
      return null;
    }
  }

  private static Method method(String name, Class<?>... parameters) {
    try {
      return FACTORY.getClass().getMethod(name, parameters);
    } catch (NoSuchMethodException e) {
      throw new IllegalStateException("this JDK's ReflectionFactory has no " + name, e);
    }
  }

  private static Object call(Method method, Object... arguments) {
    try {
      return method.invoke(FACTORY, arguments);
    } catch (InvocationTargetException e) {
      if (e.getCause() instanceof Error error) {
        throw error;
      }
      if (e.getCause() instanceof RuntimeException exception) {
        throw exception;
      }
      throw new IllegalStateException(method + " failed", e.getCause());
    } catch (IllegalAccessException e) {
      throw new IllegalStateException(method + " is not accessible", e);
    }
  }
}
