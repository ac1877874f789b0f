package io.karmi.spark;

import static org.assertj.core.api.Assertions.assertThat;

import io.karmi.uka.UkaObjectInputStream;
import io.karmi.uka.UkaObjectOutputStream;
import io.karmi.uka.UkaOptions;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.spark.SparkConf;
import org.junit.BeforeClass;
import org.junit.Test;
import scala.collection.Iterable;
import scala.jdk.javaapi.CollectionConverters;

/** Scala's collections are written as their own methods write them, by java.io's streams. */
public class ScalaCodecTest {
  /** Around the sizes at which a collection is of another class. */
  private static final int[] SIZES = {0, 1, 2, 4, 5, 10, 31, 33, 1_000, 1_100, 40_000};

  @BeforeClass
  public static void useCodec() {
    assertThat(new UkaSerializer(new SparkConf(false)).newInstance()).isNotNull();
  }

  private static List<Object> collections(int size) {
    List<Object> elements = new ArrayList<>();
    Map<Object, Object> entries = new LinkedHashMap<>();
    for (int i = 0; i < size; i++) {
      Object element = i % 3 == 0 ? Integer.valueOf(1_000 + i) : "element " + i;
      elements.add(element);
      entries.put(element, i % 7 == 0 ? elements.get(i / 2) : i);
    }
    Iterable<Object> all = CollectionConverters.asScala(elements);
    scala.collection.mutable.Map<Object, Object> map = CollectionConverters.asScala(entries);
    return List.of(
        all.toList(),
        all.toVector(),
        all.toSet(),
        scala.collection.immutable.Map$.MODULE$.from(map),
        scala.collection.immutable.HashMap$.MODULE$.from(map),
        scala.collection.immutable.HashSet$.MODULE$.from(all),
        scala.collection.immutable.Queue$.MODULE$.from(all),
        scala.collection.mutable.ArrayBuffer$.MODULE$.from(all),
        scala.collection.mutable.ListBuffer$.MODULE$.from(all),
        scala.collection.mutable.HashSet$.MODULE$.from(all),
        scala.collection.mutable.HashMap$.MODULE$.from(map),
        scala.collection.mutable.LinkedHashSet$.MODULE$.from(all),
        scala.collection.mutable.LinkedHashMap$.MODULE$.from(map));
  }

