package io.karmi.uka.marshal.access;

import java.io.Serializable;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Modifier;

/**
 * Makes instances of one serializable class: no constructor of a serializable class runs, the
 * no-argument constructor of the first superclass that is not serializable does.
 *
 * <p>Thread-safe.
 */
public abstract class Instantiator {
  Instantiator() {}

  /**
   * An instantiator, or null if that constructor is missing or not accessible from {@code
   * serializable}.
   */
  public static Instantiator of(Class<?> serializable) {
    Constructor<?> constructor = SerializationFactory.constructor(serializable);
    if (constructor == null) {
      return null;
    }
    return needsMemoryOnly(serializable, constructor)
        ? new Allocating(serializable)
        : new Constructing(constructor);
  }

  private static boolean needsMemoryOnly(Class<?> serializable, Constructor<?> constructor) {
    return constructor.getDeclaringClass() == Object.class
        && !Modifier.isAbstract(serializable.getModifiers())
        && !hasFinalizer(serializable);
  }

  /** Object's constructor is also where the VM takes note of an instance that has a finalizer. */
  private static boolean hasFinalizer(Class<?> type) {
    for (Class<?> level = type; level != Object.class; level = level.getSuperclass()) {
      try {
        return level.getDeclaredMethod("finalize") != null;
      } catch (NoSuchMethodException e) {
        continue;
      } catch (LinkageError e) {
        /* Some other method of the class names a class that is missing: be careful. */
        return true;
      }
    }
    return false;
  }

  /** Whether making an instance of {@code type} is nothing but taking memory. */
  static boolean allocates(Class<?> type) {
    if (!Serializable.class.isAssignableFrom(type) || type.isRecord() || type.isEnum()) {
      return false;
    }
    Constructor<?> constructor = SerializationFactory.constructor(type);
    return constructor != null && needsMemoryOnly(type, constructor);
  }

  /** Whether {@link #newInstance} does nothing but take memory, and never fails. */
  public boolean isAllocating() {
    return this instanceof Allocating;
  }

  /**
   * A new instance.
   *
   * @throws InstantiationException if the class is abstract; some JDKs wrap it
   * @throws InvocationTargetException with what the constructor threw
   */
  public abstract Object newInstance() throws ReflectiveOperationException;

  /** Object's constructor does nothing for them, so that memory is all an instance needs. */
  private static final class Allocating extends Instantiator {
    private final Class<?> type;

    Allocating(Class<?> type) {
      this.type = type;
    }

    @Override
    public Object newInstance() throws InstantiationException {
      return SunUnsafe.allocate(type);
    }
  }

  private static final class Constructing extends Instantiator {
    private final Constructor<?> constructor;

    Constructing(Constructor<?> constructor) {
      this.constructor = constructor;
    }

    @Override
    public Object newInstance() throws ReflectiveOperationException {
      try {
        return constructor.newInstance();
      } catch (InstantiationError e) {
        throw (InstantiationException) new InstantiationException().initCause(e);
      }
    }
  }
}
