package io.karmi.uka.semantics;

import static io.karmi.uka.differential.Observed.attempt;
import static io.karmi.uka.differential.Observed.see;

import io.karmi.uka.differential.SameProgram;
import io.karmi.uka.differential.Versions;
import java.io.ObjectInputStream;
import org.junit.Test;
import org.junit.runner.RunWith;

/**
 * A class changes between writing and reading. The class is always called {@code C} and starts with
 * version 1.
 */
@RunWith(SameProgram.class)
public class EvolutionTest {

  private static final ClassLoader OWN = EvolutionTest.class.getClassLoader();
  private static final String IMPORTS = "import java.io.*; import java.util.*; ";
  private static final String NOTE =
      "static void note(String s) { io.karmi.uka.differential.Observed.event(s); } ";

  private static String c(String body) {
    return type("public class C implements Serializable", body);
  }

  private static String type(String head, String body) {
    String uid =
        head.contains("interface")
            ? ""
            : "private static final long serialVersionUID = 1L; " + NOTE;
    return IMPORTS + head + " { " + uid + body + " }";
  }

  private static void evolve(String label, String[] before, String... after) throws Exception {
    Object written =
        Versions.loader(OWN, before).loadClass("C").getDeclaredConstructor().newInstance();
    byte[] bytes = Wire.write(new Object[] {written, "between", written}, "after");
    ClassLoader reader = Versions.loader(OWN, after);
    attempt(
        label,
        () -> {
          try (ObjectInputStream in = Wire.open(bytes, reader)) {
            return new Object[] {in.readObject(), in.readObject()};
          }
        });
  }

  private static void evolve(String label, String before, String after) throws Exception {
    evolve(label, new String[] {before}, after);
  }

  @Test
  public void fieldsAddedRemovedAndReordered() throws Exception {
    evolve("added", c("int a = 1;"), c("int a; int b = 2; Object c = 3; double d = 4;"));
    evolve(
        "removed",
        c("int a = 1; long b = 2; Object c = new ArrayList<>(); String d = \"d\";"),
        c("long b; String d;"));
    evolve("all removed", c("int a = 1; Object c = \"c\"; int[] d = {1};"), c(""));
    evolve(
        "reordered", c("int a = 1; String b = \"b\"; long c = 3;"), c("long c; String b; int a;"));
    evolve("renamed", c("int a = 1; Object o = 1;"), c("int b = 5; Object p = 6;"));
    evolve(
        "static now", c("int a = 1; Object o = \"o\";"), c("static int a = 7; static Object o;"));
    evolve(
        "transient now",
        c("int a = 1; Object o = \"o\";"),
        c("transient int a = 7; transient Object o = 8;"));
    evolve(
        "no longer transient",
        c("transient int a = 1; transient Object o = \"o\";"),
        c("int a = 7; Object o = 8;"));
  }

  @Test
  public void primitiveTypesChanged() throws Exception {
    String[] types = {"boolean", "byte", "char", "short", "int", "long", "float", "double"};
    for (String to : types) {
      evolve("int to " + to, c("int a = 1;"), c(to + " a;"));
      evolve("long to " + to, c("long a = 1;"), c(to + " a;"));
    }
    evolve("int to Integer", c("int a = 1;"), c("Integer a;"));
    evolve("Integer to int", c("Integer a = 1;"), c("int a;"));
    evolve("int to int[]", c("int a = 1;"), c("int[] a;"));
  }

  @Test
  public void referenceTypesChanged() throws Exception {
    evolve("wider", c("String a = \"a\";"), c("Object a;"));
    evolve("narrower, fitting", c("Object a = \"a\";"), c("String a;"));
    evolve("narrower, not fitting", c("Object a = 1; int b = 2;"), c("String a; int b;"));
    evolve("to interface", c("ArrayList<Object> a = new ArrayList<>();"), c("List<Object> a;"));
    evolve("to another", c("ArrayList<Object> a = new ArrayList<>();"), c("LinkedList<Object> a;"));
    evolve("null fits", c("ArrayList<Object> a;"), c("LinkedList<Object> a;"));
    evolve("array", c("Object[] a = new Integer[] {1};"), c("Integer[] a;"));
    evolve("wrong array", c("Object[] a = {1};"), c("Integer[] a;"));
    evolve("dimensions", c("int[][] a = {{1}};"), c("int[] a;"));
    evolve("elements", c("int[] a = {1};"), c("long[] a;"));
  }

