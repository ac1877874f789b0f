package io.karmi.uka.hostile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.karmi.uka.ConnectionInputStream;
import io.karmi.uka.UkaObjectOutputStream;
import io.karmi.uka.UkaOptions;
import io.karmi.uka.buffer.InputBuffer;
import io.karmi.uka.buffer.OutputBuffer;
import java.io.IOException;
import java.io.InvalidObjectException;
import java.io.Serializable;
import java.util.AbstractMap.SimpleEntry;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Hashtable;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.IntFunction;
import org.junit.After;
import org.junit.Test;

/** Tables of keys that all have the same hash, and honest ones of which many have. */
public class KeyCollisionsTest {
  private static final int MANY = 20_000;

  /** Steps that are allowed to a host of connections at once, and fewer: a test is to end soon. */
  private static final long ALLOWED = 1 << 25;

  private static final long FEW = 1 << 20;

  /** Whether all keys have the same hash: not yet when they are written, as that takes as long. */
  private static boolean collide;

  private static final class Key implements Serializable {
    private static final long serialVersionUID = 1;
    private final int number;

    Key(int number) {
      this.number = number;
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Key key && key.number == number;
    }

    @Override
    public int hashCode() {
      return collide ? 7 : number;
    }
  }

  private static final class OwnMap extends HashMap<Object, Object> {
    private static final long serialVersionUID = 1;
  }

  /** Bytes of a peer. */
  private static final class OfPeer extends InputBuffer {
    private long left;
    private long largestGrowth;

    OfPeer(byte[] bytes, long allowed) {
      super(bytes, 0, bytes.length);
      left = allowed;
    }

    @Override
    public void grow(long nextBytes) {
      largestGrowth = Math.max(largestGrowth, nextBytes);
    }

    @Override
    public boolean boundsWork() {
      return true;
    }

    @Override
    public void work(long more) throws InvalidObjectException {
      left -= more;
      if (left < 0) {
        throw new InvalidObjectException("too many steps for a peer");
      }
    }
  }

  @After
  public void hashApart() {
    collide = false;
  }

  private static void fill(Map<Object, Object> map, int count, IntFunction<Object> key) {
    for (int i = 0; i < count; i++) {
      map.put(key.apply(i), "value");
    }
  }

