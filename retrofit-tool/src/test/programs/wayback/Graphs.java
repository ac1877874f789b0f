package wayback;

import java.io.Externalizable;
import java.io.IOException;
import java.io.ObjectInput;
import java.io.ObjectInputStream;
import java.io.ObjectOutput;
import java.io.ObjectOutputStream;
import java.io.ObjectStreamField;
import java.io.Serializable;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Duration;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collections;
import java.util.Date;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedList;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/** Random graphs, the same for the same seed: whose bytes do not depend on hash codes of identity. */
final class Graphs {
  private static final int DEEPEST = 5;

  private final Random random;
  private final List<Object> made = new ArrayList<>();

  Graphs(Random random) {
    this.random = random;
  }

  enum Plain { ONE, TWO, THREE }

  enum WithBodies {
    LOUD { @Override String call() { return "!"; } },
    QUIET { @Override String call() { return "."; } };

    abstract String call();
  }

  record Pair(Object first, int[] second, String third) implements Serializable {}

  /** No serialVersionUID: it is computed, of the class as it is. */
  static class Node implements Serializable {
    final String name;
    int number;
    double weight;
    Object next;
    transient Object lost = "lost";
    private static int counter;

    Node(String name) {
      this.name = name;
    }
  }

  static class Leaf extends Node {
    private final long[] values;
    protected List<Object> all = new ArrayList<>();
    char sign = 'x';

    Leaf(String name, long... values) {
      super(name);
      this.values = values;
    }
  }

  static final class Hooks implements Serializable {
    private static final long serialVersionUID = 7;
    int kept;
    transient String custom;
    Object more;

    private void writeObject(ObjectOutputStream out) throws IOException {
      out.writeShort(3);
      out.defaultWriteObject();
      out.writeUTF(custom);
      out.writeObject(more);
      out.writeDouble(kept);
    }

