package io.karmi.uka;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputFilter;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.junit.runners.Parameterized;
import org.junit.runners.Parameterized.Parameters;

/** Entries of maps whose keys are strings go in one loop, and none is mistaken. */
@RunWith(Parameterized.class)
public class TextEntriesTest {
  private static final int ROUNDS = 300;

  /** More entries than get their handles together, and than room is prepared for. */
  private static final int MANY = 2500;

  private final UkaOptions options;
  private final Random random = new Random(4711);

  public TextEntriesTest(UkaOptions.Format format) {
    options = new UkaOptions(format);
  }

  @Parameters(name = "{0}")
  public static UkaOptions.Format[] formats() {
    return UkaOptions.Format.values();
  }

  /** Adds an entry to the map that it is a value of, when it is written. */
  private static final class Adder implements Serializable {
    private static final long serialVersionUID = 1;
    private final transient Map<String, Object> map;

    Adder(Map<String, Object> map) {
      this.map = map;
    }

    private void writeObject(ObjectOutputStream out) throws IOException {
      out.defaultWriteObject();
      map.put("added", 1);
    }
  }

  @SuppressWarnings("unchecked")
  private <T> T copy(T value, boolean filtered) throws Exception {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (UkaObjectOutputStream out = new UkaObjectOutputStream(bytes, options)) {
      out.writeObject(value);
    }
    ByteArrayInputStream from = new ByteArrayInputStream(bytes.toByteArray());
    try (UkaObjectInputStream in = new UkaObjectInputStream(from)) {
      if (filtered) {
        in.setObjectInputFilter(info -> ObjectInputFilter.Status.ALLOWED);
      }
      return (T) in.readObject();
    }
  }

  private String text() {
    return switch (random.nextInt(12)) {
      case 0 -> "";
      case 1 -> "x".repeat(random.nextInt(100));
      case 2 -> "x".repeat(46 + random.nextInt(3)) + random.nextInt(10);
      case 3 -> "\u0416" + random.nextInt(100);
      default -> "key " + random.nextInt(5000);
    };
  }

  private Object value(int kind) {
    return switch (kind) {
      case 0 -> random.nextInt();
      case 1 -> random.nextInt(200) - 100;
      case 2 -> random.nextLong() >> random.nextInt(64);
      case 3 -> Double.longBitsToDouble(random.nextLong());
      case 4 -> text();
      case 5 -> List.of(text());
      case 6 -> 'c';
      default -> value(random.nextInt(7));
    };
  }

  /** Maps that share keys and values with those before. */
  private List<Map<Object, Object>> maps() {
    List<Object> shared = new ArrayList<>();
    shared.add(null);
    List<Map<Object, Object>> maps = new ArrayList<>();
    for (int i = 0; i < 1 + random.nextInt(4); i++) {
      Map<Object, Object> map = random.nextBoolean() ? new HashMap<>() : new LinkedHashMap<>();
      int kind = random.nextInt(9);
      int size = random.nextInt(random.nextInt(10) == 0 ? MANY : 40);
      for (int j = 0; j < size; j++) {
        Object key = again(shared) ? shared.get(random.nextInt(shared.size())) : text();
        Object value = again(shared) ? shared.get(random.nextInt(shared.size())) : value(kind);
        map.put(key, value);
        if (random.nextInt(5) == 0) {
          shared.add(random.nextBoolean() ? key : value);
        }
      }
      maps.add(map);
    }
    return maps;
  }

  private boolean again(List<Object> shared) {
    return shared.size() > 1 && random.nextInt(20) == 0;
  }

  /** For each key and value the place where the same object was first. */
  private static List<Integer> places(
      List<Map<Object, Object>> order, List<Map<Object, Object>> maps) {
    IdentityHashMap<Object, Integer> first = new IdentityHashMap<>();
    List<Integer> places = new ArrayList<>();
    for (int i = 0; i < maps.size(); i++) {
      IdentityHashMap<Object, Object> keys = new IdentityHashMap<>();
      Map<Object, Object> byValue = new HashMap<>();
      for (Object key : maps.get(i).keySet()) {
        byValue.put(key, key);
      }
      for (Object key : order.get(i).keySet()) {
        Object own = byValue.get(key);
        keys.put(own, own);
        for (Object part : new Object[] {own, maps.get(i).get(key)}) {
          places.add(part == null ? -1 : first.computeIfAbsent(part, unused -> places.size()));
        }
      }
    }
    return places;
  }

  @Test
  public void mapsOfAnyPartsComeBackWithTheirIdentity() throws Exception {
    for (int i = 0; i < ROUNDS; i++) {
      List<Map<Object, Object>> maps = maps();
      List<Map<Object, Object>> read = copy(maps, i % 5 == 0);
      assertThat(read).isEqualTo(maps);
      assertThat(places(maps, read)).isEqualTo(places(maps, maps));
    }
  }

  @Test
  public void aMapThatOneOfItsValuesChangesIsReadWithTheEntriesBefore() throws Exception {
    Map<String, Object> map = new LinkedHashMap<>();
    for (int i = 0; i < 100; i++) {
      map.put("key " + i, i == 98 ? new Adder(map) : i);
    }
    map.remove("key 99");

    assertThat(copy(map, false)).hasSize(99).containsEntry("key 97", 97).containsKey("key 98");
  }
}
