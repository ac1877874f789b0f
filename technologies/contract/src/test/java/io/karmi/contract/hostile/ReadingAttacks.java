package io.karmi.contract.hostile;

import io.karmi.uka.UkaObjectOutputStream;
import io.karmi.uka.UkaOptions;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.Serializable;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.sql.Timestamp;
import java.text.SimpleDateFormat;
import java.util.AbstractMap.SimpleImmutableEntry;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.GregorianCalendar;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Properties;
import java.util.Random;
import java.util.Stack;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.LinkedBlockingDeque;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.PriorityBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.locks.ReentrantLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.management.Attribute;
import javax.management.AttributeList;

/**
 * Objects in UKA's format that take a reader's thread, or its processor, while they are read. What
 * the JDK's own format lets them do is in docs/hostile-bytes.md.
 */
final class ReadingAttacks {
  private static final int STREAM_HEADER_BYTES = 4;
  private static final int MOST_LEVELS = 40;
  private static final String LOCKS = "java.util.concurrent.locks.";

  /** A class, or a level of one, by its name. */
  private static final Pattern NAME = Pattern.compile("java\\.[a-z.]+[A-Z][A-Za-z$]+");

  private ReadingAttacks() {}

  static List<Attack> all() {
    return List.of(
        new Attack("objects that park or sleep while they are read", ReadingAttacks::stayAway),
        new Attack("messages that park or sleep while they are read", ReadingAttacks::keepHandlers),
        new Attack("queues whose locks are held", ReadingAttacks::holdLocks),
        new Attack("objects of the JDK without one of their levels", ReadingAttacks::leaveOut),
        new Attack("hashes of objects of the JDK that share others", ReadingAttacks::hash),
        new Attack("comparators of the JDK that share others", ReadingAttacks::compare));
  }

  private static byte[] slow(Target target) {
    Class<?> type = target.random().nextBoolean() ? Besieged.Parked.class : Besieged.Asleep.class;
    return Forged.object(type.getName(), 1).toArray();
  }

  /** Half of the senders leave at once. */
  private static void stayAway(Target target) throws IOException {
    for (int i = target.between(1, 30); i > 0; i--) {
      RawPeer peer = target.introduced();
      peer.frame(
          RawPeer.CALL, peer.request(target.object(), Target.ECHO).raw(slow(target)).toArray());
      if (target.random().nextBoolean()) {
        peer.close();
      }
    }
  }

  private static void keepHandlers(Target target) throws IOException {
    for (int i = target.between(1, 4); i > 0; i--) {
      RawPeer peer = Attacks.keyed(target);
      for (int lane = target.between(0, 15); lane >= 0; lane--) {
        Attacks.sendFrame(peer, lane, target.between(0, 1), slow(target));
      }
    }
  }

  private static void holdLocks(Target target) throws IOException {
    List<Object> held =
        List.of(
            new LinkedBlockingQueue<>(List.of("a")),
            new LinkedBlockingDeque<>(List.of("a")),
            new ArrayBlockingQueue<>(3, true, List.of("a")),
            new PriorityBlockingQueue<>(List.of("a")));
    String[] levels = {"ReentrantLock$Sync", "ReentrantLock$NonfairSync", "ReentrantLock$FairSync"};
    for (int i = target.between(1, 20); i > 0; i--) {
      Object queue = held.get(target.random().nextInt(held.size()));
      String level = LOCKS + levels[target.random().nextInt(levels.length)];
      send(target, queue, bytes -> bytes.replace(level, level.replace("Sync", "Absn")));
    }
  }

  private static void leaveOut(Target target) throws IOException {
    for (int i = target.between(1, 20); i > 0; i--) {
      send(target, some(target.random()), bytes -> withoutOneName(bytes, target.random()));
    }
  }

  private static Object some(Random random) {
    Properties properties = new Properties();
    properties.setProperty("a", "b");
    Stack<Object> stack = new Stack<>();
    stack.push(properties);
    Object[] all = {
      properties,
      stack,
      new LinkedHashMap<>(Map.of("a", "b")),
      new TreeMap<>(Map.of("a", "b")),
      new ConcurrentHashMap<>(Map.of("a", "b")),
      new Timestamp(1),
      new GregorianCalendar(),
      new SimpleDateFormat("yyyy", Locale.ROOT),
      new BigDecimal("1.5"),
      BitSet.valueOf(new long[] {5}),
      new ReentrantLock(),
      new ReentrantReadWriteLock(true),
      new Semaphore(3),
      new AttributeList(List.of(new Attribute("a", stack)))
    };
    return all[random.nextInt(all.length)];
  }

