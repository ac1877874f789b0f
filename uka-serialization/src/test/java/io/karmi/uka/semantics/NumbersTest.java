package io.karmi.uka.semantics;

import static io.karmi.uka.differential.Observed.attempt;
import static io.karmi.uka.differential.Observed.see;

import io.karmi.uka.differential.SameProgram;
import io.karmi.uka.differential.Versions;
import java.io.ObjectInputStream;
import java.io.Serializable;
import java.lang.reflect.Array;
import java.util.ArrayList;
import java.util.List;
import org.junit.Test;
import org.junit.runner.RunWith;

/**
 * Whole numbers of any size, in several objects of a class: a format that writes small ones in
 * fewer bytes does so from the second object on.
 */
@RunWith(SameProgram.class)
public class NumbersTest {
  private static final long[] BORDERS = {
    0,
    1,
    -1,
    Byte.MAX_VALUE,
    Byte.MAX_VALUE + 1,
    Byte.MIN_VALUE,
    Byte.MIN_VALUE - 1,
    Short.MAX_VALUE,
    Short.MAX_VALUE + 1,
    Short.MIN_VALUE,
    Short.MIN_VALUE - 1,
    Integer.MAX_VALUE,
    Integer.MAX_VALUE + 1L,
    Integer.MIN_VALUE,
    Integer.MIN_VALUE - 1L,
    Long.MAX_VALUE,
    Long.MIN_VALUE,
  };

  static class OneInt implements Serializable {
    int i;
  }

  static class OneLong implements Serializable {
    long j;
  }

  static final class Mixed implements Serializable {
    private final boolean a;
    private final int b;
    private final byte c;
    private final long d;
    private final char e;
    private final int f;
    private final float g;
    private final long h;
    private final short i;
    private final double j;
    private final Object next;

    Mixed(long number, Object next) {
      a = number > 0;
      b = (int) number;
      c = (byte) number;
      d = number;
      e = (char) number;
      f = (int) (number >> 1);
      g = number;
      h = -number;
      i = (short) number;
      j = number;
      this.next = next;
    }
  }

  static class Many implements Serializable {
    int a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, b0, b1, b2, b3, b4, b5, b6, b7, b8, b9;
    long c0, c1, c2, c3, c4, c5, c6, c7, c8, c9;

    Many(int first, int last, long end) {
      a0 = first;
      b9 = last;
      c9 = end;
    }
  }

  /** What the record below does not accept. */
  private static int refused;

  abstract static class Bare implements Serializable {}

  static class Below extends Bare {
    int x = 5;
    long y = -6;
    String name = "below";
  }

  static class Further extends Below {
    int x = 7;
  }

  static class NoMore extends OneInt {
    private Object readResolve() {
      return "resolved " + i;
    }
  }

  record Rec(long id, int count, String name, Rec next) implements Serializable {}

  record Strict(int number) implements Serializable {
    Strict {
      if (number == refused) {
        throw new IllegalArgumentException("refused");
      }
    }
  }

  private static <T> T[] all(Class<T> type, java.util.function.LongFunction<T> maker) {
    @SuppressWarnings("unchecked")
    T[] all = (T[]) Array.newInstance(type, BORDERS.length);
    for (int i = 0; i < BORDERS.length; i++) {
      all[i] = maker.apply(BORDERS[i]);
    }
    return all;
  }

  private static OneInt oneInt(int i) {
    OneInt made = new OneInt();
    made.i = i;
    return made;
  }

  private static OneLong oneLong(long j) {
    OneLong made = new OneLong();
    made.j = j;
    return made;
  }

  @Test
  public void numbersAtTheBordersOfEachWidth() throws Exception {
    see("ints", Wire.copy(all(OneInt.class, number -> oneInt((int) number))));
    see("longs", Wire.copy(all(OneLong.class, NumbersTest::oneLong)));
    see("mixed", Wire.copy(all(Mixed.class, number -> new Mixed(number, null))));
    see("in a list", Wire.copy(new ArrayList<>(List.of(all(OneInt.class, n -> oneInt((int) n))))));
  }

  @Test
  public void manyNumbersOfWhichOneIsLarge() throws Exception {
    see(
        "many",
        Wire.copy(
            new Many[] {
              new Many(1, 2, 3),
              new Many(1, 2, 3),
              new Many(1000, 2, 3),
              new Many(1, 1000, 3),
              new Many(1, 2, 1000),
              new Many(100_000, 2, 3),
              new Many(1, 100_000, 3),
              new Many(1, 2, 100_000),
              new Many(1, 2, 1L << 40),
              new Many(-1, -2, -3)
            }));
  }