  @Test
  public void classAddedToTheHierarchy() throws Exception {
    evolve(
        "serializable parent added",
        new String[] {c("int a = 1;")},
        type("public class C extends P implements Serializable", "int a;"),
        type("class P implements Serializable", "int p = 5;"));
    evolve(
        "parent with readObjectNoData added",
        new String[] {c("int a = 1;")},
        type("public class C extends P", "int a;"),
        type(
            "class P implements Serializable",
            "int p = 5; private void readObjectNoData() { note(\"no data\"); p = 6; } "
                + "private void readObject(ObjectInputStream in) { note(\"never\"); }"));
    evolve(
        "plain parent added",
        new String[] {c("int a = 1;")},
        type("public class C extends P implements Serializable", "int a;"),
        type("class P", "int p = 5; P() { note(\"P()\"); }"));
    evolve(
        "in the middle",
        new String[] {
          type("public class C extends P", "int a = 1;"),
          type("class P implements Serializable", "int p = 2;")
        },
        type("public class C extends M", "int a;"),
        type(
            "class M extends P",
            "int m = 3; private void readObjectNoData() throws ObjectStreamException { note(\"M \" + p); }"),
        type("class P implements Serializable", "int p;"));
    evolve(
        "throwing in readObjectNoData",
        new String[] {c("int a = 1;")},
        type("public class C extends P", "int a;"),
        type(
            "class P implements Serializable",
            "private void readObjectNoData() throws ObjectStreamException { throw new InvalidObjectException(\"data needed\"); }"));
  }

  @Test
  public void classRemovedFromTheHierarchy() throws Exception {
    evolve(
        "parent removed",
        new String[] {
          type("public class C extends P", "int a = 1;"),
          type("class P implements Serializable", "int p = 2; Object q = \"q\";")
        },
        c("int a;"));
    evolve(
        "parent with data removed",
        new String[] {
          type("public class C extends P", "int a = 1;"),
          type(
              "class P implements Serializable",
              "int p = 2; private void writeObject(ObjectOutputStream o) throws IOException "
                  + "{ o.defaultWriteObject(); o.writeInt(9); o.writeObject(\"data\"); o.writeObject(this); }")
        },
        c("int a;"));
    evolve(
        "parent no longer serializable",
        new String[] {
          type("public class C extends P", "int a = 1;"),
          type("class P implements Serializable", "int p = 2;")
        },
        type("public class C extends P implements Serializable", "int a;"),
        type("class P", "int p = 7;"));
    evolve(
        "parents exchanged",
        new String[] {
          type("public class C extends P", "int a = 1;"),
          type("class P extends Q", "int p = 2;"),
          type("class Q implements Serializable", "int q = 3;")
        },
        type("public class C extends Q", "int a;"),
        type("class Q extends P", "int q;"),
        type("class P implements Serializable", "int p;"));
  }

  @Test
  public void parentMovedBelow() throws Exception {
    evolve(
        "field moved to the parent",
        new String[] {
          type("public class C extends P", "int a = 1; int b = 2;"),
          type("class P implements Serializable", "")
        },
        type("public class C extends P", "int a;"),
        type("class P implements Serializable", "int b;"));
  }

