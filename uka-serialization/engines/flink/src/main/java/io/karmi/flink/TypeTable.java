package io.karmi.flink;

import io.karmi.uka.records.NumberedClasses;
import java.io.IOException;
import java.io.Serializable;
import java.lang.reflect.Field;
import java.lang.reflect.GenericArrayType;
import java.lang.reflect.MalformedParameterizedTypeException;
import java.lang.reflect.Modifier;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.lang.reflect.WildcardType;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * The choice of classes whose type numbers records of a class need not explain: the class itself,
 * those its fields lead to by their declared types, and frequent ones of the JDK.
 *
 * <p>It depends on the class alone, never on objects that were seen: equal keys must have equal
 * bytes.
 */
final class TypeTable {
  private static final int MAXIMUM_CLASSES = 500;

  private TypeTable() {}

  static NumberedClasses of(Class<?> type) throws IOException {
    Set<Class<?>> classes = reachable(type);
    classes.addAll(JdkClasses.all());
    return NumberedClasses.of(classes);
  }

  /** The same, with the classes of the JDK before all others. */
  static NumberedClasses behindJdkClasses(Class<?> type) throws IOException {
    return JdkClasses.here().then(reachable(type));
  }

  private static Set<Class<?>> reachable(Class<?> type) {
    Set<Class<?>> described = new LinkedHashSet<>();
    Set<Class<?>> seen = new HashSet<>();
    Deque<Class<?>> open = new ArrayDeque<>(List.of(type));
    while (!open.isEmpty() && described.size() < MAXIMUM_CLASSES) {
      Class<?> next = open.poll();
      if (seen.add(next)) {
        if (isDescribed(next)) {
          described.add(next);
        }
        open.addAll(leadsTo(next));
      }
    }
    return described;
  }

  /** Whether objects of just this class may be in a record. */
  private static boolean isDescribed(Class<?> type) {
    boolean instantiable =
        type.isArray() || type.isEnum() || !Modifier.isAbstract(type.getModifiers());
    return instantiable
        && !type.isPrimitive()
        && type != String.class
        && Serializable.class.isAssignableFrom(type)
        && (type.isArray() || !isOfJdk(type));
  }

  private static boolean isOfJdk(Class<?> type) {
    return type.getName().startsWith("java.");
  }

  private static List<Class<?>> leadsTo(Class<?> type) {
    List<Class<?>> found = new ArrayList<>();
    if (type.isArray()) {
      found.add(type.getComponentType());
    } else if (!isOfJdk(type)) {
      if (type.isSealed()) {
        found.addAll(Arrays.asList(type.getPermittedSubclasses()));
      }
      for (Class<?> each = type; each != null && !isOfJdk(each); each = each.getSuperclass()) {
        if (Serializable.class.isAssignableFrom(each)) {
          addFields(each, found);
        }
      }
    }
    return found;
  }

  private static void addFields(Class<?> type, List<Class<?>> found) {
    add(() -> type.getGenericSuperclass(), found);
    Field[] fields = type.getDeclaredFields();
    Arrays.sort(fields, Comparator.comparing(Field::getName)); // they have no order of their own
    for (Field field : fields) {
      if ((field.getModifiers() & (Modifier.STATIC | Modifier.TRANSIENT)) == 0) {
        found.add(field.getType());
        add(field::getGenericType, found);
      }
    }
  }

  private interface Declared {
    Type type();
  }

  /** Adds the arguments of a parameterized type, such as the class of a list's elements. */
  private static void add(Declared declared, List<Class<?>> found) {
    try {
      addArguments(declared.type(), found);
    } catch (TypeNotPresentException | MalformedParameterizedTypeException e) {
      /* A record with such an object describes its class. */
    }
  }

  private static void addArguments(Type type, List<Class<?>> found) {
    if (type instanceof ParameterizedType) {
      for (Type argument : ((ParameterizedType) type).getActualTypeArguments()) {
        if (argument instanceof Class) {
          found.add((Class<?>) argument);
        } else if (argument instanceof ParameterizedType) {
          found.add((Class<?>) ((ParameterizedType) argument).getRawType());
        }
        addArguments(argument, found);
      }
    } else if (type instanceof WildcardType) {
      for (Type bound : ((WildcardType) type).getUpperBounds()) {
        if (bound instanceof Class) {
          found.add((Class<?>) bound);
        }
        addArguments(bound, found);
      }
    } else if (type instanceof GenericArrayType) {
      addArguments(((GenericArrayType) type).getGenericComponentType(), found);
    }
  }
}
