package io.karmi.uka.semantics;

import static io.karmi.uka.differential.Observed.attempt;
import static io.karmi.uka.differential.Observed.event;
import static io.karmi.uka.differential.Observed.see;

import io.karmi.uka.differential.SameProgram;
import io.karmi.uka.differential.Versions;
import java.io.Externalizable;
import java.io.IOException;
import java.io.ObjectInput;
import java.io.ObjectInputStream;
import java.io.ObjectOutput;
import java.io.ObjectOutputStream;
import java.io.ObjectStreamClass;
import java.io.ObjectStreamField;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import org.junit.Test;
import org.junit.runner.RunWith;

/** Records: built by their canonical constructor, and by nothing else. */
@RunWith(SameProgram.class)
public class RecordsTest {

  record Point(int x, int y) implements Serializable {
    Point {
      event("Point " + x + " " + y);
    }
  }

  record EveryType(
      boolean z,
      byte b,
      char c,
      short s,
      int i,
      long j,
      float f,
      double d,
      String text,
      Object any,
      int[] array)
      implements Serializable {}

  record Empty() implements Serializable {}

  record Generic<T extends Comparable<T>>(T value, List<T> more) implements Serializable {}

  record Checked(int size, String name) implements Serializable {
    static boolean strict;

    Checked {
      if (strict && size < 0) {
        throw new IllegalArgumentException("size " + size);
      }
    }
  }

  record WithHooks(int value) implements Serializable {
    private static final long serialVersionUID = 5;
    private static final ObjectStreamField[] serialPersistentFields = {};

    private void writeObject(ObjectOutputStream out) {
      event("never");
    }

    private void readObject(ObjectInputStream in) {
      event("never");
    }

    private void readObjectNoData() {
      event("never");
    }
  }

  record Replaced(String text) implements Serializable {
    private Object writeReplace() {
      event("writeReplace " + text);
      return text.isEmpty() ? this : new Replacement(text.length());
    }
  }

  record Replacement(int length) implements Serializable {
    private Object readResolve() {
      event("readResolve " + length);
      return new Replaced("x".repeat(length));
    }
  }

  record External(int value) implements Externalizable {
    @Override
    public void writeExternal(ObjectOutput out) throws IOException {
      event("writeExternal");
      out.writeInt(value);
    }

    @Override
    public void readExternal(ObjectInput in) {
      event("readExternal");
    }
  }

  record Many(int first, String... others) implements Serializable {}

  record Node(Object left, Object right) implements Serializable {}

  static class Link implements Serializable {
    Object to;
  }

  record NotSerializable(int x) {}

  @Test
  public void componentsArrive() throws Exception {
    event("-- write");
    see("point", Wire.copy(new Point(1, -2)));
    see(
        "every type",
        Wire.copy(
            new EveryType(
                true, (byte) 1, 'c', (short) 2, 3, 4, 5, 6, "7", List.of(8), new int[] {9})));
    see("empty", Wire.copy(new Empty()));
    see("variable arity", Wire.copy(new Many(1, "a", "b")).others());
    see("variable arity, null", Wire.copy(new Many(1, (String[]) null)));
    see("generic", Wire.copy(new Generic<>("a", List.of("b", "c"))));
    see("refused", Wire.tryToWrite("write", new NotSerializable(1)) == null);
  }

  @Test
  public void sharedRecordsStayShared() throws Exception {
    Point point = new Point(3, 4);
    see("shared", Wire.copy(new Node(point, new Node(point, new Point(3, 4)))));
  }

  @Test
  public void hooksAreIgnored() throws Exception {
    see("copy", Wire.copy(new WithHooks(5)));
    see("persistent", ObjectStreamClass.lookup(WithHooks.class).getFields().length);
    see("external", Wire.copy(new External(6)));
  }

  @Test
  public void replacementIsHonoured() throws Exception {
    see("copy", Wire.copy((Object) new Replaced("abc")));
    see("itself", Wire.copy((Object) new Replaced("")));
  }

  @Test
  public void exceptionsOfTheConstructorAreInvalidObjects() throws Exception {
    byte[] bytes = Wire.write(new Object[] {new Checked(-1, "negative"), "after"}, "next");
    Checked.strict = true;
    attempt("read", () -> Wire.read(bytes));
  }

