package io.karmi.uka.semantics;

import static io.karmi.uka.differential.Observed.attempt;
import static io.karmi.uka.differential.Observed.event;
import static io.karmi.uka.differential.Observed.see;

import io.karmi.uka.differential.SameProgram;
import io.karmi.uka.differential.Versions;
import java.io.ByteArrayInputStream;
import java.io.ObjectInputStream;
import java.io.ObjectStreamClass;
import java.io.Serializable;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.Test;
import org.junit.runner.RunWith;

/** In which class loader a class of the stream is looked for. */
@RunWith(SameProgram.class)
public class ClassLoadersTest {

  private static final ClassLoader OWN = ClassLoadersTest.class.getClassLoader();

  private static final String THING =
      "public class Thing implements java.io.Serializable { static final long serialVersionUID = 1; int a = 1;"
          + " private Object readResolve() { return this; } }";

  private static final String PROGRAM =
      "import java.io.*; public class Program { "
          + "public static byte[] write() throws Exception { ByteArrayOutputStream b = new ByteArrayOutputStream(); "
          + "ObjectOutputStream o = new ObjectOutputStream(b); o.writeObject(new Object[] {new Thing(), new Thing[1], Thing.class}); o.close(); return b.toByteArray(); } "
          + "public static Object read(byte[] b) throws Exception { return new ObjectInputStream(new ByteArrayInputStream(b)).readObject(); } "
          + "public static Object by(ObjectInputStream in) throws Exception { return in.readObject(); } "
          + "public static Object reflective(byte[] b) throws Exception { return Program.class.getMethod(\"read\", byte[].class).invoke(null, b); } "
          + "public static Object inAList(byte[] b) throws Exception { return java.util.List.of(b).stream().map(x -> { try { return read(x); } "
          + "catch (Exception e) { throw new RuntimeException(e); } }).toList().get(0); } }";

  private static Object call(ClassLoader loader, String method, Object... arguments)
      throws Exception {
    for (var candidate : loader.loadClass("Program").getMethods()) {
      if (candidate.getName().equals(method)) {
        return candidate.invoke(null, arguments);
      }
    }
    throw new NoSuchMethodException(method);
  }

  private static String loaders(Object read, ClassLoader first, ClassLoader second) {
    StringBuilder text = new StringBuilder();
    for (Object element : (Object[]) read) {
      Class<?> type = element instanceof Class<?> itself ? itself : element.getClass();
      type = type.isArray() ? type.getComponentType() : type;
      text.append(
          type.getClassLoader() == first
              ? "first "
              : type.getClassLoader() == second ? "second " : "other ");
    }
    return text.toString();
  }

  @Test
  public void latestUserDefinedLoaderOnTheStackIsUsed() throws Exception {
    ClassLoader first = Versions.loader(OWN, THING, PROGRAM);
    ClassLoader second = Versions.loader(OWN, THING, PROGRAM);
    byte[] bytes = (byte[]) call(first, "write");
    see("by the first", loaders(call(first, "read", bytes), first, second));
    see("by the second", loaders(call(second, "read", bytes), first, second));
    see("reflectively", loaders(call(second, "reflective", bytes), first, second));
    see("behind frames of the JDK", loaders(call(second, "inAList", bytes), first, second));
    attempt("by us, who do not see it", () -> Wire.read(bytes));
  }

  @Test
  public void callerOfReadObjectCountsNotTheMakerOfTheStream() throws Exception {
    ClassLoader first = Versions.loader(OWN, THING, PROGRAM);
    ClassLoader second = Versions.loader(OWN, THING, PROGRAM);
    byte[] bytes = (byte[]) call(first, "write");
    see(
        "ours, read by the second",
        loaders(
            call(second, "by", new ObjectInputStream(new ByteArrayInputStream(bytes))),
            first,
            second));
    try (ObjectInputStream in = Wire.open((byte[]) call(first, "write"))) {
      see("first", loaders(call(first, "by", in), first, second));
    }
  }

  @Test
  public void hooksOnTheStackCount() throws Exception {
    String holder =
        "public class Holder implements java.io.Serializable { static final long serialVersionUID = 1;"
            + " private void writeObject(java.io.ObjectOutputStream o) throws java.io.IOException {"
            + " try { o.writeObject(Class.forName(\"Thing\", true, Thread.currentThread().getContextClassLoader())); }"
            + " catch (ClassNotFoundException e) { throw new java.io.IOException(e); } }"
            + " private void readObject(java.io.ObjectInputStream i) throws java.io.IOException, ClassNotFoundException"
            + " { i.readObject(); } }";
    ClassLoader upper = Versions.loader(OWN, holder);
    ClassLoader lower = Versions.loader(upper, THING, PROGRAM);
    Thread.currentThread().setContextClassLoader(lower);
    Object written = upper.loadClass("Holder").getDeclaredConstructor().newInstance();
    byte[] bytes = Wire.write(written);
    attempt("the hook does not see what the caller sees", () -> call(lower, "read", bytes));
    byte[] seen =
        Wire.write((Object) new Object[] {upper.loadClass("Holder"), lower.loadClass("Thing")});
    attempt("the caller sees both", () -> ((Object[]) call(lower, "read", seen)).length);
  }