  private static byte[] written(Opener opener, Object... objects) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = opener.open(bytes)) {
      for (Object each : objects) {
        out.writeObject(each);
      }
    }
    return bytes.toByteArray();
  }

  /** Makes a stream. */
  private interface Opener {
    ObjectOutputStream open(OutputStream out) throws IOException;
  }

  private static UkaObjectOutputStream ofJdksFormat(OutputStream out) throws IOException {
    return new UkaObjectOutputStream(out, new UkaOptions(UkaOptions.Format.JDK));
  }

  private static Object read(byte[] bytes) throws Exception {
    try (UkaObjectInputStream in = new UkaObjectInputStream(new ByteArrayInputStream(bytes))) {
      return in.readObject();
    }
  }

  private static Object throughJavaIo(Object object) throws Exception {
    byte[] bytes = written(ObjectOutputStream::new, object);
    try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(bytes))) {
      return in.readObject();
    }
  }

  @Test
  public void bytesInTheJdksFormatAreThoseOfJavaIo() throws Exception {
    for (int size : SIZES) {
      for (Object each : collections(size)) {
        Object[] objects = {each, List.of("other"), each, scala.None$.MODULE$, each};
        assertThat(written(ScalaCodecTest::ofJdksFormat, objects))
            .as(size + " elements, " + each.getClass())
            .isEqualTo(written(ObjectOutputStream::new, objects));
      }
    }
  }

  @Test
  public void collectionsComeBackWithTheirClassesAndElementsThatAreShared() throws Exception {
    for (int size : SIZES) {
      for (Object each : collections(size)) {
        Object[] twice = {each, each, scala.None$.MODULE$};
        Object[] back = (Object[]) read(written(UkaObjectOutputStream::new, (Object) twice));
        assertThat(back[0])
            .as(size + " elements, " + each.getClass())
            .isEqualTo(each)
            .hasSameClassAs(throughJavaIo(each))
            .isSameAs(back[1]);
        assertThat(back[2]).isSameAs(scala.None$.MODULE$);
      }
    }
  }

  /** Numbers are written several at once, from the ninth object of a message on. */
  @Test
  @SuppressWarnings({
    "removal",
    "BoxedPrimitiveConstructor",
    "unchecked"
  }) // boxes of one value, each by itself
  public void boxesComeBackAsOftenAsTheyWereApart() throws Exception {
    for (int size : SIZES) {
      List<Object> boxes = new ArrayList<>();
      for (int i = 0; i < size; i++) {
        Object own = i % 5 == 0 ? new Long(i % 3) : new Integer(i % 7 == 0 ? 5 : i << i % 31);
        boxes.add(i % 4 == 3 ? boxes.get(i / 2) : i % 11 == 10 ? "text " + i : own);
      }
      Iterable<Object> all = CollectionConverters.asScala(boxes);
      for (Object each : List.of(all.toList(), all.toVector())) {
        for (Opener opener :
            List.<Opener>of(UkaObjectOutputStream::new, ScalaCodecTest::ofJdksFormat)) {
          byte[] bytes = written(opener, each);
          List<Object> back =
              new ArrayList<>(
                  CollectionConverters.asJavaCollection((Iterable<Object>) read(bytes)));
          assertThat(back).isEqualTo(boxes);
          assertThat(firstPlaces(back))
              .as("%s of %s", each.getClass(), size)
              .isEqualTo(firstPlaces(boxes));
        }
      }
    }
  }

  /** For each element the index of the first one that is the same object. */
  private static List<Integer> firstPlaces(List<Object> elements) {
    Map<Object, Integer> places = new IdentityHashMap<>();
    List<Integer> first = new ArrayList<>();
    for (Object each : elements) {
      places.putIfAbsent(each, first.size());
      first.add(places.get(each));
    }
    return first;
  }

  @Test
  public void eachCollectionOfAClassHasAFactoryOfItsOwn() throws Exception {
    for (int round = 0; round < 2; round++) {
      List<byte[]> written = new ArrayList<>();
      for (Opener opener : List.<Opener>of(ScalaCodecTest::ofJdksFormat, ObjectOutputStream::new)) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = opener.open(bytes)) {
          for (int i = 0; i < 12; i++) {
            Iterable<Object> all = CollectionConverters.asScala(List.of(i, "element " + i));
            out.writeObject(new Object[] {all.toVector(), all.toList(), all.toVector()});
            if (i % 4 == 3) {
              out.reset();
            }
          }
        }
        written.add(bytes.toByteArray());
      }
      assertThat(written.get(0)).isEqualTo(written.get(1));
    }
  }

  /** The proxy of a mutable hash table has a factory with the table's length and load factor. */
  @Test
  public void hashTablesKeepTheirOwnLengthAndLoadFactor() throws Exception {
    List<Object> tables = new ArrayList<>();
    for (int length : new int[] {1 << 12, 16, 1 << 8, 16}) {
      tables.add(new scala.collection.mutable.HashMap<>(length, 0.5 + 1.0 / length));
      tables.add(new scala.collection.mutable.HashSet<>(length, 0.5 + 1.0 / length));
    }
    byte[] bytes = written(UkaObjectOutputStream::new, tables.toArray());
    try (ObjectInputStream in = new UkaObjectInputStream(new ByteArrayInputStream(bytes))) {
      for (Object each : tables) {
        assertThat(written(ObjectOutputStream::new, in.readObject()))
            .isEqualTo(written(ObjectOutputStream::new, each));
      }
    }
  }

  @Test
  public void collectionsWithinEachOtherPass() throws Exception {
    Object nested = "innermost";
    for (int i = 0; i < 300; i++) {
      Iterable<Object> inner = CollectionConverters.asScala(List.of(nested, i));
      nested = i % 2 == 0 ? inner.toVector() : inner.toList();
    }
    assertThat(written(ScalaCodecTest::ofJdksFormat, nested))
        .isEqualTo(written(ObjectOutputStream::new, nested));
    assertThat(read(written(UkaObjectOutputStream::new, nested))).isEqualTo(nested);
  }

  @Test
  public void streamsThatReplaceObjectsSeeTheProxies() throws Exception {
    Object vector = CollectionConverters.asScala(List.of("a", "b")).toVector();
    List<Class<?>> seen = new ArrayList<>();
    written(
        out ->
            new UkaObjectOutputStream(out) {
              {
                enableReplaceObject(true);
              }

              @Override
              protected Object replaceObject(Object object) {
                seen.add(object.getClass());
                return object;
              }
            },
        vector);
    assertThat(seen)
        .contains(scala.collection.generic.DefaultSerializationProxy.class, String.class)
        .doesNotContain(vector.getClass());
  }
}
