package io.karmi.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Currency;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.function.Supplier;
import org.apache.spark.serializer.SerializationStream;
import org.apache.spark.serializer.SerializerInstance;
import org.junit.Test;
import scala.Option;
import scala.Tuple2;

/**
 * The property that Spark asks of a serializer that supports relocation: bytes that were written
 * between two flushes mean the same in any order, and in any block.
 */
public class RelocationTest {
  private static final String NAMED =
      Sample.class.getName() + ", " + Sample.class.getName() + "$Kind";
  private static final int RECORDS = 40;

  private static List<Object> numbers(Random random) {
    return some(() -> random.nextInt());
  }

  private static List<Object> some(Supplier<Object> supplier) {
    List<Object> objects = new ArrayList<>();
    for (int i = 0; i < RECORDS; i++) {
      objects.add(supplier.get());
    }
    return objects;
  }

  /** Lists of records of one kind each, and one of all kinds. */
  private static List<List<Object>> records(Random random) {
    List<List<Object>> lists = new ArrayList<>();
    lists.add(numbers(random));
    lists.add(some(random::nextLong));
    lists.add(some(() -> "text " + random.nextInt(5)));
    lists.add(some(() -> new Tuple2<>("key " + random.nextInt(5), random.nextDouble())));
    lists.add(some(() -> new Tuple2<>(random.nextInt(), new Tuple2<>(random.nextBoolean(), null))));
    lists.add(some(() -> Option.apply(random.nextInt(3) == 0 ? null : random.nextInt())));
    lists.add(some(() -> new ArrayList<>(List.of(random.nextInt(), "same", "same"))));
    lists.add(some(() -> new Sample(random.nextInt(200), "sample", random.nextInt(), "part")));
    lists.add(some(() -> Sample.Kind.values()[random.nextInt(2)]));
    lists.add(some(() -> new java.awt.Point(random.nextInt(), random.nextInt())));
    lists.add(some(() -> Currency.getInstance(random.nextBoolean() ? Locale.US : Locale.UK)));
    lists.add(some(() -> random.nextInt(4) == 0 ? List.of(Currency.getInstance("EUR")) : 1));
    lists.add(some(() -> scala.collection.immutable.Nil$.MODULE$.$colon$colon(random.nextInt())));
    List<Object> all = new ArrayList<>();
    lists.forEach(all::addAll);
    Collections.shuffle(all, random);
    lists.add(all);
    return lists;
  }

  private interface Writing {
    void write(SerializationStream out, Object object);
  }

