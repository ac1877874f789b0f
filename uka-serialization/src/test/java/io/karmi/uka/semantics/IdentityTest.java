package io.karmi.uka.semantics;

import static io.karmi.uka.differential.Observed.see;

import io.karmi.uka.differential.SameProgram;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.Test;
import org.junit.runner.RunWith;

/** What was the same object before is the same object afterwards, and no other is. */
@RunWith(SameProgram.class)
public class IdentityTest {

  static class Pair implements Serializable {
    Object left;
    Object right;

    Pair(Object left, Object right) {
      this.left = left;
      this.right = right;
    }
  }

  static class Hooked implements Serializable {
    transient Object hidden;
    Object shown;

    private void writeObject(ObjectOutputStream out) throws IOException {
      out.writeObject(hidden);
      out.defaultWriteObject();
    }

    private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
      hidden = in.readObject();
      in.defaultReadObject();
    }
  }

  private static String fresh(String text) {
    return new StringBuilder(text).toString();
  }

  @Test
  public void sharedObjectsStayShared() throws Exception {
    for (Object shared :
        new Object[] {
          fresh("string"),
          1,
          1L << 40,
          'c',
          1.5,
          new int[] {1},
          new Object[0],
          String.class,
          int.class,
          RoundingMode.UP,
          new Pair(1, 2),
          List.of(1, 2, 3),
          new ArrayList<>()
        }) {
      see("shared", Wire.copy(new Pair(shared, shared)));
    }
  }

  @Test
  public void equalButDistinctObjectsStayDistinct() throws Exception {
    see("strings", Wire.copy(new Pair(fresh("same"), fresh("same"))));
    see("numbers", Wire.copy(new Pair(Integer.valueOf(100_000), Integer.valueOf(100_000))));
    see("arrays", Wire.copy(new Pair(new int[] {1}, new int[] {1})));
    see("lists", Wire.copy(new Pair(new ArrayList<>(List.of(1)), new ArrayList<>(List.of(1)))));
  }

  @Test
  public void boxesAreNotThoseOfTheCache() throws Exception {
    see("integer is cached", Wire.copy(5) == (Object) Integer.valueOf(5));
    see("boolean is cached", Wire.copy(true) == (Object) Boolean.TRUE);
    see("character is cached", Wire.copy('a') == (Object) Character.valueOf('a'));
    see("string is interned", Wire.copy("literal") == (Object) "literal");
    see("empty string is interned", Wire.copy("") == (Object) "");
  }

  @Test
  public void constantsAreThoseOfTheirClass() throws Exception {
    see("enum", Wire.copy(RoundingMode.UP) == RoundingMode.UP);
    see("class", Wire.copy(Pair.class) == Pair.class);
  }

  @Test
  public void cyclesThroughFields() throws Exception {
    Pair self = new Pair(null, "end");
    self.left = self;
    see("self", Wire.copy(self));
    Pair first = new Pair(null, null);
    Pair second = new Pair(first, first);
    first.left = second;
    first.right = new Pair(second, first);
    see("ring", Wire.copy(first));
  }

  @Test
  public void cyclesThroughArrays() throws Exception {
    Object[] array = new Object[3];
    array[0] = array;
    array[1] = new Pair(array, array);
    array[2] = new Object[] {array[1], array};
    see("array", Wire.copy(array));
  }

  @Test
  public void cyclesThroughCollections() throws Exception {
    List<Object> list = new ArrayList<>();
    list.add("first");
    Map<Object, Object> map = new LinkedHashMap<>();
    map.put("list", list);
    map.put("pair", new Pair(list, map));
    list.add(map);
    Pair copy = Wire.copy(new Pair(list, map));
    List<?> copiedList = (List<?>) copy.left;
    Map<?, ?> copiedMap = (Map<?, ?>) copy.right;
    see("map in list", copiedList.get(1) == copiedMap);
    see("list in map", copiedMap.get("list") == copiedList);
    see("pair in map", ((Pair) copiedMap.get("pair")).right == copiedMap);
  }

  @Test
  public void cyclesThroughHooks() throws Exception {
    Hooked hooked = new Hooked();
    hooked.hidden = new Pair(hooked, "hidden");
    hooked.shown = new Object[] {hooked, hooked.hidden};
    see("hooked", Wire.copy(hooked));
  }

  @Test
  public void identityLastsForAllObjectsOfAStream() throws Exception {
    Pair pair = new Pair("a", "b");
    String text = fresh("text");
    Object[] read = Wire.read(Wire.write(pair, text, pair, new Pair(pair, text), text), 5);
    see("all", read);
  }

  @Test
  public void changedObjectIsNotSentAgain() throws Exception {
    Pair pair = new Pair(1, 2);
    byte[] bytes =
        Wire.writeBy(
            out -> {
              out.writeObject(pair);
              pair.left = 3;
              out.writeObject(pair);
              out.reset();
              out.writeObject(pair);
              out.reset();
              out.writeUnshared(pair);
            });
    see("after change", Wire.read(bytes, 4));
  }

  @Test
  public void manyObjectsKeepTheirIdentity() throws Exception {
    Object[] many = new Object[5000];
    for (int i = 0; i < many.length; i++) {
      many[i] = i % 3 == 0 ? fresh("s" + i) : i % 3 == 1 ? new Pair(many[i / 2], i) : many[i / 3];
    }
    Object[] copy = Wire.copy(many);
    Map<Object, Integer> firstOf = new java.util.IdentityHashMap<>();
    Map<Object, Integer> firstOfCopy = new java.util.IdentityHashMap<>();
    int[] shape = new int[many.length];
    int[] copiedShape = new int[many.length];
    for (int i = 0; i < many.length; i++) {
      shape[i] = many[i] == null ? -1 : firstOf.computeIfAbsent(many[i], k -> firstOf.size());
      copiedShape[i] =
          copy[i] == null ? -1 : firstOfCopy.computeIfAbsent(copy[i], k -> firstOfCopy.size());
    }
    see("same shape", Arrays.equals(shape, copiedShape));
    see("digest", Arrays.hashCode(copiedShape));
  }

  @Test
  public void equalKeysOfIdentityHashMapsStayDistinct() throws Exception {
    Map<Object, Object> map = new java.util.IdentityHashMap<>();
    map.put(fresh("key"), 1);
    map.put(fresh("key"), 1);
    see("size", Wire.copy((java.util.IdentityHashMap<?, ?>) map).size());
  }

  @Test
  public void valuesSharedBetweenCollectionsStayShared() throws Exception {
    Object value = fresh("value");
    Map<String, Object> map = new HashMap<>(Map.of("k", value));
    see("collections", Wire.copy(new Object[] {map, Arrays.asList(value, value), value}));
  }
}
