package io.karmi.uka.semantics;

import java.io.File;
import java.io.IOException;
import java.io.Serializable;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.text.AttributedCharacterIterator;
import java.text.ChoiceFormat;
import java.text.MessageFormat;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.MonthDay;
import java.time.OffsetDateTime;
import java.time.OffsetTime;
import java.time.Period;
import java.time.Year;
import java.time.YearMonth;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.chrono.HijrahDate;
import java.time.chrono.IsoChronology;
import java.time.chrono.MinguoDate;
import java.time.chrono.ThaiBuddhistDate;
import java.time.temporal.ValueRange;
import java.time.temporal.WeekFields;
import java.util.AbstractMap;
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
import java.util.EventObject;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Hashtable;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.LinkedList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalInt;
import java.util.PriorityQueue;
import java.util.Properties;
import java.util.Set;
import java.util.SimpleTimeZone;
import java.util.Stack;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.Vector;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CopyOnWriteArraySet;
import java.util.concurrent.LinkedBlockingDeque;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.LinkedTransferQueue;
import java.util.concurrent.PriorityBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAccumulator;
import java.util.concurrent.locks.ReentrantLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.concurrent.locks.StampedLock;
import java.util.stream.Stream;

/** Objects of the platform's classes, by a name for each; new ones each time. */
final class PlatformValues {
  private final Map<String, Object> values = new LinkedHashMap<>();

  private PlatformValues() {}

  /** Constants with and without a body. */
  enum Constant {
    PLAIN,
    WITH_BODY {
      @Override
      int number() {
        return 1;
      }
    };

    int number() {
      return 0;
    }
  }

  record Pair(Object first, long second) implements Serializable {}

  /** Called through a proxy. */
  interface Speaking {
    String speak();
  }

  record Handler(String text) implements InvocationHandler, Serializable {
    @Override
    public Object invoke(Object proxy, Method method, Object[] arguments) {
      return method.getName().equals("hashCode") ? (Object) text.hashCode() : text;
    }
  }

  private interface SerializableComparator<T> extends Comparator<T>, Serializable {}

  static Map<String, Object> all() {
    PlatformValues made = new PlatformValues();
    made.addLists();
    made.addSets();
    made.addMaps();
    made.addWrappers();
    made.addQueues();
    made.addTimes();
    made.addNumbers();
    made.addConcurrent();
    made.addMiscellaneous();
    made.addThrowables();
    made.addThoseThatContainThemselves();
    made.addThoseOfLaterVersions();
    return made.values;
  }

  /** Whether what an object writes does not tell one JVM or one run from another. */
  static boolean isStable(Object value) {
    return !(value instanceof Serializable) || !value.getClass().isSynthetic();
  }

  private void add(String name, Object value) {
    if (values.put(name, value) != null) {
      throw new AssertionError("twice: " + name);
    }
  }

  private static Object[] mixed() {
    return new Object[] {"b", "a", "c", "bb"};
  }

  private void addLists() {
    List<Object> list = new ArrayList<>(Arrays.asList("x", null, 1, 2L, 1, "x", 300, List.of(1)));
    add("array list", list);
    add("array list of numbers", new ArrayList<>(List.of(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 1000)));
    add("linked list", new LinkedList<>(list));
    add("vector", new Vector<>(list));
    Stack<Object> stack = new Stack<>();
    stack.push("s");
    add("stack", stack);
    add("array as list", Arrays.asList(mixed()));
    add("strings as list", Arrays.asList("p", "q"));
    add("list of none", List.of());
    add("list of one", List.of("1"));
    add("list of three", List.of(1, 2, 3));
    add("list of a stream", Stream.of("a", null, "b").toList());
    add("sublist of an array list", list.subList(1, 3));
    add("sublist of a list", List.of(1, 2, 3, 4).subList(1, 3));
    add("copies", Collections.nCopies(3, "n"));
    add("empty array list", new ArrayList<>());
  }

