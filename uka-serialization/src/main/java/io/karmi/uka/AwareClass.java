package io.karmi.uka;

import io.karmi.uka.codegen.AwareAccess;
import io.karmi.uka.field.FieldSink;
import io.karmi.uka.field.FieldSource;
import io.karmi.uka.field.ObjectAccess;
import io.karmi.uka.field.Woven;
import io.karmi.uka.platform.CodeGeneration;
import io.karmi.uka.platform.Permitted;
import io.karmi.uka.platform.SerializationFactory;
import java.io.Serializable;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Constructor;
import java.lang.reflect.Modifier;
import org.jspecify.annotations.Nullable;

/**
 * Check of a class against the rules of {@link UkaAware}, and access to its objects; made once.
 *
 * <p>A class inherits {@code marshal}, but no constructor. One without an unmarshalling constructor
 * was not woven with its superclass, and takes the general path, as its fields would be lost.
 */
final class AwareClass {
  private static final ClassValue<AwareClass> KNOWN =
      new ClassValue<>() {
        @Override
        protected AwareClass computeValue(Class<?> type) {
          return Permitted.get(() -> new AwareClass(type));
        }
      };

  private static final MethodType MAKER =
      MethodType.methodType(Object.class, UkaObjectInputStream.class);

  private static final MethodType WOVEN_MAKER =
      MethodType.methodType(Object.class, FieldSource.class, int.class);

  private final Class<?> type;
  private final boolean complete;
  private final @Nullable ObjectAccess access;

  private AwareClass(Class<?> type) {
    this.type = type;
    complete = isComplete();
    access = complete && !Modifier.isAbstract(type.getModifiers()) ? open() : null;
  }

  /** Access to objects of the class; null if it takes the general path. */
  static @Nullable ObjectAccess access(Class<?> type) {
    return KNOWN.get(type).access;
  }

  /** Whether this class and all its serializable superclasses carry their own marshalers. */
  private boolean isComplete() {
    Class<?> parent = type.getSuperclass();
    return (isWoven() || isMadeByHand())
        && !declaresFields()
        && (!Serializable.class.isAssignableFrom(parent) || KNOWN.get(parent).complete);
  }

  private boolean isWoven() {
    return Woven.class.isAssignableFrom(type)
        && declares(WOVEN_MAKER)
        && declares("marshal", FieldSink.class, long.class, int.class);
  }

  private boolean isMadeByHand() {
    return declares(MAKER) && declares("marshal", UkaObjectOutputStream.class);
  }

  private boolean declares(String method, Class<?>... parameters) {
    try {
      type.getDeclaredMethod(method, parameters);
      return true;
    } catch (NoSuchMethodException e) {
      return false;
    }
  }

  private boolean declares(MethodType maker) {
    try {
      type.getDeclaredConstructor(maker.parameterArray());
      return true;
    } catch (NoSuchMethodException e) {
      return false;
    }
  }

  private boolean declaresFields() {
    try {
      type.getDeclaredField("serialPersistentFields");
      return true;
    } catch (NoSuchFieldException e) {
      return false;
    }
  }

  private ObjectAccess open() {
    if (CodeGeneration.IS_OFF) {
      return isWoven()
          ? SelfMarshallingAccess.ofWoven(type, constructor(WOVEN_MAKER))
          : SelfMarshallingAccess.of(constructor(MAKER));
    }
    return isWoven()
        ? AwareAccess.ofWoven(type, constructor(WOVEN_MAKER))
        : AwareAccess.of(type, constructor(MAKER));
  }

  private MethodHandle constructor(MethodType maker) {
    try {
      Constructor<?> declared = type.getDeclaredConstructor(maker.parameterArray());
      Constructor<?> accessible =
          declared.trySetAccessible() ? declared : SerializationFactory.constructor(type, declared);
      return MethodHandles.lookup().unreflectConstructor(accessible).asType(maker);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("made accessible, but is not: " + type.getName(), e);
    }
  }
}
