package io.karmi.uka.hostile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import io.karmi.uka.UkaObjectInputStream;
import io.karmi.uka.UkaObjectOutputStream;
import io.karmi.uka.UkaOptions;
import io.karmi.uka.buffer.InputBuffer;
import io.karmi.uka.buffer.OutputBuffer;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.Serializable;
import java.lang.management.ManagementFactory;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.LinkedList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Function;
import org.junit.Test;

/**
 * The memory that a message takes before its bytes have arrived: little whatever it claims, and all
 * that an honest one needs.
 */
public class MessageBudgetTest {
  private static final int LEVELS = 1500;

  /** Of the JVM and of the stream, and what is trusted once in a message. */
  private static final long FIXED_BYTES = 8 << 20;

  /** Of memory for each byte that has arrived. */
  private static final int FACTOR = 500;

  /** Puts a value first in a container of a given number of elements. */
  private interface Nesting {
    Object around(Object inner, int size);
  }

  private static final Map<String, Nesting> NESTINGS = nestings();

  private static Map<String, Nesting> nestings() {
    Map<String, Nesting> all = new LinkedHashMap<>();
    all.put(
        "Object[]",
        (inner, size) -> {
          Object[] array = new Object[size];
          array[0] = inner;
          return array;
        });
    all.put("ArrayList", (inner, size) -> fill(new ArrayList<>(), inner, size));
    all.put("LinkedList", (inner, size) -> fill(new LinkedList<>(), inner, size));
    all.put("ArrayDeque", (inner, size) -> fill(new ArrayDeque<>(), inner, size));
    all.put("LinkedHashSet", (inner, size) -> fill(new LinkedHashSet<>(), inner, size));
    all.put(
        "List.of",
        (inner, size) -> List.of(((Collection<?>) fill(new ArrayList<>(), inner, size)).toArray()));
    all.put("HashMap", (inner, size) -> fillMap(new HashMap<>(), inner, size));
    all.put("LinkedHashMap", (inner, size) -> fillMap(new LinkedHashMap<>(), inner, size));
    return all;
  }

  private static Object fill(Collection<Object> into, Object inner, int size) {
    into.add(inner);
    for (int i = 1; i < size; i++) {
      into.add("text " + i);
    }
    return into;
  }

  /* The key null comes first in each of them. */
  private static Object fillMap(Map<Object, Object> into, Object inner, int size) {
    into.put(null, inner);
    for (int i = 1; i < size; i++) {
      into.put("text " + i, null);
    }
    return into;
  }

