package io.karmi.benchmarks.serialization;

import io.karmi.benchmarks.payloads.Externalized;
import io.karmi.benchmarks.payloads.FourInts;
import io.karmi.benchmarks.payloads.Hooked;
import io.karmi.benchmarks.payloads.MediaContent;
import io.karmi.benchmarks.payloads.NumberArrays;
import io.karmi.benchmarks.payloads.Order;
import io.karmi.benchmarks.payloads.Pair;
import io.karmi.benchmarks.payloads.Point;
import io.karmi.benchmarks.payloads.ThirtyTwoInts;
import io.karmi.benchmarks.payloads.Tree;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;

/**
 * What is serialized: the paper's objects (section 6), Naos's, ZCOT's, and the kinds of class they
 * leave out.
 */
public enum SerializationPayload implements Specimen {
  INTS_32(() -> new ThirtyTwoInts(4711)),
  INTS_4(() -> new FourInts(4711)),
  TREE_15(() -> Tree.ofSize(15)),
  BYTES_50(() -> NumberArrays.bytes(50)),
  BYTES_20000(() -> NumberArrays.bytes(20000)),
  INTS_50(() -> NumberArrays.ints(50)),
  INTS_20000(() -> NumberArrays.ints(20000)),
  FLOATS_50(() -> NumberArrays.floats(50)),
  FLOATS_20000(() -> NumberArrays.floats(20000)),
  POINTS_1024(SerializationPayload::points),
  PAIRS_1024(SerializationPayload::pairs),
  MAP_1000(SerializationPayload::map),
  MEDIA(MediaContent::javaone),
  RECORD(() -> new Order(20_261_121L, name("customer ", 1), 3, 19.99, true, name("article ", 7))),
  STRINGS_100(SerializationPayload::strings),
  HOOKED(() -> new Hooked(42, name("hooked ", 3), 1L << 40)),
  EXTERNALIZABLE(() -> new Externalized(42, name("external ", 3), 1L << 40));

  private final Supplier<Object> factory;

  SerializationPayload(Supplier<Object> factory) {
    this.factory = factory;
  }

  @Override
  public Object create() {
    return factory.get();
  }

  /** Whether one round trip takes microseconds rather than nanoseconds. */
  public boolean isLarge() {
    return name().endsWith("000") || name().endsWith("1024");
  }

  @Override
  public boolean isEqualTo(Object result) {
    return Objects.deepEquals(create(), result);
  }

  private static Point[] points() {
    Point[] points = new Point[1024];
    Arrays.setAll(points, i -> new Point(i, -i * 0.5));
    return points;
  }

  private static Pair[] pairs() {
    Pair[] pairs = new Pair[1024];
    Arrays.setAll(pairs, Pair::new);
    return pairs;
  }

  private static Map<String, Integer> map() {
    Map<String, Integer> map = new HashMap<>();
    for (int i = 0; i < 1000; i++) {
      map.put(name("key ", i), i + 1000);
    }
    return map;
  }

  private static List<String> strings() {
    List<String> strings = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      strings.add(name("string number ", i));
    }
    return strings;
  }

  private static String name(String prefix, int number) {
    return prefix + number;
  }
}
