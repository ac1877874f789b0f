package io.karmi.uka.semantics;

import static io.karmi.uka.differential.Observed.attempt;
import static io.karmi.uka.differential.Observed.see;

import io.karmi.uka.differential.SameProgram;
import io.karmi.uka.differential.Versions;
import java.io.ObjectInputStream;
import java.util.List;
import org.junit.Test;
import org.junit.runner.RunWith;

/** Classes that the receiver lacks: what fails, what is skipped, what is still readable. */
@RunWith(SameProgram.class)
public class AbsentClassesTest {

  private static final ClassLoader OWN = AbsentClassesTest.class.getClassLoader();
  private static final String HEAD =
      "implements java.io.Serializable { static final long serialVersionUID = 1; ";
  private static final String NOTE =
      "static void note(String s) { io.karmi.uka.differential.Observed.event(s); } ";
  private static final String GONE = "class Gone " + HEAD + " int g = 1; Object o = \"inside\"; }";

  /**
   * Writes what {@code C.make()} returns, then a String, and reads both where {@code Gone} does not
   * exist.
   */
  private static void without(String label, String[] before, String... after) throws Exception {
    Object written = Versions.loader(OWN, before).loadClass("C").getMethod("make").invoke(null);
    byte[] bytes = Wire.write(written, "after", written);
    ClassLoader reader = Versions.loaderWithout(OWN, List.of("Gone"), after);
    try (ObjectInputStream in = Wire.open(bytes, reader)) {
      attempt(label, in::readObject);
      attempt("next", in::readObject);
      attempt("again", in::readObject);
    }
  }

  private static String c(String body, String make) {
    return "public class C "
        + HEAD
        + NOTE
        + body
        + " public static Object make() { return "
        + make
        + "; } }";
  }

  @Test
  public void absentClassIsReported() throws Exception {
    without("top", new String[] {c("", "new Gone()"), GONE}, c("", "null"));
    without(
        "field",
        new String[] {c("Object f = new Gone();", "new C()"), GONE},
        c("Object f;", "null"));
    without("array", new String[] {c("", "new Object[] {1, new Gone(), 2}"), GONE}, c("", "null"));
    without("array of it", new String[] {c("", "new Gone[] {null}"), GONE}, c("", "null"));
    without("class", new String[] {c("", "Gone.class"), GONE}, c("", "null"));
    without(
        "list",
        new String[] {c("", "new java.util.ArrayList<>(java.util.List.of(1, new Gone()))"), GONE},
        c("", "null"));
    without("enum", new String[] {c("", "Gone.A"), "enum Gone { A }"}, c("", "null"));
    without(
        "record",
        new String[] {
          c("", "new Gone(5)"), "record Gone(int a) implements java.io.Serializable {}"
        },
        c("", "null"));
    without(
        "proxy",
        new String[] {
          c(
              "",
              "java.lang.reflect.Proxy.newProxyInstance(C.class.getClassLoader(), new Class<?>[] {Gone.class}, new H())"),
          "interface Gone {}",
          "class H implements java.lang.reflect.InvocationHandler, java.io.Serializable { public Object invoke(Object p, java.lang.reflect.Method m, Object[] a) { return null; } }"
        },
        c("", "null"),
        "class H implements java.lang.reflect.InvocationHandler, java.io.Serializable { public Object invoke(Object p, java.lang.reflect.Method m, Object[] a) { return null; } }");
  }

  @Test
  public void superclassOfTheSenderMayBeAbsent() throws Exception {
    String[] before = {
      "public class C extends Gone "
          + HEAD
          + " int c = 2; public static Object make() { return new C(); } }",
      GONE
    };
    without("superclass", before, c("int c;", "null"));
    without(
        "superclass with data",
        new String[] {
          before[0],
          "class Gone "
              + HEAD
              + " private void writeObject(java.io.ObjectOutputStream o) throws java.io.IOException { o.writeInt(1); o.writeObject(\"x\"); } }"
        },
        c("int c;", "null"));
  }

  @Test
  public void fieldThatTheReceiverLacksIsSkipped() throws Exception {
    without(
        "field",
        new String[] {c("int a = 1; Object f = new Gone(); String z = \"z\";", "new C()"), GONE},
        c("int a; String z;", "null"));
    without(
        "field of its type",
        new String[] {c("int a = 1; Gone f = new Gone();", "new C()"), GONE},
        c("int a;", "null"));
    without(
        "null field of its type",
        new String[] {c("int a = 1; Gone f; Gone[] g;", "new C()"), GONE},
        c("int a;", "null"));
    without(
        "last field, read by a method of the class",
        new String[] {c("int a = 1; Object z = new Gone[] {new Gone()};", "new C()"), GONE},
        c(
            "int a; private void readObject(java.io.ObjectInputStream in) throws Exception {"
                + " in.defaultReadObject(); note(\"a=\" + a); }",
            "null"));
    without(
        "shared with a field that is read",
        new String[] {c("Object a; Object f = new Gone(); { a = f; }", "new C()"), GONE},
        c("Object f;", "null"));
    without(
        "objects inside the skipped one are known later",
        new String[] {
          c(
              "Object f = new Object[] {new Gone(), new int[] {5}}; Object g = ((Object[]) f)[1];",
              "new C()"),
          GONE
        },
        c("Object g;", "null"));
  }

