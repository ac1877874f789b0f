package io.karmi.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.NotSerializableException;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.io.StreamCorruptedException;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.Future;
import java.util.function.IntUnaryOperator;
import org.apache.spark.SparkConf;
import org.apache.spark.serializer.DeserializationStream;
import org.apache.spark.serializer.JavaSerializer;
import org.apache.spark.serializer.SerializationStream;
import org.apache.spark.serializer.SerializerInstance;
import org.junit.Test;
import scala.Option;
import scala.Tuple2;
import scala.Tuple3;
import scala.jdk.javaapi.CollectionConverters;
import scala.reflect.ClassTag;

/** Spark's contract of a serializer, without Spark around it. */
public class UkaSerializerTest {
  private static final String[][] SETTINGS = {
    {},
    {"spark.uka.relocation", "true"},
    {"spark.uka.classes", "io.karmi.spark.Sample"},
    {"spark.uka.types", "slim"},
    {"spark.uka.types", "full", "spark.uka.relocation", "true"},
    {"spark.uka.reset", "1"}
  };

  /** An interface that only this package sees. */
  interface Hidden {
    int value();
  }

  private static List<Object> values() {
    List<Object> shared = new ArrayList<>(List.of("shared"));
    List<Object> cycle = new ArrayList<>();
    cycle.add("in a cycle");
    List<Object> values = new ArrayList<>();
    values.addAll(
        Arrays.asList(
            null, 1, 2L, 3.0, 4.0f, (short) 5, (byte) 6, '7', true, "eight", "", "ä€😀", 'x'));
    values.addAll(
        List.of(
            new Tuple2<>(1, "a"),
            new Tuple3<>("b", 2L, List.of()),
            new Tuple2<>(shared, shared),
            Option.apply(1),
            Option.empty(),
            CollectionConverters.asScala(new ArrayList<>(List.of(1, 2, 3))).toList(),
            CollectionConverters.asScala(List.of("x", "y")).toVector(),
            CollectionConverters.asScala(Map.of("k", "v")),
            CollectionConverters.asScala(List.of(1, 2)).toSet(),
            scala.collection.immutable.Nil$.MODULE$,
            scala.None$.MODULE$,
            scala.math.BigDecimal$.MODULE$.apply("1.5"),
            scala.math.BigInt$.MODULE$.apply(12),
            new TreeMap<>(Map.of("one", 1, "two", 2)),
            new BigDecimal("12.50"),
            LocalDate.of(2001, 2, 3),
            new Sample(7, "text", 1, "two", shared),
            Sample.Kind.LARGE,
            int.class,
            Sample.class,
            String[].class));
    return values;
  }

  @Test
  public void valuesComeBackEqualWithAllSettings() {
    for (String[] settings : SETTINGS) {
      SerializerInstance instance = Records.instance(settings);
      List<Object> values = values();
      assertThat(Records.read(instance, Records.written(instance, values))).isEqualTo(values);
      for (Object value : values) {
        ByteBuffer bytes = instance.serialize(value, Records.ANY);
        assertThat(instance.deserialize(bytes, Records.ANY)).isEqualTo(value);
      }
    }
  }

  @Test
  public void blockOfOneApplicationIsReadByAnotherWithOtherSettings() {
    List<Object> values = values();
    for (String[] of : SETTINGS) {
      byte[] block = Records.written(Records.instance(of), values);
      for (String[] by : SETTINGS) {
        assertThat(Records.read(Records.instance(by), block)).isEqualTo(values);
      }
    }
  }

  @Test
  public void scalaObjectsStayTheOnlyOnes() {
    SerializerInstance instance = Records.instance();
    for (Object only : List.of(scala.None$.MODULE$, scala.collection.immutable.Nil$.MODULE$)) {
      ByteBuffer bytes = instance.serialize(only, Records.ANY);
      assertThat(instance.deserialize(bytes, Records.ANY)).isSameAs(only);
    }
  }

  @Test
  public void closuresAndTheirResultsPass() {
    SerializerInstance instance = Records.instance();
    int captured = 5;
    IntUnaryOperator closure = (IntUnaryOperator & Serializable) value -> value + captured;
    IntUnaryOperator copy =
        instance.deserialize(
            instance.serialize(closure, Records.ANY), ClassTag.apply(IntUnaryOperator.class));
    assertThat(copy.applyAsInt(2)).isEqualTo(7);
  }