  @Test
  public void objectsOfSmallNumbersThatReferToEachOther() throws Exception {
    Object[] chain = {null};
    for (long number : BORDERS) {
      chain[0] = new Mixed(number, new Object[] {chain[0], number});
    }
    see("chain", Wire.copy(chain));
    Object[] cycle = new Object[1];
    Mixed first = new Mixed(1, cycle);
    cycle[0] = new Mixed(2, first);
    see("cycle", Wire.copy(new Object[] {first, cycle, new Mixed(3, first)}));
    Object deep = null;
    for (int i = 0; i < 600; i++) {
      deep = new Mixed(i % 300, deep);
    }
    see("deep", sum(Wire.copy(new Object[] {deep, new Mixed(1, null)})[0]));
  }

  private static long sum(Object chain) {
    long sum = 0;
    for (Mixed each = (Mixed) chain; each != null; each = (Mixed) each.next) {
      sum = sum * 31 + each.b + each.d;
    }
    return sum;
  }

  @Test
  public void numbersInPlacesOfAHierarchy() throws Exception {
    see("below", Wire.copy(new Object[] {new Below(), new Below(), new Below()}));
    see("further", Wire.copy(new Object[] {new Further(), new Below(), new Further()}));
    see("both", Wire.copy(new Object[] {new Below(), new Further(), new Below()}));
    see("replaced", Wire.copy(new Object[] {new NoMore(), new NoMore(), oneInt(1), oneInt(2)}));
  }

  @Test
  public void numbersInRecords() throws Exception {
    Rec last = new Rec(1, 2, "last", null);
    Rec middle = new Rec(1L << 40, 300, "middle", last);
    see("records", Wire.copy(new Rec[] {last, middle, new Rec(3, 4, "first", middle), last}));
    byte[] strict = Wire.write(new Object[] {new Strict(1), new Strict(1), new Strict(4)});
    refused = 4;
    attempt("strict", () -> Wire.read(strict));
    refused = 0;
  }

  @Test
  public void severalMessagesAndUnsharedObjects() throws Exception {
    see(
        "unshared",
        Wire.read(
            Wire.writeBy(
                out -> {
                  out.writeObject(oneInt(1));
                  out.writeUnshared(oneInt(2));
                  out.writeObject(oneInt(3));
                  out.reset();
                  out.writeUnshared(oneInt(4));
                  out.writeObject(oneInt(1000));
                  out.writeObject(oneInt(5));
                }),
            6));
  }

  private static String c(String body) {
    return "public class C implements java.io.Serializable { static final long serialVersionUID = 1;"
        + body
        + " }";
  }

  private static void evolve(String label, String before, String... after) throws Exception {
    Class<?> type = Versions.loader(OWN, before).loadClass("C");
    Object[] written = new Object[3];
    for (int i = 0; i < written.length; i++) {
      written[i] = type.getDeclaredConstructor().newInstance();
    }
    byte[] bytes = Wire.write(new Object[] {written}, "after");
    ClassLoader reader = Versions.loader(OWN, after);
    attempt(
        label,
        () -> {
          try (ObjectInputStream in = Wire.open(bytes, reader)) {
            return new Object[] {in.readObject(), in.readObject()};
          }
        });
  }

  private static final ClassLoader OWN = NumbersTest.class.getClassLoader();

  @Test
  public void anotherVersionReadsSmallNumbers() throws Exception {
    String before = c("int a = 1; long b = -2; String s = \"s\"; byte x = 3; int y = 4;");
    evolve("same", before, before);
    evolve("fewer", before, c("long b; int y;"));
    evolve("none", before, c(""));
    evolve("more", before, c("int a; int a1 = 5; long b; long b1; String s; byte x; int y;"));
    evolve("of other types", before, c("long a; int b;"));
    evolve("with hooks", before, c(HOOK + "int a; long b; int z;"));
    evolve("by name", before, c(BY_NAME + "int a; long b; int z;"));
    evolve("not here", before, "class D {}");
    evolve("with a superclass", before, WITH_SUPER, SUPER);
    evolve("now external", before, EXTERNAL);
  }

  private static final String HOOK =
      "private void readObject(java.io.ObjectInputStream in) throws java.io.IOException,"
          + " ClassNotFoundException { in.defaultReadObject(); a += 100; } ";
  private static final String BY_NAME =
      "private void readObject(java.io.ObjectInputStream in) throws java.io.IOException,"
          + " ClassNotFoundException { java.io.ObjectInputStream.GetField f = in.readFields();"
          + " a = f.get(\"a\", 7); b = f.get(\"b\", 8L); z = f.get(\"z\", 9); } ";
  private static final String WITH_SUPER =
      "public class C extends B { static final long serialVersionUID = 1; int a; long b; }";
  private static final String SUPER =
      "public class B implements java.io.Serializable { int a = 9; }";
  private static final String EXTERNAL =
      "public class C implements java.io.Externalizable { static final long serialVersionUID = 1;"
          + " public void writeExternal(java.io.ObjectOutput o) {}"
          + " public void readExternal(java.io.ObjectInput i) {} }";
}
