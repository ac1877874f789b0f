package io.karmi.uka.semantics;

import static io.karmi.uka.differential.Observed.attempt;
import static io.karmi.uka.differential.Observed.event;
import static io.karmi.uka.differential.Observed.see;

import io.karmi.uka.differential.SameProgram;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.lang.reflect.Constructor;
import java.util.AbstractList;
import java.util.AbstractMap;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Hashtable;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.LinkedList;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Properties;
import java.util.Set;
import java.util.Stack;
import java.util.TreeMap;
import java.util.TreeSet;
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
import java.util.concurrent.PriorityBlockingQueue;
import org.junit.Test;
import org.junit.runner.RunWith;

/**
 * Collections of the JDK, with what can be seen of their inside: it shows in what they write again.
 */
@RunWith(SameProgram.class)
public class CollectionsTest {

  private static <T> T copy(T collection) {
    T copy = attempt(collection.getClass().getSimpleName(), () -> Wire.copy(collection));
    attempt("state", () -> Wire.jdkBytes(copy));
    return copy;
  }

  private static <C extends Collection<Object>> C fill(C collection) {
    collection.addAll(List.of("c", "a", "b", "aa"));
    return collection;
  }

  private static <M extends Map<Object, Object>> M fill(M map) {
    for (int i = 0; i < 20; i++) {
      map.put("key" + i, i % 3 == 0 ? "fizz" : List.of(i));
    }
    return map;
  }

  @Test
  public void lists() {
    copy(fill(new ArrayList<>()));
    copy(fill(new ArrayList<>(1000)));
    copy(new ArrayList<>(Arrays.asList(null, 1, null)));
    copy(fill(new LinkedList<>()));
    copy(fill(new Vector<>(3, 5)));
    copy(fill(new Stack<>()));
    copy(fill(new CopyOnWriteArrayList<>()));
    copy(Arrays.asList("x", "y"));
    copy(Arrays.asList((Object[]) new Integer[] {1, 2}));
    copy(new ArrayList<>(List.of(1, 2, 3, 4)).subList(1, 3));
    see("vector capacity", copy(fill(new Vector<>(7, 5))).capacity());
  }

  @Test
  public void immutables() {
    for (Object immutable :
        new Object[] {
          List.of(),
          List.of(1),
          List.of(1, 2),
          List.of(1, 2, 3),
          Set.of(),
          Set.of(1),
          Map.of(),
          Map.of("k", "v"),
          List.copyOf(List.of("c")),
          Collections.emptyList(),
          Collections.emptyMap(),
          Collections.emptySet(),
          Collections.singletonList(1),
          Collections.singleton(2),
          Collections.singletonMap("a", "b"),
          Collections.nCopies(3, "n"),
          java.util.stream.Stream.of("s", null).toList(),
          Map.entry("k", "v")
        }) {
      attempt("copy", () -> Wire.copy(immutable));
    }
    see("set", new TreeSet<>(copyOf(Set.of(1, 2, 3, 4))));
    see("map", new TreeMap<>(copyOf(Map.of(1, 2, 3, 4, 5, 6))));
    see(
        "in the same order",
        copyOf(Set.of("x", "y")).toString().equals(Set.of("x", "y").toString()));
    attempt("still immutable", () -> copyOf(List.of(1)).add(2));
    attempt("no null", () -> copyOf(List.of(1)).contains(null));
  }

