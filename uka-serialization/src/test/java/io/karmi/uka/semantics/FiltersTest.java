package io.karmi.uka.semantics;

import static io.karmi.uka.differential.Observed.attempt;
import static io.karmi.uka.differential.Observed.attemptTo;
import static io.karmi.uka.differential.Observed.attemptType;
import static io.karmi.uka.differential.Observed.attemptTypeTo;
import static io.karmi.uka.differential.Observed.event;
import static io.karmi.uka.differential.Observed.see;
import static java.nio.charset.StandardCharsets.US_ASCII;

import io.karmi.uka.differential.Observed;
import io.karmi.uka.differential.SameProgram;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.Externalizable;
import java.io.IOException;
import java.io.InputStream;
import java.io.ObjectInput;
import java.io.ObjectInputFilter;
import java.io.ObjectInputFilter.Status;
import java.io.ObjectInputStream;
import java.io.ObjectOutput;
import java.io.ObjectOutputStream;
import java.io.ObjectStreamClass;
import java.io.OutputStream;
import java.io.Serializable;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.math.RoundingMode;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Hashtable;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.TreeMap;
import java.util.Vector;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.Test;
import org.junit.runner.RunWith;

/** What a filter of the stream is shown, in which order, and what its answers do. */
@RunWith(SameProgram.class)
public class FiltersTest {

  static class Parent implements Serializable {
    Object p = "p";
  }

  static class Child extends Parent {
    Object c = new int[3];
    Child next;
  }

  record Rec(int a, Object b) implements Serializable {}

  public static class External implements Externalizable {
    @Override
    public void writeExternal(ObjectOutput out) throws java.io.IOException {
      out.writeObject(new byte[4]);
    }

    @Override
    public void readExternal(ObjectInput in) throws java.io.IOException, ClassNotFoundException {
      in.readObject();
    }
  }

  static class Resolving implements Serializable {
    private Object readResolve() {
      return List.of("resolved");
    }
  }

  static class Handler implements InvocationHandler, Serializable {
    @Override
    public Object invoke(Object proxy, Method method, Object[] arguments) {
      return null;
    }
  }

  interface Face {}

  /**
   * Notes what it is shown of classes and arrays. Back references are left out, since those of one
   * format are not those of another. So are, if asked for, the counts at arrays: those that a hook
   * of the JDK announces are counted by the JDK's own stream, which knows nothing of ours.
   */
  private static ObjectInputFilter noting(boolean countsOfArrays) {
    return info -> {
      if (info.serialClass() != null) {
        event(
            info.serialClass().getName()
                + " length "
                + info.arrayLength()
                + (countsOfArrays || info.arrayLength() < 0
                    ? " depth " + info.depth() + " references " + info.references()
                    : ""));
      }
      return Status.UNDECIDED;
    };
  }

  private static void shown(String label, Object object) throws Exception {
    shown(label, object, true);
  }

  private static void shown(String label, Object object, boolean countsOfArrays) throws Exception {
    event("-- " + label);
    byte[] bytes = Wire.write(object, object);
    try (ObjectInputStream in = Wire.open(bytes)) {
      in.setObjectInputFilter(noting(countsOfArrays));
      in.readObject();
      in.readObject();
    }
  }

  private static Object filtered(byte[] bytes, ObjectInputFilter filter) throws Exception {
    try (ObjectInputStream in = Wire.open(bytes)) {
      in.setObjectInputFilter(filter);
      return in.readObject();
    }
  }

  @Test
  public void plainObjects() throws Exception {
    Child child = new Child();
    child.next = new Child();
    shown("hierarchy", child);
    shown("object array", new Object[] {"a", 1, new Object[2], null, child});
    shown("string", "text");
    shown("long string", "x".repeat(70_000));
    shown("box", 5);
    shown("null", null);
    shown("primitive array", new long[10]);
    shown("jagged", new int[][] {{1}, {2, 3}});
    shown("record", new Rec(1, new Rec(2, null)));
    shown("enum", RoundingMode.UP);
    shown("array of enums", new RoundingMode[] {RoundingMode.UP, RoundingMode.DOWN});
    shown("class", Child.class);
    shown("primitive class", int.class);
    shown("description", ObjectStreamClass.lookup(Child.class));
    shown("external", new External());
    shown("resolving", new Resolving());
    shown(
        "proxy",
        Proxy.newProxyInstance(
            Face.class.getClassLoader(), new Class<?>[] {Face.class}, new Handler()));
  }

