package io.karmi.uka.hostile;

import static io.karmi.uka.hostile.ObjectBytes.assertRefused;
import static io.karmi.uka.hostile.ObjectBytes.read;
import static io.karmi.uka.hostile.ObjectBytes.readByMethods;
import static io.karmi.uka.hostile.ObjectBytes.write;
import static org.assertj.core.api.Assertions.assertThat;

import io.karmi.uka.UkaObjectInputStream;
import io.karmi.uka.UkaObjectOutputStream;
import io.karmi.uka.UkaOptions;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.PriorityBlockingQueue;
import java.util.function.Function;
import org.junit.Test;

/** Comparators that take exponential time for one comparison, and honest ones. */
public class ComparatorCostTest {
  /** A comparison of equal elements through this number of levels takes hours. */
  private static final int LEVELS = 40;

  private static final int MANY = 100_000;

  private static Comparator<String> shared(int levels) {
    Comparator<String> shared = String.CASE_INSENSITIVE_ORDER;
    for (int i = 0; i < levels; i++) {
      shared = shared.thenComparing(shared);
    }
    return shared;
  }

  /** Orders strings naturally, and is written as another comparator. */
  private static final class Written implements Comparator<String>, Serializable {
    private static final long serialVersionUID = 1;
    private final transient Object as;

    Written(Object as) {
      this.as = as;
    }

    @Override
    public int compare(String one, String other) {
      return one.compareTo(other);
    }

    private Object writeReplace() {
      return as;
    }
  }

  /** Becomes the key of a map, whose hash was not asked for. */
  private static final class Key implements Serializable {
    private static final long serialVersionUID = 1;
    private final transient Object value;

    Key(Object value) {
      this.value = value;
    }

    private Object writeReplace() {
      return value;
    }
  }

  private static <C extends Collection<String>> C filled(C collection) {
    Collections.addAll(collection, "a", "A", "b", "B", "c", "C");
    return collection;
  }

  private static <M extends Map<String, Object>> M filledMap(M map) {
    filled(new ArrayList<>()).forEach(key -> map.put(key, "value"));
    return map;
  }

  private static void assertCollectionsRefused(String what, Object comparator) throws IOException {
    Written written = new Written(comparator);
    assertRefused(what + " of a queue", filled(new PriorityQueue<>(written)));
    assertRefused(what + " of a blocking queue", filled(new PriorityBlockingQueue<>(9, written)));
    assertRefused(what + " of a concurrent map", filledMap(new ConcurrentSkipListMap<>(written)));
    assertRefused(what + " of a concurrent set", filled(new ConcurrentSkipListSet<>(written)));
    assertRefused(what + " of a map", filledMap(new TreeMap<>(written)));
    assertRefused(what + " of a set", filled(new TreeSet<>(written)));
  }

  @Test
  public void collectionsOfComparatorsThatShareOthersAtEachLevelAreRefused() throws Exception {
    assertCollectionsRefused("comparator", shared(LEVELS));
  }

  @Test
  public void comparatorsThatShareOthersAreRefusedWithoutACollection() throws Exception {
    assertRefused("comparator", shared(LEVELS));
    assertRefused("in an array", new Object[] {"a", shared(LEVELS), "b"});
    assertRefused("reversed", Collections.reverseOrder(shared(LEVELS)));
  }

  @Test
  public void comparatorsAroundOthersCountWithThem() throws Exception {
    Comparator<String> comparator = String.CASE_INSENSITIVE_ORDER;
    for (int i = 0; i < LEVELS; i++) {
      Comparator<String> twice = comparator.thenComparing(Collections.reverseOrder(comparator));
      comparator = Comparator.nullsFirst(twice);
    }
    assertCollectionsRefused("comparator", comparator);
    Comparator<Map.Entry<String, String>> entries = Map.Entry.comparingByKey(shared(LEVELS));
    assertRefused("comparator of entries", entries);
    assertRefused(
        "comparator of a part",
        Comparator.comparing(
            (Function<Object, String> & Serializable) String::valueOf, comparator));
  }

  /* Each has a comparator that is within the limits of a message if one comparison is made. */
  @Test
  public void comparisonsCountForEachElement() throws Exception {
    List<String> elements = new ArrayList<>();
    for (int i = 0; i < MANY; i++) {
      elements.add("element " + i);
    }
    Written written = new Written(shared(12));
    PriorityQueue<String> queue = new PriorityQueue<>(written);
    queue.addAll(elements);
    assertRefused("queue", queue);
    ConcurrentSkipListSet<String> set = new ConcurrentSkipListSet<>(written);
    set.addAll(elements);
    assertRefused("set", set);
  }

