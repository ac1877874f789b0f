package io.karmi.retrofit.rewrite;

import static org.assertj.core.api.Assertions.assertThat;

import io.karmi.retrofit.kit.Program;
import io.karmi.retrofit.rules.RetrofitOptions;
import io.karmi.retrofit.rules.RuleSet;
import io.karmi.uka.field.Woven;
import java.io.ObjectStreamClass;
import java.util.ArrayList;
import java.util.List;
import org.junit.Test;

/** A woven class and the same class unwoven are one and the same to everybody else. */
public class WeavingTest {
  private static final String[] UNITS = {
    """
    package app;
    import java.io.*;
    import java.util.*;
    public class Matrix extends Bare {
      static int statics = 1;
      private final int rows;
      private final long[] cells;
      private transient String note = "lost";
      boolean z = true; byte b = 2; char c = 'c'; short s = -4; float f = 1.5f; double d = -0.0;
      long j = Long.MIN_VALUE;
      Matrix self; Object other; List<String> names; int[][] grid; Runnable nothing;
      class Inner implements Serializable { int x = rows; }
      public Matrix(int rows) {
        super("matrix");
        if (rows < 0) throw new IllegalStateException("constructor ran");
        this.rows = rows; cells = new long[] {rows, 2, 3}; self = this;
        names = new ArrayList<>(List.of("a", "b")); other = names; grid = new int[][] {{1}, null};
      }
      public Object inner() { other = new Inner(); return this; }
      public String toString() {
        return rows + Arrays.toString(cells) + note + z + b + c + s + f + d + j + (self == this)
            + (other == names) + names + Arrays.deepToString(grid) + nothing + super.toString()
            + (other instanceof Inner ? ((Inner) other).x + "i" : "");
      }
    }
    """,
    """
    package app;
    import java.io.*;
    public abstract class Bare implements Serializable, Comparable<Bare> {
      Bare(String kind) { }
      public int compareTo(Bare other) { return 0; }
      public String toString() { return "matrix77"; }
    }
    """,
    """
    package app;
    import java.io.*;
    public abstract class Shape implements Serializable, Comparable<Shape> {
      private final String kind;
      protected int rows;
      Shape(String kind) { this.kind = kind; rows = 77; }
      public int compareTo(Shape other) { return 0; }
      public String toString() { return kind + rows; }
    }
    """,
    """
    package app;
    import java.io.*;
    public class Main {
      public static byte[] bytes() throws Exception {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        ObjectOutputStream out = new ObjectOutputStream(bytes);
        Object[] all = {new Matrix(5), new Matrix(6).inner(), new Hooked(), new Child(),
            new Rec(1), Color.RED, new Empty(), new MyList(), new Replaced(), new Cell(),
            new Refers(), new Dot(1), new Dot(2), new Dot(-300), new Dot(1 << 20), new Wide(1),
            new Wide(2), new Wide(-300), new Wide(1 << 20), new Farther(3), new Farther(4)};
        out.writeObject(all);
        out.writeObject(new Matrix(7));
        out.flush();
        return bytes.toByteArray();
      }
      public static byte[] given;
      public static String read() throws Exception {
        ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(given));
        return java.util.Arrays.toString((Object[]) in.readObject()) + in.readObject();
      }
    }
    class Hooked implements Serializable {
      int x = 3;
      private void writeObject(ObjectOutputStream out) throws IOException {
        out.defaultWriteObject(); out.writeInt(9);
      }
      private void readObject(ObjectInputStream in) throws Exception {
        in.defaultReadObject(); x += in.readInt();
      }
      public String toString() { return "hooked" + x; }
    }
    class Child extends Hooked { int y = 4; public String toString() { return super.toString() + y; } }
    class Cell extends Shape { final int w = 8; long v = -1; Cell() { super("cell"); }
      public String toString() { return super.toString() + w + v; } }
    class Refers extends Shape { final Object o = this; Refers() { super("refers"); }
      public String toString() { return super.toString() + (o == this); } }
    record Rec(int x) implements Serializable {}
    enum Color { RED { public String toString() { return "red!"; } } }
    class Dot implements Serializable { int x, y; final long z; final byte b = 7; String s = "dot";
      Dot(int n) { x = n; y = -n; z = n; }
      public String toString() { return s + x + y + z + b; } }
    class Wide implements Serializable {
      int a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, b0, b1, b2, b3, b4, b5, b6, b7, b8, b9;
      Wide(int n) { a0 = n; b9 = -n; }
      public String toString() { return "wide" + a0 + b9; } }
    abstract class Bottomless implements Serializable { }
    class Farther extends Bottomless { int far; Farther(int n) { far = n; }
      public String toString() { return "farther" + far; } }
    class Empty implements Serializable { public String toString() { return "empty"; } }
    class MyList extends java.util.ArrayList<String> { int more = 5; MyList() { add("x"); }
      public String toString() { return super.toString() + more; } }
    class Replaced implements Serializable { int x = 1;
      private Object writeReplace() { Replaced r = new Replaced(); r.x = 2; return r; }
      private Object readResolve() { x += 10; return this; }
      public String toString() { return "replaced" + x; } }
    """
  };