  private void addSets() {
    add("hash set", new HashSet<>(Arrays.asList(mixed())));
    add("hash set with null", new HashSet<>(Arrays.asList(null, 1, 17, 33)));
    add("linked hash set", new LinkedHashSet<>(Arrays.asList(mixed())));
    add("hash set of another load factor", new HashSet<>(3, 2f));
    add("tree set", new TreeSet<>(Arrays.asList(mixed())));
    TreeSet<Object> backwards = new TreeSet<>(Collections.reverseOrder());
    backwards.addAll(Arrays.asList(mixed()));
    add("tree set backwards", backwards);
    add("head of a tree set", new TreeSet<>(List.of(1, 2, 3)).headSet(3));
    add("descending tree set", new TreeSet<>(List.of(1, 2, 3)).descendingSet());
    add("set of one", Set.of("1"));
    add("set of two", Set.of("1", "2"));
    add("enum set", EnumSet.of(Constant.WITH_BODY));
    add("empty enum set", EnumSet.noneOf(TimeUnit.class));
    Set<Object> fromMap = Collections.newSetFromMap(new LinkedHashMap<>());
    fromMap.add("k");
    add("set from a map", fromMap);
    add("bit set", BitSet.valueOf(new long[] {5, 0, 9}));
  }

  private static <M extends Map<Object, Object>> M filled(M map) {
    map.put("one", 1);
    map.put("two", List.of(2));
    map.put("three", "one");
    return map;
  }

  private void addMaps() {
    add("hash map", filled(new HashMap<>()));
    HashMap<Object, Object> numbers = new HashMap<>();
    for (int i = 0; i < 40; i++) {
      numbers.put(i * 7, i % 2 == 0 ? (Object) i : "odd");
    }
    numbers.put(null, null);
    add("hash map of numbers", numbers);
    add("hash map of another load factor", filled(new HashMap<>(8, 0.5f)));
    add("empty hash map", new HashMap<>());
    add("empty hash map of another load factor", new HashMap<>(64, 3f));
    add("linked hash map", filled(new LinkedHashMap<>()));
    LinkedHashMap<Object, Object> byAccess = filled(new LinkedHashMap<>(16, 0.75f, true));
    byAccess.get("one");
    add("linked hash map by access", byAccess);
    add("tree map", filled(new TreeMap<>()));
    add(
        "tree map by a method",
        filled(new TreeMap<>((SerializableComparator<Object>) PlatformValues::byText)));
    add("part of a tree map", filled(new TreeMap<>()).subMap("one", "two"));
    add("descending tree map", filled(new TreeMap<>()).descendingMap());
    add("keys of a tree map", filled(new TreeMap<>()).navigableKeySet());
    add("hashtable", filled(new Hashtable<>()));
    Properties properties = new Properties(new Properties());
    properties.setProperty("k", "v");
    add("properties", properties);
    IdentityHashMap<Object, Object> byIdentity = new IdentityHashMap<>();
    byIdentity.put(Constant.PLAIN, "v");
    add("identity hash map", byIdentity);
    add("enum map", new EnumMap<>(Map.of(Constant.PLAIN, "plain")));
    add("map of none", Map.of());
    add("map of one", Map.of("k", 1));
    add("map of two", Map.of("k", 1, "l", 2));
    add("map entry", Map.entry("k", "v"));
    add("simple entry", new AbstractMap.SimpleEntry<>("k", "v"));
    add("immutable entry", new AbstractMap.SimpleImmutableEntry<>("k", 1L));
    add("keys of a hash map", filled(new HashMap<>()).keySet());
    add("values of a hash map", filled(new HashMap<>()).values());
  }

  private static int byText(Object one, Object other) {
    return one.toString().compareTo(other.toString());
  }