  /** An absent class in place of one that is described. */
  private static String withoutOneName(String bytes, Random random) {
    List<String> names = new ArrayList<>();
    for (Matcher found = NAME.matcher(bytes); found.find(); ) {
      names.add(found.group());
    }
    if (names.isEmpty()) {
      return bytes;
    }
    String name = names.get(random.nextInt(names.size()));
    return bytes.replace(name, name.substring(0, name.length() - 1) + 'q');
  }

  /** A set whose only element refers twice to one that refers twice to the next, and so on. */
  private static void hash(Target target) throws IOException {
    for (int i = target.between(1, 8); i > 0; i--) {
      List<Object> first = new ArrayList<>();
      Object inner = "end";
      for (int level = target.between(4, MOST_LEVELS); level > 0; level--) {
        inner = twice(inner, target.random());
      }
      Object whole = target.random().nextBoolean() ? set(first) : map(first);
      first.add(inner); // not hashed here
      send(target, whole, bytes -> bytes);
    }
  }

  private static Object set(Object element) {
    return new HashSet<>(List.of(element));
  }

  private static Object map(Object key) {
    return new HashMap<>(Map.of(key, "value"));
  }

  private static Object twice(Object inner, Random random) {
    return switch (random.nextInt(4)) {
      case 0 -> new ArrayList<>(Arrays.asList(inner, inner));
      case 1 -> new SimpleImmutableEntry<>(inner, inner);
      case 2 -> List.of(inner, inner);
      default -> new Attribute("a", Arrays.asList(inner, inner));
    };
  }

  /** A comparator that asks the next one twice, and so on, about strings that are equal to it. */
  private static void compare(Target target) throws IOException {
    for (int i = target.between(1, 8); i > 0; i--) {
      Comparator<String> shared = String.CASE_INSENSITIVE_ORDER;
      for (int level = target.between(4, MOST_LEVELS); level > 0; level--) {
        Comparator<String> other =
            target.random().nextBoolean() ? shared : Collections.reverseOrder(shared);
        shared = Comparator.nullsFirst(other.thenComparing(shared));
      }
      send(target, ordered(new Sent(shared), target.random()), bytes -> bytes);
    }
  }

  private static Object ordered(Sent comparator, Random random) {
    List<String> elements = List.of("a", "A", "b", "B");
    Collection<String> all =
        switch (random.nextInt(4)) {
          case 0 -> new PriorityQueue<>(comparator);
          case 1 -> new PriorityBlockingQueue<>(elements.size(), comparator);
          case 2 -> new ConcurrentSkipListSet<>(comparator);
          default -> new TreeSet<>(comparator);
        };
    all.addAll(elements);
    return all;
  }

  /** Orders strings quickly, and is another comparator where it is received. */
  private static final class Sent implements Comparator<String>, Serializable {
    private static final long serialVersionUID = 1;
    private final transient Object as;

    Sent(Object as) {
      this.as = as;
    }

    @Override
    public int compare(String one, String other) {
      return one.compareTo(other);
    }

    private Object writeReplace() {
      return as;
    }
  }

  /** What is done to the bytes of an object, one character for each. */
  private interface Forgery {
    String of(String bytes);
  }

  private static void send(Target target, Object object, Forgery forgery) throws IOException {
    String forged = forgery.of(new String(inUka(object), StandardCharsets.ISO_8859_1));
    byte[] sent = forged.getBytes(StandardCharsets.ISO_8859_1);
    if (target.random().nextInt(3) == 0) {
      Attacks.sendFrame(Attacks.keyed(target), target.between(0, 15), target.between(0, 1), sent);
      return;
    }
    RawPeer peer = target.introduced();
    byte[] call = peer.request(target.object(), Target.ECHO).raw(sent).toArray();
    peer.frame(RawPeer.CALL, call);
  }

  /** The body of the only frame (1.2): header and length are those of a stream, not of a call. */
  private static byte[] inUka(Object object) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    UkaOptions options = new UkaOptions(UkaOptions.Format.UKA);
    try (UkaObjectOutputStream out = new UkaObjectOutputStream(bytes, options)) {
      out.writeObject(object);
    }
    byte[] all = bytes.toByteArray();
    int from = STREAM_HEADER_BYTES;
    while (all[from] < 0) {
      from++;
    }
    return Arrays.copyOfRange(all, from + 1, all.length);
  }
}