  @Test
  public void collectionsOfTheJdk() throws Exception {
    List<Object> elements = List.of("a", "b", "c");
    shown("array list", new ArrayList<>(elements), false);
    shown("vector", new Vector<>(elements), false);
    shown("deque", new ArrayDeque<>(elements), false);
    shown("queue", new PriorityQueue<>(elements), false);
    shown("copy on write", new CopyOnWriteArrayList<>(elements), false);
    shown("hash map", new HashMap<>(Map.of("k", "v")), false);
    shown("large hash map", largeMap(), false);
    shown("hash set", new HashSet<>(Set.of("e")), false);
    shown("hashtable", new Hashtable<>(Map.of("k", "v")), false);
    shown("tree map", new TreeMap<>(Map.of("k", "v")), false);
    shown("concurrent", new ConcurrentHashMap<>(Map.of("k", "v")), false);
    shown("identity", new IdentityHashMap<>(Map.of("k", "v")), false);
    shown("enum map", new EnumMap<>(Map.of(RoundingMode.UP, "v")), false);
    shown("immutable list", elements, false);
    shown("immutable map", Map.of("k", "v"), false);
  }

  private static Map<Integer, Integer> largeMap() {
    Map<Integer, Integer> map = new HashMap<>();
    for (int i = 0; i < 40; i++) {
      map.put(i, i);
    }
    return map;
  }

  @Test
  public void bytesGrow() throws Exception {
    byte[] bytes =
        Wire.write(new Object[] {"a", new Child(), "b".repeat(5000), new int[2000]}, "x");
    long[] last = {0};
    boolean[] monotonous = {true};
    try (ObjectInputStream in = Wire.open(bytes)) {
      in.setObjectInputFilter(
          info -> {
            monotonous[0] &= info.streamBytes() >= last[0];
            last[0] = info.streamBytes();
            return Status.ALLOWED;
          });
      in.readObject();
    }
    see("grows", monotonous[0] && last[0] > 0 && last[0] <= bytes.length);
    attempt("limit", () -> filtered(bytes, ObjectInputFilter.Config.createFilter("maxbytes=100")));
    attempt(
        "no limit",
        () -> filtered(bytes, ObjectInputFilter.Config.createFilter("maxbytes=100000")));
  }

  /** Adds a number to each class. */
  static class AnnotatingOutput extends ObjectOutputStream {
    AnnotatingOutput(OutputStream out) throws IOException {
      super(out);
    }

    @Override
    protected void annotateClass(Class<?> type) throws IOException {
      writeInt(type.getName().length());
    }
  }

  /** What of an annotation a stream reads. */
  private interface AnnotationReader {
    void read(ObjectInputStream in) throws IOException, ClassNotFoundException;
  }

  /** Reads a part of what is added to each class. */
  static class AnnotatedInput extends ObjectInputStream {
    private final AnnotationReader reader;

    AnnotatedInput(InputStream in, AnnotationReader reader) throws IOException {
      super(in);
      this.reader = reader;
    }

    @Override
    protected Class<?> resolveClass(ObjectStreamClass type)
        throws IOException, ClassNotFoundException {
      reader.read(this);
      return super.resolveClass(type);
    }
  }

