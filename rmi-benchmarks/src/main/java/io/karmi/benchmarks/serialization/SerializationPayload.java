package io.karmi.benchmarks.serialization;

import io.karmi.benchmarks.payloads.CommonPayloads;
import io.karmi.benchmarks.payloads.Customer;
import io.karmi.benchmarks.payloads.Employee;
import io.karmi.benchmarks.payloads.Externalized;
import io.karmi.benchmarks.payloads.FourInts;
import io.karmi.benchmarks.payloads.Graph;
import io.karmi.benchmarks.payloads.Hooked;
import io.karmi.benchmarks.payloads.MediaContent;
import io.karmi.benchmarks.payloads.NumberArrays;
import io.karmi.benchmarks.payloads.Order;
import io.karmi.benchmarks.payloads.Pair;
import io.karmi.benchmarks.payloads.Point;
import io.karmi.benchmarks.payloads.ThirtyTwoInts;
import io.karmi.benchmarks.payloads.Tree;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedList;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/**
 * Payloads of the serialization benchmark: the paper's objects (section 6), Naos's, ZCOT's, and the
 * kinds of class they leave out; then, as a {@link Group} of their own, the collections that
 * programs send.
 */
public enum SerializationPayload {
  INTS_32(() -> new ThirtyTwoInts(4711)),
  INTS_4(() -> new FourInts(4711)),
  TREE_15(() -> Tree.ofSize(15)),
  BYTES_50(() -> NumberArrays.bytes(50)),
  BYTES_20000(() -> NumberArrays.bytes(20000)),
  INTS_50(() -> NumberArrays.ints(50)),
  INTS_20000(() -> NumberArrays.ints(20000)),
  FLOATS_50(() -> NumberArrays.floats(50)),
  FLOATS_20000(() -> NumberArrays.floats(20000)),
  POINTS_1024(() -> Point.many(1024)),
  PAIRS_1024(() -> Pair.many(1024)),
  MAP_1000(() -> CommonPayloads.keys(1000)),
  MEDIA(MediaContent::javaone),
  RECORD(() -> new Order(20_261_121L, name("customer ", 1), 3, 19.99, true, name("article ", 7))),
  STRINGS_100(() -> CommonPayloads.list(100, i -> name("string number ", i))),
  HOOKED(() -> new Hooked(42, name("hooked ", 3), 1L << 40)),
  EXTERNALIZABLE(() -> new Externalized(42, name("external ", 3), 1L << 40)),

  CUSTOMERS_100(Group.COMMON, () -> CommonPayloads.list(100, Customer::new)),
  INTEGERS_1000(Group.COMMON, () -> CommonPayloads.list(1000, i -> 1000 + i)),
  LONGS_1000(Group.COMMON, () -> CommonPayloads.list(1000, i -> i * 100_000L)),
  DOUBLES_1000(Group.COMMON, () -> CommonPayloads.list(1000, i -> i * 0.1)),
  DATES_100(Group.COMMON, CommonPayloads::dates),
  LOCAL_DATES_100(Group.COMMON, CommonPayloads::localDates),
  DECIMALS_100(Group.COMMON, CommonPayloads::decimals),
  UUIDS_100(Group.COMMON, CommonPayloads::uuids),
  CONSTANTS_100(Group.COMMON, CommonPayloads::constants),
  RECORDS_100(Group.COMMON, CommonPayloads::records),
  SUBCLASSES_100(Group.COMMON, () -> CommonPayloads.list(100, Employee::new)),
  CYRILLIC_100(Group.COMMON, CommonPayloads::cyrillic),
  STRING_ARRAY_100(Group.COMMON, CommonPayloads::stringArray),
  LINKED_LIST_100(Group.COMMON, () -> new LinkedList<>(CommonPayloads.elements())),
  HASH_SET_100(Group.COMMON, () -> new HashSet<>(CommonPayloads.elements())),
  TREE_MAP_100(Group.COMMON, () -> CommonPayloads.numbers(new TreeMap<>())),
  LINKED_HASH_MAP_100(Group.COMMON, () -> CommonPayloads.texts(new LinkedHashMap<>())),
  CONCURRENT_MAP_100(Group.COMMON, () -> CommonPayloads.texts(new ConcurrentHashMap<>())),
  IMMUTABLE_LIST(Group.COMMON, CommonPayloads::immutableList),
  GRAPH_200(Group.COMMON, () -> new Graph(200));

  /** Payloads that are measured together: a geometric mean is one of a group. */
  public enum Group {
    /** The papers' and the kinds of class they leave out. */
    PAPERS,
    /** Collections of what programs send each other. */
    COMMON;

    Set<SerializationPayload> payloads() {
      Set<SerializationPayload> payloads = EnumSet.allOf(SerializationPayload.class);
      payloads.removeIf(payload -> payload.group != this);
      return payloads;
    }
  }

  private final Group group;
  private final Supplier<Object> factory;

  SerializationPayload(Supplier<Object> factory) {
    this(Group.PAPERS, factory);
  }

  SerializationPayload(Group group, Supplier<Object> factory) {
    this.group = group;
    this.factory = factory;
  }

  /** Payloads by name on the command line: those of a group, or a single one. */
  static Map<String, Set<SerializationPayload>> byName() {
    Map<String, Set<SerializationPayload>> byName = new LinkedHashMap<>();
    for (Group group : Group.values()) {
      byName.put(group.name(), group.payloads());
    }
    for (SerializationPayload payload : values()) {
      byName.put(payload.name(), EnumSet.of(payload));
    }
    return byName;
  }

  /** A fresh object, equal to every other that this payload makes. */
  public Object create() {
    return factory.get();
  }

  /** Whether one round trip takes microseconds rather than nanoseconds. */
  public boolean isLarge() {
    return name().endsWith("000") || name().endsWith("1024");
  }

  /**
   * Whether {@code result} is what {@link #create} makes; arrays by content. A list of another
   * class would be equal, but is not what was sent.
   */
  public boolean isEqualTo(Object result) {
    Object original = create();
    return result != null
        && original.getClass() == result.getClass()
        && Objects.deepEquals(original, result);
  }

  private static String name(String prefix, int number) {
    return prefix + number;
  }
}
