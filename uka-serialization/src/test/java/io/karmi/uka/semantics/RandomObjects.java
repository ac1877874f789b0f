package io.karmi.uka.semantics;

import java.io.Serializable;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.lang.reflect.RecordComponent;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.util.AbstractMap;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.Date;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Hashtable;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.LinkedList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.TreeMap;
import java.util.UUID;
import java.util.Vector;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;

/**
 * Random graphs: chains whose links are objects of {@link RandomClasses} and whatever the platform
 * has to put an object in, with much that is shared, and cycles.
 *
 * <p>Where the order of elements would depend on identity hashes, there is one element.
 */
public final class RandomObjects {
  /** For fields and keys. */
  public enum Colour {
    RED,
    GREEN {
      @Override
      public String toString() {
        return "green";
      }
    },
    BLUE
  }

  /** What some objects are replaced by, and becomes something else itself. */
  public record Form(Object carried) implements Serializable {
    private Object readResolve() {
      RandomHooks.called("Form.resolve");
      return carried == null ? this : carried;
    }
  }

  /** Orders what has no order. */
  static final class Order implements Comparator<Object>, Serializable {
    private static final long serialVersionUID = 1;
    private final Object carried;

    Order(Object carried) {
      this.carried = carried;
    }

    @Override
    public int compare(Object a, Object b) {
      return String.valueOf(a.getClass()).compareTo(String.valueOf(b.getClass()));
    }
  }

  /** Behind proxies. */
  static final class Handler implements InvocationHandler, Serializable {
    private static final long serialVersionUID = 1;
    private final Object carried;

    Handler(Object carried) {
      this.carried = carried;
    }

    @Override
    public Object invoke(Object proxy, Method method, Object[] arguments) {
      switch (method.getName()) {
        case "equals":
          return proxy == arguments[0];
        case "toString":
          return "proxy";
        default:
          return 0;
      }
    }
  }

  /** An object with an object around it. */
  static final class Outer implements Serializable {
    private static final long serialVersionUID = 1;
    private final Object carried;

    Outer(Object carried) {
      this.carried = carried;
    }

    final class Inner implements Serializable {
      private static final long serialVersionUID = 1;
      private final int number;

      Inner(int number) {
        this.number = number;
      }

      int both() {
        return number + String.valueOf(carried).length();
      }
    }

    Object unnamed() {
      return new Serializable() {
        private static final long serialVersionUID = 1;
        private final Object again = carried;
      };
    }
  }

  private static final int KINDS = 34;

  private final Random random;
  private final List<Class<?>> classes;
  private final boolean strange;
  private final List<Object> made = new ArrayList<>();

  /**
   * What makes graphs of these classes.
   *
   * @param strange now and then something is not serializable
   */
  RandomObjects(Random random, List<Class<?>> classes, boolean strange) {
    this.random = random;
    this.classes = classes;
    this.strange = strange;
  }

  private boolean chance(int percent) {
    return random.nextInt(100) < percent;
  }

  /** A graph at least as deep as the depth says. */
  Object graph(int depth) throws ReflectiveOperationException {
    int[] kinds = new int[1 + random.nextInt(3)];
    for (int i = 0; i < kinds.length; i++) {
      kinds[i] = chance(60) ? KINDS + random.nextInt(classes.size()) : random.nextInt(KINDS);
    }
    Object chain = leaf();
    for (int i = 0; i < depth; i++) {
      boolean astray = depth < 10 && chance(40);
      chain = link(astray ? random.nextInt(KINDS + classes.size()) : next(kinds, i), chain);
      if (made.size() < 10_000) {
        made.add(chain);
      }
    }
    for (int i = random.nextInt(4); i > 0 && chance(50); i--) {
      closeCycle();
    }
    return chain;
  }

  private static int next(int[] kinds, int i) {
    return kinds[i % kinds.length];
  }

  /** Something that has been made already, maybe with a change. */
  Object again() throws ReflectiveOperationException {
    if (made.isEmpty()) {
      return leaf();
    }
    if (chance(30)) {
      closeCycle();
    }
    return made.get(random.nextInt(made.size()));
  }