  private void addWrappers() {
    List<Object> list = new ArrayList<>(List.of("e", 1));
    add("unmodifiable list", Collections.unmodifiableList(list));
    add("unmodifiable linked list", Collections.unmodifiableList(new LinkedList<>(list)));
    add("synchronized list", Collections.synchronizedList(list));
    add("checked list", Collections.checkedList(new ArrayList<>(List.of("e")), String.class));
    add("unmodifiable set", Collections.unmodifiableSet(new HashSet<>(list)));
    add("synchronized set", Collections.synchronizedSet(new LinkedHashSet<>(list)));
    add("unmodifiable collection", Collections.unmodifiableCollection(list));
    add("unmodifiable map", Collections.unmodifiableMap(new TreeMap<>(Map.of("k", "v"))));
    add("synchronized map", Collections.synchronizedMap(new HashMap<>(Map.of("k", "v"))));
    add("unmodifiable sorted map", Collections.unmodifiableSortedMap(new TreeMap<>(Map.of(1, 2))));
    add(
        "unmodifiable entries",
        Collections.unmodifiableMap(new HashMap<>(Map.of(1, 2))).entrySet());
    add("singleton", Collections.singleton("one"));
    add("singleton list", Collections.singletonList("one"));
    add("singleton map", Collections.singletonMap("k", "v"));
    add("empty set", Collections.emptySet());
    add("empty map", Collections.emptyMap());
    add("empty sorted map", Collections.emptyNavigableMap());
    add("empty iterator", Collections.emptyIterator());
    add("reverse order", Collections.reverseOrder());
    add("reverse of an order", Collections.reverseOrder(String.CASE_INSENSITIVE_ORDER));
    add("natural order", Comparator.naturalOrder());
    add("nulls first", Comparator.nullsFirst(Comparator.naturalOrder()));
    add("by key", Map.Entry.comparingByKey());
    add("without case", String.CASE_INSENSITIVE_ORDER);
  }

  private void addQueues() {
    add("array deque", new ArrayDeque<>(Arrays.asList(mixed())));
    add("priority queue", new PriorityQueue<>(Arrays.asList(mixed())));
    PriorityQueue<Object> backwards = new PriorityQueue<>(Collections.reverseOrder());
    backwards.addAll(Arrays.asList(mixed()));
    add("priority queue backwards", backwards);
    add("last in first out", Collections.asLifoQueue(new ArrayDeque<>(List.of(1))));
    add("array blocking queue", new ArrayBlockingQueue<>(9, true, List.of("q")));
    add("linked blocking queue", new LinkedBlockingQueue<>(List.of("q")));
    add("linked blocking deque", new LinkedBlockingDeque<>(List.of("q")));
    add("priority blocking queue", new PriorityBlockingQueue<>(List.of("q", "p")));
    add("linked transfer queue", new LinkedTransferQueue<>(List.of("q")));
    add("concurrent linked queue", new ConcurrentLinkedQueue<>(List.of("q")));
    add("concurrent linked deque", new ConcurrentLinkedDeque<>(List.of("q")));
  }

  private void addTimes() {
    add("date", new Date(5));
    add("timestamp", Timestamp.from(Instant.ofEpochSecond(5, 6)));
    add("date of a database", new java.sql.Date(86_400_000));
    add("time of a database", new java.sql.Time(1000));
    add("instant", Instant.ofEpochSecond(-1, 999_999_999));
    add("far instant", Instant.MAX);
    add("duration", Duration.ofMillis(-1));
    add("period", Period.of(1, 2, 3));
    add("local date", LocalDate.of(-5, 1, 31));
    add("last date", LocalDate.MAX);
    add("local time", LocalTime.of(23, 59, 0, 1));
    add("midnight", LocalTime.MIDNIGHT);
    add("local date and time", LocalDateTime.MIN);
    add("offset date and time", OffsetDateTime.MAX);
    add("offset time", OffsetTime.of(1, 2, 0, 0, ZoneOffset.ofTotalSeconds(-1)));
    add("zoned", ZonedDateTime.of(2024, 3, 31, 2, 30, 0, 0, ZoneId.of("Europe/Paris")));
    add("zone", ZoneId.of("UTC+01:00"));
    add("offset", ZoneOffset.ofHours(3));
    add("year", Year.of(-1));
    add("year and month", YearMonth.of(9999, 12));
    add("month and day", MonthDay.of(2, 29));
    add("day of week", DayOfWeek.SUNDAY);
    add("thai date", ThaiBuddhistDate.of(2560, 1, 1));
    add("minguo date", MinguoDate.of(100, 1, 1));
    add("hijrah date", HijrahDate.of(1440, 1, 1));
    add("chronology", IsoChronology.INSTANCE);
    add("value range", ValueRange.of(1, 2, 3, 4));
    add("fields of weeks", WeekFields.ISO);
    add("simple zone", new SimpleTimeZone(1, "id"));
    add("clock", java.time.Clock.fixed(Instant.EPOCH, ZoneOffset.UTC));
  }

