package io.karmi.uka.semantics;

import static io.karmi.uka.differential.Observed.attempt;
import static io.karmi.uka.differential.Observed.attemptTypeTo;
import static io.karmi.uka.differential.Observed.see;

import io.karmi.uka.differential.SameProgram;
import io.karmi.uka.differential.Versions;
import java.io.ObjectStreamClass;
import java.io.ObjectStreamField;
import org.junit.Test;
import org.junit.runner.RunWith;

/** Methods and fields with special names that have the right signature, or not quite. */
@RunWith(SameProgram.class)
public class MagicMethodsTest {

  private static final ClassLoader OWN = MagicMethodsTest.class.getClassLoader();
  private static final String NOTE =
      "static void note(String s) { io.karmi.uka.differential.Observed.event(s); } ";

  private static Class<?> type(String members) throws Exception {
    return type("public class M implements Serializable", members);
  }

  private static Class<?> type(String head, String members, String... more) throws Exception {
    String[] sources = new String[more.length + 1];
    sources[0] =
        "import java.io.*; "
            + head
            + " { public M() {} static final long serialVersionUID = 1; "
            + NOTE
            + "int a = 1; Object b = \"b\"; "
            + members
            + " }";
    System.arraycopy(more, 0, sources, 1, more.length);
    return Versions.loader(OWN, sources).loadClass("M");
  }

  private static void program(String label, Class<?> type) throws Exception {
    byte[] bytes = Wire.tryToWrite(label + " write", type.getDeclaredConstructor().newInstance());
    if (bytes != null) {
      attempt(label, () -> Wire.read(bytes, type.getClassLoader()));
    }
  }

  @Test
  public void hooksMustBePrivateInstanceMethodsThatReturnNothing() throws Exception {
    String body =
        " writeObject(ObjectOutputStream o) throws IOException { note(\"write\"); o.defaultWriteObject(); ";
    program("private", type("private void" + body + "}"));
    program("public", type("public void" + body + "}"));
    program("protected", type("protected void" + body + "}"));
    program("package-private", type("void" + body + "}"));
    program("static", type("private static void" + body + "}"));
    program("returning", type("private int" + body + " return 1; }"));
    program(
        "other argument", type("private void writeObject(ObjectOutput o) { note(\"write\"); }"));
    program("no argument", type("private void writeObject() { note(\"write\"); }"));
    program("final", type("private final void" + body + "}"));
    program("synchronized", type("private synchronized void" + body + "}"));
    String read =
        " readObject(ObjectInputStream i) throws IOException, ClassNotFoundException { note(\"read\"); i.defaultReadObject(); ";
    program("private read", type("private void" + read + "}"));
    program("public read", type("public void" + read + "}"));
    program("static read", type("private static void" + read + "}"));
    program("returning read", type("private Object" + read + " return this; }"));
    program(
        "read of another stream",
        type("private void readObject(ObjectInput i) { note(\"read\"); }"));
  }

  @Test
  public void replacementsMustReturnObject() throws Exception {
    program(
        "writeReplace of String",
        type("private String writeReplace() { note(\"no\"); return \"s\"; }"));
    program(
        "writeReplace with argument",
        type("private Object writeReplace(int i) { note(\"no\"); return \"s\"; }"));
    program("writeReplace returning void", type("private void writeReplace() { note(\"no\"); }"));
    program(
        "static writeReplace",
        type("private static Object writeReplace() { note(\"no\"); return \"s\"; }"));
    program(
        "readResolve of String",
        type("private String readResolve() { note(\"no\"); return \"s\"; }"));
    program("readResolve returning void", type("private void readResolve() { note(\"no\"); }"));
    program(
        "readResolve of its class", type("private M readResolve() { note(\"no\"); return null; }"));
    program(
        "public readResolve", type("public Object readResolve() { note(\"yes\"); return \"s\"; }"));
    program(
        "throwing more",
        type(
            "private Object readResolve() throws Exception { note(\"yes\"); throw new Exception(\"checked\"); }"));
    program(
        "replacing and throwing more",
        type(
            "private Object writeReplace() throws Exception { throw new Exception(\"checked\"); }"));
  }

