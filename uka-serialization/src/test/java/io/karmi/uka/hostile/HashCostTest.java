package io.karmi.uka.hostile;

import static io.karmi.uka.hostile.ObjectBytes.read;
import static io.karmi.uka.hostile.ObjectBytes.readByMethods;
import static io.karmi.uka.hostile.ObjectBytes.write;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.karmi.uka.UkaObjectInputStream;
import io.karmi.uka.UkaObjectOutputStream;
import io.karmi.uka.UkaOptions;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.InvalidObjectException;
import java.lang.management.ManagementFactory;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.AbstractMap.SimpleEntry;
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
import java.util.Vector;
import java.util.function.Supplier;
import org.junit.Test;

/** Collections whose hash takes exponential time, and honest ones that look like them. */
public class HashCostTest {
  /** A hash through this number of levels takes thousands of years. */
  private static final int LEVELS = 60;

  /** What the steps that a message may take need, in nanoseconds, if none of it is compiled yet. */
  private static final long MOST_NANOS = 30_000_000_000L;

  /* Levels are joined before they are filled: else making them would take as long. */
  private static Object sharedSets(int levels, Supplier<Collection<Object>> maker) {
    Collection<Object> root = maker.get();
    Collection<Object> one = root;
    Collection<Object> other = maker.get();
    for (int i = 0; i < levels; i++) {
      Collection<Object> nextOne = maker.get();
      Collection<Object> nextOther = maker.get();
      nextOne.add("one");
      for (Collection<Object> each : List.of(one, other)) {
        each.add(nextOne);
        each.add(nextOther);
      }
      one = nextOne;
      other = nextOther;
    }
    return root;
  }

  private static Object sharedMaps(int levels, Supplier<Map<Object, Object>> maker) {
    Map<Object, Object> root = maker.get();
    Map<Object, Object> one = root;
    Map<Object, Object> other = maker.get();
    for (int i = 0; i < levels; i++) {
      Map<Object, Object> nextOne = maker.get();
      Map<Object, Object> nextOther = maker.get();
      nextOne.put("one", "one");
      for (Map<Object, Object> each : List.of(one, other)) {
        each.put(nextOne, "value");
        each.put(nextOther, "value");
      }
      one = nextOne;
      other = nextOther;
    }
    return root;
  }

  private static Object sharedPairs(int levels, boolean entries) {
    Object pair = "end";
    for (int i = 0; i < levels; i++) {
      pair = entries ? new SimpleEntry<>(pair, pair) : Arrays.asList(pair, pair);
    }
    return pair;
  }

  private static void assertRefused(String what, Object value) throws Exception {
    for (UkaOptions.Format format : UkaOptions.Format.values()) {
      byte[] bytes = write(value, format);
      long start = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
      assertThatThrownBy(() -> read(bytes)).as(what).isInstanceOf(InvalidObjectException.class);
      assertThatThrownBy(() -> readByMethods(bytes))
          .as(what + " by the JDK's methods")
          .isInstanceOf(InvalidObjectException.class);
      long nanos = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - start;
      assertThat(nanos).as("processor time for two readings of " + what).isLessThan(MOST_NANOS);
    }
  }

  @Test
  public void setsThatShareTheirElementsAtEachLevelAreRefused() throws Exception {
    assertRefused("HashSet", sharedSets(LEVELS, HashSet::new));
    assertRefused("LinkedHashSet", sharedSets(LEVELS, LinkedHashSet::new));
    assertRefused("ArrayList", new Written(sharedLists(LEVELS)));
  }

  private static Object sharedLists(int levels) {
    Object list = "end";
    for (int i = 0; i < levels; i++) {
      list = new ArrayList<>(Arrays.asList(list, list));
    }
    return list;
  }

  /** Becomes a map with a key whose hash was not asked for. */
  private static final class Written implements java.io.Serializable {
    private static final long serialVersionUID = 1;
    private final Object element;

    Written(Object element) {
      this.element = element;
    }

    private Object writeReplace() {
      HashMap<Object, Object> map = new HashMap<>();
      Key key = new Key(element);
      map.put(key, "value");
      return map;
    }
  }

  /** Is replaced by what it holds. */
  private static final class Key implements java.io.Serializable {
    private static final long serialVersionUID = 1;
    private final Object value;

    Key(Object value) {
      this.value = value;
    }

    private Object writeReplace() {
      return value;
    }
  }

  @Test
  public void stepsOfOneMessageDoNotCountForTheNextOne() throws Exception {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    int messages = 16;
    try (UkaObjectOutputStream out = new UkaObjectOutputStream(bytes)) {
      for (int i = 0; i < messages; i++) {
        out.writeObject(sharedSets(19, HashSet::new));
        out.reset();
      }
    }
    try (UkaObjectInputStream in =
        new UkaObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
      for (int i = 0; i < messages; i++) {
        assertThat(in.readObject()).as("message " + i).isInstanceOf(HashSet.class);
      }
    }
  }

