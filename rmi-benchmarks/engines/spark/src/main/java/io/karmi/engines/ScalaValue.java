package io.karmi.engines;

import io.karmi.benchmarks.measure.Measurement;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Random;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.apache.spark.serializer.DeserializationStream;
import org.apache.spark.serializer.SerializationStream;
import org.apache.spark.serializer.SerializerInstance;
import scala.Option;
import scala.Tuple3;
import scala.collection.Iterable;
import scala.collection.immutable.Map$;
import scala.jdk.javaapi.CollectionConverters;
import scala.reflect.ClassTag;
import scala.reflect.ClassTag$;

/**
 * Values of Scala's library and a case class: many of a kind in each of some streams of Spark's.
 */
final class ScalaValue {
  /** Of each kind, one after the other: the values of one stay in the processor's caches. */
  private static final int STREAMS = 10;

  /** What the values are, and their names in the results. */
  enum Kind {
    VECTOR("Vector"),
    LIST("List"),
    SET("Set"),
    MAP("Map"),
    TUPLE("tuple"),
    OPTION("Option"),
    CASE_CLASS("case class"),
    STRINGS("Vector of strings");

    final String title;

    Kind(String title) {
      this.title = title;
    }

    String writing() {
      return title + ": write";
    }

    String reading() {
      return title + ": read";
    }
  }

  private ScalaValue() {}

  private static Object make(Kind kind, Random random) {
    return switch (kind) {
      case VECTOR -> numbers(random).toVector();
      case LIST -> numbers(random).toList();
      case SET -> numbers(random).toSet();
      case MAP -> map(random);
      case TUPLE -> new Tuple3<>(text(random), numbers(random).toList(), some(random));
      case OPTION -> some(random);
      case CASE_CLASS -> new Line(random);
      case STRINGS -> strings(random).toVector();
    };
  }

  /** What a case class is compiled to. */
  static final class Line implements Serializable {
    private static final long serialVersionUID = 1;

    private final int number;
    private final String customer;
    private final scala.collection.immutable.List<Object> items;
    private final Option<Object> discount;

    Line(Random random) {
      number = random.nextInt();
      customer = text(random);
      items = numbers(random).toList();
      discount = some(random);
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Line line
          && number == line.number
          && customer.equals(line.customer)
          && items.equals(line.items)
          && discount.equals(line.discount);
    }

    @Override
    public int hashCode() {
      return number;
    }
  }

  /** Writes and reads so many new values of each kind. */
  static List<Measurement> measure(SerializerInstance serializer, int count) {
    List<Measurement> measured = new ArrayList<>();
    for (Kind each : Kind.values()) {
      measure(each, serializer, count, measured);
    }
    return measured;
  }

  private static void measure(
      Kind kind, SerializerInstance serializer, int count, List<Measurement> measured) {
    ClassTag<Object> tag = ClassTag$.MODULE$.Object();
    Random random = new Random(1);
    Object[] values = new Object[count / STREAMS];
    Object[] back = new Object[values.length];
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(values.length << 8);
    long writingNanos = 0;
    long readingNanos = 0;
    long length = 0;
    int hash = 0;
    for (int stream = 0; stream < STREAMS; stream++) {
      Arrays.setAll(values, i -> make(kind, random));
      bytes.reset();
      long begin = ProcessorTime.ofThread();
      SerializationStream out = serializer.serializeStream(bytes);
      for (Object value : values) {
        out.writeObject(value, tag);
      }
      out.close();
      writingNanos += ProcessorTime.ofThread() - begin;
      length += bytes.size();
      ByteArrayInputStream source = new ByteArrayInputStream(bytes.toByteArray());
      begin = ProcessorTime.ofThread();
      DeserializationStream in = serializer.deserializeStream(source);
      for (int i = 0; i < back.length; i++) {
        back[i] = in.readObject(tag);
      }
      readingNanos += ProcessorTime.ofThread() - begin;
      in.close();
      if (!Arrays.equals(values, back)) {
        throw new IllegalStateException(kind.title + ": other values have come back");
      }
      hash += Arrays.hashCode(back);
    }
    String seen = count + " values, " + hash;
    measured.add(Service.measured(kind.writing(), writingNanos, length, seen));
    measured.add(Service.measured(kind.reading(), readingNanos, -1, seen));
  }

  /** Above the boxes that the JDK keeps. */
  private static Object number(Random random) {
    return 1_000 + random.nextInt(1_000_000);
  }

  private static String text(Random random) {
    return "customer " + number(random);
  }

  private static Option<Object> some(Random random) {
    return Option.apply(number(random));
  }

  private static Iterable<Object> numbers(Random random) {
    return ten(() -> number(random));
  }

  private static Iterable<Object> strings(Random random) {
    return ten(() -> text(random));
  }

  private static Object map(Random random) {
    HashMap<Object, Object> entries = new HashMap<>();
    while (entries.size() < 10) {
      entries.put(text(random), number(random));
    }
    return Map$.MODULE$.from(CollectionConverters.asScala(entries));
  }

  private static Iterable<Object> ten(Supplier<Object> elements) {
    return CollectionConverters.asScala(Stream.generate(elements).limit(10).toList());
  }
}
