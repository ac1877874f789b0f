package io.karmi.uka.semantics;

import static io.karmi.uka.differential.Observed.attempt;
import static io.karmi.uka.differential.Observed.attemptType;
import static io.karmi.uka.differential.Observed.event;
import static io.karmi.uka.differential.Observed.see;

import io.karmi.uka.differential.SameProgram;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.OutputStream;
import java.io.Serializable;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.Date;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.LinkedList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.junit.Test;
import org.junit.runner.RunWith;

/** What the elements of a collection, and streams of a program's own, see of its way. */
@RunWith(SameProgram.class)
public class CollectionElementsTest {

  private static final List<Supplier<Collection<Object>>> COLLECTIONS =
      List.of(ArrayList::new, LinkedList::new, ArrayDeque::new, HashSet::new, LinkedHashSet::new);

  private static final List<Supplier<Map<Object, Object>>> MAPS =
      List.of(HashMap::new, LinkedHashMap::new, () -> new LinkedHashMap<>(8, 0.75f, true));

  /** Looks at the collection that it is in while it is read. */
  static class Observer implements Serializable {
    Object owner;

    /** The same in each run, since it decides who comes first. */
    @Override
    public int hashCode() {
      return 1;
    }

    @Override
    public boolean equals(Object other) {
      return this == other;
    }

