package fidelity;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.OutputStream;
import java.io.Serializable;
import java.lang.reflect.Array;
import java.lang.reflect.Constructor;
import java.lang.reflect.Proxy;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.net.InetAddress;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.Period;
import java.time.ZonedDateTime;
import java.time.temporal.ChronoUnit;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collections;
import java.util.Comparator;
import java.util.Currency;
import java.util.Date;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.GregorianCalendar;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.LinkedList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Properties;
import java.util.Random;
import java.util.Set;
import java.util.SimpleTimeZone;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.Vector;
import java.util.WeakHashMap;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/**
 * Copies objects of many classes by object streams, and prints what arrived. Each case is copied
 * once in a stream of its own, often in streams of its own, and many times in one stream.
 *
 * <p>Without arguments the streams are java.io's; the arguments are the names of other classes, first
 * for output and then for input.
 */
public final class Fidelity {
  private static final int REPETITIONS = 150;

  private static Constructor<?> output;
  private static Constructor<?> input;

  private Fidelity() {}

  public static void main(String[] names) throws Exception {
    if (names.length > 0) {
      output = Class.forName(names[0]).getConstructor(OutputStream.class);
      input = Class.forName(names[1]).getConstructor(InputStream.class);
    }
    for (Map.Entry<String, Object> each : cases().entrySet()) {
      System.out.println(each.getKey() + ": " + outcome(each.getValue()));
    }
  }

  private static String outcome(Object object) {
    try {
      String once = Shown.of(copies(object, 1)[0]);
      for (int i = 0; i < REPETITIONS; i++) {
        String again = Shown.of(copies(object, 1)[0]);
        if (!again.equals(once)) {
          return "first " + once + ", then " + again;
        }
      }
      String last = Shown.of(copies(new Object[] {object, object, "end"}, 1)[0]);
      return once + " | " + last;
    } catch (Throwable e) {
      return "failed: " + e;
    }
  }

