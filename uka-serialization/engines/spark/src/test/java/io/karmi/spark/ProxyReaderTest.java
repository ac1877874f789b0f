package io.karmi.spark;

import static org.assertj.core.api.Assertions.assertThat;

import io.karmi.uka.UkaObjectInputStream;
import io.karmi.uka.UkaObjectOutputStream;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InvalidObjectException;
import java.io.ObjectInputFilter;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.ObjectStreamClass;
import java.io.OutputStream;
import java.io.Serializable;
import java.lang.reflect.Constructor;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.spark.SparkConf;
import org.junit.BeforeClass;
import org.junit.Test;
import scala.collection.Factory;
import scala.collection.Iterable;
import scala.collection.IterableOnce;
import scala.collection.generic.DefaultSerializationProxy;
import scala.collection.mutable.Builder;
import scala.jdk.javaapi.CollectionConverters;

/** Proxies of Scala's collections are read as java.io's streams read them. */
public class ProxyReaderTest {
  /** What happens meanwhile. */
  private static final List<String> EVENTS = new ArrayList<>();

  @BeforeClass
  public static void useCodec() {
    assertThat(new UkaSerializer(new SparkConf(false)).newInstance()).isNotNull();
  }

  /** An element whose own method reads, and may fail. */
  private static final class Element implements Serializable {
    private static final long serialVersionUID = 1;

    private final String name;
    private Object held;

    Element(String name) {
      this.name = name;
    }

    private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
      in.defaultReadObject();
      EVENTS.add("element " + name);
      in.registerValidation(() -> EVENTS.add("validated " + name), 0);
      if (name.equals("fails")) {
        throw new InvalidObjectException("element that fails");
      } else if (name.equals("fails unchecked")) {
        throw new IllegalArgumentException("element that fails unchecked");
      }
    }