  @Test
  public void hooksAddedAndRemoved() throws Exception {
    String hooks =
        "private void writeObject(ObjectOutputStream o) throws IOException { o.defaultWriteObject(); o.writeInt(7); "
            + "o.writeObject(\"more\"); } private void readObject(ObjectInputStream i) throws IOException, ClassNotFoundException "
            + "{ i.defaultReadObject(); note(\"available \" + i.available()); "
            + "try { note(\"int \" + i.readInt() + i.readObject()); } catch (EOFException e) { note(\"nothing more\"); } }";
    evolve("removed", c("int a = 1;" + hooks), c("int a;"));
    evolve("added", c("int a = 1;"), c("int a;" + hooks));
    evolve("kept, field added", c("int a = 1;" + hooks), c("int a; int b = 1;" + hooks));
    evolve("kept, field removed", c("int a = 1; Object b = 1;" + hooks), c("int a;" + hooks));
    String fields =
        "private void readObject(ObjectInputStream i) throws IOException, ClassNotFoundException { ObjectInputStream.GetField f "
            + "= i.readFields(); note(\"a \" + f.get(\"a\", 5) + f.defaulted(\"a\")); note(\"b \" + f.get(\"b\", 6L) + f.defaulted(\"b\")); "
            + "note(\"c \" + f.get(\"c\", (Object) \"c\") + f.defaulted(\"c\")); "
            + "try { f.get(\"d\", 1); } catch (IllegalArgumentException e) { note(e.getMessage()); } "
            + "note(\"\" + f.getObjectStreamClass().getField(\"d\")); }";
    evolve("defaulted", c("int a = 1; int d = 4;"), c("int a; long b; Object c;" + fields));
    evolve(
        "not defaulted",
        c("int a = 0; long b = 0; Object c = null; int d = 4;"),
        c("int a; long b; Object c;" + fields));
  }

  @Test
  public void kindsOfClassesExchanged() throws Exception {
    String external =
        "public C() {} public void writeExternal(ObjectOutput o) throws IOException { o.writeInt(1); } "
            + "public void readExternal(ObjectInput i) throws IOException { note(\"read \" + i.readInt()); }";
    String externalC = type("public class C implements Externalizable", external);
    evolve("serializable to externalizable", c("int a = 1;"), externalC);
    evolve("externalizable to serializable", externalC, c("int a;"));
    evolve("serializable no more", c("int a = 1;"), type("public class C", "int a;"));
    evolve(
        "class to interface", c("int a = 1;"), type("public interface C extends Serializable", ""));
    evolve(
        "class to abstract class",
        c("int a = 1;"),
        type("public abstract class C implements Serializable", "int a;"));
    evolve("class to enum", c("int a = 1;"), IMPORTS + "public enum C { ONE }");
    evolve(
        "class to record",
        c("int a = 1;"),
        IMPORTS + "public record C(int a) implements Serializable {}");
  }

  @Test
  public void resolvedByTheReceiverOnly() throws Exception {
    evolve(
        "readResolve added",
        c("int a = 1;"),
        c("int a; private Object readResolve() { note(\"resolve\"); return \"resolved \" + a; }"));
    evolve(
        "persistent fields added",
        c("int a = 1; int b = 2;"),
        c(
            "int a; int b; private static final ObjectStreamField[] serialPersistentFields = { new ObjectStreamField(\"a\", int.class) };"));
    evolve(
        "persistent fields of another type",
        c("int a = 1;"),
        c(
            "int a; private static final ObjectStreamField[] serialPersistentFields = { new ObjectStreamField(\"a\", long.class) };"));
  }

  @Test
  public void manyVersionsInOneStream() throws Exception {
    ClassLoader first = Versions.loader(OWN, c("int a = 1;"));
    ClassLoader second = Versions.loader(OWN, c("int a = 2; int b = 2;"));
    byte[] bytes =
        Wire.write(
            first.loadClass("C").getDeclaredConstructor().newInstance(),
            second.loadClass("C").getDeclaredConstructor().newInstance(),
            first.loadClass("C").getDeclaredConstructor().newInstance());
    ClassLoader reader = Versions.loader(OWN, c("int a = 3; int b = 3; int c = 3;"));
    try (ObjectInputStream in = Wire.open(bytes, reader)) {
      see("first", in.readObject());
      see("second", in.readObject());
      see("third", in.readObject());
    }
  }
}
