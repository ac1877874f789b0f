package io.karmi.uka.hostile;

import io.karmi.uka.UkaObjectOutputStream;
import io.karmi.uka.UkaOptions;
import java.io.ByteArrayOutputStream;
import java.io.Externalizable;
import java.io.IOException;
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
import java.math.RoundingMode;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Date;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;

/** Streams of every kind of object, in both formats, from which mutation and fuzzing start. */
final class Seeds {

  private Seeds() {}

  static class Plain implements Serializable {
    int number = 1;
    long big = 2;
    double real = 3;
    boolean flag = true;
    String text = "text";
    Object any = new int[] {1, 2, 3};
    Plain next;
  }

  static class Child extends Plain {
    byte[] bytes = new byte[20];
    Integer boxed = 5;
  }

  static class Hooked implements Serializable {
    int number = 1;
    transient Object extra = "extra";

    private void writeObject(ObjectOutputStream out) throws IOException {
      out.defaultWriteObject();
      out.writeUTF("data");
      out.writeObject(extra);
      out.writeLong(7);
    }

    private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
      in.defaultReadObject();
      in.readUTF();
      extra = in.readObject();
    }
  }

  /** Public for the sake of its constructor. */
  public static class External implements Externalizable {
    @Override
    public void writeExternal(ObjectOutput out) throws IOException {
      out.writeInt(1);
      out.writeObject("external");
    }

    @Override
    public void readExternal(ObjectInput in) throws IOException, ClassNotFoundException {
      in.readInt();
      in.readObject();
    }
  }

  static class Resolving implements Serializable {
    private Object readResolve() {
      return "resolved";
    }
  }

  record Rec(int number, String text, Object any) implements Serializable {}

  static class Handler implements InvocationHandler, Serializable {
    @Override
    public Object invoke(Object proxy, Method method, Object[] arguments) {
      return null;
    }
  }

  /** Jazzer's corpus and the test's. */
  static List<byte[]> all() throws IOException {
    List<byte[]> seeds = new ArrayList<>();
    for (UkaOptions.Format format : UkaOptions.Format.values()) {
      for (Object object : objects()) {
        seeds.add(write(format, object));
      }
      seeds.add(writeMixed(format));
      seeds.add(writeAppended(format));
    }
    return seeds;
  }

  private static Object[] objects() {
    Plain cyclic = new Plain();
    cyclic.next = cyclic;
    Child child = new Child();
    child.next = cyclic;
    child.any = new Object[] {cyclic, child, "text"};
    return new Object[] {
      null,
      "text \u00e9 \u20ac",
      cyclic,
      child,
      new Hooked(),
      new External(),
      new Resolving(),
      new Rec(1, "r", new Rec(2, null, new long[3])),
      new Object[] {1, 2L, 'c', 1.5, true, RoundingMode.UP, String.class, int.class},
      new Plain[] {new Plain(), null, child, new Plain(), new Plain()},
      new Rec[] {new Rec(1, "", null), new Rec(2, "", null), new Rec(300, "", null)},
      new int[][] {{1}, {2, 3}, null},
      Proxy.newProxyInstance(
          Seeds.class.getClassLoader(), new Class<?>[] {Comparable.class}, new Handler()),
      new ArrayList<>(List.of("a", "b")),
      new HashMap<>(Map.of("k", List.of(1))),
      new TreeMap<>(Map.of("t", 1)),
      new ArrayDeque<>(List.of(1, 300L, RoundingMode.UP, RoundingMode.DOWN)),
      new LinkedHashMap<>(Map.of("l", new LinkedList<>(List.of(BigInteger.TEN)))),
      new HashSet<>(List.of(new Date(1), new UUID(2, 3))),
      new TreeSet<>(List.of("x", "y")),
      Arrays.asList(new BigDecimal("1.5"), Instant.EPOCH),
      new ArrayList<>(Arrays.asList(1000, 1001, 1002, null, 1003, 4, 5, 6, 7, 8, 9)),
      new HashMap<>(Map.of(200, 2.5, 201, 3.5, 202, 4.5, 203, 5.5, 204, 6.5, 205, 7.5, 206, 8.5)),
      Arrays.asList(new BigDecimal("1.5"), new BigDecimal("-2.25"), BigInteger.TWO),
      Arrays.asList(LocalDateTime.of(2026, 1, 2, 3, 4, 5, 6), LocalDate.EPOCH, ZoneOffset.MAX),
      Arrays.asList(new ConcurrentHashMap<>(Map.of("a", 1)), new ConcurrentHashMap<>()),
      new IllegalStateException("thrown", new Error("cause")),
      java.io.ObjectStreamClass.lookup(Plain.class)
    };
  }

  private static byte[] write(UkaOptions.Format format, Object object) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new UkaObjectOutputStream(bytes, new UkaOptions(format))) {
      out.writeObject(object);
      out.writeObject(object);
    }
    return bytes.toByteArray();
  }

  private static byte[] writeMixed(UkaOptions.Format format) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new UkaObjectOutputStream(bytes, new UkaOptions(format))) {
      out.writeInt(5);
      out.writeObject("x");
      out.writeUTF("between");
      out.reset();
      out.writeUnshared(new Plain());
      try {
        out.writeObject(new Object[] {"y", new Object()});
      } catch (java.io.NotSerializableException e) {
        out.writeObject("after the failure");
      }
    }
    return bytes.toByteArray();
  }

  /** UKA's format behind another stream. */
  private static byte[] writeAppended(UkaOptions.Format first) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    bytes.write(write(first, new Plain()));
    try (ObjectOutputStream out =
        new UkaObjectOutputStream(bytes, new UkaOptions(UkaOptions.Format.UKA)) {
          @Override
          protected void writeStreamHeader() {}
        }) {
      out.writeInt(5);
      out.writeObject(new Child());
    }
    return bytes.toByteArray();
  }
}