  private static String part(String origin) {
    return "public class Part implements java.io.Serializable {"
        + " static final long serialVersionUID = 1; int a = 2;"
        + " public String toString() { return \"part of "
        + origin
        + "\"; } }";
  }

  /** Whose parts an upper class gets when a lower one reads it. */
  private static void partsOf(String label, String contentAndHook) throws Exception {
    String whole =
        "public class Whole implements java.io.Serializable {"
            + " static final long serialVersionUID = 1; "
            + contentAndHook
            + " public String toString() { return String.valueOf(content); } }";
    ClassLoader upper = Versions.loader(OWN, whole, part("upper"));
    ClassLoader lower = Versions.loader(upper, part("lower"), THING, PROGRAM);
    byte[] bytes = Wire.write(upper.loadClass("Whole").getDeclaredConstructor().newInstance());
    see(label, String.valueOf(call(lower, "read", bytes)));
  }

  @Test
  public void fieldsAreReadForWhoeverAsksForThem() throws Exception {
    String list =
        "Object content = new java.util.ArrayList<>(java.util.Arrays.asList(new Part(), 3));";
    String hook =
        "private void readObject(java.io.ObjectInputStream in)"
            + " throws java.io.IOException, ClassNotFoundException { ";
    partsOf("plain", "Object content = new Part();");
    partsOf("in a class of the JDK", list);
    partsOf(
        "by default fields", "Part content = new Part(); " + hook + "in.defaultReadObject(); }");
    partsOf("by default fields, in a class of the JDK", list + hook + "in.defaultReadObject(); }");
    partsOf(
        "by fields", list + hook + "content = in.readFields().get(\"content\", (Object) null); }");
  }

  @Test
  public void theCallerCountsAgainAfterAHook() throws Exception {
    String hooked =
        "public class Whole implements java.io.Serializable {"
            + " static final long serialVersionUID = 1; Object content = new Thing();"
            + " public String toString() { return \"own thing: \""
            + " + (content.getClass().getClassLoader() == getClass().getClassLoader()); }"
            + " private void readObject(java.io.ObjectInputStream in) throws java.io.IOException,"
            + " ClassNotFoundException { in.defaultReadObject(); } }";
    ClassLoader upper = Versions.loader(OWN, hooked, THING, part("upper"));
    ClassLoader lower = Versions.loader(upper, part("lower"), THING, PROGRAM);
    Object whole = upper.loadClass("Whole").getDeclaredConstructor().newInstance();
    Object part = upper.loadClass("Part").getDeclaredConstructor().newInstance();
    Object[] read = (Object[]) call(lower, "read", Wire.write((Object) new Object[] {whole, part}));
    see("whole", String.valueOf(read[0]));
    see("part", String.valueOf(read[1]));
  }

  @Test
  public void primitivesAndArraysAreFoundByName() throws Exception {
    see(
        "classes",
        Wire.copy(new Class<?>[] {int.class, long[].class, void.class, String[][].class}));
  }

  @Test
  public void sameNameFromTwoLoadersInOneStream() throws Exception {
    ClassLoader first = Versions.loader(OWN, THING);
    ClassLoader second = Versions.loader(OWN, THING);
    Object one = first.loadClass("Thing").getDeclaredConstructor().newInstance();
    Object two = second.loadClass("Thing").getDeclaredConstructor().newInstance();
    byte[] bytes = Wire.write((Object) new Object[] {one, two, one, two});
    Object[] read = (Object[]) Wire.read(bytes, first);
    see("classes", loaders(read, first, second));
    see("distinct", read[0] != read[1] && read[0] == read[2]);
    Object[] turns = (Object[]) new Alternating(bytes, first, second).readObject();
    see("by turns", loaders(turns, first, second));
  }

  /** Resolves each description by the next loader. */
  static class Alternating extends ObjectInputStream {
    final ClassLoader[] loaders;
    int turn;

    Alternating(byte[] bytes, ClassLoader... loaders) throws java.io.IOException {
      super(new ByteArrayInputStream(bytes));
      this.loaders = loaders;
    }

    @Override
    protected Class<?> resolveClass(ObjectStreamClass description) throws ClassNotFoundException {
      event("resolve " + description.getName());
      return description.getName().startsWith("[")
          ? Object[].class
          : loaders[turn++ % loaders.length].loadClass(description.getName());
    }
  }

