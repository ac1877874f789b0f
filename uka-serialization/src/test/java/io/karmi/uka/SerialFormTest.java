package io.karmi.uka;

import static org.assertj.core.api.Assertions.assertThat;

import io.karmi.uka.differential.JdkStreams;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.Externalizable;
import java.io.IOException;
import java.io.InputStream;
import java.io.ObjectInput;
import java.io.ObjectInputStream;
import java.io.ObjectOutput;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Date;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.Test;

/**
 * The bytes of version 1 of the UKA format, as they were written when {@code serial-form.txt} was
 * made: they stay readable, and as long as the version in the header is the same, they stay the
 * bytes that are written.
 *
 * <p>A test that fails here says that peers of different releases do not understand each other: the
 * format needs another version, and the file another line for it. The lines that are missing are in
 * the failure's message.
 */
public class SerialFormTest {
  static class Primitives implements Serializable {
    private static final long serialVersionUID = 1;
    boolean z = true;
    byte b = -2;
    char c = '\u20ac';
    short s = -300;
    int i = 70_000;
    long l = -5_000_000_000L;
    float f = 1.5f;
    double d = -0.25;
  }

  static class Below extends Primitives {
    private static final long serialVersionUID = 2;
    String text = "below";
    Object nothing;
    Object itself = this;
    int[] numbers = {1, -1};
  }

  static class Hooked implements Serializable {
    private static final long serialVersionUID = 3;
    int plain = 4;

    private void writeObject(ObjectOutputStream out) throws IOException {
      out.defaultWriteObject();
      out.writeInt(5);
      out.writeObject("six");
      out.write(new byte[300]);
    }

    private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
      in.defaultReadObject();
      assertThat(in.readInt()).isEqualTo(5);
      assertThat(in.readObject()).isEqualTo("six");
    }
  }

  /** For the stream, which makes it by its public constructor. */
  public static class External implements Externalizable {
    private static final long serialVersionUID = 4;
    private long number;

    /** Of number 0. */
    public External() {}

    External(long number) {
      this.number = number;
    }

    @Override
    public void writeExternal(ObjectOutput out) throws IOException {
      out.writeLong(number);
      out.writeUTF("external");
    }

    @Override
    public void readExternal(ObjectInput in) throws IOException {
      number = in.readLong();
      assertThat(in.readUTF()).isEqualTo("external");
    }
  }

  enum Color {
    RED,
    GREEN {
      @Override
      public String toString() {
        return "green";
      }
    }
  }

  record Size(int width, String unit, double height) implements Serializable {}

  static class Handler implements InvocationHandler, Serializable {
    private static final long serialVersionUID = 5;

    @Override
    public Object invoke(Object proxy, Method method, Object[] arguments) {
      return null;
    }
  }

  private static Map<String, Object> objects() {
    Map<String, Object> objects = new LinkedHashMap<>();
    objects.put("null", null);
    objects.put("text", "text");
    objects.put("latin1", "\u00e4".repeat(100));
    objects.put("utf16", "\u20ac and \ud83d\ude00 and \ud83d");
    objects.put("primitives", new Primitives());
    objects.put("below", new Below());
    objects.put("hooked", new Hooked());
    objects.put("external", new External(7));
    objects.put("enums", new Object[] {Color.RED, Color.GREEN, Color.RED});
    objects.put("record", new Size(3, "cm", 4.5));
    objects.put("classes", new Class<?>[] {int.class, String.class, Size.class, long[].class});
    objects.put("arrays", arrays());
    objects.put("boxes", new Object[] {1, 2L, 'c', true, (byte) 4, (short) 5, 6f, 7.0});
    objects.put("list", new ArrayList<>(Arrays.asList("a", null, new Size(1, "m", 2))));
    objects.put("map", map());
    objects.put("set", new TreeSet<>(List.of("one", "two")));
    objects.put("immutable", List.of("x", "y", "z"));
    objects.put(
        "numbers", new ArrayList<>(Arrays.asList(1000, 1001, 1002, null, 1003, 4, 5, 6, 7, 8, 9)));
    objects.put("pairs", new TreeMap<>(Map.of(200, 2.5, 201, 3.5, 202, 4.5, 203, 5.5, 204, 6.5)));
    objects.put("date", new Date(1_000_000_000_000L));
    objects.put("big", BigInteger.TEN.pow(30));
    objects.put("decimals", new Object[] {new BigDecimal("1.25"), new BigDecimal("-3e5")});
    objects.put(
        "times", new Object[] {Instant.EPOCH, LocalDateTime.of(2026, 1, 2, 3, 4, 5, 6_000)});
    objects.put(
        "proxy",
        Proxy.newProxyInstance(
            SerialFormTest.class.getClassLoader(),
            new Class<?>[] {Comparable.class, Runnable.class},
            new Handler()));
    return objects;
  }

  private static Map<String, Integer> map() {
    Map<String, Integer> map = new HashMap<>();
    map.put("key", 1);
    map.put("other", 2);
    return map;
  }

  private static Object[] arrays() {
    String[] shared = {"s"};
    return new Object[] {
      new boolean[] {true, false},
      new byte[] {1, -1},
      new char[] {'a', '\u20ac'},
      new short[] {2, -2},
      new int[] {3, -3},
      new long[] {4, -4},
      new float[] {5, -5},
      new double[] {6, -6},
      new Size[] {new Size(1, "a", 2), null},
      shared,
      shared,
      new int[][] {{1}, {}},
    };
  }

  private static Map<String, String> recorded() throws IOException {
    Map<String, String> lines = new LinkedHashMap<>();
    try (InputStream in = SerialFormTest.class.getResourceAsStream("serial-form.txt")) {
      new String(in.readAllBytes(), StandardCharsets.US_ASCII)
          .lines()
          .filter(line -> !line.startsWith("#"))
          .forEach(line -> lines.put(line.split(" = ")[0], line.split(" = ")[1]));
    }
    return lines;
  }

  private static String write(Object object) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    UkaOptions options = new UkaOptions(UkaOptions.Format.UKA);
    try (ObjectOutputStream out = new UkaObjectOutputStream(bytes, options)) {
      out.writeObject(object);
    }
    return HexFormat.of().formatHex(bytes.toByteArray());
  }

  @Test
  public void bytesAreWrittenAsEver() throws Exception {
    StringBuilder written = new StringBuilder();
    for (Map.Entry<String, Object> each : objects().entrySet()) {
      written.append(each.getKey()).append(" = ").append(write(each.getValue())).append('\n');
    }
    StringBuilder expected = new StringBuilder();
    recorded().forEach((name, hex) -> expected.append(name + " = " + hex + "\n"));
    assertThat(written.toString()).isEqualTo(expected.toString());
  }

  @Test
  public void bytesOfOldAreRead() throws Exception {
    Map<String, Object> objects = objects();
    Map<String, String> recorded = recorded();
    assertThat(recorded.keySet()).isEqualTo(objects.keySet());
    for (Map.Entry<String, String> each : recorded.entrySet()) {
      byte[] bytes = HexFormat.of().parseHex(each.getValue());
      Object read = new UkaObjectInputStream(new ByteArrayInputStream(bytes)).readObject();
      byte[] jdkBytes = JdkStreams.write(objects.get(each.getKey()));
      Object copy = new ObjectInputStream(new ByteArrayInputStream(jdkBytes)).readObject();
      assertThat(JdkStreams.write(read)).as(each.getKey()).isEqualTo(JdkStreams.write(copy));
    }
  }
}
