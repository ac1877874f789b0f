package io.karmi.spark;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.SparkConf;
import org.apache.spark.serializer.DeserializationStream;
import org.apache.spark.serializer.SerializationStream;
import org.apache.spark.serializer.SerializerInstance;
import scala.collection.Iterator;
import scala.reflect.ClassTag;

/** What tests of the serializer share: its streams without Spark around them. */
final class Records {
  static final ClassTag<Object> ANY = ClassTag.apply(Object.class);

  private Records() {}

  /** A serializer with settings: name, value, name, value. */
  static UkaSerializer serializer(String... settings) {
    SparkConf conf = new SparkConf(false);
    for (int i = 0; i < settings.length; i += 2) {
      conf.set(settings[i], settings[i + 1]);
    }
    return new UkaSerializer(conf);
  }

  static SerializerInstance instance(String... settings) {
    return serializer(settings).newInstance();
  }

  /** Objects as a cache or broadcast writes them. */
  static byte[] written(SerializerInstance instance, List<?> objects) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (SerializationStream out = instance.serializeStream(bytes)) {
      for (Object each : objects) {
        out.writeObject(each, ANY);
      }
    }
    return bytes.toByteArray();
  }

  /** All objects of a block, as Spark's iterators find them. */
  static List<Object> read(SerializerInstance instance, byte[] block) {
    List<Object> objects = new ArrayList<>();
    try (DeserializationStream in = instance.deserializeStream(new ByteArrayInputStream(block))) {
      Iterator<Object> all = in.asIterator();
      while (all.hasNext()) {
        objects.add(all.next());
      }
    }
    return objects;
  }
}
