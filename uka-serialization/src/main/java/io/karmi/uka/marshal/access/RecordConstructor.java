package io.karmi.uka.marshal.access;

import java.io.InvalidObjectException;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Array;
import java.lang.reflect.Constructor;
import java.lang.reflect.RecordComponent;
import org.jspecify.annotations.Nullable;

/**
 * The canonical constructor of one record class, whatever its access and that of its package.
 *
 * <p>Thread-safe.
 */
public final class RecordConstructor {
  private static final MethodType SPREAD = MethodType.methodType(Object.class, Object[].class);
  private static final MethodHandle FAIL = fail();

  private final String[] names;
  private final @Nullable Object[] defaults;
  private final MethodHandle direct;
  private final MethodHandle spread;

  private RecordConstructor(RecordComponent[] components, Constructor<?> canonical)
      throws IllegalAccessException {
    names = new String[components.length];
    defaults = new @Nullable Object[components.length];
    for (int i = 0; i < components.length; i++) {
      names[i] = components[i].getName();
      defaults[i] = Array.get(Array.newInstance(components[i].getType(), 1), 0);
    }
    MethodHandle constructor =
        MethodHandles.lookup().unreflectConstructor(canonical).asFixedArity();
    MethodType erased = constructor.type().erase().changeReturnType(Object.class);
    direct = MethodHandles.catchException(constructor.asType(erased), Throwable.class, FAIL);
    spread =
        direct
            .asType(MethodType.genericMethodType(components.length))
            .asSpreader(Object[].class, components.length)
            .asType(SPREAD);
  }

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

  /** What the JDK makes of a failing constructor, and of a value that does not fit. */
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
    Class<?>[] parameters = new Class<?>[components.length];
    for (int i = 0; i < parameters.length; i++) {
      parameters[i] = components[i].getType();
    }
    try {
      Constructor<?> canonical = type.getDeclaredConstructor(parameters);
      return new RecordConstructor(components, SerializationFactory.constructor(type, canonical));
    } catch (NoSuchMethodException e) {
      return null;
    } catch (IllegalAccessException e) {
      throw new IllegalStateException("made accessible, but is not: " + type.getName(), e);
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

  /** What a component is that nobody has set: zero, false or null. */
  public @Nullable Object defaultOf(int component) {
    return defaults[component];
  }

  /** Takes all components, references as {@code Object}, and fails as {@link #newInstance}. */
  MethodHandle direct() {
    return direct;
  }

  /**
   * A new record.
   *
   * @param values of all components, primitives boxed
   * @throws InvalidObjectException if a value does not fit its component, or for what the
   *     constructor throws
   */
  public Object newInstance(@Nullable Object[] values) throws InvalidObjectException {
    try {
      return (Object) spread.invokeExact(values);
    } catch (InvalidObjectException | RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException("thrown though no record constructor can: " + e, e);
    }
  }
}
