package realcode;

import com.google.common.collect.HashBasedTable;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSortedSet;
import com.google.common.collect.LinkedHashMultimap;
import com.google.common.collect.TreeMultiset;
import com.google.common.hash.BloomFilter;
import com.google.common.hash.Funnels;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.commons.collections4.bag.TreeBag;
import org.apache.commons.collections4.bidimap.DualHashBidiMap;
import org.apache.commons.collections4.list.CursorableLinkedList;
import org.apache.commons.collections4.map.LRUMap;
import org.apache.commons.collections4.map.ListOrderedMap;
import org.apache.commons.collections4.map.MultiKeyMap;
import org.apache.commons.collections4.queue.CircularFifoQueue;
import org.apache.commons.collections4.trie.PatriciaTrie;
import org.apache.commons.lang3.SerializationException;
import org.apache.commons.lang3.SerializationUtils;
import org.apache.commons.lang3.tuple.ImmutablePair;
import org.springframework.core.serializer.DefaultDeserializer;
import org.springframework.core.serializer.DefaultSerializer;
import org.springframework.core.serializer.support.DeserializingConverter;
import org.springframework.core.serializer.support.SerializationFailedException;
import org.springframework.core.serializer.support.SerializingConverter;

final class Libraries {
  private Libraries() {}

  static Object collections(Path directory) throws Exception {
    MultiKeyMap<String, Integer> keys = new MultiKeyMap<>();
    keys.put("a", "b", 1);
    LRUMap<String, Order> recent = new LRUMap<>(2);
    recent.put("x", Order.sample());
    recent.put("y", null);
    List<Object> all =
        List.of(
            new TreeBag<>(List.of("b", "a", "b")),
            new DualHashBidiMap<>(Map.of("k", 7)),
            new CursorableLinkedList<>(List.of(3, 1, 2)),
            recent,
            ListOrderedMap.listOrderedMap(new java.util.HashMap<>(Map.of("only", 1))),
            keys,
            new CircularFifoQueue<>(List.of(1, 2)),
            new PatriciaTrie<>(Map.of("deep", 1, "deeper", 2)));
    List<Object> copies = new ArrayList<>();
    for (Object each : all) {
      Object copy = copy(each);
      copies.add((copy + "").replaceAll("\\s+", " ") + (copy.equals(each) ? "=" : "~"));
    }
    return copies;
  }

  private static Object copy(Object object) throws Exception {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      out.writeObject(object);
    }
    try (ObjectInputStream in =
        new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
      return in.readObject();
    }
  }

  static Object lang(Path directory) {
    Order order = Order.sample();
    Order clone = SerializationUtils.clone(order);
    String failure;
    try {
      failure = "" + SerializationUtils.clone(new ArrayList<>(List.of(new Thread("not so"))));
    } catch (SerializationException e) {
      failure = e.getCause() + "";
    }
    Object pair = SerializationUtils.roundtrip(ImmutablePair.of("left", clone));
    return clone + " " + clone.isWhole() + " " + clone.equals(order) + " " + failure + " " + pair;
  }

  static Object guava(Path directory) throws Exception {
    LinkedHashMultimap<String, Integer> multimap = LinkedHashMultimap.create();
    multimap.put("a", 2);
    multimap.put("a", 1);
    HashBasedTable<String, String, Order> table = HashBasedTable.create();
    table.put("row", "column", Order.sample());
    BloomFilter<CharSequence> bloom =
        BloomFilter.create(Funnels.stringFunnel(StandardCharsets.UTF_8), 100);
    bloom.put("present");
    @SuppressWarnings("unchecked")
    BloomFilter<CharSequence> copy = (BloomFilter<CharSequence>) copy(bloom);
    return copy(
            List.of(
                ImmutableList.of(1, Order.sample()),
                ImmutableMap.of("one", 1, "two", 2),
                ImmutableSortedSet.reverseOrder().add("x", "y").build(),
                multimap,
                table,
                TreeMultiset.create(List.of("b", "a", "b"))))
        + " "
        + copy.equals(bloom)
        + copy.mightContain("present");
  }

  static Object spring(Path directory) throws Exception {
    byte[] bytes = new DefaultSerializer().serializeToByteArray(Order.sample());
    Object read = new DefaultDeserializer().deserialize(new ByteArrayInputStream(bytes));
    Object converted =
        new DeserializingConverter().convert(new SerializingConverter().convert(Order.sample()));
    String failure;
    try {
      failure = "" + new SerializingConverter().convert(new Thread("not so")).length;
    } catch (SerializationFailedException e) {
      failure = e.getMostSpecificCause().toString();
    }
    return read + " " + converted.equals(read) + " " + failure;
  }
}