  private void closeCycle() throws ReflectiveOperationException {
    if (made.isEmpty()) {
      return;
    }
    Object from = made.get(random.nextInt(made.size()));
    Object to = made.get(random.nextInt(made.size()));
    if (from instanceof RandomHooks.Part && !from.getClass().isRecord()) {
      for (Field field : fields(from.getClass())) {
        if (field.getType() == Object.class && chance(70)) {
          set(field, from, to);
        }
      }
    } else if (from.getClass() == Object[].class && ((Object[]) from).length > 0) {
      ((Object[]) from)[0] = to;
    }
  }

  private Object leaf() {
    switch (random.nextInt(strange ? 29 : 28)) {
      case 0:
        return null;
      case 1:
        return random.nextInt(300) - 100;
      case 2:
        return random.nextLong();
      case 3:
        return (double) random.nextInt(9);
      case 4:
        return 'x';
      case 5:
        return Colour.values()[random.nextInt(3)];
      case 6:
        return random.ints(random.nextInt(20)).toArray();
      case 7:
        return new byte[random.nextInt(3000)];
      case 8:
        return new String[] {"a", null, "b" + random.nextInt(5)};
      case 9:
        /* Made of its unscaled number: else the JDK makes one to write it, and keeps that. */
        return new BigDecimal(BigInteger.valueOf(random.nextInt(100_000)), random.nextInt(4));
      case 10:
        return LocalDate.ofEpochDay(random.nextInt(20_000));
      case 11:
        return LocalDateTime.of(2026, 1, 1, random.nextInt(24), 0, 0, random.nextInt(1000));
      case 12:
        return new UUID(random.nextLong(), random.nextLong());
      case 13:
        return new Date(random.nextInt());
      case 14:
        return classes.get(random.nextInt(classes.size()));
      case 15:
        return new BigInteger(100, random);
      case 16:
        return Instant.ofEpochSecond(random.nextInt(), random.nextInt(1000));
      case 17:
        return Duration.ofMillis(random.nextInt());
      case 18:
        return new long[][] {{1, 2}, null, {random.nextLong()}};
      case 19:
        return EnumSet.of(Colour.BLUE, Colour.GREEN);
      case 20:
        return BitSet.valueOf(new long[] {random.nextLong()});
      case 21:
        return Locale.GERMANY;
      case 22:
        return random.nextBoolean();
      case 23:
        return Collections.emptyList();
      case 24:
        return new ArrayList<>(Arrays.asList(1, 2, random.nextInt(1000), null, "x"));
      case 25:
        return new Colour[] {Colour.RED, Colour.RED, null};
      case 26:
        return "shared " + "constant";
      case 28:
        return chance(50) ? new Object() : Optional.empty();
      default:
        return text();
    }
  }

  private String text() {
    StringBuilder text = new StringBuilder();
    for (int i = random.nextInt(chance(5) ? 400 : 20); i > 0; i--) {
      text.append(chance(3) ? (char) random.nextInt(0x10000) : (char) (' ' + random.nextInt(90)));
    }
    return text.toString();
  }