  private void addNumbers() {
    add("boxes", new Object[] {true, (byte) -1, 'x', (short) 2, 300, 4L << 40, 1f, -0.0});
    add("big integer", new BigInteger("-80000000000000000000", 16));
    add("small big integer", BigInteger.TEN);
    add("big decimal", new BigDecimal("1E-400"));
    add("small big decimal", new BigDecimal("0.00"));
    add("long big decimal", new BigDecimal("123456789012345678901234567890.5"));
    add("math context", MathContext.DECIMAL64);
    add("atomic integer", new AtomicInteger(1));
    add("atomic long", new AtomicLong(1));
    add("atomic boolean", new AtomicBoolean(true));
    add("atomic reference", new AtomicReference<>("r"));
    add("accumulator", new LongAccumulator((LongMax) Math::max, 3));
    add("matrix", new int[][] {{1}, {}, null});
    add("cube", new Object[][][] {{{"x"}}, null});
    add("array of enums", new Constant[] {Constant.PLAIN, Constant.WITH_BODY});
    add("array of an interface", new Comparable<?>[] {1, "s"});
  }

  private interface LongMax extends java.util.function.LongBinaryOperator, Serializable {}

  private void addConcurrent() {
    add("concurrent map", filled(new ConcurrentHashMap<>()));
    add("empty concurrent map", new ConcurrentHashMap<>(100));
    add("concurrent sorted map", filled(new ConcurrentSkipListMap<>()));
    add("tail of it", filled(new ConcurrentSkipListMap<>()).tailMap("three"));
    add("concurrent sorted set", new ConcurrentSkipListSet<>(List.of(2, 1)));
    add("keys of a concurrent map", filled(new ConcurrentHashMap<>()).keySet());
    add("values of a concurrent map", filled(new ConcurrentHashMap<>()).values());
    Set<Object> keys = ConcurrentHashMap.newKeySet();
    keys.add("k");
    add("concurrent set", keys);
    add("copied list", new CopyOnWriteArrayList<>(List.of("c")));
    add("copied set", new CopyOnWriteArraySet<>(List.of("c")));
    add("lock", new ReentrantLock(true));
    add("two locks", new ReentrantReadWriteLock());
    add("stamped lock", new StampedLock());
    add("semaphore", new Semaphore(3));
  }

