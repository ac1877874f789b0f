package io.karmi.uka.platform;

import java.io.InvalidObjectException;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Array;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.RecordComponent;
import org.jspecify.annotations.Nullable;

/**
 * Canonical constructor of one record class, whatever its access; or that of a box, which is made
 * as records are where boxes have {@link StrictFields}.
 *
 * <p>Thread-safe.
 */
public final class RecordConstructor {
  private static final MethodType SPREAD = MethodType.methodType(Object.class, Object[].class);

  /** Records made by reflection first; to link handles takes as long as some thousand. */
  private static final int MAXIMUM_BY_REFLECTION = 100;

  private final String[] names;
  private final Class<?>[] types;
  private final @Nullable Object[] defaults;
  private final Constructor<?> canonical;
  private @Nullable MethodHandle direct;
  private @Nullable MethodHandle spread;

  /** Records made by reflection; not synchronized. */
  private int made;

  private RecordConstructor(String[] names, Constructor<?> canonical) {
    this.canonical = canonical;
    this.names = names;
    types = canonical.getParameterTypes();
    defaults = new @Nullable Object[names.length];
    for (int i = 0; i < names.length; i++) {
      defaults[i] = Array.get(Array.newInstance(types[i], 1), 0);
    }
  }

  /** Loaded with the first handle of a constructor. */
  private static final class Failing {
    static final MethodHandle FAIL = fail();

    private static MethodHandle fail() {
      try {
        return MethodHandles.lookup()
            .findStatic(
                RecordConstructor.class,
                "fail",
                MethodType.methodType(Object.class, Throwable.class));
      } catch (ReflectiveOperationException e) {
        throw new IllegalStateException("a method of this class is missing", e);
      }
    }
  }

  /** Throws the JDK's exception for a failed constructor or a value that does not fit. */
  private static Object fail(Throwable cause) throws InvalidObjectException {
    if (cause instanceof Error error) {
      throw error;
    }
    InvalidObjectException exception =
        new InvalidObjectException(
            cause instanceof Exception
                ? cause.getMessage()
                : "ReflectiveOperationException during deserialization");
    exception.initCause(cause);
    throw exception;
  }

  /** The constructor of {@code type}; null if it has none, as only generated classes do. */
  public static @Nullable RecordConstructor of(Class<?> type) {
    RecordComponent[] components = type.getRecordComponents();
    String[] names = new String[components.length];
    Class<?>[] parameters = new Class<?>[components.length];
    for (int i = 0; i < parameters.length; i++) {
      names[i] = components[i].getName();
      parameters[i] = components[i].getType();
    }
    try {
      Constructor<?> canonical = type.getDeclaredConstructor(parameters);
      return new RecordConstructor(names, SerializationFactory.constructor(type, canonical));
    } catch (NoSuchMethodException e) {
      return null;
    }
  }

  /** The constructor of a box; null if the class is none. */
  public static @Nullable RecordConstructor ofBox(Class<?> type) {
    MethodType unwrapped = MethodType.methodType(type).unwrap();
    try {
      return unwrapped.returnType() == type
          ? null
          : new RecordConstructor(
              new String[] {"value"}, type.getConstructor(unwrapped.returnType()));
    } catch (NoSuchMethodException e) {
      return null; // of Void
    }
  }

  /** Number of components. */
  public int components() {
    return names.length;
  }

  /** Name of a component; they are in the order of their declaration. */
  public String name(int component) {
    return names[component];
  }

  /** The default value of a component: zero, false or null. */
  public @Nullable Object defaultOf(int component) {
    return defaults[component];
  }

  /** A handle with all components as parameters, references as {@code Object}. */
  public MethodHandle direct() {
    MethodHandle known = direct;
    if (known == null) {
      try {
        MethodHandle constructor =
            MethodHandles.lookup().unreflectConstructor(canonical).asFixedArity();
        MethodType erased = constructor.type().erase().changeReturnType(Object.class);
        known =
            MethodHandles.catchException(constructor.asType(erased), Throwable.class, Failing.FAIL);
      } catch (IllegalAccessException e) {
        throw new IllegalStateException("made accessible, but is not: " + canonical, e);
      }
      direct = known;
    }
    return known;
  }

  /**
   * A new record.
   *
   * @param values of all components, primitives boxed
   * @throws InvalidObjectException if a value does not fit its component, or for what the
   *     constructor throws
   */
  public Object newInstance(@Nullable Object[] values) throws InvalidObjectException {
    MethodHandle known = spread;
    if (known == null) {
      if (made++ < MAXIMUM_BY_REFLECTION) {
        return newByReflection(values);
      }
      known =
          direct()
              .asType(MethodType.genericMethodType(names.length))
              .asSpreader(Object[].class, names.length)
              .asType(SPREAD);
      spread = known;
    }
    try {
      return (Object) known.invokeExact(values);
    } catch (InvalidObjectException | RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException("thrown though no record constructor can: " + e, e);
    }
  }

  private Object newByReflection(@Nullable Object[] values) throws InvalidObjectException {
    try {
      for (int i = 0; i < types.length; i++) {
        if (!types[i].isPrimitive()) {
          types[i].cast(values[i]);
        }
      }
      return canonical.newInstance(values);
    } catch (InvocationTargetException e) {
      return fail(e.getTargetException());
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("made accessible, but is not: " + canonical, e);
    } catch (ClassCastException e) {
      return fail(e);
    }
  }
}
