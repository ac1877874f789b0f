package io.karmi.uka;

import io.karmi.uka.engine.read.ClassFinder;
import io.karmi.uka.platform.Permitted;
import java.io.ObjectInputStream;
import java.io.ObjectStreamClass;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;

/**
 * Methods that a subclass of the input stream overrides.
 *
 * @param resolveClass whose method that is
 * @param resolveProxyClass whose method that is
 * @param calls whether it overrides methods that {@code readObject} methods call
 */
record Overrides(
    Owner resolveClass,
    Owner resolveProxyClass,
    boolean readClassDescriptor,
    boolean readStreamHeader,
    boolean calls) {
  private static final ClassValue<Overrides> KNOWN =
      new ClassValue<>() {
        @Override
        protected Overrides computeValue(Class<?> type) {
          Class<?> stream = ObjectInputStream.class;
          return new Overrides(
              owner(type, stream, "resolveClass", ObjectStreamClass.class),
              owner(type, stream, "resolveProxyClass", String[].class),
              overrides(type, stream, "readClassDescriptor"),
              overrides(type, stream, "readStreamHeader"),
              overridesCalls(type, stream));
        }
      };

  static final Overrides NONE = new Overrides(Owner.LIBRARY, Owner.LIBRARY, false, false, false);

  /** Whose method it is that runs. */
  enum Owner {
    LIBRARY,

    /** User code ({@link ClassFinder#isUserCode}). */
    PROGRAM,

    /** Of a class of the boot or the platform loader. */
    PLATFORM
  }

  /**
   * Those of a stream's class.
   *
   * @param own a class of the library's, which overrides none
   */
  static Overrides of(Class<?> streamType, Class<?> own) {
    return streamType == own ? NONE : KNOWN.get(streamType);
  }

  /**
   * Whether a subclass of the library's stream overrides a public method of java.io's stream that
   * moves data.
   *
   * @param stream java.io's stream, which the library's extends
   */
  static boolean overridesCalls(Class<?> streamType, Class<?> stream) {
    return Permitted.isNeeded()
        ? Permitted.get(() -> findOverriddenCalls(streamType, stream))
        : findOverriddenCalls(streamType, stream);
  }

  private static boolean findOverriddenCalls(Class<?> streamType, Class<?> stream) {
    for (Class<?> type = streamType; type.getSuperclass() != stream; type = type.getSuperclass()) {
      try {
        for (Method method : type.getDeclaredMethods()) {
          if (movesData(method.getName()) && isPublicIn(stream, method)) {
            return true;
          }
        }
      } catch (LinkageError e) {
        /* Some method names a missing class; assume an override. */
        return true;
      }
    }
    return false;
  }

  private static boolean isPublicIn(Class<?> stream, Method method) {
    if (!Modifier.isPublic(method.getModifiers())) {
      return false;
    }
    try {
      return stream.getMethod(method.getName(), method.getParameterTypes()) != null;
    } catch (NoSuchMethodException e) {
      return false;
    }
  }

  private static boolean movesData(String method) {
    return method.startsWith("read")
        || method.startsWith("write")
        || method.startsWith("default")
        || method.startsWith("skip")
        || method.equals("putFields");
  }

  private static Owner owner(
      Class<?> streamType, Class<?> stream, String method, Class<?>... parameters) {
    for (Class<?> type = streamType; type.getSuperclass() != stream; type = type.getSuperclass()) {
      if (declares(type, method, parameters)) {
        return ClassFinder.isUserCode(type) ? Owner.PROGRAM : Owner.PLATFORM;
      }
    }
    return Owner.LIBRARY;
  }

  /**
   * Whether a subclass of the library's stream declares the method itself.
   *
   * @param stream java.io's stream, which the library's extends
   */
  static boolean overrides(
      Class<?> streamType, Class<?> stream, String method, Class<?>... parameters) {
    for (Class<?> type = streamType; type.getSuperclass() != stream; type = type.getSuperclass()) {
      if (declares(type, method, parameters)) {
        return true;
      }
    }
    return false;
  }

  /** Whether a class declares the method, for any caller. */
  static boolean declares(Class<?> type, String method, Class<?>... parameters) {
    return Permitted.isNeeded()
        ? Permitted.get(() -> finds(type, method, parameters))
        : finds(type, method, parameters);
  }

  private static boolean finds(Class<?> type, String method, Class<?>... parameters) {
    try {
      return type.getDeclaredMethod(method, parameters) != null;
    } catch (NoSuchMethodException e) {
      return false;
    } catch (LinkageError e) {
      /* Another method names a missing class; assume a declaration. */
      return true;
    }
  }
}