  private static byte[] write(Object value, UkaOptions.Format format) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (UkaObjectOutputStream out = new UkaObjectOutputStream(bytes, new UkaOptions(format))) {
      out.writeObject(value);
    }
    return bytes.toByteArray();
  }

  private static byte[] writeEmbedded(Object value) throws IOException {
    OutputBuffer bytes = new OutputBuffer(256);
    new UkaObjectOutputStream(bytes).writeObject(value);
    return Arrays.copyOf(bytes.bytes, bytes.position);
  }

  /** Writes a value by itself, as a message of one format. */
  private interface Writing {
    byte[] write(Object value) throws IOException;
  }

  private static byte[] nested(Nesting nesting, int size, int levels, Writing writing)
      throws IOException {
    Object value = "the end";
    for (int i = 0; i < levels; i++) {
      value = nesting.around(value, size);
    }
    return writing.write(value);
  }

  /** The beginning of a message in which containers lie in each other, all of one size. */
  private static byte[] beginning(Nesting nesting, int size, Writing writing) throws IOException {
    byte[] four = nested(nesting, size, 4, writing);
    byte[] five = nested(nesting, size, 5, writing);
    int start = Arrays.mismatch(nested(nesting, size, 3, writing), four);
    int levelBytes = Arrays.mismatch(four, five) - start;
    byte[] bytes = Arrays.copyOf(four, start + LEVELS * levelBytes);
    for (int i = 0; i < LEVELS; i++) {
      System.arraycopy(four, start, bytes, start + i * levelBytes, levelBytes);
    }
    return bytes;
  }

  private static byte[] framed(byte[] message) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    bytes.writeBytes(new byte[] {'U', 'K', 'A', 1});
    int rest = message.length + 1_000_000; /* More is said to come. */
    for (; rest > 0x7F; rest >>>= 7) {
      bytes.write(rest | 0x80);
    }
    bytes.write(rest);
    bytes.writeBytes(message);
    return bytes.toByteArray();
  }

  private static long allocatedBytes(UkaObjectInputStream in) {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long before = threads.getCurrentThreadAllocatedBytes();
    /* As java.io's streams, those that fail within a block say that it has not been read. */
    assertThatThrownBy(in::readObject)
        .isInstanceOfAny(IOException.class, IllegalStateException.class);
    return threads.getCurrentThreadAllocatedBytes() - before;
  }

  /** Opens a stream of the message. */
  private interface Opening {
    UkaObjectInputStream open() throws IOException;
  }

  /**
   * In one of two readings: a first one was seen to allocate 25 MB once, for a reason not known.
   */
  private static void assertSmall(String what, byte[] bytes, Opening opening) throws IOException {
    long most = FIXED_BYTES + (long) FACTOR * bytes.length;
    long first = allocatedBytes(opening.open());
    long least = first < most ? first : allocatedBytes(opening.open());
    assertThat(least)
        .as("bytes allocated for %s, of a message of %d; %d at first", what, bytes.length, first)
        .isLessThan(most);
  }

  @Test
  public void sizesThatLieWithinEachOtherTakeLittleMemory() throws Exception {
    for (int size : new int[] {1000, 65_536}) {
      for (Map.Entry<String, Nesting> nesting : NESTINGS.entrySet()) {
        String what = nesting.getKey() + " of " + size;
        byte[] plain = beginning(nesting.getValue(), size, MessageBudgetTest::writeEmbedded);
        assertSmall(
            what + ", embedded",
            plain,
            () -> new UkaObjectInputStream(new InputBuffer(plain, 0, plain.length)));
        byte[] framed = framed(plain);
        assertSmall(
            what + ", framed",
            framed,
            () -> new UkaObjectInputStream(new ByteArrayInputStream(framed)));
        byte[] jdk =
            beginning(nesting.getValue(), size, value -> write(value, UkaOptions.Format.JDK));
        assertSmall(
            what + ", format of the JDK",
            jdk,
            () -> new UkaObjectInputStream(new ByteArrayInputStream(jdk)));
      }
    }
  }

  @Test
  public void bytesThatHaveArrivedCountOnce() throws Exception {
    Nesting arrays = NESTINGS.get("Object[]");
    int junkBytes = 1 << 20;
    byte[] lies = beginning(arrays, junkBytes, MessageBudgetTest::writeEmbedded);
    byte[] bytes = Arrays.copyOf(lies, lies.length + 2 * junkBytes);
    assertSmall(
        "arrays that all claim the same bytes",
        bytes,
        () -> new UkaObjectInputStream(new InputBuffer(bytes, 0, bytes.length)));
  }

  /** Refuses to be asked for more bytes than there are: that would be a wait without an end. */
  private static final class Exact extends InputStream {
    private final InputStream bytes;
    private final int mostAtOnce;

    Exact(byte[] bytes, int mostAtOnce) {
      this.bytes = new ByteArrayInputStream(bytes);
      this.mostAtOnce = mostAtOnce;
    }

    @Override
    public int read() throws IOException {
      int next = bytes.read();
      return next < 0 ? fail() : next;
    }

    @Override
    public int read(byte[] into, int offset, int length) throws IOException {
      int count = bytes.read(into, offset, Math.min(length, mostAtOnce));
      return count < 0 ? fail() : count;
    }

    private static int fail() {
      throw new AssertionError("waits for bytes that do not come");
    }
  }

  private static final class Holder implements Serializable {
    private static final long serialVersionUID = 1;
    Object[] values;
    Object other;
  }

  @Test
  public void honestGraphsAreReadWithoutWaitingForMore() throws Exception {
    for (int seed = 0; seed < 10; seed++) {
      try {
        Object value = new Graphs(new Random(seed)).next(0);
        byte[] uka = write(value, UkaOptions.Format.UKA);
        byte[] jdk = write(value, UkaOptions.Format.JDK);
        byte[] embedded = writeEmbedded(value);
        int pieces = seed % 3 == 0 ? 1000 : Integer.MAX_VALUE;
        assertSame(uka, read(new UkaObjectInputStream(new Exact(uka, pieces))));
        assertSame(uka, read(new UkaObjectInputStream(new Exact(jdk, pieces))));
        assertSame(uka, read(new UkaObjectInputStream(new ByteArrayInputStream(jdk))));
        assertSame(
            uka, read(new UkaObjectInputStream(new InputBuffer(embedded, 0, embedded.length))));
      } catch (AssertionError | IOException e) {
        throw new AssertionError("seed " + seed, e);
      }
    }
  }

  private static Object read(UkaObjectInputStream in) throws Exception {
    return in.readObject();
  }

  private static void assertSame(byte[] written, Object read) throws IOException {
    assertThat(Arrays.mismatch(write(read, UkaOptions.Format.UKA), written))
        .as("first byte that differs when the copy is written")
        .isEqualTo(-1);
  }

  /** Containers of all sizes within each other, and some far larger than what is trusted. */
  private static final class Graphs {
    private final Random random;
    private final List<Object> known = new ArrayList<>();
    private int left = 150_000;

    Graphs(Random random) {
      this.random = random;
    }

    Object next(int depth) {
      if (depth > 60 || left <= 0) {
        return leaf();
      }
      int size = (int) Math.min(left, Math.pow(10, random.nextDouble() * 5.2));
      left -= size;
      Object made =
          switch (random.nextInt(8)) {
            case 0 -> fill(new ArrayList<>(), size, depth);
            case 1 -> fill(new ArrayDeque<>(), size, depth, Graphs::notNull);
            case 2 -> fill(new LinkedList<>(), size, depth);
            case 3 -> map(new HashMap<>(), size, depth);
            case 4 -> map(new LinkedHashMap<>(), size, depth);
            case 5 -> holder(size, depth);
            default -> array(new Object[size], depth);
          };
      known.add(made);
      return made;
    }

    private static Object notNull(Object value) {
      return value == null ? "null" : value;
    }

    private Object leaf() {
      return switch (random.nextInt(5)) {
        case 0 -> null;
        case 1 -> random.nextInt();
        case 2 -> known.isEmpty() ? "none" : known.get(random.nextInt(known.size()));
        default -> "text " + random.nextInt(100);
      };
    }

    /** Mostly leaves of one kind in a row, so that there are runs, and some containers. */
    private Object element(int index, int kind, int depth, int containerAt) {
      if (index == containerAt || random.nextInt(3000) == 0) {
        return next(depth + 1);
      }
      return switch (kind) {
        case 0 -> null;
        case 1 -> index;
        case 2 -> known.isEmpty() ? null : known.get(0);
        case 3 -> random.nextInt(20) == 0 ? leaf() : (Object) (double) index;
        case 4 -> holder(random.nextInt(30), 100);
        default -> leaf();
      };
    }

    private Object[] array(Object[] into, int depth) {
      int kind = random.nextInt(7);
      int containerAt = into.length == 0 ? 0 : random.nextInt(into.length);
      for (int i = 0; i < into.length; i++) {
        into[i] = element(i, kind, depth, containerAt);
      }
      return into;
    }

    private Holder holder(int size, int depth) {
      Holder holder = new Holder();
      holder.values = new Object[size];
      if (depth < 100) {
        array(holder.values, depth);
        holder.other = next(depth + 1);
      }
      return holder;
    }

    private Object fill(Collection<Object> into, int size, int depth) {
      return fill(into, size, depth, Function.identity());
    }

    private Object fill(
        Collection<Object> into, int size, int depth, Function<Object, Object> mapping) {
      int kind = random.nextInt(7);
      int containerAt = random.nextInt(size);
      for (int i = 0; i < size; i++) {
        into.add(mapping.apply(element(i, kind, depth, containerAt)));
      }
      return into;
    }

    private Object map(Map<Object, Object> into, int size, int depth) {
      int kind = random.nextInt(7);
      int containerAt = random.nextInt(size);
      for (int i = 0; i < size / 2 + 1; i++) {
        into.put(kind % 2 == 0 ? (Object) i : "key " + i, element(i, kind, depth, containerAt));
      }
      return into;
    }
  }
}
