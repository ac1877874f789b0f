package io.karmi.uka.platform;

import java.io.Serializable;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Modifier;
import org.jspecify.annotations.Nullable;

/**
 * Makes instances of one serializable class: no constructor of a serializable class runs, the
 * no-argument constructor of the first superclass that is not serializable does. Only an
 * externalizable class has a constructor of its own called.
 *
 * <p>Thread-safe.
 */
public abstract class Instantiator {
  private static final MethodType MAKER = MethodType.methodType(Object.class);

  Instantiator() {}

  /**
   * An instantiator, or null if that constructor is missing or not accessible from {@code
   * serializable}.
   */
  public static @Nullable Instantiator of(Class<?> serializable) {
    if (isDirectlyBelowObject(serializable)) {
      return new Allocating(serializable);
    }
    Constructor<?> constructor = SerializationFactory.constructor(serializable);
    if (constructor == null) {
      return null;
    }
    return needsMemoryOnly(serializable, constructor)
        ? new Allocating(serializable)
        : new Constructing(constructor);
  }

  /**
   * An instantiator of an externalizable class, which runs its public no-argument constructor; null
   * if it has none.
   */
  public static @Nullable Instantiator ofExternalizable(Class<?> type) {
    try {
      return calling(type.getConstructor());
    } catch (NoSuchMethodException e) {
      return null;
    } catch (IllegalAccessException e) {
      return ofHiddenExternalizable(type);
    }
  }

  /* Only here is the factory asked: its first reflective call takes a millisecond or two. */
  private static @Nullable Instantiator ofHiddenExternalizable(Class<?> type) {
    Constructor<?> constructor = SerializationFactory.externalizableConstructor(type);
    if (constructor == null) {
      return null;
    }
    try {
      return calling(constructor);
    } catch (IllegalAccessException e) {
      return new Constructing(constructor);
    }
  }

  private static Instantiator calling(Constructor<?> constructor) throws IllegalAccessException {
    return new Calling(MethodHandles.lookup().unreflectConstructor(constructor).asType(MAKER));
  }

  /** Then the constructor is Object's, which need not be asked for: that takes a while. */
  private static boolean isDirectlyBelowObject(Class<?> serializable) {
    return serializable.getSuperclass() == Object.class && needsMemoryOnly(serializable);
  }

  private static boolean needsMemoryOnly(Class<?> serializable, Constructor<?> constructor) {
    return constructor.getDeclaringClass() == Object.class && needsMemoryOnly(serializable);
  }

  /** Whether that is so if the constructor is Object's. */
  private static boolean needsMemoryOnly(Class<?> serializable) {
    return !Modifier.isAbstract(serializable.getModifiers()) && !hasFinalizer(serializable);
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
  public static boolean allocates(Class<?> type) {
    if (!Serializable.class.isAssignableFrom(type) || type.isRecord() || type.isEnum()) {
      return false;
    }
    if (isDirectlyBelowObject(type)) {
      return true;
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

  /**
   * A constructor of the class itself, without the array that reflection makes of arguments. Once
   * it is called often, code is generated for it.
   */
  private static final class Calling extends Instantiator {
    /** The number of instances that are made before. */
    private static final int FEW = 1000;

    private final MethodHandle maker;

    /** Threads may lose some of each other's counts, or generate more than once. */
    private int made;

    private volatile @Nullable ConstructorCall generated;

    Calling(MethodHandle maker) {
      this.maker = maker;
    }

    @Override
    public Object newInstance() throws ReflectiveOperationException {
      ConstructorCall call = generated;
      try {
        return call == null ? makeFirst() : call.make();
      } catch (InstantiationException e) {
        throw e;
      } catch (Throwable e) {
        throw new InvocationTargetException(e);
      }
    }

    private Object makeFirst() throws Throwable {
      if (++made == FEW && !CodeGeneration.IS_OFF) {
        generated =
            Permitted.isNeeded()
                ? Permitted.get(() -> ConstructorCall.of(maker))
                : ConstructorCall.of(maker);
      }
      return (Object) maker.invokeExact();
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