    private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
      in.defaultReadObject();
      if (owner instanceof Collection<?> collection) {
        event(owner.getClass() + " has size " + collection.size());
      } else if (owner instanceof Map<?, ?> map) {
        event(owner.getClass() + " has size " + map.size() + " " + map.get("early"));
      }
    }
  }

  @Test
  public void elementsSeeTheCollectionTheyAreIn() throws Exception {
    for (Supplier<Collection<Object>> kind : COLLECTIONS) {
      Collection<Object> collection = kind.get();
      Observer observer = new Observer();
      observer.owner = collection;
      collection.add("before");
      collection.add(observer);
      collection.add("after");
      Collection<?> copy = Wire.copy(collection);
      see("size", copy.size());
    }
    for (Supplier<Map<Object, Object>> kind : MAPS) {
      Map<Object, Object> map = kind.get();
      Observer observer = new Observer();
      observer.owner = map;
      map.put("early", "bird");
      map.put("observer", observer);
      map.put("zz", 1);
      Map<?, ?> copy = Wire.copy(map);
      see("keys", new ArrayList<>(copy.keySet()));
    }
  }

  /** Changes the collection that it is in while that is written. */
  static class Changing implements Serializable {
    transient Runnable change;

    Changing(Runnable change) {
      this.change = change;
    }

    private void writeObject(ObjectOutputStream out) throws IOException {
      out.defaultWriteObject();
      change.run();
    }

    /** The same place in a hash table each time. */
    @Override
    public int hashCode() {
      return 1;
    }

    @Override
    public boolean equals(Object other) {
      return this == other;
    }
  }

  @Test
  public void collectionsThatChangeWhileTheyAreWritten() {
    for (Supplier<Collection<Object>> kind : COLLECTIONS) {
      Collection<Object> growing = kind.get();
      growing.add(new Changing(() -> growing.add("new")));
      attemptType("growing " + growing.getClass(), () -> sizeOfCopy(growing));
      Collection<Object> shrinking = kind.get();
      shrinking.add("victim");
      shrinking.add(new Changing(() -> shrinking.remove("victim")));
      shrinking.add("last");
      attemptType("shrinking " + shrinking.getClass(), () -> sizeOfCopy(shrinking));
    }
    for (Supplier<Map<Object, Object>> kind : MAPS) {
      Map<Object, Object> growing = kind.get();
      growing.put("a", new Changing(() -> growing.put("new", 1)));
      growing.put("b", new Changing(() -> growing.get("a")));
      growing.put("c", 2);
      attemptType("growing " + growing.getClass(), () -> Wire.copy(growing).size());
      Map<Object, Object> shrinking = kind.get();
      shrinking.put("a", new Changing(() -> shrinking.remove("b")));
      shrinking.put("b", 1);
      attemptType("shrinking " + shrinking.getClass(), () -> Wire.copy(shrinking).size());
    }
  }

  /** Bytes are not compared: the JDK's may contain more elements than the size says. */
  private static int sizeOfCopy(Collection<Object> collection) throws Exception {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      out.writeObject(collection);
    }
    ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()));
    return ((Collection<?>) in.readObject()).size();
  }

  /** Changes a list of texts when its second element is offered for replacement. */
  static class ChangingOutput extends ObjectOutputStream {
    private final Runnable change;

    ChangingOutput(OutputStream out, Runnable change) throws IOException {
      super(out);
      this.change = change;
      enableReplaceObject(true);
    }

    @Override
    protected Object replaceObject(Object object) {
      event("offered " + object);
      if ("text 1".equals(object)) {
        change.run();
      }
      return object;
    }
  }

  @Test
  public void listOfTextsThatChangesWhileItIsWritten() {
    changeTexts("add", list -> list.addAll(List.of("new 1", "new 2", "new 3", "new 4")));
    changeTexts("remove", list -> list.remove(0));
    changeTexts("clear", List::clear);
    changeTexts("set", list -> list.set(3, "other"));
    changeTexts("set null", list -> list.set(2, null));
    changeTexts("set no text", list -> list.set(2, new Date(0)));
  }

  private static void changeTexts(String label, Consumer<List<Object>> change) {
    List<Object> list = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      list.add("text " + i);
    }
    attemptType(
        label,
        () -> {
          ByteArrayOutputStream bytes = new ByteArrayOutputStream();
          try (ObjectOutputStream out = new ChangingOutput(bytes, () -> change.accept(list))) {
            out.writeObject(list);
          }
          return new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray())).readObject();
        });
  }

  /** Sees what classes write by calling the stream. */
  static class WatchedOutput extends ObjectOutputStream {
    WatchedOutput(OutputStream out) throws IOException {
      super(out);
    }

    @Override
    public void writeInt(int value) throws IOException {
      event("writeInt " + value);
      super.writeInt(value);
    }

    @Override
    public void writeFloat(float value) throws IOException {
      event("writeFloat " + value);
      super.writeFloat(value);
    }

    @Override
    public void defaultWriteObject() throws IOException {
      event("defaultWriteObject");
      super.defaultWriteObject();
    }
  }

  /** Sees what classes read by calling the stream. */
  static class WatchedInput extends ObjectInputStream {
    WatchedInput(InputStream in) throws IOException {
      super(in);
    }

    @Override
    public int readInt() throws IOException {
      int value = super.readInt();
      event("readInt " + value);
      return value;
    }

    @Override
    public GetField readFields() throws IOException, ClassNotFoundException {
      event("readFields");
      return super.readFields();
    }
  }

  @Test
  public void streamsSeeTheCallsOfCollections() throws Exception {
    Object[] all = {
      new ArrayList<>(List.of(1, "b")),
      new LinkedList<>(List.of(2)),
      new ArrayDeque<>(List.of(3)),
      new HashMap<>(Map.of("k", 4)),
      new LinkedHashMap<>(Map.of("l", 5)),
      new HashSet<>(List.of(6)),
      new LinkedHashSet<>(List.of(7)),
      new Date(8)
    };
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new WatchedOutput(bytes)) {
      for (Object object : all) {
        event("-- " + object.getClass());
        out.writeObject(object);
      }
    }
    try (ObjectInputStream in = new WatchedInput(new ByteArrayInputStream(bytes.toByteArray()))) {
      for (Object object : all) {
        event("-- " + object.getClass());
        see("read", in.readObject());
      }
    }
  }

  /** Replaces strings on one side, and integers on the other. */
  static class ReplacingOutput extends ObjectOutputStream {
    ReplacingOutput(OutputStream out) throws IOException {
      super(out);
      enableReplaceObject(true);
    }

    @Override
    protected Object replaceObject(Object object) {
      event("replace " + object.getClass());
      return object instanceof String text ? text + "!" : object;
    }
  }

  static class ResolvingInput extends ObjectInputStream {
    ResolvingInput(InputStream in) throws IOException {
      super(in);
      enableResolveObject(true);
    }

    @Override
    protected Object resolveObject(Object object) {
      event("resolve " + object.getClass());
      return object instanceof Integer number ? (Object) (number + 1L) : object;
    }
  }

  @Test
  public void streamsReplaceElements() throws Exception {
    List<Object> all = new ArrayList<>();
    all.add(new HashMap<>(Map.of("k", 4)));
    all.add(new HashSet<>(List.of("a")));
    all.add(new LinkedList<>(List.of(1, 1000, 1000L)));
    all.add(List.of("x", 2, "z"));
    all.add(SharedValuesTest.Colour.RED);
    all.add(new UUID(1, 2));
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ReplacingOutput(bytes)) {
      out.writeObject(all);
    }
    try (ObjectInputStream in = new ResolvingInput(new ByteArrayInputStream(bytes.toByteArray()))) {
      see("read", in.readObject());
    }
  }

  @Test
  public void capacitiesAreTheJdksForEverySize() throws Exception {
    for (float loadFactor : new float[] {0.75f, 0.3f, 1f, 8f}) {
      for (int size = 0; size < 70; size++) {
        Map<Object, Object> map = new HashMap<>(16, loadFactor);
        Map<Object, Object> linked = new LinkedHashMap<>(16, loadFactor, size % 2 == 0);
        Collection<Object> set = new HashSet<>(16, loadFactor);
        for (int i = 0; i < size; i++) {
          map.put(i * 1001, i);
          linked.put(i * 1001, i);
          set.add(i * 1001);
        }
        event(size + " " + Wire.jdkBytes(Wire.copy(map)).hashCode());
        event(size + " " + Wire.jdkBytes(Wire.copy(linked)).hashCode());
        event(size + " " + Wire.jdkBytes(Wire.copy(set)).hashCode());
      }
    }
  }

  @Test
  public void oddTablesSurvive() {
    HashMap<Object, Object> emptied = new HashMap<>(1);
    emptied.put("a", 1);
    emptied.remove("a");
    HashMap<Object, Object> tiny = new HashMap<>(1, 4f);
    tiny.put(null, null);
    HashMap<Object, Object> roomy = new HashMap<>(1000);
    roomy.put("a", null);
    HashSet<Object> emptySet = new HashSet<>(64, 0.5f);
    for (Object odd : new Object[] {emptied, tiny, roomy, new HashMap<>(64), emptySet}) {
      attempt("odd", () -> Wire.jdkBytes(Wire.copy(odd)));
    }
    attempt("view", () -> Wire.copy(Collections.unmodifiableMap(roomy)));
    attempt(
        "synchronized", () -> Wire.copy(Collections.synchronizedList(new ArrayList<>(List.of(1)))));
  }

  @Test
  public void immutablesAreReplacedOnce() throws Exception {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    Object[] all = {List.of(1, 2, 3), List.of("shared"), null, Map.of("k", List.of()), Set.of(1)};
    all[2] = all[1];
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      out.writeObject(all);
      out.writeObject(List.of(new Standing()));
    }
    try (ObjectInputStream in = Wire.open(bytes.toByteArray())) {
      Object[] copy = (Object[]) in.readObject();
      see("copy", copy);
      see("shared", copy[1] == copy[2]);
      see("standing", in.readObject());
    }
  }

  /** Is written as a list that the platform replaces in turn. */
  static class Standing implements Serializable {
    private Object writeReplace() {
      return List.of("in", "for", "it");
    }
  }

  @Test
  public void concurrentMaps() throws Exception {
    Object[] all = new Object[6];
    for (int i = 0; i < 4; i++) {
      Map<Object, Object> map = new ConcurrentHashMap<>();
      for (int entry = 0; entry < i * 10; entry++) {
        map.put(entry % 3 == 0 ? entry : "key " + entry, new Hashed(entry % 5));
      }
      all[i] = map;
    }
    all[4] = all[2];
    all[5] = "behind";
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      out.writeObject(all);
      out.writeObject(all[3]);
      out.reset();
      out.writeObject(all[3]);
      out.writeObject(all[3]);
    }
    try (ObjectInputStream in = Wire.open(bytes.toByteArray())) {
      Object[] copy = (Object[]) in.readObject();
      for (Object map : Arrays.copyOf(copy, 4, Map[].class)) {
        see("keys", new ArrayList<>(((Map<?, ?>) map).keySet()));
      }
      see("shared", copy[2] == copy[4]);
      see("behind", copy[5]);
      see("again", in.readObject() == copy[3]);
      Object second = in.readObject();
      see("after reset", second == copy[3]);
      see("twice", in.readObject() == second);
    }
  }

  /** Says when its hash is asked for. */
  static class Hashed implements Serializable {
    final int key;

    Hashed(int key) {
      this.key = key;
    }

    @Override
    public int hashCode() {
      event("hash of " + key);
      return key;
    }

    @Override
    public boolean equals(Object other) {
      return this == other;
    }
  }

  @Test
  public void treesAreNotCompared() throws Exception {
    for (int size : new int[] {0, 1, 2, 3, 10, 100}) {
      TreeMap<Object, Object> map = new TreeMap<>();
      TreeSet<Object> set = new TreeSet<>();
      for (int i = 0; i < size; i++) {
        map.put(new Compared(i), "v" + i);
        set.add(new Compared(-i));
      }
      event("-- copy " + size);
      TreeMap<Object, Object> mapCopy = Wire.copy(map);
      TreeSet<Object> setCopy = Wire.copy(set);
      event("-- look");
      see("map", new ArrayList<>(mapCopy.values()));
      see("set", setCopy.size());
      mapCopy.put(new Compared(50), "new");
      see("after", mapCopy.size() + " " + setCopy.contains(new Compared(-5)));
    }
  }

  /** Says when it is compared. */
  static class Compared implements Serializable, Comparable<Compared> {
    final int key;

    Compared(int key) {
      this.key = key;
    }

    @Override
    public int compareTo(Compared other) {
      event(key + " <> " + other.key);
      return Integer.compare(key, other.key);
    }
  }
}