  /* To go through a part of a map compares keys. */
  @Test
  public void hashesOfPartsOfSortedMapsCountTheirComparisons() throws Exception {
    TreeMap<String, Object> map = new TreeMap<>(new Written(shared(20)));
    map.put("a", "value");
    Object[] parts = new Object[1000];
    for (int i = 0; i < parts.length; i++) {
      parts[i] = new Key(map.subMap("a", "b"));
    }
    Map<Object, Object> keys = new HashMap<>();
    for (Object part : parts) {
      keys.put(part, "value");
    }
    assertRefused("map of parts", keys);
  }

  private static Comparator<String> chain(int length) {
    Comparator<String> chain = String.CASE_INSENSITIVE_ORDER;
    for (int i = 1; i < length; i++) {
      int at = i;
      chain =
          chain.thenComparing(
              (Function<String, Integer> & Serializable) text -> text.length() % at);
    }
    return chain.thenComparing(Comparator.<String>naturalOrder());
  }

  private static void assertRead(Object value) throws Exception {
    for (UkaOptions.Format format : UkaOptions.Format.values()) {
      byte[] bytes = write(value, format);
      assertThat(elements(read(bytes))).isEqualTo(elements(value));
      assertThat(elements(readByMethods(bytes))).isEqualTo(elements(value));
    }
  }

  private static Object elements(Object value) {
    if (value instanceof Queue<?> queue) {
      return new ArrayList<>(new TreeSet<>(queue));
    }
    return value instanceof Map<?, ?> map
        ? new ArrayList<>(map.keySet())
        : new ArrayList<>((Collection<?>) value);
  }

  @Test
  public void honestComparatorsOverManyElementsAreRead() throws Exception {
    Comparator<String> chain = Collections.reverseOrder(Comparator.nullsLast(chain(5)));
    List<String> elements = new ArrayList<>();
    for (int i = 0; i < MANY; i++) {
      elements.add("element " + i);
    }
    PriorityQueue<String> queue = new PriorityQueue<>(chain);
    queue.addAll(elements);
    ConcurrentSkipListSet<String> set = new ConcurrentSkipListSet<>(chain);
    set.addAll(elements);
    for (Object honest : List.of(queue, set)) {
      assertThat((Collection<?>) read(write(honest, UkaOptions.Format.UKA))).hasSize(MANY);
    }
    TreeMap<String, Object> map = new TreeMap<>(chain(25));
    elements.subList(0, MANY / 10).forEach(element -> map.put(element, element));
    TreeSet<String> tree = new TreeSet<>(map.navigableKeySet());
    for (Object honest : List.of(map, tree)) {
      assertRead(honest);
    }
  }

  @Test
  public void honestComparatorsOfManyPartsAreRead() throws Exception {
    assertRead(filled(new TreeSet<>(chain(500))));
    assertRead(filled(new PriorityQueue<>(chain(500))));
    List<Object> many = new ArrayList<>();
    for (int i = 0; i < 300; i++) {
      many.add(filled(new PriorityQueue<>(chain(5))));
    }
    assertThat((List<?>) read(write(many, UkaOptions.Format.UKA))).hasSize(300);
  }

  @Test
  public void whatOneMessageOrdersDoesNotCountForTheNextOne() throws Exception {
    Comparator<Integer> chain = Comparator.naturalOrder();
    for (int i = 0; i < 10_000; i++) {
      chain = Comparator.nullsFirst(chain);
    }
    List<Set<Integer>> sets = new ArrayList<>();
    for (int i = 0; i < 1_000; i++) {
      sets.add(new TreeSet<>(Set.of(i)));
    }
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    UkaObjectOutputStream out = new UkaObjectOutputStream(bytes);
    out.writeObject(new TreeSet<>(chain));
    out.resetObjects();
    out.writeObject(new HashSet<>(sets));
    out.close();
    UkaObjectInputStream in =
        new UkaObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()));
    assertThat((Set<?>) in.readObject()).isEmpty();
    in.resetObjects();
    assertThat((Set<?>) in.readObject()).hasSize(sets.size());
  }

  @Test
  public void lambdaWhoseFormLacksCapturedValuesIsReadAsByTheJdk() throws Exception {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      out.writeObject((Comparator<String> & Serializable) String::compareTo);
    }
    byte[] lacking =
        bytes
            .toString(StandardCharsets.ISO_8859_1)
            .replace("capturedArgs", "capturedNone")
            .getBytes(StandardCharsets.ISO_8859_1);
    try (ObjectInputStream jdk = new ObjectInputStream(new ByteArrayInputStream(lacking));
        ObjectInputStream uka = new UkaObjectInputStream(new ByteArrayInputStream(lacking))) {
      assertThat(jdk.readObject()).isInstanceOf(Comparator.class);
      assertThat(uka.readObject()).isInstanceOf(Comparator.class);
    }
  }
}
