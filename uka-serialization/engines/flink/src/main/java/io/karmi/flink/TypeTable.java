package io.karmi.flink;

import io.karmi.uka.UkaObjectOutputStream;
import io.karmi.uka.UkaOptions;
import io.karmi.uka.buffer.OutputBuffer;
import java.io.IOException;
import java.io.Serializable;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * The classes whose type numbers records of a class need not explain: the class itself, those its
 * fields lead to, and frequent ones of the JDK.
 *
 * <p>A writer begins by writing them, and the constants of enums among them, to nowhere; a reader
 * begins by reading the bytes of that. The bytes are in the snapshot of state, so that a later
 * version of the classes reads what an earlier one has written, as {@code java.io} does.
 */
final class TypeTable {
  private static final List<Class<?>> FREQUENT =
      List.of(
          Integer.class,
          Long.class,
          Double.class,
          Boolean.class,
          Character.class,
          byte[].class,
          int[].class,
          long[].class,
          double[].class,
          String[].class,
          Object[].class,
          java.util.ArrayList.class,
          java.util.HashMap.class,
          java.util.LinkedHashMap.class,
          java.util.HashSet.class,
          java.util.TreeMap.class,
          java.math.BigInteger.class,
          java.math.BigDecimal.class,
          java.util.Date.class,
          java.util.UUID.class);

  private static final int MAXIMUM_CLASSES = 500;

  private final List<Object> beginning;
  private final byte[] bytes;
  private final int count;

  private TypeTable(List<Object> beginning, int count, byte[] bytes) {
    this.beginning = beginning;
    this.count = count;
    this.bytes = bytes;
  }

  /** The table of a class as it is now. */
  static TypeTable of(Class<?> type) throws IOException {
    List<Object> beginning = new ArrayList<>();
    for (Class<?> each : reachable(type)) {
      beginning.add(each);
      if (each.isEnum()) {
        beginning.addAll(Arrays.asList(each.getEnumConstants()));
      }
    }
    beginning.addAll(FREQUENT);
    OutputBuffer buffer = new OutputBuffer(1 << 11);
    UkaObjectOutputStream out =
        new UkaObjectOutputStream(
            buffer, new UkaOptions(UkaOptions.Format.UKA, UkaOptions.Types.FULL));
    for (Object each : beginning) {
      out.writeObject(each);
    }
    byte[] bytes = Arrays.copyOf(buffer.bytes, buffer.position);
    return new TypeTable(beginning, beginning.size(), bytes);
  }

  /** A table that a snapshot has kept: for readers only. */
  static TypeTable kept(int count, byte[] bytes) {
    return new TypeTable(List.of(), count, bytes);
  }

  private static Set<Class<?>> reachable(Class<?> type) {
    Set<Class<?>> found = new LinkedHashSet<>();
    Deque<Class<?>> open = new ArrayDeque<>(List.of(type));
    while (!open.isEmpty() && found.size() < MAXIMUM_CLASSES) {
      Class<?> next = open.poll();
      if (isDescribed(next) && found.add(next)) {
        for (Class<?> each = next;
            each != null && each != Object.class;
            each = each.getSuperclass()) {
          addFields(each, open);
        }
        if (next.isArray()) {
          open.add(next.getComponentType());
        }
      }
    }
    return found;
  }

  /** Whether objects of just this class may be in a record. */
  private static boolean isDescribed(Class<?> type) {
    return !type.isPrimitive()
        && !type.isInterface()
        && type != String.class
        && Serializable.class.isAssignableFrom(type)
        && (type.isArray() || !type.getName().startsWith("java."));
  }

  private static void addFields(Class<?> type, Deque<Class<?>> open) {
    if (type.getName().startsWith("java.")) {
      return;
    }
    Field[] fields = type.getDeclaredFields();
    Arrays.sort(fields, Comparator.comparing(Field::getName)); // they have no order of their own
    for (Field field : fields) {
      if ((field.getModifiers() & (Modifier.STATIC | Modifier.TRANSIENT)) == 0) {
        open.add(field.getType());
      }
    }
  }

  /** What a writer begins with. */
  List<Object> beginning() {
    return beginning;
  }

  /** How many objects a reader begins with. */
  int count() {
    return count;
  }

  /** The bytes of those; not to be changed. */
  byte[] bytes() {
    return bytes;
  }
}
