package io.karmi.exchange;

import java.io.Serializable;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.zip.CRC32C;

/** Random graphs of objects, the same for the same seed. */
final class Graphs {
  /** An object of a program, with references in circles. */
  static final class Node implements Serializable {
    private static final long serialVersionUID = 1;

    int number;
    String name;
    Node next;
    Object value;
  }

  private Graphs() {}

  /** A graph of about so many objects. */
  static ArrayList<Object> random(long seed, int objects) {
    Random random = new Random(seed);
    ArrayList<Object> all = new ArrayList<>();
    Node last = null;
    for (int i = 0; i < objects; i++) {
      Node node = new Node();
      node.number = random.nextInt();
      node.name = "node " + random.nextInt(50);
      node.next = last;
      node.value = value(random, all);
      all.add(node);
      if (i % 10 == 9) {
        last.next = node; // a circle
      }
      last = node;
    }
    return all;
  }

  private static Object value(Random random, List<Object> before) {
    return switch (random.nextInt(6)) {
      case 0 -> random.ints(random.nextInt(40)).toArray();
      case 1 -> new TreeMap<>(Map.of("a", random.nextLong(), "b", random.nextDouble()));
      case 2 -> new TreeMap<>(Map.of(random.nextInt(), "tree"));
      case 3 -> before.isEmpty() ? null : before.get(random.nextInt(before.size()));
      case 4 -> new HashMap<>(Map.of("list", List.of(1, 2L, 'c', 4f)));
      default -> Integer.toString(random.nextInt());
    };
  }

  /** The sum of the graph that a seed makes, as members print it. */
  static String sum(long seed, int objects) {
    return Long.toString(sum(random(seed, objects)));
  }

  /** Check sum of a graph's shape and values; strings and boxes count by their values alone. */
  static long sum(Object root) {
    StringBuilder text = new StringBuilder();
    describe(root, text, new IdentityHashMap<>());
    CRC32C sum = new CRC32C();
    sum.update(text.toString().getBytes(StandardCharsets.UTF_8));
    return sum.getValue();
  }

  private static void describe(Object each, StringBuilder to, Map<Object, Integer> known) {
    if (each == null
        || each instanceof String
        || each instanceof Number
        || each instanceof Character) {
      to.append(each).append(each == null ? "" : each.getClass().getName()).append(';');
      return;
    }
    Integer number = known.putIfAbsent(each, known.size());
    if (number != null) {
      to.append('#').append(number).append(';');
    } else if (each instanceof Node node) {
      to.append(node.number).append('(');
      describe(node.name, to, known);
      describe(node.next, to, known);
      describe(node.value, to, known);
      to.append(')');
    } else if (each instanceof int[] numbers) {
      to.append(Arrays.toString(numbers));
    } else if (each instanceof Map<?, ?> map) {
      map.forEach(
          (key, value) -> {
            describe(key, to, known);
            describe(value, to, known);
          });
    } else {
      to.append(each.getClass().getName());
      ((List<?>) each).forEach(element -> describe(element, to, known));
    }
  }
}
