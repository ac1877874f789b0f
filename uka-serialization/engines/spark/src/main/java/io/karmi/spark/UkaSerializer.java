package io.karmi.spark;

import io.karmi.uka.codec.LibraryCodec;
import java.io.Serializable;
import org.apache.spark.SparkConf;
import org.apache.spark.serializer.Serializer;
import org.apache.spark.serializer.SerializerInstance;
import scala.Option;

/**
 * Spark's serializer with UKA's streams: {@code spark.serializer=io.karmi.spark.UkaSerializer}.
 *
 * <p>It writes what {@code JavaSerializer} writes: every {@link Serializable} object, with the
 * semantics of {@code java.io}. Settings, none of which is needed:
 *
 * <ul>
 *   <li>{@code spark.uka.types=auto|full|slim}: whether classes are described so that another
 *       version of them can read the objects, or named only. By default described in streams and
 *       named in records that stand alone.
 *   <li>{@code spark.uka.reset}: after how many records a stream forgets its objects, 100
 *   <li>{@code spark.uka.relocation=auto|true|false}: whether each record of a shuffle stands
 *       alone, so that Spark sorts serialized records; by default if classes are named
 *   <li>{@code spark.uka.classes}: the classes of records, separated by commas, which get numbers
 *       that are the same in the whole application
 * </ul>
 *
 * <p>Thread-safe; its instances are not, as Spark's are not.
 */
public class UkaSerializer extends Serializer implements Serializable {
  private static final long serialVersionUID = 1;

  static {
    LibraryCodec.add(new ScalaCodec());
  }

  private final UkaSettings settings;

  /** Made by Spark. */
  public UkaSerializer(SparkConf conf) {
    settings = UkaSettings.of(conf::get);
  }

  @Override
  public SerializerInstance newInstance() {
    return new UkaInstance(settings, this::loader);
  }

  /* JavaSerializer does the same: a task sets its own loader, and others have that of the thread. */
  private ClassLoader loader() {
    Option<ClassLoader> chosen = defaultClassLoader();
    ClassLoader loader =
        chosen.isDefined() ? chosen.get() : Thread.currentThread().getContextClassLoader();
    return loader != null ? loader : UkaSerializer.class.getClassLoader();
  }

  /** Whether the bytes between two flushes may be moved to another place, or another stream. */
  @Override
  public boolean supportsRelocationOfSerializedObjects() {
    return settings.relocatable();
  }
}