  @Test
  public void proxiesOfHiddenInterfacesPass() {
    SerializerInstance instance = Records.instance();
    Hidden proxy =
        (Hidden)
            java.lang.reflect.Proxy.newProxyInstance(
                Hidden.class.getClassLoader(), new Class<?>[] {Hidden.class}, new Seven());
    Object copy = instance.deserialize(instance.serialize(proxy, Records.ANY), Records.ANY);
    assertThat(((Hidden) copy).value()).isEqualTo(7);
  }

  /** Answers every call with 7. */
  static final class Seven implements java.lang.reflect.InvocationHandler, Serializable {
    private static final long serialVersionUID = 1;

    @Override
    public Object invoke(Object proxy, java.lang.reflect.Method method, Object[] arguments) {
      return 7;
    }
  }

  @Test
  public void buffersWithoutArraysAndWithOffsetsAreReadAndStayAsTheyWere() {
    SerializerInstance instance = Records.instance();
    ByteBuffer bytes = instance.serialize(new Sample(1, "text"), Records.ANY);
    int length = bytes.remaining();
    ByteBuffer direct = ByteBuffer.allocateDirect(length);
    direct.put(bytes.duplicate()).flip();
    ByteBuffer within = ByteBuffer.allocate(length + 20);
    within.position(13);
    within.put(bytes.duplicate()).limit(13 + length).position(13);
    for (ByteBuffer each :
        List.of(bytes, direct, within, within.slice(), direct.asReadOnlyBuffer())) {
      for (int i = 0; i < 2; i++) {
        assertThat(instance.deserialize(each, Records.ANY)).isEqualTo(new Sample(1, "text"));
      }
    }
  }

  @Test
  public void objectsAreSharedWithinRecordsAndForgottenBetweenResets() {
    for (String[] settings : SETTINGS) {
      List<String> shared = new ArrayList<>(List.of("shared"));
      List<Object> pairs = new ArrayList<>();
      for (int i = 0; i < 250; i++) {
        pairs.add(new Tuple2<>(shared, shared));
      }
      SerializerInstance instance = Records.instance(settings);
      for (Object each : Records.read(instance, Records.written(instance, pairs))) {
        Tuple2<?, ?> pair = (Tuple2<?, ?>) each;
        assertThat(pair._1()).isSameAs(pair._2()).isEqualTo(shared);
      }
    }
  }

  @Test
  public void endBetweenRecordsIsTheEndAndAnythingElseIsNot() {
    for (String[] settings : SETTINGS) {
      SerializerInstance instance = Records.instance(settings);
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      List<Integer> ends = new ArrayList<>();
      ends.add(0);
      try (SerializationStream out = instance.serializeStream(bytes)) {
        for (int i = 0; i < 3; i++) {
          out.writeKey("key " + i, Records.ANY);
          out.writeValue(new Sample(i, "text", 1, 2L), Records.ANY);
          out.flush();
          ends.add(bytes.size());
        }
      }
      byte[] block = bytes.toByteArray();
      for (int length = 0; length <= block.length; length++) {
        byte[] cut = Arrays.copyOf(block, length);
        boolean headerOnly = length == 4 && cut[0] == 'U';
        if (ends.contains(length) || headerOnly) {
          assertThat(pairs(instance, cut)).isEqualTo(headerOnly ? 0 : ends.indexOf(length));
        } else {
          assertThatThrownBy(() -> pairs(instance, cut))
              .as("%d of %d bytes", length, block.length)
              .isInstanceOf(StreamCorruptedException.class)
              .hasMessageContaining("record is cut off");
        }
      }
    }
  }

  /** How many keys and values a shuffle finds in a block. */
  private static int pairs(SerializerInstance instance, byte[] block) {
    int count = 0;
    try (DeserializationStream in = instance.deserializeStream(new ByteArrayInputStream(block))) {
      scala.collection.Iterator<Tuple2<Object, Object>> all = in.asKeyValueIterator();
      while (all.hasNext()) {
        all.next();
        count++;
      }
    }
    return count;
  }

  @Test
  public void readingBehindTheEndThrowsTheExceptionThatSparkExpects() {
    for (String[] settings : SETTINGS) {
      SerializerInstance instance = Records.instance(settings);
      byte[] block = Records.written(instance, List.of(1));
      DeserializationStream in = instance.deserializeStream(new ByteArrayInputStream(block));
      assertThat(in.readObject(Records.ANY)).isEqualTo(1);
      for (int i = 0; i < 2; i++) {
        assertThatThrownBy(() -> in.readObject(Records.ANY)).isInstanceOf(EOFException.class);
      }
    }
  }