  @Test
  public void readObjectNoDataMustBePrivate() throws Exception {
    for (String declaration :
        new String[] {"private void", "public void", "private static void", "private int"}) {
      String returned = declaration.endsWith("int") ? " return 1;" : "";
      Class<?> before = type("");
      byte[] bytes = Wire.write(before.getDeclaredConstructor().newInstance());
      Class<?> after =
          type(
              "public class M extends P implements Serializable",
              "",
              "class P implements java.io.Serializable { "
                  + NOTE
                  + declaration
                  + " readObjectNoData() { note(\"no data\");"
                  + returned
                  + " } }");
      attempt(declaration, () -> Wire.read(bytes, after.getClassLoader()));
    }
  }

  @Test
  public void persistentFieldsCountOnlyIfPrivateStaticFinal() throws Exception {
    String fields =
        " ObjectStreamField[] serialPersistentFields = { new ObjectStreamField(\"a\", int.class) };";
    for (String modifiers :
        new String[] {
          "private static final",
          "public static final",
          "private static",
          "private final",
          "static final"
        }) {
      Class<?> type = type(modifiers + fields);
      see(modifiers, ObjectStreamClass.lookup(type).getFields().length);
      program(modifiers, type);
    }
    program(
        "null", type("private static final ObjectStreamField[] serialPersistentFields = null;"));
    program("of another type", type("private static final Object serialPersistentFields = null;"));
  }

  @Test
  public void faultyPersistentFieldsAreReported() throws Exception {
    String head = "private static final ObjectStreamField[] serialPersistentFields = { ";
    program(
        "duplicate",
        type(
            head
                + "new ObjectStreamField(\"a\", int.class), new ObjectStreamField(\"a\", int.class) };"));
    program(
        "duplicate of another type",
        type(
            head
                + "new ObjectStreamField(\"a\", int.class), new ObjectStreamField(\"a\", long.class) };"));
    program(
        "duplicate, declared as an object",
        type(
            head.replace("ObjectStreamField[] serial", "Object serial")
                    .replace("= {", "= new ObjectStreamField[] {")
                + "new ObjectStreamField(\"a\", int.class), new ObjectStreamField(\"a\", int.class) };"));
    program(
        "type that the field has not", type(head + "new ObjectStreamField(\"a\", long.class) };"));
    program("wider type", type(head + "new ObjectStreamField(\"b\", Object.class) };"));
    program("narrower type", type(head + "new ObjectStreamField(\"b\", String.class) };"));
    program("null element", type(head + "null };"));
    program(
        "static field",
        type(head + "new ObjectStreamField(\"s\", int.class) }; static int s = 5;"));
    program(
        "transient field",
        type(head + "new ObjectStreamField(\"t\", int.class) }; transient int t = 5;"));
    attempt("without a name", () -> new ObjectStreamField(null, int.class));
  }

  @Test
  public void faultyFieldsOfSuperclasses() throws Exception {
    program(
        "superclass",
        type(
            "public class M extends P implements Serializable",
            "",
            "import java.io.*; class P implements Serializable { int p = 1; private static final ObjectStreamField[] serialPersistentFields = "
                + "{ new ObjectStreamField(\"p\", int.class), new ObjectStreamField(\"p\", int.class) }; }"));
  }

  @Test
  public void failingStaticInitialisersPass() throws Exception {
    ClassLoader writer = type("").getClassLoader();
    byte[] bytes = Wire.write(writer.loadClass("M").getDeclaredConstructor().newInstance());
    Class<?> failing =
        type("static { if (true) throw new IllegalStateException(\"in the initialiser\"); }");
    attempt("first", () -> Wire.read(bytes, failing.getClassLoader()));
    attemptTypeTo(
        "array of it",
        () ->
            Wire.read(
                Wire.write(java.lang.reflect.Array.newInstance(failing, 1)),
                failing.getClassLoader()));
  }

  @Test
  public void classIsInitialisedWhenItsObjectsAreRead() throws Exception {
    Class<?> before = type("");
    byte[] bytes =
        Wire.write(
            before.getDeclaredConstructor().newInstance(),
            before,
            java.lang.reflect.Array.newInstance(before, 0));
    for (int i = 0; i < 3; i++) {
      int index = i;
      Class<?> after = type("static { note(\"initialised\"); }");
      attempt(
          "read " + i,
          () -> {
            Object[] read = new Object[index + 1];
            try (var in =
                Wire.open(
                    index == 0
                        ? bytes
                        : index == 1
                            ? Wire.write(before)
                            : Wire.write(java.lang.reflect.Array.newInstance(before, 0)),
                    after.getClassLoader())) {
              read[0] = in.readObject();
            }
            return read[0].getClass().getName();
          });
    }
  }
}
