package io.karmi.reference;

import java.io.ObjectStreamClass;
import java.io.ObjectStreamField;
import java.lang.reflect.Field;
import java.lang.reflect.GenericArrayType;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.lang.reflect.TypeVariable;
import java.lang.reflect.WildcardType;
import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The types that signatures lead to: parameters or results, their type arguments, superclasses and
 * fields, and so on.
 *
 * <p>Kept by name, so that a filter pins no class loader. Grows when a subtype of one of them
 * appears, by what that leads to. Thread-safe.
 */
final class ReachableTypes {
  private final Set<String> names = ConcurrentHashMap.newKeySet();

  /** True for classes of the JDK. */
  static boolean isOfPlatform(Class<?> type) {
    ClassLoader loader = type.getClassLoader();
    String module = type.getModule().getName();
    return (loader == null || loader == ClassLoader.getPlatformClassLoader())
        && module != null
        && (module.startsWith("java.") || module.startsWith("jdk."));
  }

  /** Adds what the methods of a remote interface take, or what they return and throw. */
  void addSignatures(Class<?> remoteInterface, boolean results) {
    for (Method method : remoteInterface.getMethods()) {
      if (results) {
        add(method.getGenericReturnType());
        for (Type thrown : method.getGenericExceptionTypes()) {
          add(thrown);
        }
      } else {
        for (Type parameter : method.getGenericParameterTypes()) {
          add(parameter);
        }
      }
    }
  }

  void addType(Class<?> type) {
    add(type);
  }

  /**
   * True for a type that was reached, and for a subtype or a member of one of the program's own.
   */
  boolean contains(Class<?> type) {
    if (names.contains(type.getName())) {
      return true;
    }
    if (!isOfPlatform(type) && (hasReachedParent(type) || isReachedMember(type))) {
      add(type);
      return true;
    }
    return false;
  }

  /** True for any exception: a method may throw more than it declares. */
  boolean containsThrowable(Class<?> type) {
    if (!Throwable.class.isAssignableFrom(type)) {
      return false;
    }
    add(type);
    return true;
  }

  private boolean hasReachedParent(Class<?> type) {
    Class<?> parent = type.getSuperclass();
    if (parent != null && isReachedOwn(parent)) {
      return true;
    }
    for (Class<?> each : type.getInterfaces()) {
      if (isReachedOwn(each)) {
        return true;
      }
    }
    return false;
  }

  private boolean isReachedOwn(Class<?> type) {
    return !isOfPlatform(type) && (names.contains(type.getName()) || hasReachedParent(type));
  }

  /** What a class writes in its place is often a member of it. */
  private boolean isReachedMember(Class<?> type) {
    Class<?> outer = type.getDeclaringClass();
    return outer != null && names.contains(outer.getName());
  }

  private void add(Type first) {
    ArrayDeque<Type> open = new ArrayDeque<>();
    Set<Type> seen = new HashSet<>();
    open.add(first);
    while (!open.isEmpty()) {
      Type type = open.poll();
      if (seen.add(type)) {
        if (type instanceof Class) {
          addClass((Class<?>) type, open);
        } else {
          addParts(type, open);
        }
      }
    }
  }

  private static void addParts(Type type, ArrayDeque<Type> open) {
    if (type instanceof ParameterizedType) {
      open.add(((ParameterizedType) type).getRawType());
      addAll(open, ((ParameterizedType) type).getActualTypeArguments());
    } else if (type instanceof GenericArrayType) {
      open.add(((GenericArrayType) type).getGenericComponentType());
    } else if (type instanceof WildcardType) {
      addAll(open, ((WildcardType) type).getUpperBounds());
      addAll(open, ((WildcardType) type).getLowerBounds());
    } else if (type instanceof TypeVariable) {
      addAll(open, ((TypeVariable<?>) type).getBounds());
    }
  }

  private static void addAll(ArrayDeque<Type> open, Type... types) {
    for (Type each : types) {
      open.add(each);
    }
  }

  private void addClass(Class<?> type, ArrayDeque<Type> open) {
    if (type.isArray()) {
      open.add(type.getComponentType());
    } else if (!type.isPrimitive() && type != Object.class && names.add(type.getName())) {
      if (isOfPlatform(type)) {
        addSerializedFields(type, open);
      } else {
        addDeclaredFields(type, open);
      }
      if (type.getGenericSuperclass() != null) {
        open.add(type.getGenericSuperclass());
      }
    }
  }

  private static void addDeclaredFields(Class<?> type, ArrayDeque<Type> open) {
    for (Field field : type.getDeclaredFields()) {
      if ((field.getModifiers() & (Modifier.STATIC | Modifier.TRANSIENT)) == 0) {
        open.add(field.getGenericType());
      }
    }
  }

  private static void addSerializedFields(Class<?> type, ArrayDeque<Type> open) {
    ObjectStreamClass form = ObjectStreamClass.lookup(type);
    if (form != null) {
      for (ObjectStreamField field : form.getFields()) {
        open.add(field.getType());
      }
    }
  }
}
