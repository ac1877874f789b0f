package io.karmi.uka;

import io.karmi.uka.marshal.access.Permitted;
import io.karmi.uka.marshal.access.SerializationFactory;
import java.io.IOException;
import java.io.InvalidClassException;
import java.io.Serializable;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Constructor;

/**
 * Whether a class keeps what {@link UkaAware} promises, and its unmarshalling constructor; found
 * once.
 *
 * <p>A class inherits {@code marshal}, but not a constructor: one that has none of its own has been
 * left out when its superclass was woven, and its fields would be lost. Such a class takes the
 * general path.
 */
final class AwareClass {
  private static final ClassValue<AwareClass> KNOWN =
      new ClassValue<>() {
        @Override
        protected AwareClass computeValue(Class<?> type) {
          return new AwareClass(type);
        }
      };

  private static final MethodType MAKER =
      MethodType.methodType(Object.class, UkaObjectInputStream.class);

  private final Class<?> type;

  /** A handle, as calling it makes no array for its argument; null if there is none. */
  private final MethodHandle constructor;

  private final boolean complete;

  private AwareClass(Class<?> type) {
    this.type = type;
    constructor = Permitted.get(() -> find(type));
    complete = Permitted.get(() -> isComplete(type));
  }

  static AwareClass of(Class<?> type) {
    return KNOWN.get(type);
  }

  private static MethodHandle find(Class<?> type) {
    try {
      Constructor<?> declared = type.getDeclaredConstructor(UkaObjectInputStream.class);
      Constructor<?> accessible = SerializationFactory.constructor(type, declared);
      return MethodHandles.lookup().unreflectConstructor(accessible).asType(MAKER);
    } catch (NoSuchMethodException e) {
      return null;
    } catch (IllegalAccessException e) {
      throw new IllegalStateException("made accessible, but is not: " + type.getName(), e);
    }
  }

  private static boolean isComplete(Class<?> type) {
    try {
      type.getDeclaredMethod("marshal", UkaObjectOutputStream.class);
      type.getDeclaredConstructor(UkaObjectInputStream.class);
    } catch (NoSuchMethodException e) {
      return false;
    }
    Class<?> parent = type.getSuperclass();
    return !declaresFields(type)
        && (!Serializable.class.isAssignableFrom(parent) || of(parent).isComplete());
  }

  private static boolean declaresFields(Class<?> type) {
    try {
      type.getDeclaredField("serialPersistentFields");
      return true;
    } catch (NoSuchFieldException e) {
      return false;
    }
  }

  /** Whether this class and all its serializable superclasses carry their own marshalers. */
  boolean isComplete() {
    return complete;
  }

  Object construct(UkaObjectInputStream in) throws IOException, ClassNotFoundException {
    if (constructor == null) {
      throw new InvalidClassException(
          type.getName(),
          "it is UkaAware and has no constructor that takes a UkaObjectInputStream");
    }
    try {
      return (Object) constructor.invokeExact(in);
    } catch (IOException | ClassNotFoundException | RuntimeException | Error e) {
      throw e;
    } catch (InstantiationException e) {
      InvalidClassException exception =
          new InvalidClassException(type.getName(), "unable to create instance");
      exception.initCause(e);
      throw exception;
    } catch (Throwable e) {
      throw new IOException("unexpected exception type", e);
    }
  }
}