  @Test
  public void mapsAndPairsThatShareAreRefused() throws Exception {
    assertRefused("HashMap", sharedMaps(LEVELS, HashMap::new));
    assertRefused("LinkedHashMap", sharedMaps(LEVELS, LinkedHashMap::new));
    assertRefused("Hashtable", sharedMaps(LEVELS, Hashtable::new));
    assertRefused("entries", new Written(sharedPairs(LEVELS, true)));
    assertRefused("lists of arrays", new Written(sharedPairs(LEVELS, false)));
  }

  @Test
  public void numbersCountByTheirSizeWhereverTheyAreSharedFrom() throws Exception {
    BigInteger number = BigInteger.ONE.shiftLeft(4_000_000);
    BitSet bits = new BitSet();
    bits.set(4_000_000);
    for (Object large : List.of(number, new BigDecimal(number, 3), bits)) {
      Object list = new ArrayList<>(Collections.nCopies(50_000, large));
      assertRefused(large.getClass().getName(), new Written(list));
      assertThat(read(write(new HashSet<>(List.of(large)), UkaOptions.Format.UKA)))
          .isEqualTo(new HashSet<>(List.of(large)));
    }
  }

  /* Few elements are there when the first set is hashed, and the rest when the second one is. */
  private static Object grownBetween(Collection<Object> growing) {
    for (int i = 0; i < 65; i++) {
      growing.add("element " + i);
    }
    growing.add(new ArrayDeque<>(List.of(new HashSet<>(List.of(new Key(growing))))));
    growing.add(sharedLists(LEVELS));
    return new ArrayList<>(List.of(growing, new HashSet<>(List.of(new Key(growing)))));
  }

  @Test
  public void collectionsThatGrowAfterTheyWereHashedAreCountedAgain() throws Exception {
    assertRefused("LinkedList", grownBetween(new LinkedList<>()));
    Map<Object, Object> map = new LinkedHashMap<>();
    map.put("set", new ArrayDeque<>(List.of(new HashSet<>(List.of(new Key(map))))));
    map.put("bomb", sharedLists(LEVELS));
    assertRefused("map", new ArrayList<>(List.of(map, new HashSet<>(List.of(new Key(map))))));
  }

  /* A table within itself takes one step, and many from elsewhere. */
  @Test
  public void tablesThatContainThemselvesAreCountedFromEachSide() throws Exception {
    Hashtable<Object, Object> table = new Hashtable<>();
    Object within = new Vector<>(List.of(table));
    table.put("within", within);
    table.put("heavy", sharedLists(15));
    Object light = within;
    for (int i = 0; i < 30; i++) {
      light = new Vector<>(List.of(light, light));
    }
    assertRefused("table", new Written(new Vector<>(List.of(table, light))));
  }

  @Test
  public void partsThatAreNotHashedTakeNoSteps() throws Exception {
    Object bomb = new ArrayDeque<>(List.of(sharedLists(LEVELS)));
    HashSet<Object> honest = new HashSet<>(List.of(new ArrayList<>(List.of(bomb, bomb))));
    for (UkaOptions.Format format : UkaOptions.Format.values()) {
      assertThat((Collection<?>) read(write(honest, format))).hasSize(1);
      assertThat((Collection<?>) readByMethods(write(honest, format))).hasSize(1);
    }
  }

  @Test
  public void honestCollectionsWithinEachOtherAreRead() throws Exception {
    Object deep = "end";
    for (int i = 0; i < 60; i++) {
      deep = new HashSet<>(List.of(deep, "level " + i));
    }
    HashSet<Object> wide = new HashSet<>();
    for (int i = 0; i < 20_000; i++) {
      wide.add(List.of("a" + i, new HashSet<>(List.of(i, -1 - i))));
    }
    HashSet<Object> large = new HashSet<>();
    for (int i = 0; i < 100_000; i++) {
      large.add(i);
    }
    Map<Object, Object> ofLarge = new HashMap<>(Map.of(large, "set", List.of(large), "list"));
    assertThat(read(write(sharedSets(10, HashSet::new), UkaOptions.Format.UKA))).isNotNull();
    for (Object honest : List.of(deep, wide, ofLarge)) {
      for (UkaOptions.Format format : UkaOptions.Format.values()) {
        byte[] bytes = write(honest, format);
        assertThat(read(bytes).equals(honest)).isTrue();
        assertThat(readByMethods(bytes).equals(honest)).isTrue();
      }
    }
  }
}