  @Test
  public void optionalDataThatIsNotReadIsSkipped() throws Exception {
    String write =
        "private void writeObject(java.io.ObjectOutputStream o) throws java.io.IOException { o.defaultWriteObject(); o.writeObject(new Gone()); o.writeInt(3); }";
    String read =
        "private void readObject(java.io.ObjectInputStream i) throws java.io.IOException, ClassNotFoundException { i.defaultReadObject(); "
            + "try { i.readObject(); } catch (ClassNotFoundException e) { note(\"absent \" + e.getMessage()); } note(\"then \" + i.readInt()); }";
    without(
        "not read", new String[] {c("int a = 1; " + write, "new C()"), GONE}, c("int a;", "null"));
    without(
        "read and caught",
        new String[] {c("int a = 1; " + write, "new C()"), GONE},
        c("int a;" + read, "null"));
  }

  @Test
  public void hooksAndMarks() throws Exception {
    String readObject =
        "private void readObject(java.io.ObjectInputStream i) throws java.io.IOException, ClassNotFoundException { note(\"readObject\"); "
            + "try { i.defaultReadObject(); note(\"read\"); } catch (ClassNotFoundException e) { note(\"marked \" + e.getMessage()); throw e; } }";
    String swallow =
        "private void readObject(java.io.ObjectInputStream i) throws java.io.IOException, ClassNotFoundException { note(\"readObject\"); "
            + "try { i.defaultReadObject(); note(\"read\"); } catch (ClassNotFoundException e) { note(\"swallowed \" + e.getMessage()); } }";
    String resolve = "private Object readResolve() { note(\"readResolve\"); return this; }";
    String[] before = {c("Object f = new Gone(); int z = 1;", "new C()"), GONE};
    without("through readObject", before, c("Object f; int z;" + readObject, "null"));
    without("swallowed", before, c("Object f; int z;" + swallow, "null"));
    without("readResolve", before, c("Object f; int z;" + resolve, "null"));
    without("swallowed, then resolved", before, c("Object f; int z;" + swallow + resolve, "null"));
    String[] child = {
      "public class C extends P "
          + HEAD
          + " int c = 2; public static Object make() { return new C(); } }",
      "class P " + HEAD + " Object p = new Gone(); }",
      GONE
    };
    without(
        "child of a marked level",
        child,
        "public class C extends P "
            + HEAD
            + NOTE
            + " int c; private void readObject(java.io.ObjectInputStream i) { note(\"child\"); } }",
        "class P " + HEAD + " Object p; }");
  }

  @Test
  public void getFieldReportsTheAbsentValue() throws Exception {
    String fields =
        "private void readObject(java.io.ObjectInputStream i) throws java.io.IOException, ClassNotFoundException { "
            + "java.io.ObjectInputStream.GetField f = i.readFields(); note(\"\" + f.get(\"z\", 0)); "
            + "try { note(\"\" + f.get(\"f\", null)); } catch (Exception e) { note(\"failed \" + e); } }";
    without(
        "fields",
        new String[] {c("Object f = new Gone(); int z = 1; Object g = \"g\";", "new C()"), GONE},
        c("Object f; int z; Object g;" + fields, "null"));
  }

  @Test
  public void cyclesThroughTheAbsent() throws Exception {
    without(
        "cycle",
        new String[] {c("Object[] f = {new Gone(), this, new Object[] {this}};", "new C()"), GONE},
        c("Object[] f;", "null"));
    without(
        "cycle through the absent one itself",
        new String[] {
          c("Object f;", "new Gone(new C()).c"),
          "class Gone " + HEAD + " C c; Gone(C c) { this.c = c; c.f = this; } }"
        },
        c("Object f;", "null"));
  }

  @Test
  public void absentExternalizableDataIsSkipped() throws Exception {
    without(
        "externalizable",
        new String[] {
          c("Object f = new Gone(); int z = 1; Object g = \"g\";", "new C()"),
          "public class Gone implements java.io.Externalizable { public Gone() {} public void writeExternal(java.io.ObjectOutput o) throws java.io.IOException "
              + "{ o.writeInt(5); o.writeObject(\"x\"); o.write(new byte[2000]); } public void readExternal(java.io.ObjectInput i) {} }"
        },
        c("int z; Object g;", "null"));
  }

  @Test
  public void restOfTheStreamIsReadable() throws Exception {
    ClassLoader writer =
        Versions.loader(
            OWN, c("Object f = new Object[] {new Gone(), new int[] {1}};", "new C()"), GONE);
    Object written = writer.loadClass("C").getMethod("make").invoke(null);
    Object shared = new int[] {7};
    byte[] bytes =
        Wire.writeBy(
            out -> {
              out.writeObject(shared);
              out.writeObject(new Object[] {written, shared});
              out.writeInt(5);
              out.writeObject(shared);
              out.writeObject(written);
              out.reset();
              out.writeObject("after reset");
            });
    ClassLoader reader = Versions.loaderWithout(OWN, List.of("Gone"), c("Object f;", "null"));
    try (ObjectInputStream in = Wire.open(bytes, reader)) {
      Object first = in.readObject();
      attempt("absent", in::readObject);
      attempt("int", in::readInt);
      see("same", in.readObject() == first);
      attempt("absent again", in::readObject);
      attempt("after reset", in::readObject);
    }
  }
}