  @Test
  public void bytesThatAreReadOfAnAnnotationCount() throws Exception {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new AnnotatingOutput(bytes)) {
      out.writeObject(new Child());
    }
    List<AnnotationReader> readers =
        List.of(
            in -> {},
            ObjectInputStream::available,
            ObjectInputStream::readByte,
            ObjectInputStream::readInt,
            in -> see("all", in.readAllBytes().length),
            in -> attemptType("object", in::readObject),
            in -> {
              in.readInt();
              attemptType("object behind", in::readObject);
            },
            in -> {
              in.readInt();
              see("available behind", in.available());
            });
    for (AnnotationReader reader : readers) {
      StringBuilder counts = new StringBuilder();
      ObjectInputStream in =
          new AnnotatedInput(new ByteArrayInputStream(bytes.toByteArray()), reader);
      in.setObjectInputFilter(
          info -> {
            counts.append(info.streamBytes()).append(' ');
            return Status.ALLOWED;
          });
      in.readObject();
      Observed.bytes("counts", counts.toString().getBytes(US_ASCII));
    }
  }

  @Test
  public void rejectedClassesAreReported() throws Exception {
    byte[] child = Wire.write(new Child());
    attempt(
        "class",
        () ->
            filtered(
                child,
                info -> info.serialClass() == Child.class ? Status.REJECTED : Status.ALLOWED));
    attempt(
        "superclass",
        () ->
            filtered(
                child,
                info -> info.serialClass() == Parent.class ? Status.REJECTED : Status.ALLOWED));
    attempt("undecided", () -> filtered(child, info -> Status.UNDECIDED));
    attempt("null", () -> filtered(child, info -> null));
    attempt(
        "throwing",
        () ->
            filtered(
                child,
                info -> {
                  throw new IllegalStateException("in the filter");
                }));
    attempt(
        "throwing error",
        () ->
            filtered(
                child,
                info -> {
                  throw new StackOverflowError("in the filter");
                }));
    byte[] array = Wire.write(new int[100]);
    attempt(
        "array",
        () -> filtered(array, info -> info.arrayLength() > 99 ? Status.REJECTED : Status.ALLOWED));
    byte[] string = Wire.write("string");
    attempt("string", () -> filtered(string, info -> Status.REJECTED));
    byte[] type = Wire.write(Child.class);
    attempt(
        "class object",
        () ->
            filtered(
                type,
                info -> info.serialClass() == Child.class ? Status.REJECTED : Status.ALLOWED));
    byte[] constant = Wire.write(RoundingMode.UP);
    attempt(
        "enum",
        () ->
            filtered(
                constant,
                info -> info.serialClass() == Enum.class ? Status.REJECTED : Status.ALLOWED));
    byte[] proxy =
        Wire.write(
            Proxy.newProxyInstance(
                Face.class.getClassLoader(), new Class<?>[] {Face.class}, new Handler()));
    attempt(
        "interface",
        () ->
            filtered(
                proxy,
                info -> info.serialClass() == Face.class ? Status.REJECTED : Status.ALLOWED));
  }

  @Test
  public void patterns() throws Exception {
    byte[] bytes =
        Wire.write(
            (Object)
                new Object[] {
                  new Child(), new ArrayList<>(List.of(1, 2)), new HashMap<>(Map.of("k", 1)), "x"
                });
    for (String pattern :
        new String[] {
          "!*",
          "*",
          "java.**;!*",
          "!java.util.ArrayList",
          "!io.karmi.**",
          "maxdepth=2",
          "maxdepth=3",
          "maxdepth=4",
          "maxrefs=5",
          "maxrefs=500",
          "maxarray=3",
          "maxarray=4",
          "maxarray=15",
          "maxarray=100",
          "!java.lang.Number",
          "!java.lang.Object",
          "io.karmi.uka.semantics.*;!**"
        }) {
      attempt(
          pattern, () -> filtered(bytes, ObjectInputFilter.Config.createFilter(pattern)) != null);
    }
  }

  @Test
  public void filterIsSetOnceAndBeforeReading() throws Exception {
    byte[] bytes = Wire.write(5, "x");
    ObjectInputFilter filter = ObjectInputFilter.Config.createFilter("*");
    try (ObjectInputStream in = Wire.open(bytes)) {
      see("none at first", in.getObjectInputFilter());
      in.setObjectInputFilter(filter);
      see("the one", in.getObjectInputFilter() == filter);
      attemptTypeTo("again", () -> in.setObjectInputFilter(info -> Status.UNDECIDED));
    }
    try (ObjectInputStream in = Wire.open(bytes)) {
      in.readObject();
      attemptTypeTo("after reading", () -> in.setObjectInputFilter(filter));
      see("none", in.getObjectInputFilter());
    }
    try (ObjectInputStream in = Wire.open(bytes)) {
      attemptTo("null", () -> in.setObjectInputFilter(null));
      attemptTypeTo("then one", () -> in.setObjectInputFilter(filter));
      attempt("read", in::readObject);
    }
    byte[] primitive =
        Wire.writeBy(
            out -> {
              out.writeInt(1);
              out.writeObject("x");
            });
    try (ObjectInputStream in = Wire.open(primitive)) {
      in.readInt();
      attemptTo("after a primitive", () -> in.setObjectInputFilter(filter));
      attempt("read", in::readObject);
    }
  }

  static class Setting implements Serializable {
    private void readObject(ObjectInputStream in)
        throws java.io.IOException, ClassNotFoundException {
      in.defaultReadObject();
      attemptTypeTo("inside a hook", () -> in.setObjectInputFilter(info -> Status.REJECTED));
    }
  }

  @Test
  public void filterIsNotSetWhileReading() throws Exception {
    attempt("read", () -> Wire.copy(new Setting()));
  }

  @Test
  public void rejectionInTheMiddle() throws Exception {
    byte[] bytes = Wire.write(new Object[] {new Child(), 5, "x"}, "after");
    try (ObjectInputStream in = Wire.open(bytes)) {
      in.setObjectInputFilter(
          info -> info.serialClass() == Integer.class ? Status.REJECTED : Status.UNDECIDED);
      attempt("first", in::readObject);
    }
  }

  @Test
  public void referencesAndDepthAreCounted() throws Exception {
    Child chain = null;
    for (int i = 0; i < 30; i++) {
      Child next = new Child();
      next.next = chain;
      chain = next;
    }
    byte[] bytes = Wire.write(chain);
    for (String limit :
        new String[] {
          "maxdepth=10",
          "maxdepth=31",
          "maxdepth=30",
          "maxrefs=91",
          "maxrefs=90",
          "maxrefs=60",
          "maxrefs=95"
        }) {
      attempt(limit, () -> filtered(bytes, ObjectInputFilter.Config.createFilter(limit)) != null);
    }
  }

  @Test
  public void lengthThatLiesIsShownBeforeItIsBelieved() throws Exception {
    byte[] bytes = Wire.write(new long[20_000]);
    attemptType(
        "limit",
        () ->
            filtered(
                bytes,
                info -> {
                  event("length " + info.arrayLength());
                  return info.arrayLength() > 10_000 ? Status.REJECTED : Status.UNDECIDED;
                }));
  }
}