  private void addMiscellaneous() {
    try {
      add("address", InetAddress.getByAddress("h", new byte[] {127, 0, 0, 1}));
      add("address of six", Inet6Address.getByAddress("h", new byte[16], 3));
      add("method", String.class.getMethod("length"));
      add("url", URI.create("http://127.0.0.1/").toURL());
    } catch (UnknownHostException | NoSuchMethodException | java.net.MalformedURLException e) {
      throw new AssertionError(e);
    }
    add("unresolved", InetSocketAddress.createUnresolved("h", 1));
    add("uri", URI.create("mailto:a@b"));
    add("file", new File("a/b"));
    add("uuid", new UUID(3, 4));
    add("locale", Locale.forLanguageTag("sr-Latn-RS"));
    add("currency", Currency.getInstance("JPY"));
    add("event", new EventObject("source"));
    add("choices", new ChoiceFormat("0#none|1#one"));
    add("message format", new MessageFormat("{0} of {1,number}", Locale.US));
    add("attribute", AttributedCharacterIterator.Attribute.LANGUAGE);
    add("builder", new StringBuilder("b").toString());
    add("string", "\uD800\u0000\u00e9");
    add("class", Map.Entry.class);
    add("primitive class", int.class);
    add("class of arrays", int[][].class);
    add("optional", OptionalInt.of(1));
    add("thread", new Object());
    add("enum", Constant.WITH_BODY);
    add("record", new Pair(List.of("x"), 7));
    add("record in record", new Pair(new Pair(null, 1), 2));
    add(
        "proxy",
        Proxy.newProxyInstance(
            Speaking.class.getClassLoader(), new Class<?>[] {Speaking.class}, new Handler("says")));
    add("lambda", (Comparator<Object> & Serializable) (a, b) -> 0);
    add("method reference", (SerializableComparator<Object>) PlatformValues::byText);
    add("rights", new java.io.FilePermission("/a", "read"));
    java.security.Permissions rights = new java.security.Permissions();
    rights.add(new java.util.PropertyPermission("p", "read"));
    add("collection of rights", rights);
    add("basic right", new RuntimePermission("r"));
    add("guarded", new java.security.GuardedObject("g", null));
    add("principal", new javax.security.auth.x500.X500Principal("CN=a"));
  }

  private void addThrowables() {
    IOException thrown = new IOException("m", new Error("c"));
    StackTraceElement frame = new StackTraceElement("l", "m", "1", "a.B", "m", "B.java", 1);
    thrown.setStackTrace(new StackTraceElement[] {frame});
    thrown.getCause().setStackTrace(new StackTraceElement[] {frame, frame});
    add("exception", thrown);
    IllegalStateException one = new IllegalStateException("one");
    one.setStackTrace(new StackTraceElement[0]);
    IllegalStateException other = new IllegalStateException("other", one);
    other.setStackTrace(new StackTraceElement[0]);
    one.initCause(other);
    add("cycle of causes", one);
    Exception suppressed = new Exception("outer");
    suppressed.setStackTrace(new StackTraceElement[0]);
    suppressed.addSuppressed(thrown);
    suppressed.addSuppressed(other);
    add("suppressed", suppressed);
    SQLException first = new SQLException("first", "state", 3);
    first.setStackTrace(new StackTraceElement[0]);
    SQLException next = new SQLException("next");
    next.setStackTrace(new StackTraceElement[0]);
    first.setNextException(next);
    add("chain of exceptions", first);
    java.rmi.RemoteException remote = new java.rmi.RemoteException("remote", thrown);
    remote.setStackTrace(new StackTraceElement[0]);
    add("remote exception", remote);
    Throwable undeclared = new java.lang.reflect.UndeclaredThrowableException(thrown, "u");
    undeclared.setStackTrace(new StackTraceElement[0]);
    add("undeclared", undeclared);
    Throwable error = new ExceptionInInitializerError(thrown);
    error.setStackTrace(new StackTraceElement[0]);
    add("of an initializer", error);
    add("frame", frame);
  }