  private static Object[] copies(Object object, int count) throws Exception {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = out(bytes)) {
      for (int i = 0; i < count; i++) {
        out.writeObject(object);
      }
    }
    Object[] copies = new Object[count];
    try (ObjectInputStream in = in(new ByteArrayInputStream(bytes.toByteArray()))) {
      for (int i = 0; i < count; i++) {
        copies[i] = in.readObject();
      }
    }
    return copies;
  }

  private static ObjectOutputStream out(OutputStream bytes) throws Exception {
    return output == null
        ? new ObjectOutputStream(bytes)
        : (ObjectOutputStream) output.newInstance(bytes);
  }

  private static ObjectInputStream in(InputStream bytes) throws Exception {
    return input == null ? new ObjectInputStream(bytes) : (ObjectInputStream) input.newInstance(bytes);
  }

  private static Map<String, Object> cases() throws Exception {
    Map<String, Object> cases = new LinkedHashMap<>();
    own(cases);
    lists(cases);
    mapsAndSets(cases);
    concurrent(cases);
    values(cases);
    return cases;
  }

  private static void own(Map<String, Object> cases) throws Exception {
    cases.put("record", new Own.Point(3, -4));
    cases.put("record with List.of", new Own.Order("o1", List.of("a", "b", "c"), Map.of("k", 1)));
    cases.put("record in record", new Own.Nested(new Own.Point(1, 2), new Own.Point[] {null}));
    cases.put("final fields of each type", new Own.Finals(7));
    cases.put("final and other fields", new Own.Mixed("fixed", 5));
    cases.put("final fields below others", new Own.Below(8));
    cases.put("final field of a cycle", Own.Cycle.make());
    cases.put("transient final field", new Own.Transient("kept"));
    cases.put("serialPersistentFields in a hierarchy", new Own.Persistent("name", 9));
    cases.put("readObject with defaultReadObject", new Own.Default("text", 4));
    cases.put("readFields and putFields", new Own.ByFields("x", 2.5));
    cases.put("writeReplace and readResolve", new Own.Replaced("proxy"));
    cases.put("singleton by readResolve", Own.Singleton.ONLY);
    cases.put("externalizable", new Own.External("ext", 6));
    cases.put("superclass that is not serializable", new Own.OfPlain(11));
    cases.put("validation", new Own.Validated(List.of(1, 2)));
    cases.put("inner class", new Own("outer").new Inner("in"));
    cases.put("anonymous class", new Own("outer").anonymous());
    cases.put("enum", Own.Planet.EARTH);
    cases.put("enum constant with a body", Own.Planet.MARS);
    String captured = "captured";
    cases.put("lambda", (Supplier<String> & Serializable) () -> captured + "!");
    cases.put("method reference", (Supplier<String> & Serializable) captured::toUpperCase);
    cases.put(
        "proxy",
        Proxy.newProxyInstance(
            Fidelity.class.getClassLoader(),
            new Class<?>[] {Own.Named.class, Comparable.class},
            new Own.Handler("handled")));
    Exception failure = new IllegalStateException("outer", new Own.Failure("inner", 42));
    failure.addSuppressed(new UnsupportedOperationException("beside"));
    cases.put("exception with cause", failure);
    cases.put("error", new AssertionError("wrong", new StackOverflowError()));
    cases.put("class objects", new Object[] {int.class, String[][].class, Own.Point.class});
    cases.put("arrays", new Object[] {new int[] {1, 2}, new double[2][2], "s", new char[] {'c'}});
    cases.put("tree", Own.Tree.of(7));
  }

  private static void lists(Map<String, Object> cases) {
    for (int size : new int[] {0, 1, 2, 3, 20}) {
      cases.put("List.of " + size, List.of(new ArrayList<>(numbers(size)).toArray()));
    }
    cases.put("List.copyOf", List.copyOf(numbers(4)));
    cases.put("toList with null", Arrays.asList("a", null).stream().toList());
    cases.put("Arrays.asList", Arrays.asList("x", null, "z"));
    cases.put("subList", new ArrayList<>(new ArrayList<>(numbers(9)).subList(2, 5)));
    cases.put("unmodifiable list", Collections.unmodifiableList(new LinkedList<>(numbers(3))));
    cases.put("unmodifiable map", Collections.unmodifiableMap(new TreeMap<>(Map.of("a", 1))));
    cases.put("unmodifiable sorted set", Collections.unmodifiableSortedSet(new TreeSet<>(numbers(3))));
    cases.put("synchronized list", Collections.synchronizedList(new ArrayList<>(numbers(3))));
    cases.put("checked list", Collections.checkedList(new ArrayList<>(numbers(2)), Integer.class));
    cases.put("empty", List.of(Collections.emptyList(), Collections.emptyMap(), Set.of()));
    cases.put("singletons", List.of(Collections.singletonMap("k", "v"), Collections.singleton(1)));
    cases.put("nCopies", Collections.nCopies(3, "n"));
    cases.put("vector", new Vector<>(numbers(3)));
    cases.put("array deque", new ArrayDeque<>(numbers(5)));
    cases.put("priority queue", queue());
  }

  private static void mapsAndSets(Map<String, Object> cases) {
    Map<String, Integer> byAccess = new LinkedHashMap<>(16, 0.75f, true);
    byAccess.put("a", 1);
    byAccess.put("b", 2);
    byAccess.get("a");
    cases.put("LinkedHashMap by access", byAccess);
    cases.put("Map.of", Map.of("k", 7));
    cases.put("Map.of many", new TreeMap<>(Map.of(1, "a", 2, "b", 3, "c")));
    cases.put("Map.entry", new java.util.AbstractMap.SimpleEntry<>("k", 1));
    cases.put("immutable entry", new java.util.AbstractMap.SimpleImmutableEntry<>("k", 2));
    cases.put("Set.of", Set.of("only"));
    cases.put("Set.of many", List.of(Set.of(1, 2, 3, 4, 5).size(), Set.of(4, 5).contains(4)));
    cases.put("EnumMap", new EnumMap<>(Map.of(Own.Planet.EARTH, 1, Own.Planet.MARS, 2)));
    cases.put("EnumSet", EnumSet.of(Own.Planet.MARS, Own.Planet.VENUS));
    cases.put("empty EnumSet", EnumSet.noneOf(Own.Planet.class));
    BitSet bits = new BitSet();
    bits.set(3);
    bits.set(200);
    cases.put("BitSet", bits);
    cases.put("HashMap", new HashMap<>(Map.of("a", List.of(1), "b", List.of(2, 3))));
    cases.put("sets", List.of(new HashSet<>(numbers(20)), new LinkedHashSet<>(List.of(3, 1, 2))));
    TreeMap<String, Integer> backwards = new TreeMap<>(Comparator.reverseOrder());
    backwards.putAll(Map.of("a", 1, "b", 2));
    cases.put("TreeMap with comparator", backwards);
    cases.put("descending map", new TreeMap<>(Map.of(1, 2, 3, 4)).descendingMap());
    cases.put("tail map", new TreeMap<>(Map.of(1, 2, 3, 4)).tailMap(2));
    cases.put("TreeSet", new TreeSet<>(String.CASE_INSENSITIVE_ORDER));
    cases.put("IdentityHashMap", new IdentityHashMap<>(Map.of("k", 1)));
    Set<Integer> fromMap = Collections.newSetFromMap(new HashMap<>());
    fromMap.add(1);
    cases.put("set from map", fromMap);
    cases.put("not serializable", new WeakHashMap<>(Map.of("k", 2)));
    Properties properties = new Properties(new Properties());
    properties.setProperty("name", "value");
    cases.put("Properties", properties);
  }

  private static void concurrent(Map<String, Object> cases) {
    cases.put("ConcurrentHashMap", new ConcurrentHashMap<>(Map.of("a", 1, "b", 2)));
    cases.put("ConcurrentHashMap keys", ConcurrentHashMap.newKeySet(4));
    cases.put("CopyOnWriteArrayList", new CopyOnWriteArrayList<>(numbers(4)));
    cases.put("ConcurrentSkipListMap", new ConcurrentSkipListMap<>(Map.of(2, "b", 1, "a")));
    cases.put("ConcurrentLinkedDeque", new ConcurrentLinkedDeque<>(numbers(3)));
    cases.put("blocking queues", List.of(blocking(), new LinkedBlockingQueue<>(numbers(2))));
    cases.put("atomics", List.of(new AtomicInteger(4), new AtomicReference<>("ref")));
    cases.put("lock", new ReentrantLock(true));
    cases.put("time units", List.of(TimeUnit.DAYS, ChronoUnit.DECADES, RoundingMode.FLOOR));
  }

  private static void values(Map<String, Object> cases) throws Exception {
    cases.put("java.time", List.of(Instant.EPOCH, Duration.ofMillis(-5), Period.ofDays(3)));
    cases.put("dates", List.of(LocalDateTime.MAX, ZonedDateTime.parse("2026-05-06T07:08:09+02:00")));
    cases.put("BigDecimal", List.of(new BigDecimal("-123.4500"), BigInteger.TWO.pow(100).negate()));
    cases.put("boxes", List.of(1, 2L, 3.5f, Double.NaN, 'c', (byte) 1, (short) 2, true));
    cases.put("old dates", List.of(new Date(86_400_000), new SimpleTimeZone(3_600_000, "X")));
    cases.put("calendar", new GregorianCalendar(2026, 4, 6).getTimeInMillis() > 0);
    cases.put("text", List.of("", "\u00e4\ud83d\ude00", "long ".repeat(20_000).length()));
    cases.put("URI and UUID", List.of(URI.create("http://h/p?q#f"), new UUID(1, 2)));
    cases.put("addresses", List.of(InetAddress.getByAddress("h", new byte[] {127, 0, 0, 1})));
    cases.put("locale and currency", List.of(Locale.CANADA_FRENCH, Currency.getInstance("EUR")));
    cases.put("random", List.of(new Random(42)));
    cases.put("file", List.of(new java.io.File("a/b"), new StringBuilder("sb"), new StringBuffer("b")));
  }

  private static List<Integer> numbers(int count) {
    List<Integer> numbers = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      numbers.add(i * 1000);
    }
    return numbers;
  }

  private static PriorityQueue<Integer> queue() {
    PriorityQueue<Integer> queue = new PriorityQueue<>(11, Comparator.reverseOrder());
    queue.addAll(numbers(6));
    return queue;
  }

  private static ArrayBlockingQueue<Integer> blocking() {
    ArrayBlockingQueue<Integer> queue = new ArrayBlockingQueue<>(5, true);
    queue.addAll(numbers(3));
    return queue;
  }

  /** Text of an object and its class, those of its elements included. */
  private static final class Shown {
    private Shown() {}

    static String of(Object object) {
      if (object == null) {
        return "null";
      }
      Class<?> type = object.getClass();
      String name = type.isHidden() || type.isSynthetic() ? "lambda" : type.getTypeName();
      return (Proxy.isProxyClass(type) ? "proxy" : name) + " " + content(object);
    }

    private static String content(Object object) {
      if (object.getClass().isArray()) {
        List<String> elements = new ArrayList<>();
        for (int i = 0; i < Array.getLength(object); i++) {
          elements.add(of(Array.get(object, i)));
        }
        return elements.toString();
      }
      if (object instanceof Throwable failure) {
        return failure.getMessage()
            + " at " + failure.getStackTrace()[0].getMethodName()
            + Arrays.stream(failure.getSuppressed()).map(Shown::of).toList()
            + " <- " + of(failure.getCause());
      }
      if (object instanceof Map<?, ?> map) {
        List<String> entries = new ArrayList<>();
        map.forEach((key, value) -> entries.add(of(key) + "=" + of(value)));
        return entries + state(object);
      }
      if (object instanceof Iterable<?> elements) {
        List<String> shown = new ArrayList<>();
        elements.forEach(element -> shown.add(of(element)));
        return shown + state(object);
      }
      if (object instanceof Supplier<?> supplier) {
        return String.valueOf(supplier.get());
      }
      if (object instanceof Own.Named named) {
        return named.name();
      }
      if (object instanceof AtomicInteger || object instanceof AtomicReference) {
        return object.toString();
      }
      if (object instanceof ReentrantLock lock) {
        return "fair " + lock.isFair() + " " + lock.isLocked();
      }
      return object instanceof Random random ? "next " + random.nextInt() : object.toString();
    }

    /** What a collection does beside holding elements. */
    private static String state(Object object) {
      try {
        if (object instanceof PriorityQueue<?> queue) {
          return " first " + queue.peek() + " by " + queue.comparator().getClass();
        }
        if (object instanceof Properties properties) {
          return " " + properties.getProperty("name");
        }
        if (object instanceof LinkedHashMap<?, ?> map && map.size() == 2) {
          map.get(map.keySet().iterator().next());
          return " then " + map.keySet();
        }
        if (object instanceof EnumSet<?> set) {
          return " else " + EnumSet.complementOf(set);
        }
        if (object instanceof List<?> list && list.getClass().getName().contains("Immutable")) {
          list.remove(0);
        }
        return "";
      } catch (UnsupportedOperationException e) {
        return " immutable";
      }
    }
  }
}
