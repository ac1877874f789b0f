package io.karmi.uka.engine.read.cost;

import io.karmi.uka.type.LocalClass;
import java.lang.reflect.Field;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.BitSet;
import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import org.jspecify.annotations.Nullable;

/** What the hash of a class's objects is made of, as far as {@link HashCost} counts it. */
enum HashShape {
  /** Of data of the object's own; also the hash of any class of a program, which is not counted. */
  LEAF,

  /** Of as many numbers of the object's own as bytes have said: steps follow from its size. */
  SIZED,

  /** Of the hashes of a collection's elements, of a map's entries, or of an entry's two halves. */
  ELEMENTS,

  /**
   * Of the hashes of elements, which may be found by comparing: a sorted collection or map, or one
   * of {@link Collections} around it.
   */
  SORTED,

  /** Of the hashes of objects in fields, or of objects that a {@code readObject} method reads. */
  FIELDS;

  private static final ClassLoader PLATFORM = ClassLoader.getPlatformClassLoader();

  static HashShape of(Class<?> type) {
    boolean hashesOthers =
        !isOfProgram(type) && hashesContent(type) && !IdentityHashMap.class.isAssignableFrom(type);
    return hashesOthers || isSized(type) ? ofContent(type) : LEAF;
  }

  /** The shape of its content, whether it is hashed or not. */
  static HashShape ofContent(Class<?> type) {
    if (isSized(type)) {
      return SIZED;
    }
    if (isOfProgram(type) || type.isArray() || type.isEnum() || type == Class.class) {
      return LEAF;
    }
    if (Collection.class.isAssignableFrom(type) || Map.class.isAssignableFrom(type)) {
      return isSorted(type) ? SORTED : ELEMENTS;
    }
    if (Map.Entry.class.isAssignableFrom(type)) {
      return ELEMENTS;
    }
    return leadsAnywhere(type, new HashSet<>()) ? FIELDS : LEAF;
  }

  private static boolean isSized(Class<?> type) {
    return type == BigInteger.class || type == BigDecimal.class || type == BitSet.class;
  }

  private static boolean isSorted(Class<?> type) {
    return SortedMap.class.isAssignableFrom(type)
        || SortedSet.class.isAssignableFrom(type)
        || type.getEnclosingClass() == Collections.class;
  }

  /** Whether a class is neither the platform's nor beside it. */
  static boolean isOfProgram(Class<?> type) {
    ClassLoader loader = type.getClassLoader();
    return loader != null && loader != PLATFORM;
  }

  /** Queues, for example, have the hash of any object. */
  private static boolean hashesContent(Class<?> type) {
    try {
      return type.getMethod("hashCode").getDeclaringClass() != Object.class;
    } catch (NoSuchMethodException e) {
      throw new AssertionError(e);
    }
  }

  /** Whether a value that is declared with this type may refer to objects of any class. */
  private static boolean leadsAnywhere(@Nullable Class<?> type, Set<Class<?>> seen) {
    if (type == null || type.isPrimitive() || type.isEnum() || !seen.add(type)) {
      return false;
    }
    if (type.isArray()) {
      return leadsAnywhere(type.getComponentType(), seen);
    }
    if (type == Object.class
        || type.isInterface()
        || Collection.class.isAssignableFrom(type)
        || Map.class.isAssignableFrom(type)) {
      return true;
    }
    for (LocalClass level = LocalClass.of(type); level != null; level = level.superclass) {
      for (Field field : level.fields()) {
        if (field != null && leadsAnywhere(field.getType(), seen)) {
          return true;
        }
      }
      if (level.isSerializable && hidesParts(level, seen)) {
        return true;
      }
    }
    return false;
  }

  /** Whether a {@code readObject} method may set fields that are no serializable ones. */
  private static boolean hidesParts(LocalClass level, Set<Class<?>> seen) {
    if (!level.hooks().hasReadObject()) {
      return false;
    }
    for (Field field : level.type.getDeclaredFields()) {
      if (!java.lang.reflect.Modifier.isStatic(field.getModifiers())
          && leadsAnywhere(field.getType(), seen)) {
        return true;
      }
    }
    return false;
  }
}
