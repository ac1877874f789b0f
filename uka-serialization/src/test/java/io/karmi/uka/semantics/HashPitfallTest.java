package io.karmi.uka.semantics;

import static io.karmi.uka.differential.Observed.attempt;
import static io.karmi.uka.differential.Observed.event;
import static io.karmi.uka.differential.Observed.see;

import io.karmi.uka.differential.SameProgram;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Hashtable;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.Test;
import org.junit.runner.RunWith;

/**
 * Elements that are hashed or compared while they are still being read: the known pitfall, with the
 * same outcome.
 */
@RunWith(SameProgram.class)
public class HashPitfallTest {

  static class Element implements Serializable, Comparable<Element> {
    Object owner;
    Integer key;

    Element(Integer key) {
      this.key = key;
    }

    @Override
    public int hashCode() {
      event("hashCode with " + key);
      return key == null ? -1 : key;
    }

    @Override
    public boolean equals(Object other) {
      event("equals " + key);
      return other instanceof Element element && element.key.equals(key);
    }

    @Override
    public int compareTo(Element other) {
      event("compare " + key + " with " + other.key);
      return Integer.compare(key, other.key);
    }
  }

  private static Element inItsOwn(Set<Object> set) {
    Element element = new Element(5);
    set.add(element);
    set.add(new Element(6));
    element.owner = set;
    return element;
  }

  @Test
  public void elementReadBeforeItsSet() throws Exception {
    for (Set<Object> set :
        List.of(new HashSet<>(), new LinkedHashSet<>(), ConcurrentHashMap.newKeySet())) {
      Element element = inItsOwn(set);
      event("-- copy");
      Element copy =
          attempt("size", () -> Wire.copy(element).key) == null ? null : Wire.copy(element);
      event("-- look");
      see("found", ((Set<?>) copy.owner).contains(copy));
      see("size", ((Set<?>) copy.owner).size());
    }
  }

  @Test
  public void setReadBeforeItsElement() throws Exception {
    Set<Object> set = new HashSet<>();
    inItsOwn(set);
    event("-- copy");
    Set<Object> copy = Wire.copy(set);
    event("-- look");
    see("found", copy.contains(copy.iterator().next()));
  }

  @Test
  public void sortedSetOfElementsStillBeingRead() {
    Set<Object> set = new TreeSet<>();
    Element element = inItsOwn(set);
    event("-- copy");
    attempt("copy", () -> Wire.copy(element).key);
  }

  @Test
  public void mapsWhoseKeysHoldThem() throws Exception {
    for (Map<Object, Object> map : List.of(new HashMap<>(), new Hashtable<>(), new TreeMap<>())) {
      Element key = new Element(9);
      map.put(key, "value");
      key.owner = map;
      event("-- copy");
      attempt(
          "copy",
          () -> {
            Element copy = Wire.copy(key);
            event("-- look");
            return ((Map<?, ?>) copy.owner).get(copy);
          });
    }
  }

  @Test
  public void mapThatContainsItself() throws Exception {
    Map<Object, Object> map = new HashMap<>();
    map.put("self", map);
    see("self", ((Map<?, ?>) Wire.copy(map).get("self")).size());
    List<Object> list = new ArrayList<>();
    list.add(list);
    List<Object> copy = Wire.copy(list);
    see("list", copy.get(0) == copy);
    Set<Object> set = new HashSet<>();
    set.add("x");
    Object[] array = {set, null};
    array[1] = array;
    see("array", Wire.copy(array));
  }

  /** Counts how often its hash is asked: maps hash each key once on reading. */
  static class Counted implements Serializable {
    int number;

    Counted(int number) {
      this.number = number;
    }

    private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
      in.defaultReadObject();
      event("read " + number);
    }

    @Override
    public int hashCode() {
      event("hash " + number);
      return number;
    }

    @Override
    public boolean equals(Object other) {
      event("equals " + number);
      return other == this;
    }
  }

  @Test
  public void keysAreHashedAsOftenAndInTheSameOrder() throws Exception {
    Map<Object, Object> map = new HashMap<>();
    Map<Object, Object> ordered = new java.util.LinkedHashMap<>();
    for (int i = 0; i < 5; i++) {
      map.put(new Counted(i * 17), new Counted(i));
      ordered.put(new Counted(3), i);
    }
    event("-- write");
    byte[] bytes = Wire.write(map, ordered, new HashSet<>(map.keySet()), Map.copyOf(map).size());
    event("-- read");
    Wire.read(bytes, 4);
  }
}