  /** Writes objects, flushing after each, and returns the bytes of each. */
  private static List<byte[]> cut(
      SerializerInstance instance, List<Object> objects, Writing writing) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    List<byte[]> records = new ArrayList<>();
    try (SerializationStream out = instance.serializeStream(bytes)) {
      for (Object each : objects) {
        writing.write(out, each);
        out.flush();
        records.add(bytes.toByteArray());
        bytes.reset();
      }
    }
    assertThat(bytes.size()).as("bytes that belong to no record").isZero();
    return records;
  }

  private static byte[] joined(List<byte[]> records) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    records.forEach(bytes::writeBytes);
    return bytes.toByteArray();
  }

  private static void assertRelocatable(Writing writing, int perRecord, String... settings) {
    assertThat(Records.serializer(settings).supportsRelocationOfSerializedObjects()).isTrue();
    Random random = new Random(1);
    for (List<Object> objects : records(random)) {
      SerializerInstance instance = Records.instance(settings);
      List<byte[]> records = cut(instance, objects, writing);
      List<Integer> order = new ArrayList<>();
      for (int i = 0; i < objects.size(); i++) {
        order.add(i);
      }
      Collections.shuffle(order, random);
      byte[] block = joined(order.stream().map(records::get).toList());
      List<Object> read = Records.read(Records.instance(settings), block);
      List<Object> expected = new ArrayList<>();
      for (int i : order) {
        expected.addAll(Collections.nCopies(perRecord, objects.get(i)));
      }
      assertThat(read).isEqualTo(expected);
    }
  }

  private static void writeKeyAndValue(SerializationStream out, Object object) {
    out.writeKey(object, Records.ANY).writeValue(object, Records.ANY);
  }

  private static void writeObject(SerializationStream out, Object object) {
    out.writeObject(object, Records.ANY);
  }

  @Test
  public void recordsOfAShuffleCanBeMoved() {
    assertRelocatable(RelocationTest::writeKeyAndValue, 2, "spark.uka.classes", NAMED);
  }

  @Test
  public void recordsOfClassesThatNobodyNamedCanBeMoved() {
    assertRelocatable(RelocationTest::writeKeyAndValue, 2, "spark.uka.relocation", "true");
    assertRelocatable(
        RelocationTest::writeKeyAndValue,
        2,
        "spark.uka.relocation",
        "true",
        "spark.uka.types",
        "full");
  }

  @Test
  public void objectsThatAreFlushedOneByOneCanBeMoved() {
    assertRelocatable(RelocationTest::writeObject, 1, "spark.uka.classes", NAMED);
  }

  @Test
  public void unitsOfManyRecordsCanBeMoved() {
    SerializerInstance instance = Records.instance("spark.uka.classes", NAMED);
    List<Object> objects = records(new Random(2)).get(records(new Random(2)).size() - 1);
    List<List<Object>> groups = new ArrayList<>();
    for (int i = 0; i < objects.size(); i += 7) {
      groups.add(objects.subList(i, Math.min(i + 7, objects.size())));
    }
    List<byte[]> units =
        cut(
            instance,
            new ArrayList<>(groups),
            (out, group) -> ((List<?>) group).forEach(each -> writeKeyAndValue(out, each)));
    Collections.reverse(units);
    Collections.reverse(groups);
    List<Object> expected = new ArrayList<>();
    groups.forEach(group -> group.forEach(each -> expected.addAll(Arrays.asList(each, each))));
    assertThat(Records.read(instance, joined(units))).isEqualTo(expected);
  }

  @Test
  public void streamBehindOneWithOtherClassesHasTheNumbersOfTheTable() {
    SerializerInstance instance = Records.instance("spark.uka.classes", NAMED);
    cut(
        instance,
        List.of(Sample.Kind.LARGE, Currency.getInstance("EUR")),
        RelocationTest::writeKeyAndValue);
    List<Object> objects = List.of(Sample.Kind.LARGE, Sample.Kind.SMALL, new Sample(1, "text"));
    List<byte[]> records = cut(instance, objects, RelocationTest::writeObjectAsKey);
    Collections.reverse(records);
    assertThat(Records.read(Records.instance("spark.uka.classes", NAMED), joined(records)))
        .containsExactly(new Sample(1, "text"), Sample.Kind.SMALL, Sample.Kind.LARGE);
  }

  @Test
  public void namedClassesCostFewBytesInEachRecord() {
    List<Object> samples = List.of(new Sample(1, "text"));
    int named =
        cut(Records.instance("spark.uka.classes", NAMED), samples, RelocationTest::writeObjectAsKey)
            .get(0)
            .length;
    int unnamed =
        cut(
                Records.instance("spark.uka.relocation", "true"),
                samples,
                RelocationTest::writeObjectAsKey)
            .get(0)
            .length;
    assertThat(named).isLessThan(30);
    assertThat(unnamed).isBetween(60, 200);
  }

  private static void writeObjectAsKey(SerializationStream out, Object object) {
    out.writeKey(object, Records.ANY);
  }

  @Test
  public void relocationIsOffUnlessClassesAreNamed() {
    assertThat(Records.serializer().supportsRelocationOfSerializedObjects()).isFalse();
    assertThat(
            Records.serializer("spark.uka.classes", NAMED, "spark.uka.relocation", "false")
                .supportsRelocationOfSerializedObjects())
        .isFalse();
  }

  @Test
  public void namedClassThatIsMissingIsNamedInTheError() {
    SerializerInstance instance = Records.instance("spark.uka.classes", "app.Missing");
    assertThatThrownBy(() -> instance.serializeStream(new ByteArrayOutputStream()))
        .isInstanceOf(ClassNotFoundException.class)
        .hasMessageContaining("app.Missing, which spark.uka.classes names");
  }

  @Test
  public void settingsThatAreNoneOfTheirChoicesAreRefused() {
    for (String[] wrong :
        List.of(
            new String[] {"spark.uka.types", "some"},
            new String[] {"spark.uka.relocation", "perhaps"},
            new String[] {"spark.uka.reset", "0"})) {
      assertThatThrownBy(() -> Records.serializer(wrong))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining(wrong[0] + "=" + wrong[1]);
    }
  }
}