  private Object link(int kind, Object inner) throws ReflectiveOperationException {
    if (kind >= KINDS) {
      return instance(classes.get(kind - KINDS), inner);
    }
    switch (kind) {
      case 0:
        return new Object[] {inner, leaf()};
      case 1:
        return filled(new ArrayList<>(), inner);
      case 2:
        return filled(new LinkedList<>(), inner);
      case 3:
        return filled(new Vector<>(), inner);
      case 4:
        return filled(new CopyOnWriteArrayList<>(), inner);
      case 5:
        return filled(new HashMap<>(), inner);
      case 6:
        return filled(new LinkedHashMap<>(4, 0.5f, chance(50)), inner);
      case 7:
        return filled(new TreeMap<>(chance(50) ? null : Collections.reverseOrder()), inner);
      case 8:
        return filled(new Hashtable<>(), inner == null ? 1 : inner);
      case 9:
        return filled(new ConcurrentHashMap<>(), inner == null ? 1 : inner);
      case 10:
        ArrayDeque<Object> deque = new ArrayDeque<>();
        deque.add(inner == null ? "none" : inner);
        return deque;
      case 11:
        EnumMap<Colour, Object> byColour = new EnumMap<>(Colour.class);
        byColour.put(Colour.GREEN, inner);
        byColour.put(Colour.RED, leaf());
        return byColour;
      case 12:
        IdentityHashMap<Object, Object> one = new IdentityHashMap<>();
        one.put(inner, leaf());
        return one;
      case 13:
        PriorityQueue<Object> queue = new PriorityQueue<>(3, new Order(leaf()));
        queue.add(inner == null ? "none" : inner);
        return queue;
      case 14:
        return Collections.unmodifiableList(filled(new ArrayList<>(), inner));
      case 15:
        return inner == null ? List.of() : List.of(inner, "second");
      case 16:
        return Map.of("key", inner == null ? 1 : inner);
      case 17:
        return Arrays.asList(inner, leaf());
      case 18:
        return Collections.singletonList(inner);
      case 19:
        return thrown(inner);
      case 20:
        return (Supplier<Object> & Serializable) () -> inner;
      case 21:
        return Proxy.newProxyInstance(
            getClass().getClassLoader(),
            new Class<?>[] {Runnable.class, Comparable.class},
            new Handler(inner));
      case 22:
        return new Outer(inner).new Inner(random.nextInt());
      case 23:
        return new Form(inner);
      case 24:
        return new AbstractMap.SimpleEntry<>("key", inner);
      case 25:
        return new AtomicReference<>(inner);
      case 26:
        return Collections.synchronizedMap(filled(new HashMap<>(), inner));
      case 27:
        return Collections.nCopies(3, inner);
      case 28:
        return new Object[][] {{inner}, null, {}};
      case 29:
        return new HashSet<>(Collections.singleton(hasPlainHash(inner) ? inner : "element"));
      case 30:
        return new TreeMap<>(Map.of("key", Collections.singletonMap(leafKey(), inner)));
      case 31:
        return new Outer(inner).unnamed();
      case 32:
        return Collections.checkedList(filled(new ArrayList<>(), inner), Object.class);
      default:
        return new Order(inner);
    }
  }

  private Object leafKey() {
    return chance(50) ? text() : random.nextInt(1000);
  }

  private static boolean hasPlainHash(Object value) {
    return value instanceof RandomHooks.Part
        && !(value instanceof Collection || value instanceof Map || value instanceof Date)
        && !value.getClass().isRecord();
  }

  private <C extends Collection<Object>> C filled(C collection, Object inner) {
    int before = random.nextInt(3);
    for (int i = 0; i < before; i++) {
      collection.add(chance(30) && !made.isEmpty() ? anyMade() : leaf());
    }
    collection.add(inner);
    int others = random.nextInt(4);
    for (int i = random.nextInt(chance(5) ? 40 : 3); i > 0; i--) {
      collection.add(i % 4 < others ? leaf() : box(i));
    }
    return collection;
  }

  /** In a list they are often of one class. */
  private Object box(int number) {
    return switch (made.size() % 3) {
      case 0 -> Integer.valueOf(500 + number);
      case 1 -> Long.valueOf((long) number << 22);
      default -> Double.valueOf(number / 4d);
    };
  }

  private Object anyMade() {
    return made.get(random.nextInt(made.size()));
  }

  private <M extends Map<Object, Object>> M filled(M map, Object inner) {
    for (int i = random.nextInt(3); i > 0; i--) {
      map.put("k" + random.nextInt(20), i * 1000);
    }
    map.put("inner", inner);
    return map;
  }

  private Throwable thrown(Object inner) {
    Throwable thrown =
        inner instanceof Throwable cause
            ? new IllegalStateException("with cause", cause)
            : new ArrayStoreException(inner instanceof String text ? text : "none");
    thrown.setStackTrace(
        new StackTraceElement[] {
          new StackTraceElement("app", "mod", "1", "Type", "method", "File.java", 12),
          new StackTraceElement("Type", "method", null, -2),
        });
    if (inner instanceof Throwable other) {
      thrown.addSuppressed(other);
    }
    return thrown;
  }

  /** JDK 26 and later warn of final fields that are set; there they stay as they were made. */
  private static void set(Field field, Object object, Object value) throws IllegalAccessException {
    if (!Modifier.isFinal(field.getModifiers()) || Runtime.version().feature() < 26) {
      field.set(object, value);
    }
  }

