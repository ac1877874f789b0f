package io.karmi.uka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.karmi.uka.buffer.InputBuffer;
import io.karmi.uka.buffer.OutputBuffer;
import java.io.ByteArrayOutputStream;
import java.io.Externalizable;
import java.io.IOException;
import java.io.InvalidClassException;
import java.io.ObjectInput;
import java.io.ObjectInputFilter;
import java.io.ObjectInputStream;
import java.io.ObjectOutput;
import java.io.ObjectOutputStream;
import java.io.ObjectStreamClass;
import java.io.Serializable;
import java.lang.reflect.Proxy;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Duration;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Date;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.LinkedList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.junit.Test;

/** Messages of an embedded stream that cannot be read, between others that can. */
public class SkippedMessagesTest {
  private final OutputBuffer sent = new OutputBuffer(16);
  private final UkaObjectOutputStream out;
  private final InputBuffer received = new InputBuffer(new byte[0], 0, 0);
  private final Choosy in;

  public SkippedMessagesTest() throws IOException {
    out = new UkaObjectOutputStream(sent);
    in = new Choosy(received);
  }

  /** Has classes that are missing, and a filter for each message. */
  private static final class Choosy extends ConnectionInputStream {
    private final Set<String> missing = new HashSet<>();
    private ObjectInputFilter filter;

    Choosy(InputBuffer buffer) throws IOException {
      super(buffer);
    }

    @Override
    protected Class<?> resolveClass(ObjectStreamClass description)
        throws IOException, ClassNotFoundException {
      if (missing.contains(description.getName())) {
        throw new ClassNotFoundException(description.getName());
      }
      return super.resolveClass(description);
    }

    @Override
    protected ObjectInputFilter messageFilter() {
      return filter;
    }
  }

  static class Base implements Serializable {
    private static final long serialVersionUID = 1;
    int small = 7;
    long large = 1L << 40;
  }

  static final class Derived extends Base {
    private static final long serialVersionUID = 1;
    boolean flag = true;
    char letter = 'x';
    double number = 0.5;
    Object inner = new int[] {1, 2, 3};
    String text = "text";
  }

  static final class Custom implements Serializable {
    private static final long serialVersionUID = 1;
    int field = 5;
    Object reference = "reference";

    private void writeObject(ObjectOutputStream out) throws IOException {
      out.defaultWriteObject();
      out.writeInt(1);
      out.writeObject(new Base());
      out.write(new byte[3000]);
      out.writeUTF("end");
    }