  private static <T> T copyOf(T value) {
    try {
      return Wire.copy(value);
    } catch (IOException | ClassNotFoundException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  public void views() {
    List<Object> list = fill(new ArrayList<>());
    Map<Object, Object> map = fill(new TreeMap<>());
    copy(Collections.unmodifiableList(list));
    copy(Collections.unmodifiableCollection(list));
    copy(Collections.unmodifiableSet(new LinkedHashSet<>(list)));
    copy(Collections.unmodifiableMap(map));
    copy(Collections.synchronizedList(list));
    copy(Collections.synchronizedMap(map));
    copy(Collections.checkedList(list, Object.class));
    copy(fill(Collections.newSetFromMap(new LinkedHashMap<>())));
    copy(Collections.asLifoQueue(new ArrayDeque<>(list)));
    copy(Collections.reverseOrder());
    copy(new TreeMap<>(map).descendingMap());
    copy(new TreeMap<>(map).headMap("key5"));
    copy(new TreeSet<>(list).tailSet("b"));
    copy(new AbstractMap.SimpleEntry<>("k", "v"));
    copy(new AbstractMap.SimpleImmutableEntry<>("k", "v"));
    attempt("key set", () -> Wire.copy(fill(new HashMap<>()).keySet()));
    attempt("entry", () -> Wire.copy(fill(new HashMap<>()).entrySet().iterator().next()));
  }

  @Test
  public void maps() {
    copy(fill(new HashMap<>()));
    copy(fill(new HashMap<>(500, 0.5f)));
    copy(new HashMap<>(3));
    copy(new HashMap<>(Collections.singletonMap(null, null)));
    copy(fill(new LinkedHashMap<>()));
    copy(fill(new Hashtable<>()));
    copy(fill(new TreeMap<>()));
    copy(fill(new ConcurrentHashMap<>()));
    copy(fill(new ConcurrentSkipListMap<>()));
    Properties properties = new Properties(fill(new Properties()));
    properties.setProperty("own", "value");
    see("default", copy(properties).getProperty("key0"));
    Map<Object, Object> large = new HashMap<>();
    for (int i = 0; i < 10_000; i++) {
      large.put(i, "v" + i);
    }
    see("large", copyOf(large).equals(large));
  }

  @Test
  public void capacityLoadFactorAndOrderSurvive() {
    LinkedHashMap<Object, Object> accessed = fill(new LinkedHashMap<>(16, 0.75f, true));
    accessed.get("key3");
    LinkedHashMap<Object, Object> copied = copy(accessed);
    copied.get("key1");
    see("accessed last", new ArrayList<>(copied.keySet()).get(19));
    TreeMap<Object, Object> reversed = new TreeMap<>(Collections.reverseOrder());
    see("reversed", copy(fill(reversed)).firstKey());
    TreeMap<String, Object> insensitive = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    insensitive.put("KEY", 1);
    see("insensitive", copy(insensitive).get("key"));
    ArrayBlockingQueue<Object> bounded = new ArrayBlockingQueue<>(5);
    see("room", copy(fill(bounded)).remainingCapacity());
    see("more room", copy(fill(new LinkedBlockingQueue<>(9))).remainingCapacity());
    see("deque", copy(fill(new LinkedBlockingDeque<>(7))).remainingCapacity());
  }

  @Test
  public void setsAndQueues() {
    copy(fill(new HashSet<>()));
    copy(fill(new HashSet<>(300, 0.3f)));
    copy(fill(new LinkedHashSet<>()));
    copy(fill(new TreeSet<>()));
    copy(fill(new TreeSet<>(Collections.reverseOrder())));
    copy(fill(new ConcurrentSkipListSet<>()));
    copy(fill(new CopyOnWriteArraySet<>()));
    copy(fill(new ArrayDeque<>()));
    copy(fill(new ConcurrentLinkedQueue<>()));
    copy(fill(new ConcurrentLinkedDeque<>()));
    see("first", copy(fill(new PriorityQueue<>())).peek());
    see("last", copy(fill(new PriorityQueue<>(11, Collections.reverseOrder()))).peek());
    copy(fill(new PriorityBlockingQueue<>()));
    BitSet bits = new BitSet();
    bits.set(3, 200);
    copy(bits);
  }

  @Test
  public void queuesWithoutStateOfTheirOwn() {
    copy(fill(new java.util.concurrent.LinkedTransferQueue<>()));
    copy(new java.util.concurrent.SynchronousQueue<>(true));
    copy(new java.util.concurrent.LinkedTransferQueue<>());
    attempt("weak", () -> Wire.copy((Object) new java.util.WeakHashMap<>()));
  }

  static class Labelled<E> extends ArrayList<E> {
    String label = "label";
    transient int calls = 3;

    @Override
    public boolean add(E element) {
      calls++;
      return super.add(element);
    }
  }

  static class Counting<K, V> extends HashMap<K, V> {
    int puts;
    Object extra = "extra";

    @Override
    public V put(K key, V value) {
      puts++;
      return super.put(key, value);
    }
  }

  static class Hooked extends LinkedHashMap<Object, Object> {
    private void writeObject(ObjectOutputStream out) throws IOException {
      event("write");
      out.defaultWriteObject();
      out.writeInt(size());
    }

    private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
      in.defaultReadObject();
      event("read " + in.readInt() + " of " + size());
    }

    @Override
    protected boolean removeEldestEntry(Map.Entry<Object, Object> eldest) {
      return size() > 5;
    }
  }

  static class OwnList extends AbstractList<Object> implements Serializable {
    Object[] elements = {1, "two"};

    @Override
    public Object get(int index) {
      return elements[index];
    }

    @Override
    public int size() {
      return elements == null ? -1 : elements.length;
    }
  }

  static class OwnSet extends TreeSet<String> {
    final int size;

    OwnSet(String... elements) {
      super(Collections.reverseOrder());
      addAll(List.of(elements));
      size = elements.length;
    }
  }

  @Test
  public void subclassesWithFieldsOfTheirOwn() throws Exception {
    Labelled<String> list = new Labelled<>();
    list.add("element");
    list.label = "changed";
    see("list", Wire.copy(list));
    Counting<String, Object> map = new Counting<>();
    map.put("a", map);
    map.put("b", 1);
    Counting<String, Object> copy = Wire.copy(map);
    see("puts", copy.puts);
    see("cycle", copy.get("a") == copy);
    see("hooked", Wire.copy(fill(new Hooked())));
    see("own list", Wire.copy(new OwnList()));
    see("own set", Wire.copy(new OwnSet("a", "b")));
    see("double brace", Wire.copy(new ArrayListMaker().make()));
  }

  static class ArrayListMaker implements Serializable {
    List<String> make() {
      return new ArrayList<>() {
        {
          add("x");
        }
      };
    }
  }

  @Test
  public void collectionsOfCollections() throws Exception {
    Map<String, List<Map<String, Object>>> map = new TreeMap<>();
    List<Map<String, Object>> shared = new ArrayList<>();
    shared.add(new TreeMap<>(Map.of("a", 1, "b", new int[] {1})));
    map.put("one", shared);
    map.put("two", shared);
    map.put("three", new LinkedList<>(shared));
    see("nested", Wire.copy(map));
  }

  /** Its table is null, and must not be reached for as memory. */
  @Test
  public void setsThatNoConstructorMadeAreNotWritten() throws Exception {
    Class<?> factory = Class.forName("sun.reflect.ReflectionFactory");
    Constructor<?> constructor =
        (Constructor<?>)
            factory
                .getMethod("newConstructorForSerialization", Class.class, Constructor.class)
                .invoke(
                    factory.getMethod("getReflectionFactory").invoke(null),
                    HashSet.class,
                    Object.class.getConstructor());
    Object set = constructor.newInstance();
    attempt("alone", () -> Wire.write(set));
    attempt("inside", () -> Wire.write(new Object[] {1, set}));
  }
}
