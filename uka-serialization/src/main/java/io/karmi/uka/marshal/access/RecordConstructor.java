package io.karmi.uka.marshal.access;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Array;
import java.lang.reflect.Constructor;
import java.lang.reflect.RecordComponent;

/**
 * The canonical constructor of one record class, whatever its access and that of its package.
 *
 * <p>Thread-safe.
 */
public final class RecordConstructor {
  private static final MethodType SPREAD = MethodType.methodType(Object.class, Object[].class);

  private final String[] names;
  private final Object[] defaults;
  private final MethodHandle handle;

  private RecordConstructor(RecordComponent[] components, Constructor<?> canonical)
      throws IllegalAccessException {
    names = new String[components.length];
    defaults = new Object[components.length];
    for (int i = 0; i < components.length; i++) {
      names[i] = components[i].getName();
      defaults[i] = Array.get(Array.newInstance(components[i].getType(), 1), 0);
    }
    handle =
        MethodHandles.lookup()
            .unreflectConstructor(canonical)
            .asType(MethodType.genericMethodType(components.length))
            .asSpreader(Object[].class, components.length)
            .asType(SPREAD);
  }

  /** The constructor of {@code type}; null if it has none, as only generated classes do. */
  public static RecordConstructor of(Class<?> type) {
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
  public Object defaultOf(int component) {
    return defaults[component];
  }

  /**
   * A new record.
   *
   * @param values of all components, primitives boxed
   * @throws ClassCastException if a value does not fit its component
   * @throws Throwable what the constructor throws
   */
  public Object newInstance(Object[] values) throws Throwable {
    return (Object) handle.invokeExact(values);
  }
}