  private Object instance(Class<?> type, Object inner) throws ReflectiveOperationException {
    if (type.isRecord()) {
      return record(type, inner);
    }
    if (!Serializable.class.isAssignableFrom(type) && !(strange && chance(10))) {
      return new Object[] {inner};
    }
    Object object = type.getDeclaredConstructor().newInstance();
    boolean placed = false;
    for (Field field : fields(type)) {
      boolean takes = !placed && field.getType().isInstance(inner);
      placed |= takes;
      Object value = takes ? inner : value(field.getType());
      if (value != null || !field.getType().isPrimitive()) {
        set(field, object, value);
      }
    }
    fillPlatform(object, placed ? leaf() : inner);
    return object;
  }

  @SuppressWarnings("unchecked")
  private void fillPlatform(Object object, Object inner) {
    if (object instanceof Collection<?> collection) {
      ((Collection<Object>) collection).add(inner == null ? "none" : inner);
    } else if (object instanceof Map<?, ?> map) {
      ((Map<Object, Object>) map).put("key", inner);
    } else if (object instanceof Throwable thrown) {
      thrown.setStackTrace(new StackTraceElement[0]);
    } else if (object instanceof Date date) {
      date.setTime(7);
    }
  }

  private Object record(Class<?> type, Object inner) throws ReflectiveOperationException {
    RecordComponent[] components = type.getRecordComponents();
    Class<?>[] types = new Class<?>[components.length];
    Object[] values = new Object[components.length];
    boolean placed = false;
    for (int i = 0; i < components.length; i++) {
      types[i] = components[i].getType();
      boolean takes = !placed && types[i].isInstance(inner);
      placed |= takes;
      values[i] = takes ? inner : value(types[i]);
    }
    Constructor<?> constructor = type.getDeclaredConstructor(types);
    constructor.setAccessible(true);
    return constructor.newInstance(values);
  }

  /** The fields of a program's classes, those of the topmost class last. */
  private static List<Field> fields(Class<?> type) {
    List<Field> fields = new ArrayList<>();
    for (Class<?> level = type;
        level != null && RandomHooks.Part.class.isAssignableFrom(level);
        level = level.getSuperclass()) {
      Field[] declared = level.getDeclaredFields();
      Arrays.sort(declared, Comparator.comparing(Field::getName));
      for (Field field : declared) {
        if (!Modifier.isStatic(field.getModifiers()) && !field.isSynthetic()) {
          field.setAccessible(true);
          fields.add(field);
        }
      }
    }
    return fields;
  }

  /** Some value of a type. */
  private Object value(Class<?> type) throws ReflectiveOperationException {
    if (type.isPrimitive()) {
      return primitive(type);
    }
    if (chance(25)) {
      Object known = made.isEmpty() ? null : anyMade();
      return type.isInstance(known) ? known : null;
    }
    for (int i = 0; i < 4; i++) {
      Object leaf = leaf();
      if (type.isInstance(leaf)) {
        return leaf;
      }
    }
    if (type == Object[].class) {
      return new Object[] {leaf()};
    }
    if (type == List.class) {
      return filled(new ArrayList<>(), leaf());
    }
    if (type == Map.class) {
      return filled(new HashMap<>(), leaf());
    }
    if (type == RandomHooks.Part.class || RandomHooks.Part.class.isAssignableFrom(type)) {
      Class<?> choice = classes.get(random.nextInt(classes.size()));
      Object part = chance(30) ? instance(choice, leaf()) : null;
      return type.isInstance(part) ? part : null;
    }
    return null;
  }

  /** Numbers that fit a byte more often than not, as programs have them. */
  private Object primitive(Class<?> type) {
    int small = random.nextInt(100);
    boolean wide = chance(30);
    switch (type.getName()) {
      case "boolean":
        return small % 2 == 0;
      case "byte":
        return (byte) small;
      case "char":
        return (char) (wide ? random.nextInt() : small);
      case "short":
        return (short) (wide ? random.nextInt() : -small);
      case "int":
        return wide ? random.nextInt() : small;
      case "long":
        return wide ? random.nextLong() : (long) -small;
      case "float":
        return wide ? random.nextFloat() : (float) small;
      default:
        return wide ? random.nextDouble() : (double) small;
    }
  }
}