  @Test
  public void cyclesThroughRecordsReadNull() throws Exception {
    Link link = new Link();
    Node node = new Node(link, "right");
    link.to = node;
    see("from the record", Wire.copy(node));
    see("from the link", Wire.copy(link));
    List<Object> list = new ArrayList<>();
    Node inList = new Node(list, list);
    list.add(inList);
    list.add("last");
    see("size", ((List<?>) Wire.copy(inList).left()).size());
    see("first", ((List<?>) Wire.copy(inList).left()).get(0));
    see("array", Wire.copy(cyclicArray()));
  }

  private static Object[] cyclicArray() {
    Object[] array = new Object[2];
    array[0] = new Node(array, array);
    array[1] = array[0];
    return array;
  }

  private static void evolve(String label, String before, String value, String after)
      throws Exception {
    ClassLoader own = RecordsTest.class.getClassLoader();
    Object written =
        Versions.loader(
                own,
                before,
                "public class Maker { public static Object make() { return " + value + "; } }")
            .loadClass("Maker")
            .getMethod("make")
            .invoke(null);
    byte[] bytes = Wire.write(written);
    ClassLoader reader = Versions.loader(own, after);
    attempt(label, () -> Wire.read(bytes, reader));
  }

  private static final String HEAD = " implements java.io.Serializable {";

  @Test
  public void missingComponentsGetDefaults() throws Exception {
    evolve(
        "more",
        "record R(int a, String b)" + HEAD + "}",
        "new R(1, \"b\")",
        "record R(long c, String b, int a, Object d, boolean e)" + HEAD + "}");
    evolve(
        "fewer",
        "record R(int a, String b)" + HEAD + "}",
        "new R(1, \"b\")",
        "record R(String b)" + HEAD + "}");
    evolve(
        "none",
        "record R(int a, Object b)" + HEAD + "}",
        "new R(1, null)",
        "record R()" + HEAD + "}");
    evolve(
        "other order",
        "record R(int a, int b, Object c)" + HEAD + "}",
        "new R(1, 2, 3)",
        "record R(Object c, int b, int a)" + HEAD + "}");
  }

  @Test
  public void typesOfComponentsAreChecked() throws Exception {
    evolve(
        "int to long", "record R(int a)" + HEAD + "}", "new R(1)", "record R(long a)" + HEAD + "}");
    evolve(
        "int to object",
        "record R(int a)" + HEAD + "}",
        "new R(1)",
        "record R(Object a)" + HEAD + "}");
    evolve(
        "wider",
        "record R(String a)" + HEAD + "}",
        "new R(\"s\")",
        "record R(Object a)" + HEAD + "}");
    evolve(
        "narrower, fitting",
        "record R(Object a)" + HEAD + "}",
        "new R(\"s\")",
        "record R(String a)" + HEAD + "}");
    evolve(
        "narrower, not fitting",
        "record R(Object a)" + HEAD + "}",
        "new R(5)",
        "record R(String a)" + HEAD + "}");
  }

  @Test
  public void serialVersionsNeedNotMatch() throws Exception {
    evolve(
        "declared",
        "record R(int a)" + HEAD + "private static final long serialVersionUID = 1;}",
        "new R(1)",
        "record R(int a)" + HEAD + "private static final long serialVersionUID = 2;}");
  }

  @Test
  public void classesBecomeRecordsAndBack() throws Exception {
    String record = "record R(int a, String b)" + HEAD + "}";
    String plain =
        "class R"
            + HEAD
            + "private static final long serialVersionUID = 0;"
            + " int a = 5; String b = \"five\"; }";
    evolve("class to record", plain, "new R()", record);
    evolve("record to class", record, "new R(1, \"one\")", plain);
    evolve("class with other version to record", plain.replace("= 0", "= 7"), "new R()", record);
    evolve(
        "record to class with other version",
        record,
        "new R(1, \"one\")",
        plain.replace("= 0", "= 7"));
    evolve(
        "class below another to record",
        "class R extends Up" + HEAD + " int a = 5; } class Up" + HEAD + " int a = 1; }",
        "new R()",
        record);
    evolve(
        "class that writes more to record",
        "class R"
            + HEAD
            + "private static final long serialVersionUID = 0; int a = 5;"
            + " private void writeObject(java.io.ObjectOutputStream o) throws java.io.IOException"
            + " { o.defaultWriteObject(); o.writeInt(1); } }",
        "new R()",
        record);
  }
}
