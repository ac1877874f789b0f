package io.karmi.uka.hostile;

import static io.karmi.uka.hostile.ObjectBytes.assertBytesRefused;
import static io.karmi.uka.hostile.ObjectBytes.assertRefused;
import static io.karmi.uka.hostile.ObjectBytes.read;
import static io.karmi.uka.hostile.ObjectBytes.write;
import static org.assertj.core.api.Assertions.assertThat;

import io.karmi.uka.UkaObjectInputStream;
import io.karmi.uka.UkaObjectOutputStream;
import io.karmi.uka.UkaOptions;
import io.karmi.uka.buffer.InputBuffer;
import io.karmi.uka.buffer.OutputBuffer;
import java.io.IOException;
import java.io.Serializable;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.URI;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.Test;

/** Long values to which a message refers again and again, and honest ones. */
public class ContentCostTest {
  private static final int MANY = 100_000;

  /** Is written as the serial form of an {@code EnumSet}, whose array others may have, too. */
  private static final class FormOfSet implements Serializable {
    static final String NAME = "java.util.EnumSet$SerializationProxy";

    private static final long serialVersionUID = 1;
    final Class<?> elementType = Thread.State.class;
    final Enum<?>[] elements;

    FormOfSet(Enum<?>[] elements) {
      this.elements = elements;
    }
  }

  /** Becomes the element of a set, whose hash was not asked for. */
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

  private static byte[] writeForms(Object value) throws IOException {
    return ObjectBytes.writeAs(Map.of(FormOfSet.class, FormOfSet.NAME), value);
  }

  private static BigDecimal decimal(int bytes, int scale) {
    return new BigDecimal(BigInteger.ONE.shiftLeft(Byte.SIZE * bytes), scale);
  }

  /** A collection whose elements are two values in turn. */
  private static List<Object> inTurn(Object one, Object other, int count) {
    List<Object> all = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      all.add(i % 2 == 0 ? one : other);
    }
    return all;
  }

  @Test
  public void queueOfTwoLongDecimalsInTurnIsRefused() throws Exception {
    BigDecimal large = decimal(10_000, 0);
    BigDecimal small = new BigDecimal(BigInteger.ONE, 1 - large.precision());
    assertRefused(new PriorityQueue<>(inTurn(large, small, 600)));
  }

  @Test
  public void longStringsAsElementsOfQueueAreRefused() throws Exception {
    String text = "a".repeat(1 << 16);
    assertRefused(new PriorityQueue<>(inTurn(text, new String(text), 20_000)));
  }

  @Test
  public void longStringsAsKeysInTurnAreRefused() throws Exception {
    String text = "a".repeat(1 << 16);
    Set<Key> keys = new HashSet<>();
    for (Object each : inTurn(text, new String(text), 20_000)) {
      keys.add(new Key(each));
    }
    assertRefused(keys);
  }

  @Test
  public void longValuesInElementsInTurnAreRefused() throws Exception {
    String text = "a:/" + "b".repeat(1 << 16);
    URI one = URI.create(text);
    URI other = URI.create(new String(text));
    assertRefused(new PriorityQueue<>(inTurn(one, other, 20_000)));
    Set<Key> keys = new HashSet<>();
    for (Object each : inTurn(one, other, 20_000)) {
      keys.add(new Key(each));
    }
    assertRefused(keys);
  }

  @Test
  public void keysWithLongStringsInThemInTurnAreRefused() throws Exception {
    String text = "a".repeat(1 << 16);
    Set<Key> keys = new HashSet<>();
    for (Object each : inTurn(List.of(text), List.of(new String(text)), 20_000)) {
      keys.add(new Key(each));
    }
    assertRefused(keys);
  }

  @Test
  public void serialFormsThatShareLongArrayAreRefused() throws Exception {
    Enum<?>[] elements = new Enum<?>[1 << 16];
    Arrays.fill(elements, Thread.State.NEW);
    Object[] forms = new Object[12_000];
    Arrays.setAll(forms, i -> new FormOfSet(elements));
    assertBytesRefused(writeForms(forms));
    assertThat((Object[]) read(writeForms(Arrays.copyOf(forms, 100))))
        .allSatisfy(each -> assertThat((Set<?>) each).hasSize(1));
  }

  @Test
  public void sourceIsAskedWhileObjectsCopyLongString() throws Exception {
    String text = "a:/" + "b".repeat(1 << 16);
    Object[] copies = new Object[200];
    Arrays.setAll(copies, i -> URI.create(text));
    OutputBuffer out = new OutputBuffer(256);
    new UkaObjectOutputStream(out).writeObject(copies);
    int[] looks = new int[1];
    InputBuffer in =
        new InputBuffer(out.bytes, 0, out.position) {
          @Override
          public void grow(long nextBytes) {
            looks[0]++;
          }
        };
    assertThat((Object[]) new UkaObjectInputStream(in).readObject()).isEqualTo(copies);
    assertThat(looks[0]).as("looks at the memory").isGreaterThan(copies.length / 2);
  }

  @Test
  public void honestValuesAreRead() throws Exception {
    String text = "b".repeat(1_000);
    String page = "c".repeat(1 << 20);
    Map<String, Object> honest = new LinkedHashMap<>();
    honest.put("list of one long string", Collections.nCopies(MANY, page).toArray());
    honest.put("map to one string", map(text));
    honest.put("places of one string", inTurn(URI.create("a:" + text), text, MANY));
    honest.put("queue of strings", new PriorityQueue<>(texts(MANY)));
    honest.put("sorted strings", new ConcurrentSkipListSet<>(texts(MANY)));
    honest.put("set of a long string", new HashSet<>(List.of(page)));
    honest.put("queue of long decimals", new PriorityQueue<>(List.of(decimal(1 << 16, 3))));
    honest.put("queue of decimals", new PriorityQueue<>(inTurn(decimal(100, 1), text, 1)));
    honest.put("text that is built", new StringBuilder(page));
    for (Map.Entry<String, Object> each : honest.entrySet()) {
      for (UkaOptions.Format format : UkaOptions.Format.values()) {
        Object found = read(write(each.getValue(), format));
        assertThat(sized(found)).as(each.getKey()).isEqualTo(sized(each.getValue()));
      }
    }
  }

  private static Map<String, String> map(String value) {
    Map<String, String> map = new HashMap<>();
    texts(MANY).forEach(each -> map.put(each, value));
    return map;
  }

  private static List<String> texts(int count) {
    return IntStream.range(0, count)
        .mapToObj(i -> "a text of some length, such as a key may have, " + i)
        .collect(Collectors.toList());
  }

  private static int sized(Object value) {
    return value instanceof Collection<?> all
        ? all.size()
        : value instanceof Map<?, ?> map ? map.size() : value.toString().length() > 0 ? 1 : 0;
  }
}
