package io.karmi.marshal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import io.karmi.id.NodeId;
import io.karmi.uka.buffer.InputBuffer;
import io.karmi.uka.buffer.OutputBuffer;
import java.io.InvalidClassException;
import java.io.ObjectInputFilter;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Hashtable;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.PriorityQueue;
import java.util.TreeMap;
import java.util.Vector;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.junit.Test;

/** Calls in the JDK's own format: what is believed of a message before it has come. */
public class JdkFormatTest {
  private static final long OBJECT_ARRAY_VERSION = 0x90CE589F1073296CL;
  private static final long LONG_ARRAY_VERSION = 0x782004B512B17593L;

  private final InputBuffer got = new InputBuffer(new byte[0], 0, 0);

  private static PlainTranslation classes() {
    return new PlainTranslation(JdkFormatTest.class.getClassLoader());
  }

  private @Nullable Object read(byte[] message, int length, @Nullable ObjectInputFilter filter)
      throws Exception {
    CallInput in = new CallInput(got, new JdkFormat(), classes());
    got.bytes = message;
    got.position = 0;
    got.limit = length;
    in.beginMessage();
    in.readFor(JdkFormatTest.class.getClassLoader(), filter);
    Object read = in.readObject();
    in.endMessage();
    return read;
  }

  private @Nullable Object sent(Object object, @Nullable ObjectInputFilter filter)
      throws Exception {
    OutputBuffer buffer = new OutputBuffer(64);
    CallOutput out = new CallOutput(buffer, new JdkFormat(), classes(), NodeId.random());
    out.writeObject(object);
    out.endMessage();
    return read(buffer.bytes, buffer.position, filter);
  }

  private static Map<Object, Object> filled(Map<Object, Object> map, int size) {
    for (int i = 0; i < size; i++) {
      map.put("k" + i, (byte) i);
    }
    return map;
  }

  private static List<Object> collections(int size) {
    List<String> texts = new ArrayList<>();
    for (int i = 0; i < size; i++) {
      texts.add("t" + i);
    }
    List<Object> all = new ArrayList<>();
    all.add(filled(new HashMap<>(), size));
    all.add(filled(new HashMap<>(16, 0.25f), size));
    all.add(filled(new LinkedHashMap<>(), size));
    all.add(filled(new Hashtable<>(), size));
    all.add(filled(new IdentityHashMap<>(), size));
    all.add(filled(new TreeMap<>(), size));
    all.add(new HashSet<>(texts));
    all.add(new ArrayList<>(Collections.nCopies(size, null)));
    all.add(new ArrayDeque<>(texts));
    all.add(new PriorityQueue<>(texts));
    all.add(new Vector<>(texts));
    all.add(new CopyOnWriteArrayList<>(texts));
    all.add(List.copyOf(texts));
    return all;
  }

  @Test
  public void whatHasComeIsRead() throws Exception {
    for (int size : new int[] {0, 1, 2, 3, 10, 100, 1000, 20_000}) {
      for (Object each : collections(size)) {
        Object read = sent(each, null);
        assertThat(read).isInstanceOf(each.getClass());
        assertThat(elements(read)).isEqualTo(elements(each));
      }
      assertThat((Object[]) sent(new Object[size], null)).hasSize(size);
      assertThat((long[]) sent(new long[size], null)).hasSize(size);
      assertThat((int[][]) sent(new int[size][1], null)).hasDimensions(size, 1);
      assertThat((byte[]) sent(new byte[size], null)).hasSize(size);
    }
  }

  /** As text, in an order that does not depend on where they are. */
  private static List<String> elements(@Nullable Object of) {
    Collection<?> all = of instanceof Map<?, ?> map ? map.entrySet() : (Collection<?>) of;
    List<String> texts = new ArrayList<>();
    for (Object each : Objects.requireNonNull(all)) {
      texts.add(String.valueOf(each));
    }
    Collections.sort(texts);
    return texts;
  }

  /** The beginning of a message of arrays in arrays, each as long as it says. */
  private static byte[] arrays(String name, long version, int levels, int length, int behind) {
    ByteBuffer bytes = ByteBuffer.allocate(200 + 10 * levels + behind);
    bytes.putInt(0xACED0005).put((byte) 0x75).put((byte) 0x72);
    bytes.putShort((short) name.length()).put(name.getBytes(StandardCharsets.US_ASCII));
    bytes.putLong(version).put((byte) 2).putShort((short) 0).put((byte) 0x78).put((byte) 0x70);
    bytes.putInt(length);
    for (int i = 1; i < levels; i++) {
      bytes.put((byte) 0x75).put((byte) 0x71).putInt(0x7E0000).putInt(length);
    }
    bytes.position(bytes.position() + behind);
    byte[] message = new byte[bytes.position()];
    bytes.flip().get(message);
    for (int i = message.length - behind; i < message.length; i++) {
      message[i] = 0x70; // null
    }
    return message;
  }

  private Exception problem(byte[] message) {
    try {
      throw new AssertionError("read: " + read(message, message.length, null));
    } catch (Exception e) {
      return e;
    }
  }

  private void assertRefusedAtOnce(byte[] message) {
    problem(message); // classes are loaded
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long thread = Thread.currentThread().getId();
    long before = threads.getThreadAllocatedBytes(thread);
    Exception problem = problem(message);
    long taken = threads.getThreadAllocatedBytes(thread) - before;
    assertThat(problem).isInstanceOf(InvalidClassException.class).hasMessageContaining("REJECTED");
    assertThat(taken)
        .as("bytes taken for a message of " + message.length)
        .isLessThan(16L * message.length + (1 << 20));
  }

  @Test
  public void arraysThatHaveNotComeAreNotMade() {
    assertRefusedAtOnce(arrays("[Ljava.lang.Object;", OBJECT_ARRAY_VERSION, 1, 1 << 24, 1000));
    assertRefusedAtOnce(arrays("[J", LONG_ARRAY_VERSION, 1, Integer.MAX_VALUE / 2, 1000));
  }

  @Test
  public void arraysInArraysAreNotMadeForTheSameBytes() {
    assertRefusedAtOnce(arrays("[Ljava.lang.Object;", OBJECT_ARRAY_VERSION, 500, 1 << 16, 1 << 17));
  }

  @Test
  public void filtersOfTheProgramAreAsked() {
    ObjectInputFilter noLists = ObjectInputFilter.Config.createFilter("!java.util.ArrayList;*");
    assertThatThrownBy(() -> sent(new ArrayList<>(List.of("text")), noLists))
        .isInstanceOf(InvalidClassException.class)
        .hasMessageContaining("REJECTED");
  }
}