  @Test
  public void blocksOfJavaSerializerAreRead() {
    for (String reset : List.of("1", "2", "100", "-1")) {
      SparkConf conf = new SparkConf(false).set("spark.serializer.objectStreamReset", reset);
      SerializerInstance java = new JavaSerializer(conf).newInstance();
      List<Object> values = values();
      ByteArrayOutputStream blocks = new ByteArrayOutputStream();
      for (int i = 0; i < 2; i++) {
        blocks.writeBytes(Records.written(java, values));
      }
      blocks.writeBytes(Records.written(Records.instance(), List.of("behind them")));
      List<Object> expected = new ArrayList<>(values);
      expected.addAll(values);
      expected.add("behind them");
      assertThat(Records.read(Records.instance(), blocks.toByteArray()))
          .as("reset %s", reset)
          .isEqualTo(expected);
      assertThat(
              Records.instance()
                  .deserialize(java.serialize(values.get(13), Records.ANY), Records.ANY))
          .isEqualTo(values.get(13));
    }
  }

  @Test
  public void blockOfJavaSerializerThatIsCutOffFails() {
    SerializerInstance java = new JavaSerializer(new SparkConf(false)).newInstance();
    byte[] block = Records.written(java, List.of("text"));
    byte[] cut = Arrays.copyOf(block, block.length - 1);
    assertThatThrownBy(() -> Records.read(Records.instance(), cut))
        .isInstanceOf(StreamCorruptedException.class)
        .hasMessageContaining("cut off");
  }

  @Test
  public void blockOfAnotherSerializerIsRefusedWithItsFirstByte() {
    assertThatThrownBy(() -> Records.read(Records.instance(), new byte[] {3, 1}))
        .isInstanceOf(StreamCorruptedException.class)
        .hasMessageContaining("byte 0x03 at offset 0")
        .hasMessageContaining("another serializer");
  }

  @Test
  public void wayToAnObjectThatIsNotSerializableIsTold() {
    Sample record = new Sample(1, "text", new Object());
    SerializerInstance java = new JavaSerializer(new SparkConf(false)).newInstance();
    String expected = failure(() -> java.serialize(record, Records.ANY));
    assertThat(expected).contains("Serialization stack:", "object not serializable");
    for (String[] settings : SETTINGS) {
      SerializerInstance instance = Records.instance(settings);
      assertThat(failure(() -> instance.serialize(record, Records.ANY))).isEqualTo(expected);
      assertThat(failure(() -> Records.written(instance, List.of(record)))).isEqualTo(expected);
      SerializationStream out = instance.serializeStream(new ByteArrayOutputStream());
      assertThat(failure(() -> out.writeKey(record, Records.ANY))).isEqualTo(expected);
    }
    SerializerInstance brief = Records.instance("spark.serializer.extraDebugInfo", "false");
    assertThat(failure(() -> brief.serialize(record, Records.ANY))).isEqualTo("java.lang.Object");
  }

  private static String failure(Callable<?> writing) {
    try {
      writing.call();
    } catch (Exception e) {
      assertThat(e).isInstanceOf(NotSerializableException.class);
      return e.getMessage();
    }
    throw new AssertionError("it was written");
  }

  @Test
  public void damagedBlocksFailOrGiveObjectsButDoNotHang() {
    for (String[] settings : SETTINGS) {
      SerializerInstance instance = Records.instance(settings);
      byte[] block = Records.written(instance, List.of(new Sample(1, "text", 1), "end"));
      for (int i = 0; i < block.length; i++) {
        for (int bit : new int[] {0x01, 0x10, 0x80}) {
          byte[] damaged = block.clone();
          damaged[i] ^= (byte) bit;
          try {
            assertThat(Records.read(instance, damaged)).hasSizeLessThan(100);
          } catch (Exception e) {
            assertThat(e)
                .as("byte %d", i)
                .isInstanceOfAny(
                    IOException.class, ClassNotFoundException.class, ClassCastException.class);
          }
        }
      }
    }
  }

  @Test
  public void objectThatCannotBeWrittenLeavesTheStreamUsable() {
    for (String[] settings : SETTINGS) {
      SerializerInstance instance = Records.instance(settings);
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      try (SerializationStream out = instance.serializeStream(bytes)) {
        out.writeKey("before", Records.ANY);
        out.flush();
        assertThatThrownBy(() -> out.writeValue(new Sample(1, "text", new Object()), Records.ANY))
            .isInstanceOf(NotSerializableException.class)
            .hasMessageContaining("java.lang.Object");
      }
      byte[] block = bytes.toByteArray();
      DeserializationStream in = instance.deserializeStream(new ByteArrayInputStream(block));
      assertThat(in.readObject(Records.ANY)).isEqualTo("before");
    }
  }