  private static final String READ =
      "[5[5, 2, 3]nulltrue2c-41.5-0.0-9223372036854775808truetrue[a, b][[1], null]nullmatrix77,"
          + " 6[6, 2, 3]nulltrue2c-41.5-0.0-9223372036854775808truefalse[a, b][[1],"
          + " null]nullmatrix776i, hooked12, hooked124, Rec[x=1], red!, empty, [x]5, replaced12, cell778-1, refers77true, dot1-117, dot2-227, dot-300300-3007,"
          + " dot1048576-104857610485767, wide1-1, wide2-2, wide-300300, wide1048576-1048576, farther3,"
          + " farther4]"
          + "7[7, 2, 3]nulltrue2c-41.5-0.0-9223372036854775808truetrue[a, b][[1],"
          + " null]nullmatrix77";

  private final Program plain = Program.of(UNITS);
  private final Program unwoven = plain.rewired(transformer("no-weave"));
  private final Program woven = plain.rewired(transformer("weave"));

  private static Transformer transformer(String options) {
    RetrofitOptions parsed = RetrofitOptions.parse(options);
    return new Transformer(RuleSet.onDisk(parsed), parsed);
  }

  private static String read(Program program, byte[] bytes) throws Exception {
    Class<?> main = program.load("app.Main");
    main.getField("given").set(null, bytes);
    return (String) main.getMethod("read").invoke(null);
  }

  @Test
  public void wovenClassesRoundTrip() throws Exception {
    assertThat(read(woven, (byte[]) woven.call("app.Main", "bytes"))).isEqualTo(READ);
  }

  @Test
  public void wovenAndUnwovenWriteTheSameBytes() throws Exception {
    assertThat((byte[]) woven.call("app.Main", "bytes"))
        .isEqualTo((byte[]) unwoven.call("app.Main", "bytes"));
  }

  @Test
  public void wovenAndUnwovenReadEachOther() throws Exception {
    assertThat(read(unwoven, (byte[]) woven.call("app.Main", "bytes"))).isEqualTo(READ);
    assertThat(read(woven, (byte[]) unwoven.call("app.Main", "bytes"))).isEqualTo(READ);
    assertThat(read(plain, (byte[]) plain.call("app.Main", "bytes"))).isEqualTo(READ);
  }

  @Test
  public void theStreamsOfTheJdkReadAndWriteWovenClassesAsBefore() throws Exception {
    Program onlyWoven =
        Program.of(UNITS).rewired(transformer("weave,exclude=app.Main")); // keeps java.io's streams
    byte[] bytes = (byte[]) onlyWoven.call("app.Main", "bytes");
    assertThat(bytes).isEqualTo((byte[]) plain.call("app.Main", "bytes"));
    assertThat(read(onlyWoven, bytes)).isEqualTo(READ);
  }

  @Test
  public void onlyClassesOfPlainFieldsAreWoven() throws Exception {
    for (String name :
        List.of("Matrix", "Bare", "Shape", "Cell", "Matrix$Inner", "Empty", "Replaced")) {
      assertThat(Woven.class.isAssignableFrom(woven.load("app." + name))).as(name).isTrue();
    }
    for (String name : List.of("Hooked", "Child", "Rec", "Color", "MyList", "Main")) {
      assertThat(Woven.class.isAssignableFrom(woven.load("app." + name))).as(name).isFalse();
    }
  }

  @Test
  public void referencesBelowFieldsAreReadByTheGeneralPath() throws Exception {
    /* The fields above would be set before all are read. */
    assertThat(woven.load("app.Refers").getDeclaredConstructors()).hasSize(1);
    assertThat(woven.load("app.Cell").getDeclaredConstructors()).hasSize(2);
  }

  @Test
  public void theSerialVersionOfAWovenClassStays() throws Exception {
    for (String name :
        List.of("Matrix", "Bare", "Shape", "Cell", "Matrix$Inner", "Empty", "Replaced")) {
      assertThat(version(woven.load("app." + name)))
          .as(name)
          .isEqualTo(version(plain.load("app." + name)));
    }
  }

  private static long version(Class<?> type) {
    return ObjectStreamClass.lookup(type).getSerialVersionUID();
  }

  @Test
  public void aSubclassOfAnExcludedClassIsNotWoven() throws Exception {
    Program program = plain.rewired(transformer("weave,exclude=app.Bare"));
    assertThat(Woven.class.isAssignableFrom(program.load("app.Matrix"))).isFalse();
    assertThat(read(program, (byte[]) woven.call("app.Main", "bytes"))).isEqualTo(READ);
  }

  @Test
  public void everySupertypeIsReadOnce() {
    Program program =
        Program.of(
            """
            package app;
            interface Top extends java.io.Serializable {}
            interface Left extends Top {}
            interface Right extends Top {}
            class Upper implements Left, Right { int a; }
            class Middle extends Upper implements Right, Left { int b; }
            class Lower extends Middle implements Left, Top { int c; }
            """);
    List<String> read = new ArrayList<>();
    ClassFiles files =
        name -> {
          read.add(name);
          return program.files().find(name);
        };
    Outcome lower = transformer("weave").transform(program.classFile("app/Lower"), files);
    assertThat(lower.isChanged()).isTrue();
    assertThat(read)
        .containsExactlyInAnyOrder("app/Middle", "app/Upper", "app/Left", "app/Right", "app/Top");
  }
}
