package io.karmi.uka;

import io.karmi.uka.marshal.access.SerializationFactory;
import java.io.IOException;
import java.io.InvalidClassException;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;

/** The unmarshalling constructor of one UKA-aware class, found once. */
final class AwareConstructors {
  private static final ClassValue<AwareConstructors> KNOWN =
      new ClassValue<>() {
        @Override
        protected AwareConstructors computeValue(Class<?> type) {
          return new AwareConstructors(type);
        }
      };

  private final Class<?> type;
  private final Constructor<?> constructor;

  private AwareConstructors(Class<?> type) {
    this.type = type;
    constructor = find(type);
  }

  static AwareConstructors of(Class<?> type) {
    return KNOWN.get(type);
  }

  private static Constructor<?> find(Class<?> type) {
    try {
      Constructor<?> declared = type.getDeclaredConstructor(UkaObjectInputStream.class);
      return SerializationFactory.constructor(type, declared);
    } catch (NoSuchMethodException e) {
      return null;
    }
  }

  /** Whether there is such a constructor. */
  boolean exists() {
    return constructor != null;
  }

  Object construct(UkaObjectInputStream in) throws IOException, ClassNotFoundException {
    if (constructor == null) {
      throw new InvalidClassException(
          type.getName(), "it is UkaAware and has no constructor that takes a UkaObjectInputStream");
    }
    try {
      return constructor.newInstance(in);
    } catch (InvocationTargetException e) {
      throw unwrap(e.getCause());
    } catch (ReflectiveOperationException e) {
      InvalidClassException exception =
          new InvalidClassException(type.getName(), "unable to create instance");
      exception.initCause(e);
      throw exception;
    }
  }

  private static IOException unwrap(Throwable cause) throws ClassNotFoundException {
    if (cause instanceof IOException exception) {
      return exception;
    }
    if (cause instanceof ClassNotFoundException exception) {
      throw exception;
    }
    if (cause instanceof RuntimeException exception) {
      throw exception;
    }
    if (cause instanceof Error error) {
      throw error;
    }
    return new IOException("unexpected exception type", cause);
  }
}