    private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
      in.readShort();
      in.defaultReadObject();
      custom = in.readUTF();
      more = in.readObject();
      kept = (int) in.readDouble();
    }
  }

  static final class Fields implements Serializable {
    private static final long serialVersionUID = 8;
    private static final ObjectStreamField[] serialPersistentFields = {
      new ObjectStreamField("old", String.class), new ObjectStreamField("count", int.class)
    };
    private String now = "";
    private int count;

    private void writeObject(ObjectOutputStream out) throws IOException {
      ObjectOutputStream.PutField fields = out.putFields();
      fields.put("old", now);
      fields.put("count", count);
      out.writeFields();
    }

    private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
      ObjectInputStream.GetField fields = in.readFields();
      now = (String) fields.get("old", "none");
      count = fields.get("count", -1);
    }
  }

  /** Writes and reads itself. */
  public static final class Own implements Externalizable {
    String text = "";
    Object other;

    public Own() {}

    @Override
    public void writeExternal(ObjectOutput out) throws IOException {
      out.writeUTF(text);
      out.writeObject(other);
      out.write(new byte[] {1, 2, 3});
    }

    @Override
    public void readExternal(ObjectInput in) throws IOException, ClassNotFoundException {
      text = in.readUTF();
      other = in.readObject();
      in.readFully(new byte[3]);
    }
  }

  static final class Replaced implements Serializable {
    private final int key;

    Replaced(int key) {
      this.key = key;
    }

    private Object writeReplace() {
      return new StandIn(key * 2);
    }
  }

  static final class StandIn implements Serializable {
    private final int twice;

    StandIn(int twice) {
      this.twice = twice;
    }

    private Object readResolve() {
      return new Replaced(twice / 2);
    }
  }

  interface Called {
    Object call(Object argument);
  }

  static final class Handler implements InvocationHandler, Serializable {
    private final Object answer;

    Handler(Object answer) {
      this.answer = answer;
    }

    @Override
    public Object invoke(Object proxy, Method method, Object[] arguments) {
      return answer;
    }
  }

  private String text() {
    return switch (random.nextInt(5)) {
      case 0 -> "";
      case 1 -> "\u00e4\u20ac\uD83D\uDE00\u0000" + random.nextInt(9);
      case 2 -> "a long text ".repeat(random.nextInt(60));
      default -> "t" + random.nextInt(1000);
    };
  }

  Object any() {
    made.clear();
    return value(0);
  }

  private Object value(int depth) {
    if (!made.isEmpty() && random.nextInt(8) == 0) {
      return made.get(random.nextInt(made.size()));
    }
    Object value = depth > DEEPEST ? simple() : random.nextInt(3) == 0 ? simple() : whole(depth);
    if (value != null) {
      made.add(value);
    }
    return value;
  }

  private Object simple() {
    return switch (random.nextInt(22)) {
      case 0 -> null;
      case 1 -> random.nextInt();
      case 2 -> random.nextLong();
      case 3 -> random.nextDouble();
      case 4 -> (float) random.nextGaussian();
      case 5 -> (short) random.nextInt();
      case 6 -> (byte) random.nextInt();
      case 7 -> (char) random.nextInt();
      case 8 -> random.nextBoolean();
      case 9 -> new BigDecimal(new BigInteger(100, random), random.nextInt(30));
      case 10 -> new BigInteger(200, random).negate();
      case 11 -> LocalDate.ofEpochDay(random.nextInt(30_000));
      case 12 -> LocalDate.ofEpochDay(random.nextInt(30_000)).atTime(3, 4, 5, 6).atOffset(ZoneOffset.UTC);
      case 13 -> new UUID(random.nextLong(), random.nextLong());
      case 14 -> Plain.values()[random.nextInt(3)];
      case 15 -> WithBodies.values()[random.nextInt(2)];
      case 16 -> new Date(random.nextInt());
      case 17 -> Duration.ofNanos(random.nextLong());
      case 18 -> random.nextBoolean() ? Node.class : int[][].class;
      case 19 -> new AtomicLong(random.nextLong());
      default -> text();
    };
  }

  private Object whole(int depth) {
    return switch (random.nextInt(24)) {
      case 0 -> node(new Node(text()), depth);
      case 1 -> {
        Leaf leaf = new Leaf(text(), random.nextLong(), random.nextInt());
        made.add(leaf);
        node(leaf, depth);
        leaf.all.add(value(depth + 1));
        leaf.all.add(leaf);
        yield leaf;
      }
      case 2 -> {
        Hooks hooks = new Hooks();
        made.add(hooks);
        hooks.kept = random.nextInt(1000);
        hooks.custom = "c" + random.nextInt();
        hooks.more = value(depth + 1);
        yield hooks;
      }
      case 3 -> {
        Fields fields = new Fields();
        fields.now = text();
        fields.count = random.nextInt();
        yield fields;
      }
      case 4 -> {
        Own own = new Own();
        made.add(own);
        own.text = "o" + random.nextInt();
        own.other = value(depth + 1);
        yield own;
      }
      case 5 -> new Replaced(random.nextInt(1000));
      case 6 -> new Pair(value(depth + 1), random.ints(random.nextInt(5)).toArray(), text());
      case 7 ->
          Proxy.newProxyInstance(
              Graphs.class.getClassLoader(),
              new Class<?>[] {Called.class, Serializable.class},
              new Handler(value(depth + 1)));
      case 8 -> fill(new ArrayList<>(), depth);
      case 9 -> fill(new LinkedList<>(), depth);
      case 10 -> Collections.unmodifiableList(fill(new ArrayList<>(), depth));
      case 11 -> fill(new HashMap<>(), depth);
      case 12 -> fill(new LinkedHashMap<>(16, 0.75f, random.nextBoolean()), depth);
      case 13 -> fill(new TreeMap<>(), depth);
      case 14 -> fill(new ConcurrentHashMap<>(), depth);
      case 15 -> new HashSet<>(List.of(text(), random.nextInt(99) + 0.5, "z" + random.nextInt()));
      case 16 -> new ArrayDeque<>(List.of(text(), random.nextInt()));
      case 17 -> new PriorityQueue<>(List.of("p" + random.nextInt(), "q" + random.nextInt()));
      case 18 -> EnumSet.of(Plain.values()[random.nextInt(3)], Plain.THREE);
      case 19 -> {
        EnumMap<Plain, Object> map = new EnumMap<>(Plain.class);
        map.put(Plain.TWO, value(depth + 1));
        yield map;
      }
      case 20 -> BitSet.valueOf(new long[] {random.nextLong(), random.nextLong()});
      case 21 -> {
        Object[] array = new Object[random.nextInt(6)];
        made.add(array);
        Arrays.setAll(array, i -> value(depth + 1));
        yield array;
      }
      case 22 -> random.doubles(random.nextInt(600)).toArray();
      default -> List.of(text(), random.nextInt(), "l");
    };
  }

  private Node node(Node node, int depth) {
    made.add(node);
    node.number = random.nextInt();
    node.weight = random.nextDouble();
    node.next = value(depth + 1);
    return node;
  }

  private List<Object> fill(List<Object> list, int depth) {
    made.add(list);
    for (int i = random.nextInt(8); i > 0; i--) {
      list.add(value(depth + 1));
    }
    return list;
  }

  private Map<Object, Object> fill(Map<Object, Object> map, int depth) {
    for (int i = random.nextInt(8); i > 0; i--) {
      Object value = value(depth + 1);
      map.put("k" + random.nextInt(100), value == null ? "none" : value);
    }
    return map;
  }
}