  @Test
  public void classesAreFoundByTheLoaderThatSparkGives() throws Exception {
    ClassLoader jar = new CopyOfLoader(Sample.class, Sample.Kind.class);
    Class<?> other = jar.loadClass(Sample.class.getName());
    assertThat(other).isNotSameAs(Sample.class);
    for (String[] settings : SETTINGS) {
      UkaSerializer serializer = Records.serializer(settings);
      ByteBuffer bytes = serializer.newInstance().serialize(new Sample(1, "text"), Records.ANY);
      byte[] block = Records.written(serializer.newInstance(), List.of(new Sample(1, "text")));
      assertThat(serializer.newInstance().deserialize(bytes, jar, Records.ANY)).isInstanceOf(other);
      serializer.setDefaultClassLoader(jar);
      assertThat(Records.read(serializer.newInstance(), block).get(0)).isInstanceOf(other);
    }
  }

  @Test
  public void missingClassIsNamed() {
    ClassLoader none = new ClassLoader(null) {};
    SerializerInstance instance = Records.instance();
    ByteBuffer bytes = instance.serialize(new Sample(1, "text"), Records.ANY);
    assertThatThrownBy(() -> instance.deserialize(bytes, none, Records.ANY))
        .isInstanceOf(ClassNotFoundException.class)
        .hasMessageContaining(Sample.class.getName());
  }

  @Test
  public void serializerItselfIsSerializable() throws Exception {
    UkaSerializer serializer = Records.serializer("spark.uka.classes", Sample.class.getName());
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      out.writeObject(serializer);
    }
    try (java.io.ObjectInputStream in =
        new java.io.ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
      UkaSerializer copy = (UkaSerializer) in.readObject();
      assertThat(copy.supportsRelocationOfSerializedObjects()).isTrue();
      byte[] block = Records.written(copy.newInstance(), List.of("text"));
      assertThat(Records.read(serializer.newInstance(), block)).containsExactly("text");
    }
  }

  @Test
  public void instancesOfOneSerializerWorkInManyThreads() throws Exception {
    UkaSerializer serializer = Records.serializer("spark.uka.classes", Sample.class.getName());
    List<Callable<List<Object>>> tasks = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      int number = i;
      tasks.add(
          () -> {
            SerializerInstance instance = serializer.newInstance();
            List<Object> read = List.of();
            for (int round = 0; round < 50; round++) {
              List<Object> objects = List.of(new Sample(number, "text", round), number);
              read = Records.read(instance, Records.written(instance, objects));
            }
            return read;
          });
    }
    java.util.concurrent.ExecutorService threads =
        java.util.concurrent.Executors.newFixedThreadPool(4);
    try {
      List<Future<List<Object>>> results = threads.invokeAll(tasks);
      for (int i = 0; i < results.size(); i++) {
        assertThat(results.get(i).get()).containsExactly(new Sample(i, "text", 49), i);
      }
    } finally {
      threads.shutdown();
    }
  }

  @Test
  public void streamsOfOneInstanceMayBeReadInTurn() {
    SerializerInstance instance = Records.instance("spark.uka.classes", Sample.class.getName());
    byte[] block = joinedKeys(instance);
    List<DeserializationStream> streams = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      streams.add(instance.deserializeStream(new ByteArrayInputStream(block)));
    }
    for (int i = 0; i < 10; i++) {
      for (DeserializationStream each : streams) {
        assertThat(each.readKey(Records.ANY)).isEqualTo(new Sample(i, "text"));
      }
    }
  }

  private static byte[] joinedKeys(SerializerInstance instance) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (SerializationStream out = instance.serializeStream(bytes)) {
      for (int i = 0; i < 10; i++) {
        out.writeKey(new Sample(i, "text"), Records.ANY);
      }
    }
    return bytes.toByteArray();
  }

  @Test
  public void largeObjectsPassInParts() {
    byte[] large = new byte[5_000_000];
    new java.util.Random(3).nextBytes(large);
    for (String[] settings : SETTINGS) {
      SerializerInstance instance = Records.instance(settings);
      byte[] block = Records.written(instance, List.of(large, "between", large));
      List<Object> read = Records.read(instance, block);
      assertThat((byte[]) read.get(0)).isEqualTo(large);
      assertThat(read.get(1)).isEqualTo("between");
      assertThat((byte[]) read.get(2)).isEqualTo(large);
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      try (SerializationStream out = instance.serializeStream(bytes)) {
        out.writeKey("key", Records.ANY).writeValue(large, Records.ANY);
      }
      assertThat((byte[]) Records.read(instance, bytes.toByteArray()).get(1)).isEqualTo(large);
    }
  }
}