    @Override
    public String toString() {
      return name + (held == null ? "" : " holds " + held.getClass().getName());
    }
  }

  /** A class that some receivers do not have. */
  private record Missing(int number) implements Serializable {}

  /** A factory of a program's, whose builder takes not all elements. */
  private static final class OwnFactory implements Factory<Object, Object>, Serializable {
    private static final long serialVersionUID = 1;

    @Override
    public Object fromSpecific(IterableOnce<Object> elements) {
      throw new UnsupportedOperationException();
    }

    @Override
    public Builder<Object, Object> newBuilder() {
      List<Object> taken = new ArrayList<>();
      return new Builder<Object, Object>() {
        @Override
        public void sizeHint(int size) {
          EVENTS.add("hint " + size);
        }

        @Override
        public Builder<Object, Object> addOne(Object element) {
          EVENTS.add("added " + element);
          if ("refused".equals(element) || Integer.valueOf(4_711).equals(element)) {
            throw new IllegalStateException("builder that refuses " + element);
          }
          taken.add(element);
          return this;
        }

        @Override
        public void clear() {}

        @Override
        public Object result() {
          if (taken.contains("unresolvable")) {
            throw new UnsupportedOperationException("result that fails");
          }
          return taken;
        }
      };
    }
  }

  private static Object vector(Object... elements) {
    return scala(elements).toVector();
  }

  private static Object list(Object... elements) {
    return scala(elements).toList();
  }

  private static Iterable<Object> scala(Object... elements) {
    return CollectionConverters.asScala(new ArrayList<>(Arrays.asList(elements)));
  }

  /** A proxy whose data begins with its size. */
  private static Object own(Object... elements) {
    return new DefaultSerializationProxy<>(new OwnFactory(), scala(elements).toVector());
  }

  /** A proxy whose data ends with a mark. */
  private static Object ofUnknownSize(Object... elements) {
    assertThat(scala(elements).knownSize()).isNegative();
    return new DefaultSerializationProxy<>(new OwnFactory(), scala(elements));
  }

  /** Opens a stream to write to or to read from. */
  public interface Opener<F, T> {
    T open(F from) throws IOException;
  }

  private static byte[] written(Opener<OutputStream, ObjectOutputStream> opener, Object... objects)
      throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = opener.open(bytes)) {
      for (Object each : objects) {
        out.writeObject(each);
      }
    }
    return bytes.toByteArray();
  }

  /** What a program sees that reads {@code count} objects, whatever fails. */
  private static List<String> seen(
      Opener<InputStream, ObjectInputStream> opener, byte[] bytes, int count) throws IOException {
    EVENTS.clear();
    ObjectInputStream in = opener.open(new ByteArrayInputStream(bytes));
    for (int i = 0; i < count; i++) {
      try {
        Object read = in.readObject();
        EVENTS.add(read + " of " + (read == null ? null : read.getClass().getName()));
      } catch (IOException | ClassNotFoundException | RuntimeException e) {
        EVENTS.add(e.toString());
      }
    }
    return List.copyOf(EVENTS);
  }

  /** A program reads the same on each stream, and goes on the same way where something fails. */
  private static void assertSame(
      Opener<InputStream, ObjectInputStream> ofJavaIo,
      Opener<InputStream, ObjectInputStream> ofUka,
      Object... objects)
      throws IOException {
    byte[] jdks = written(ObjectOutputStream::new, objects);
    List<String> expected = seen(ofJavaIo, jdks, objects.length + 3);
    assertThat(seen(ofUka, jdks, objects.length + 3)).as("the JDK's format").isEqualTo(expected);
    /* How bytes go on behind a failure depends on the format. */
    List<String> other = seen(ofUka, written(UkaObjectOutputStream::new, objects), objects.length);
    int same = 0;
    while (same < expected.size() && !expected.get(same).contains("Exception")) {
      same++;
    }
    same = Math.min(same + 1, other.size());
    assertThat(other.subList(0, same)).as("UKA's format").isEqualTo(expected.subList(0, same));
  }

  private static void assertSame(Object... objects) throws IOException {
    assertSame(ObjectInputStream::new, UkaObjectInputStream::new, objects);
  }

  /** So that types are known already when {@code objects} come. */
  private static Object[] behindOthers(Object... objects) {
    List<Object> all = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      all.add(vector(1_000 + i, "text " + i, new Element("before")));
      all.add(list(1_000 + i, null, 5L, 1_000 + i));
      all.add(own(i, "some"));
    }
    all.addAll(Arrays.asList(objects));
    return all.toArray();
  }

  @Test
  public void elementsOfAllKindsComeBack() throws Exception {
    Element shared = new Element("shared");
    Object inner = list("inner", shared, 1_000_000);
    assertSame(
        behindOthers(
            vector(),
            list(),
            vector((Object) null),
            list(null, null, 1),
            vector(1, "a", 2L, 3.0, 'c', true, shared, shared, inner, inner, List.of(1, 2)),
            list(1, "a", shared, 2, inner, Thread.State.NEW),
            new java.util.ArrayList<>(List.of(vector(shared, inner), list(vector(1, 2), 3))),
            own(1, "b", null, shared, inner),
            ofUnknownSize(1, "b", null, shared, inner),
            own(),
            "last"));
  }

  @Test
  public void elementsThatFailEndTheReadingAtTheSamePlace() throws Exception {
    for (String name : new String[] {"fails", "fails unchecked"}) {
      for (Object each :
          new Object[] {
            vector(1, "a", new Element(name), "b", 2), list(1, new Element(name), 2, 3, "c")
          }) {
        assertSame(behindOthers(each, "next", vector(7, 8), 9));
        assertSame(each, "next", vector(7, 8), 9);
      }
    }
  }

  @Test
  public void buildersThatFailHaveSeenNoLaterElement() throws Exception {
    for (Object refused : new Object[] {"refused", 4_711}) {
      assertSame(behindOthers(own(1, "a", refused, "b", 5, new Element("later")), "next", own(2)));
      assertSame(own(refused, "b", 5), "next", own(2));
      assertSame(behindOthers(ofUnknownSize(1, refused, "b", 5), "next", ofUnknownSize(2)));
    }
    assertSame(behindOthers(own(1, "unresolvable", 2), "next", own(2)));
  }

  @Test
  public void elementsThatReferBackMeetTheProxy() throws Exception {
    for (boolean isList : new boolean[] {true, false}) {
      Element element = new Element("element");
      Object collection = isList ? list(1, element, 2) : vector(1, element, 2);
      element.held = collection;
      assertSame(behindOthers(collection, "next"));
      assertSame(collection, "next");
    }
  }

  @Test
  public void collectionsWithElementsOfMissingClassesAreNotHandedOut() throws Exception {
    Opener<InputStream, ObjectInputStream> javaIo =
        in ->
            new ObjectInputStream(in) {
              @Override
              protected Class<?> resolveClass(ObjectStreamClass description)
                  throws IOException, ClassNotFoundException {
                return present(super.resolveClass(description));
              }
            };
    Opener<InputStream, ObjectInputStream> uka =
        in ->
            new UkaObjectInputStream(in) {
              @Override
              protected Class<?> resolveClass(ObjectStreamClass description)
                  throws IOException, ClassNotFoundException {
                return present(super.resolveClass(description));
              }
            };
    Element shared = new Element("shared");
    Object lost = vector(1, shared, new Missing(5), "a", 2);
    assertSame(javaIo, uka, behindOthers(lost, "next", shared, list(3, lost, 4), vector(7, 8)));
    assertSame(javaIo, uka, behindOthers(list(1, new Object[] {new Missing(5)}, 2), "next", 9));
    assertSame(javaIo, uka, own(1, new Missing(5), 2), "next", own(1, 2));
  }

  private static Class<?> present(Class<?> found) throws ClassNotFoundException {
    EVENTS.add("resolves " + found.getName());
    if (found == Missing.class) {
      throw new ClassNotFoundException("the missing one");
    }
    return found;
  }

  @Test
  public void filtersSeeElementsAtTheirDepth() throws Exception {
    for (String refused : new String[] {"none", "Element", "Integer"}) {
      Opener<InputStream, ObjectInputStream> javaIo =
          in -> filtered(new ObjectInputStream(in), refused);
      Opener<InputStream, ObjectInputStream> uka =
          in -> filtered(new UkaObjectInputStream(in), refused);
      Object[] objects = {
        vector("a", list("b"), 5L, new Element("element"), 1, 2), "next", list(1, 2), vector("c")
      };
      byte[] jdks = written(ObjectOutputStream::new, objects);
      assertThat(seen(uka, jdks, objects.length)).isEqualTo(seen(javaIo, jdks, objects.length));
    }
  }

  private static ObjectInputStream filtered(ObjectInputStream in, String refused) {
    in.setObjectInputFilter(
        info -> {
          Class<?> type = info.serialClass();
          EVENTS.add(
              type
                  + " depth "
                  + info.depth()
                  + " length "
                  + info.arrayLength()
                  + " references "
                  + info.references());
          return type != null && type.getName().endsWith(refused)
              ? ObjectInputFilter.Status.REJECTED
              : ObjectInputFilter.Status.ALLOWED;
        });
    return in;
  }

  @Test
  public void streamsThatResolveObjectsSeeElementsAndCollections() throws Exception {
    Opener<InputStream, ObjectInputStream> javaIo =
        in ->
            new ObjectInputStream(in) {
              {
                enableResolveObject(true);
              }

              @Override
              protected Object resolveObject(Object object) {
                EVENTS.add("resolve " + object);
                return "a".equals(object) ? "replaced" : object;
              }
            };
    Opener<InputStream, ObjectInputStream> uka =
        in ->
            new UkaObjectInputStream(in) {
              {
                enableResolveObject(true);
              }

              @Override
              protected Object resolveObject(Object object) {
                EVENTS.add("resolve " + object);
                return "a".equals(object) ? "replaced" : object;
              }
            };
    byte[] jdks = written(ObjectOutputStream::new, vector(1, "a", list(2)), "next");
    assertThat(seen(uka, jdks, 2))
        .map(each -> each.replaceAll("@[0-9a-f]+", ""))
        .isEqualTo(
            seen(javaIo, jdks, 2).stream().map(each -> each.replaceAll("@[0-9a-f]+", "")).toList());
  }

  @Test
  public void subclassesThatOverrideCallsSeeThoseOfTheProxy() throws Exception {
    Opener<InputStream, ObjectInputStream> javaIo =
        in ->
            new ObjectInputStream(in) {
              @Override
              public int readInt() throws IOException {
                int value = super.readInt();
                EVENTS.add("readInt " + value);
                return value;
              }
            };
    Opener<InputStream, ObjectInputStream> uka =
        in ->
            new UkaObjectInputStream(in) {
              @Override
              public int readInt() throws IOException {
                int value = super.readInt();
                EVENTS.add("readInt " + value);
                return value;
              }
            };
    assertSame(javaIo, uka, behindOthers(vector(1, "a"), list(1, 2)));
    assertThat(EVENTS).anyMatch(each -> each.startsWith("readInt"));
  }

  @Test
  public void collectionsWithinEachOtherComeBackHoweverDeep() throws Exception {
    Object nested = "innermost";
    for (int i = 0; i < 300; i++) {
      nested = i % 2 == 0 ? vector(nested, i) : list(i, nested);
    }
    assertSame(nested, vector(1), "next");
  }

  /** A frame of a job's jar, which has its own copies of some classes. */
  static final class InJar implements Opener<ObjectInputStream, Object> {
    @Override
    public Object open(ObjectInputStream in) throws IOException {
      try {
        return in.readObject();
      } catch (ClassNotFoundException e) {
        throw new AssertionError(e);
      }
    }
  }

  /** By java.io's rule: the proxy is the latest that is no class of the JDK's. */
  @Test
  @SuppressWarnings("unchecked") // an opener is of the library's loader, whoever implements it
  public void classesOfElementsAreLookedForByTheLibrarysLoader() throws Exception {
    ClassLoader jar = new CopyOfLoader(InJar.class, Missing.class);
    Constructor<?> made = jar.loadClass(InJar.class.getName()).getDeclaredConstructor();
    made.setAccessible(true);
    var reader = (Opener<ObjectInputStream, Object>) made.newInstance();
    for (Object each :
        new Object[] {vector(1, new Missing(2)), list(new Missing(1)), own(1, new Missing(2))}) {
      byte[] jdks = written(ObjectOutputStream::new, each);
      Object expected = reader.open(new ObjectInputStream(new ByteArrayInputStream(jdks)));
      for (Opener<OutputStream, ObjectOutputStream> format :
          List.<Opener<OutputStream, ObjectOutputStream>>of(
              ObjectOutputStream::new, UkaObjectOutputStream::new)) {
        byte[] bytes = written(format, each);
        Object back = reader.open(new UkaObjectInputStream(new ByteArrayInputStream(bytes)));
        assertThat(back).isEqualTo(expected).hasToString(expected.toString());
      }
    }
    byte[] alone = written(ObjectOutputStream::new, new Missing(1));
    Object ofJar = reader.open(new UkaObjectInputStream(new ByteArrayInputStream(alone)));
    assertThat(ofJar.getClass().getClassLoader()).isSameAs(jar);
  }
}