    private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
      in.defaultReadObject();
      in.readInt();
      in.readObject();
      in.readFully(new byte[3000]);
      in.readUTF();
    }
  }

  /** Described nowhere but in messages that fail. */
  static final class Fragile implements Serializable {
    private static final long serialVersionUID = 1;
    final Object before;
    final Object after;

    Fragile(Object before, Object after) {
      this.before = before;
      this.after = after;
    }

    private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
      in.readFields();
      throw new IllegalStateException("readObject has failed");
    }
  }

  public static final class External implements Externalizable {
    private static final long serialVersionUID = 1;

    public External() {}

    @Override
    public void writeExternal(ObjectOutput out) throws IOException {
      out.writeLong(1);
      out.writeObject(new Base());
    }

    @Override
    public void readExternal(ObjectInput in) throws IOException, ClassNotFoundException {
      in.readLong();
      in.readObject();
    }
  }

  record Pair(int left, Object right) implements Serializable {}

  interface Greeting {
    String greet();
  }

  private static final class Handler implements java.lang.reflect.InvocationHandler, Serializable {
    private static final long serialVersionUID = 1;

    @Override
    public Object invoke(Object proxy, java.lang.reflect.Method method, Object[] arguments) {
      return method.getName();
    }
  }

  private void send(Object value) throws IOException {
    sent.position = 0;
    out.resetObjects();
    out.writeObject(value);
  }

  private void begin() {
    received.bytes = Arrays.copyOf(sent.bytes, sent.position);
    received.position = 0;
    received.limit = sent.position;
  }

  private Object receive() throws IOException, ClassNotFoundException {
    begin();
    Object value = in.readObject();
    in.resetObjects();
    return value;
  }

  private void failAndSkip(Class<? extends Throwable> expected) throws IOException {
    begin();
    assertThatThrownBy(in::readObject).isInstanceOf(expected);
    begin();
    in.skipMessage();
  }

  static List<Object> values() {
    Random random = new Random(1);
    List<Object> all =
        new ArrayList<>(
            List.of(
                "text",
                "ž".repeat(100),
                1,
                2L,
                3.0,
                4f,
                (short) 5,
                (byte) 6,
                'c',
                true,
                new Base(),
                new Derived(),
                new Custom(),
                new External(),
                new Pair(1, new Pair(2, null)),
                TimeUnit.DAYS,
                new Date(5),
                new BigInteger("123456789012345678901234567890"),
                new BigDecimal("-12345678901234567890.12"),
                BigDecimal.ONE,
                LocalDate.of(2026, 11, 23),
                LocalDateTime.of(2026, 11, 23, 8, 0, 1, 5),
                Duration.ofMillis(5),
                OffsetDateTime.of(2026, 11, 23, 8, 0, 1, 5, ZoneOffset.UTC),
                ZonedDateTime.of(2026, 11, 23, 8, 0, 1, 5, ZoneOffset.UTC),
                new UUID(1, 2),
                String.class,
                int[].class,
                new byte[3000],
                new char[] {'a', 'ž'},
                "narrow".toCharArray(),
                new long[] {1, 2},
                new boolean[] {true},
                new Object[] {1, "a", null},
                new String[][] {{"a"}, {}},
                new BitSet(100),
                new IllegalStateException("why", new IOException("that"))));
    all.add(
        Proxy.newProxyInstance(
            SkippedMessagesTest.class.getClassLoader(),
            new Class<?>[] {Greeting.class, Serializable.class},
            new Handler()));
    all.add(new ArrayList<>(List.of(1, "a", new Base())));
    all.add(new LinkedList<>(List.of(1, 2, 3)));
    all.add(new ArrayDeque<>(List.of("a", "b")));
    all.add(new HashSet<>(List.of(1, 2)));
    all.add(new LinkedHashSet<>(List.of("a")));
    all.add(new TreeSet<>(List.of("a", "b")));
    all.add(new HashMap<>(Map.of("a", 1)));
    all.add(new LinkedHashMap<>(Map.of("a", new Base())));
    all.add(new TreeMap<>(Map.of("a", 1.5)));
    all.add(new ConcurrentHashMap<>(Map.of("a", 1, "b", 2)));
    all.add(new EnumMap<>(Map.of(TimeUnit.DAYS, "day", TimeUnit.HOURS, "hour")));
    all.add(List.of(1, 2, 3));
    all.add(Map.of("a", 1, "b", 2));
    all.add(Set.of(1, 2));
    List<Object> numbers = new ArrayList<>();
    List<Object> pairs = new ArrayList<>();
    for (int i = 0; i < 1000; i++) {
      numbers.add(i % 90 == 7 ? null : (Object) random.nextInt(100));
      pairs.add(i % 2 == 0 ? (Object) (double) i : (Object) (long) i);
    }
    all.add(numbers);
    all.add(pairs);
    all.add(new ArrayList<>(List.of(new Base[] {new Base(), new Base()}, new Pair(70_000, 1L))));
    return all;
  }

  /** What a stream of its own makes of a value: hash tables have their least capacity then. */
  private static Object copy(Object value) throws IOException, ClassNotFoundException {
    OutputBuffer bytes = new OutputBuffer(16);
    new UkaObjectOutputStream(bytes).writeObject(value);
    return new UkaObjectInputStream(new InputBuffer(bytes.bytes, 0, bytes.position)).readObject();
  }

  private static byte[] bytes(Object value) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      out.writeObject(value);
    }
    return bytes.toByteArray();
  }

  @Test
  public void whatAFailedMessageHasDescribedIsKnownBehindIt() throws Exception {
    List<Object> values = values();
    for (Object value : values) {
      send(new Fragile(value, new Object[] {value}));
      failAndSkip(IllegalStateException.class);
      send(value);
      assertThat(bytes(receive())).as("%s", value.getClass()).isEqualTo(bytes(copy(value)));
    }
    send(new Fragile(values, values));
    failAndSkip(IllegalStateException.class);
    send(values);
    assertThat(bytes(receive())).isEqualTo(bytes(copy(values)));
  }

  @Test
  public void allOfThemFailInAnyOrder() throws Exception {
    Random random = new Random(7);
    List<Object> values = values();
    for (int i = 0; i < 3000; i++) {
      Object value = values.get(random.nextInt(values.size()));
      if (random.nextInt(3) == 0) {
        send(new Fragile(value, values.get(random.nextInt(values.size()))));
        failAndSkip(IllegalStateException.class);
      } else {
        send(value);
        assertThat(bytes(receive())).as("%s", value.getClass()).isEqualTo(bytes(copy(value)));
      }
      if (i % 100 == 0) {
        in.rebindTypes();
      }
    }
  }

  @Test
  public void typesMayBeginAfreshInTheMessageThatFails() throws Exception {
    send(new Derived());
    receive();
    for (int i = 0; i < 3; i++) {
      sent.position = 0;
      out.resetObjects();
      out.reset();
      out.writeObject(new Fragile(new Pair(1, null), new Derived()));
      failAndSkip(IllegalStateException.class);
      send(new Pair(1, new Derived()));
      assertThat(receive()).isInstanceOf(Pair.class);
    }
  }

  @Test
  public void missingClassAndRefusalConcernTheirMessageOnly() throws Exception {
    in.missing.add(Pair.class.getName());
    send(new Object[] {new Derived(), new Pair(1, new Custom()), new UUID(1, 2)});
    failAndSkip(ClassNotFoundException.class);
    send(new Derived());
    assertThat(receive()).isInstanceOf(Derived.class);
    send(new Pair(1, null));
    failAndSkip(ClassNotFoundException.class);
    in.missing.clear();
    in.rebindTypes();
    send(new Pair(1, new UUID(1, 2)));
    assertThat(receive()).isEqualTo(new Pair(1, new UUID(1, 2)));
    in.filter = info -> refuse(info.serialClass(), Custom.class);
    send(new Object[] {new ArrayList<>(), new Custom(), new BitSet()});
    failAndSkip(InvalidClassException.class);
    send(new BitSet(9));
    assertThat(receive()).isEqualTo(new BitSet(9));
  }

  private static ObjectInputFilter.Status refuse(Class<?> type, Class<?> refused) {
    return type == refused ? ObjectInputFilter.Status.REJECTED : ObjectInputFilter.Status.ALLOWED;
  }

  @Test
  public void filterSeesTypesThatWereLearntInPassing() throws Exception {
    send(new Fragile(new Derived(), new Custom()));
    failAndSkip(IllegalStateException.class);
    Set<Class<?>> seen = new HashSet<>();
    in.filter =
        info -> {
          if (info.serialClass() != null) {
            seen.add(info.serialClass());
          }
          return ObjectInputFilter.Status.ALLOWED;
        };
    send(new Derived());
    receive();
    assertThat(seen).contains(Derived.class, Base.class, int[].class);
    for (Class<?> each : List.of(Derived.class, Base.class)) {
      in.filter = info -> refuse(info.serialClass(), each);
      send(new Derived());
      failAndSkip(InvalidClassException.class);
    }
    in.filter = null;
    send(new Derived());
    assertThat(receive()).isInstanceOf(Derived.class);
  }

  @Test
  public void deepMessagesArePassedOver() throws Exception {
    Object chain = new Pair(0, null);
    for (int i = 0; i < 20_000; i++) {
      chain = new Object[] {chain};
    }
    sent.position = 0;
    out.resetObjects();
    Object deep = chain;
    Thread writer = new Thread(null, () -> write(new Object[] {deep}), "writer", 1 << 28);
    writer.start();
    writer.join();
    in.filter = info -> refuse(info.serialClass(), Pair.class);
    begin();
    in.skipMessage();
    in.filter = null;
    send(new Pair(1, null));
    assertThat(receive()).isEqualTo(new Pair(1, null));
  }

  private void write(Object value) {
    try {
      out.writeObject(value);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  public void forgedBytesEndInAnExceptionOrAreHarmless() throws Exception {
    Random random = new Random(3);
    List<Object> values = values();
    for (int i = 0; i < 20_000; i++) {
      OutputBuffer forged = new OutputBuffer(16);
      UkaObjectOutputStream writer = new UkaObjectOutputStream(forged);
      writer.writeObject(values.get(random.nextInt(values.size())));
      byte[] bytes = Arrays.copyOf(forged.bytes, forged.position);
      for (int j = random.nextInt(4); j >= 0; j--) {
        bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
      }
      InputBuffer buffer = new InputBuffer(bytes, 0, bytes.length);
      ConnectionInputStream reader = new ConnectionInputStream(buffer);
      try {
        reader.skipMessage();
        assertThat(buffer.remaining()).isZero();
      } catch (IOException e) {
        assertThat(e).isNotNull();
      }
    }
  }
}
