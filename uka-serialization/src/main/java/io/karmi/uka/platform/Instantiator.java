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
 * Maker of instances of one serializable class. The no-argument constructor of the first superclass
 * runs that is not serializable; of an externalizable class its own.
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

  /** Whether the class has a finalizer, which the VM registers in Object's constructor. */
  private static boolean hasFinalizer(Class<?> type) {
    for (Class<?> level = type; level != Object.class; level = level.getSuperclass()) {
      try {
        return level.getDeclaredMethod("finalize") != null;
      } catch (NoSuchMethodException e) {
        continue;
      } catch (LinkageError e) {
        /* Another method of the class names a missing class; assume a finalizer. */
        return true;
      }
    }
    return false;
  }

  /** Whether an instance of {@code type} is allocated without a constructor. */
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

  /** Whether {@link #newInstance} only allocates, and never fails. */
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

  /** Allocates instances, for which only Object's empty constructor would run. */
  private static final class Allocating extends Instantiator {
    private final Class<?> type;

    Allocating(Class<?> type) {
      this.type = type;
    }

    @Override
    public Object newInstance() throws InstantiationException {
      return UnsafeMethods.allocate(type);
    }
  }

  /** Calls a constructor of the class itself; by generated code once it is called often. */
  private static final class Calling extends Instantiator {
    /** Instances before code is generated. */
    private static final int FEW = 1000;

    private final MethodHandle maker;

    /** Not synchronized: counts may be lost, or code generated twice. */
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
