package io.karmi.uka.semantics;

import static io.karmi.uka.differential.Observed.attempt;
import static io.karmi.uka.differential.Observed.see;

import io.karmi.uka.differential.SameProgram;
import io.karmi.uka.differential.Versions;
import java.io.ObjectStreamClass;
import java.io.Serializable;
import java.util.function.Supplier;
import org.junit.Test;
import org.junit.runner.RunWith;

/** {@code serialVersionUID}: declared, computed, compared. */
@RunWith(SameProgram.class)
public class VersionUidTest {

  static class Declared implements Serializable {
    private static final long serialVersionUID = -123456789012345L;
  }

  static class WithEverything implements Serializable, Comparable<WithEverything>, Cloneable {
    static final Object INITIALISED = new Object();
    public int number;
    private transient int forgotten;
    protected volatile String text;
    static int counted;

    static {
      counted = 5;
    }

    private void secret() {}

    protected final synchronized int locked() {
      return 0;
    }

    @Override
    public int compareTo(WithEverything other) {
      Supplier<Integer> supplier = () -> number - other.number;
      assert supplier.get() != null;
      return supplier.get();
    }
  }

  interface Serial extends Serializable {}

  static class Inner implements Serial {
    class Deeper implements Serializable {}
  }

  private static void versions(String label, String before, String after) throws Exception {
    ClassLoader own = VersionUidTest.class.getClassLoader();
    Object object =
        Versions.loader(own, before).loadClass("V").getDeclaredConstructor().newInstance();
    byte[] bytes = Wire.write(object, "after");
    ClassLoader reader = Versions.loader(own, after);
    attempt(label, () -> Wire.read(bytes, reader));
    byte[] array = Wire.write(java.lang.reflect.Array.newInstance(object.getClass(), 1));
    attempt(label + ", array", () -> Wire.read(array, reader));
    byte[] type = Wire.write(object.getClass());
    attempt(label + ", class", () -> Wire.read(type, reader));
    byte[] description = Wire.write(ObjectStreamClass.lookupAny(object.getClass()));
    attempt(
        label + ", description",
        () -> ((ObjectStreamClass) Wire.read(description, reader)).getName());
  }

  private static String source(String uid, String members) {
    return "public class V implements java.io.Serializable { public V() {} "
        + (uid.isEmpty() ? "" : uid + "; ")
        + members
        + " }";
  }

  @Test
  public void uidsTravel() throws Exception {
    for (Class<?> type :
        new Class<?>[] {
          Declared.class,
          WithEverything.class,
          Inner.class,
          Inner.Deeper.class,
          int[].class,
          Declared[].class,
          String.class
        }) {
      ObjectStreamClass local = ObjectStreamClass.lookup(type);
      ObjectStreamClass copy = Wire.copy(local);
      see(type.getName(), copy.getSerialVersionUID());
      see("same", copy.getSerialVersionUID() == local.getSerialVersionUID());
    }
  }

  @Test
  public void mismatchNamesBothNumbers() throws Exception {
    String one = source("private static final long serialVersionUID = 1", "int a = 1;");
    versions("declared", one, one.replace("= 1;", "= 2;"));
    versions("same", one, one);
    versions("computed now", one, source("", "int a = 1;"));
  }

  @Test
  public void computedUidChangesWithTheClass() throws Exception {
    versions("method added", source("", "int a;"), source("", "int a; public void m() {}"));
    versions(
        "private method added", source("", "int a;"), source("", "int a; private void m() {}"));
    versions("private field type", source("", "private int a;"), source("", "private long a;"));
    versions(
        "transient field added",
        source("", "int a;"),
        source("", "int a; private transient int b;"));
    versions(
        "static initialiser", source("", "int a;"), source("", "int a; static { Math.abs(1); }"));
    versions(
        "lambda added",
        source("", "int a; Runnable r() { return null; }"),
        source("", "int a; Runnable r() { return () -> { int b = a; }; }"));
  }

  @Test
  public void otherKindsOfDeclarationsFollowTheJdk() throws Exception {
    String plain = source("private static final long serialVersionUID = 7", "");
    versions("int", source("private static final int serialVersionUID = 7", ""), plain);
    versions("int on reading", plain, source("private static final int serialVersionUID = 7", ""));
    versions("not static", source("private final long serialVersionUID = 7", ""), plain);
    versions("not final", source("private static long serialVersionUID = 7", ""), plain);
    versions("public", source("public static final long serialVersionUID = 7", ""), plain);
    versions("boxed", source("private static final Long serialVersionUID = 7L", ""), plain);
    versions("short", source("private static final short serialVersionUID = 7", ""), plain);
    versions("zero", source("private static final long serialVersionUID = 0", ""), plain);
  }

  @Test
  public void superclassesAreComparedToo() throws Exception {
    String child =
        "public class V extends W { public V() {} private static final long serialVersionUID = 1; }";
    String parent =
        "class W implements java.io.Serializable { private static final long serialVersionUID = %d; int x = 1; }";
    ClassLoader own = VersionUidTest.class.getClassLoader();
    Object object =
        Versions.loader(own, child, parent.formatted(1))
            .loadClass("V")
            .getDeclaredConstructor()
            .newInstance();
    byte[] bytes = Wire.write(object);
    ClassLoader other = Versions.loader(own, child, parent.formatted(2));
    attempt("superclass", () -> Wire.read(bytes, other));
  }

  @Test
  public void classesThatAreNotSerializableHaveNone() throws Exception {
    versions(
        "not serializable",
        "public class V { public V() {} }"
            .replace("class V", "class V implements java.io.Serializable"),
        "public class V { private static final long serialVersionUID = 5; public V() {} }");
  }
}