  private static List<Object> keys(int count, IntFunction<Object> key) {
    List<Object> keys = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      keys.add(key.apply(i));
    }
    return keys;
  }

  private static byte[] write(Object value) throws IOException {
    OutputBuffer buffer = new OutputBuffer(1 << 12);
    UkaObjectOutputStream out = new UkaObjectOutputStream(buffer);
    out.writeObject(value);
    out.flush();
    return Arrays.copyOf(buffer.bytes, buffer.position);
  }

  private static Object readOfPeer(byte[] bytes, long allowed) throws Exception {
    return new ConnectionInputStream(new OfPeer(bytes, allowed)).readObject();
  }

  private static void assertRefused(Object value) throws Exception {
    byte[] bytes = write(value);
    collide = true;
    assertThatThrownBy(() -> readOfPeer(bytes, FEW))
        .as("%s", value.getClass())
        .isInstanceOf(InvalidObjectException.class)
        .hasMessage("too many steps for a peer");
    collide = false;
  }

  private static void assertRead(Object value) throws Exception {
    Object read = readOfPeer(write(value), ALLOWED);
    assertThat(sizeOf(read)).as("%s", value.getClass()).isEqualTo(sizeOf(value));
  }

  private static int sizeOf(Object table) {
    return table instanceof Map<?, ?> map ? map.size() : ((Set<?>) table).size();
  }

  @Test
  public void tablesOfAPeersKeysOfOneHashAreRefused() throws Exception {
    for (Map<Object, Object> map :
        List.of(
            new HashMap<Object, Object>(),
            new LinkedHashMap<Object, Object>(),
            new Hashtable<Object, Object>(),
            new ConcurrentHashMap<Object, Object>(),
            new OwnMap())) {
      fill(map, MANY, Key::new);
      assertRefused(map);
    }
    List<Object> keys = keys(MANY, Key::new);
    assertRefused(new HashSet<>(keys));
    assertRefused(new LinkedHashSet<>(keys));
  }

  /** What a program reads by itself is read as in any JVM, however long it takes. */
  @Test
  public void aProgramReadsSuchATableOfItsOwn() throws Exception {
    byte[] bytes = ObjectBytes.write(new HashSet<>(keys(2_000, Key::new)), UkaOptions.Format.UKA);
    collide = true;
    assertThat((Set<?>) ObjectBytes.read(bytes)).hasSize(2_000);
  }

  /** Their codec reads them, or where it has no access, as from JDK 24 on, their own method. */
  @Test
  public void setsAndMapsOfManyKeysInOnePlaceAreRefused() throws Exception {
    assertRefused(Set.copyOf(keys(2 * MANY, Key::new)));
    Map<Object, Object> map = new HashMap<>();
    fill(map, 2 * MANY, Key::new);
    assertRefused(Map.copyOf(map));
  }

  /** Two places for an element, four bytes each. */
  @Test
  public void memoryToCountElementsOfASetIsChargedBeforeItIsTaken() throws Exception {
    OfPeer source = new OfPeer(write(Set.copyOf(keys(MANY, i -> i))), ALLOWED);
    assertThat((Set<?>) new ConnectionInputStream(source).readObject()).hasSize(MANY);
    assertThat(source.largestGrowth).isEqualTo(8L * MANY);
  }

  /** Strings compare themselves; beside others a tree does not order them. */
  @Test
  public void keysOfSeveralClassesAreRefused() throws Exception {
    Map<Object, Object> map = new LinkedHashMap<>();
    fill(map, 1_000, i -> "key " + i);
    for (int i = 0; i < MANY; i++) {
      map.put("" + i, "value");
      map.put(new Key(i), "value");
    }
    assertRefused(map);
  }

  /** Strings of one hash; a {@code Hashtable} has no trees. */
  @Test
  public void stringsOfOneHashAreRefusedAsKeysOfAHashtable() throws Exception {
    Map<Object, Object> map = new HashMap<>();
    for (int i = 0; i < 1 << 12; i++) {
      StringBuilder text = new StringBuilder();
      for (int bit = 0; bit < 12; bit++) {
        text.append((i >> bit & 1) == 0 ? "Aa" : "BB");
      }
      map.put(text.toString(), "value");
    }
    assertRead(map);
    assertRefused(new Hashtable<>(map));
  }

  /** Pairs of small numbers: 20,000 have 256 hashes. */
  @Test
  public void honestKeysOfFewHashesAreRead() throws Exception {
    List<Object> packed = keys(20_000, i -> (long) (i / 200) << 32 | i % 200);
    List<Object> entries = keys(20_000, i -> new SimpleEntry<>(i / 200, i % 200));
    List<Object> mixed = new ArrayList<>(packed.subList(0, 10_000));
    mixed.addAll(entries);
    Map<Object, Object> map = new HashMap<>();
    fill(map, 20_000, packed::get);
    for (Object table : List.of(new HashSet<>(entries), new HashSet<>(mixed), map)) {
      assertRead(table);
    }
    assertRead(Set.copyOf(packed));
  }

  @Test
  public void manyHonestKeysThatDoNotCompareThemselvesAreRead() throws Exception {
    assertRead(new HashSet<>(keys(300_000, i -> List.of(i, "text"))));
  }

  /** Values, and keys that compare themselves, are not compared with each other. */
  @Test
  public void equalValuesAndOrderedKeysOfOneHashAreRead() throws Exception {
    for (Map<Object, Object> map :
        List.of(
            new HashMap<Object, Object>(),
            new OwnMap(),
            new Hashtable<Object, Object>(),
            new ConcurrentHashMap<Object, Object>())) {
      for (int i = 0; i < MANY; i++) {
        map.put("key " + i, List.of("value"));
      }
      assertRead(map);
    }
    assertRead(new HashSet<>(keys(MANY, i -> (long) i << 32 | i)));
  }
}