  @Test
  public void proxiesAreDefinedWhereTheirInterfacesAre() throws Exception {
    String face = "interface Hidden { }";
    String open = "public interface Open { }";
    ClassLoader loader = Versions.loader(OWN, face, open, PROGRAM, THING);
    Object hidden =
        Proxy.newProxyInstance(
            loader,
            new Class<?>[] {loader.loadClass("Hidden"), loader.loadClass("Open")},
            new Nothing());
    Object visible =
        Proxy.newProxyInstance(loader, new Class<?>[] {loader.loadClass("Open")}, new Nothing());
    byte[] bytes = Wire.write((Object) new Object[] {hidden, visible});
    Object[] read = (Object[]) call(loader, "read", bytes);
    see("hidden", read[0].getClass().getClassLoader() == loader);
    see("open", read[1].getClass().getClassLoader() == loader);
    attempt("unseen", () -> Wire.read(bytes));
  }

  /** A stream that only looks at names, as guards of programs do, is user code itself. */
  @Test
  public void streamsThatAskTheJdksMethodFindByTheirOwnLoaderWhoeverReads() throws Exception {
    String open = "public interface Open { }";
    String guard =
        "import java.io.*; public class Guard extends ObjectInputStream { "
            + "public Guard(byte[] b) throws Exception { super(new ByteArrayInputStream(b)); } "
            + "protected Class<?> resolveClass(ObjectStreamClass d) throws IOException, ClassNotFoundException { "
            + "return super.resolveClass(d); } "
            + "protected Class<?> resolveProxyClass(String[] n) throws IOException, ClassNotFoundException { "
            + "return super.resolveProxyClass(n); } }";
    String heir =
        "public class Heir extends Guard { public Heir(byte[] b) throws Exception { super(b); } }";
    ClassLoader first = Versions.loader(OWN, THING, PROGRAM, open);
    ClassLoader second = Versions.loader(OWN, THING, PROGRAM, open, guard, heir);
    Object proxy =
        Proxy.newProxyInstance(first, new Class<?>[] {first.loadClass("Open")}, new Nothing());
    Object thing = first.loadClass("Thing").getDeclaredConstructor().newInstance();
    byte[] bytes = Wire.write((Object) new Object[] {thing, proxy, thing, new Object[] {proxy}});
    for (Class<?> stream : List.of(second.loadClass("Guard"), second.loadClass("Heir"))) {
      for (ClassLoader caller : List.of(first, second)) {
        Object in = stream.getConstructor(byte[].class).newInstance((Object) bytes);
        Object[] read = (Object[]) call(caller, "by", in);
        see(
            stream.getName() + (caller == first ? " of the first" : " of the second"),
            loaders(new Object[] {read[0], read[1], read[2]}, first, second));
        see("nested", ((Object[]) read[3])[0] == read[1]);
      }
      attempt(
          "by us",
          () ->
              loaders(
                  ((ObjectInputStream)
                          stream.getConstructor(byte[].class).newInstance((Object) bytes))
                      .readObject(),
                  first,
                  second));
    }
  }

  static class Nothing implements java.lang.reflect.InvocationHandler, Serializable {
    @Override
    public Object invoke(Object proxy, java.lang.reflect.Method method, Object[] arguments) {
      return null;
    }
  }

  @Test
  public void contextLoaderIsNotAsked() throws Exception {
    ClassLoader first = Versions.loader(OWN, THING, PROGRAM);
    byte[] bytes = (byte[]) call(first, "write");
    Thread.currentThread().setContextClassLoader(first);
    attempt("by the context", () -> Wire.read(bytes));
  }

  @Test
  public void noLoaderIsPinned() throws Exception {
    java.lang.ref.WeakReference<ClassLoader> loader = useOnce();
    long deadline = System.nanoTime() + 20_000_000_000L;
    while (loader.get() != null && System.nanoTime() < deadline) {
      System.gc();
      new ArrayList<>(List.of(new byte[1_000_000]));
    }
    see("collected", loader.get() == null);
  }

  private static java.lang.ref.WeakReference<ClassLoader> useOnce() throws Exception {
    ClassLoader loader =
        Versions.loader(
            OWN,
            THING,
            "record Rec(int a) implements java.io.Serializable { static Object make() { return new Rec(1); } }");
    Object thing = loader.loadClass("Thing").getDeclaredConstructor().newInstance();
    for (int i = 0; i < 50; i++) {
      Wire.read(
          Wire.write((Object) new Object[] {thing, i, new TreeMap<>(Map.of("k", thing))}), loader);
    }
    return new java.lang.ref.WeakReference<>(loader);
  }
}