  private void addThoseThatContainThemselves() {
    addItself("array list", new ArrayList<>(List.of("x")));
    addItself("linked list", new LinkedList<>());
    addItself("array deque", new ArrayDeque<>());
    addItself("concurrent queue", new ConcurrentLinkedQueue<>());
    addItself("copied list", new CopyOnWriteArrayList<>());
    addItself("blocking queue", new LinkedBlockingQueue<>());
    addAsValue("hash map", new HashMap<>());
    addAsValue("linked hash map", new LinkedHashMap<>());
    addAsValue("tree map", new TreeMap<>());
    addAsValue("identity hash map", new IdentityHashMap<>());
    addAsValue("concurrent map", new ConcurrentHashMap<>());
    addAsValue("concurrent sorted map", new ConcurrentSkipListMap<>());
    addAsValue("enum map", null);
    Object[] array = {null, 1};
    array[0] = array;
    add("array in itself", array);
    Object[] backing = new Object[2];
    backing[1] = Arrays.asList(backing);
    add("list of an array in itself", backing[1]);
    List<Object> inner = new ArrayList<>();
    List<Object> wrapper = Collections.unmodifiableList(inner);
    inner.add(wrapper);
    add("unmodifiable list in itself", wrapper);
    List<Object> shared = new ArrayList<>();
    shared.add(List.of(shared, "x"));
    add("list in a list that replaces itself", shared);
    Map<Object, Object> map = new HashMap<>();
    map.put("of", Map.of("self", map));
    add("map in a map that replaces itself", map);
    AtomicReference<Object> reference = new AtomicReference<>();
    reference.set(reference);
    add("reference to itself", reference);
    List<Object> round = new ArrayList<>();
    round.add(new Pair(round, 1));
    add("list in a record", round);
    Object[] place = new Object[1];
    Pair pair = new Pair(place, 1);
    place[0] = pair;
    add("record in an array of its own", pair);
  }

  private void addItself(String name, java.util.Collection<Object> collection) {
    collection.add(collection);
    collection.add("last");
    add(name + " in itself", collection);
  }

  private void addAsValue(String name, Map<Object, Object> map) {
    if (map == null) {
      EnumMap<Constant, Object> ofConstants = new EnumMap<>(Constant.class);
      ofConstants.put(Constant.PLAIN, ofConstants);
      add(name + " in itself", ofConstants);
      return;
    }
    map.put("self", map);
    if (!(map instanceof IdentityHashMap)) {
      map.put("self again", List.of(1, 2));
    }
    add(name + " in itself", map);
  }

  /** Classes that JDK 17 does not have. */
  private void addThoseOfLaterVersions() {
    addIfThere("list backwards", List.class, "reversed", List.of("a", "b"));
    addIfThere("array list backwards", List.class, "reversed", new ArrayList<>(List.of("a", "b")));
    addIfThere("deque backwards", java.util.Deque.class, "reversed", new ArrayDeque<>(List.of(1)));
    LinkedHashMap<Object, Object> linked = filled(new LinkedHashMap<>());
    addIfThere("linked map backwards", LinkedHashMap.class, "reversed", linked);
    addIfThere("keys in sequence", LinkedHashMap.class, "sequencedKeySet", linked);
    for (String kind : List.of("Collection", "Set", "Map")) {
      Object of =
          kind.equals("Map") ? linked : new LinkedHashSet<>(Arrays.asList("a", List.of("b")));
      addIfThere("sequenced " + kind, Collections.class, "unmodifiableSequenced" + kind, of);
    }
    addIfThere("format of lists", "java.text.ListFormat", "getInstance");
  }

  private void addIfThere(String name, Class<?> type, String method, Object argument) {
    for (Method each : type.getMethods()) {
      boolean isStatic = java.lang.reflect.Modifier.isStatic(each.getModifiers());
      if (each.getName().equals(method)
          && !each.isBridge()
          && each.getParameterCount() == (isStatic ? 1 : 0)) {
        values.computeIfAbsent(
            name, n -> isStatic ? called(each, null, argument) : called(each, argument));
      }
    }
  }

  private void addIfThere(String name, String type, String method) {
    try {
      add(name, called(Class.forName(type).getMethod(method), null));
    } catch (ReflectiveOperationException e) {
      add(name, "not there");
    }
  }

  private static Object called(Method method, Object receiver, Object... arguments) {
    try {
      return method.invoke(receiver, arguments);
    } catch (ReflectiveOperationException e) {
      throw new AssertionError(method.toString(), e);
    }
  }
}
