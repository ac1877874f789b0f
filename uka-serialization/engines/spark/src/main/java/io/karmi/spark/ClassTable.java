package io.karmi.spark;

import io.karmi.uka.records.LoaderInput;
import io.karmi.uka.records.NumberedClasses;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * The choice of classes whose type numbers are the same in all streams of an application: the
 * built-in ones, then those that the application names.
 */
final class ClassTable {
  /** Frequent classes of records, in Spark's and Scala's collections and the JDK. */
  private static final List<String> BUILT_IN =
      List.of(
          "scala.Tuple2",
          "scala.Tuple2$mcII$sp",
          "scala.Tuple2$mcIJ$sp",
          "scala.Tuple2$mcID$sp",
          "scala.Tuple2$mcJI$sp",
          "scala.Tuple2$mcJJ$sp",
          "scala.Tuple2$mcJD$sp",
          "scala.Tuple2$mcDI$sp",
          "scala.Tuple2$mcDJ$sp",
          "scala.Tuple2$mcDD$sp",
          "java.lang.Integer",
          "java.lang.Long",
          "java.lang.Double",
          "java.lang.Float",
          "java.lang.Boolean",
          "java.lang.Short",
          "java.lang.Byte",
          "java.lang.Character",
          "[B",
          "[I",
          "[J",
          "[D",
          "[F",
          "[Ljava.lang.String;",
          "[Ljava.lang.Object;",
          "java.util.ArrayList",
          "scala.Tuple1",
          "scala.Tuple3",
          "scala.Tuple4",
          "scala.Tuple5",
          "scala.Some",
          "scala.None$",
          "scala.runtime.ModuleSerializationProxy",
          "scala.runtime.BoxedUnit",
          "scala.collection.generic.DefaultSerializationProxy",
          "scala.collection.generic.SerializeEnd$",
          "scala.collection.IterableFactory$ToFactory",
          "scala.collection.MapFactory$ToFactory",
          "scala.collection.immutable.List$",
          "scala.collection.immutable.Vector$",
          "scala.collection.immutable.Map$",
          "scala.collection.immutable.Set$",
          "scala.collection.mutable.ArrayBuffer$",
          "scala.collection.mutable.ArraySeq$ofRef",
          "scala.collection.immutable.ArraySeq$ofRef",
          "org.apache.spark.util.collection.CompactBuffer",
          "org.apache.spark.util.collection.CompactBuffer[]",
          "scala.Tuple2[]",
          "scala.reflect.ManifestFactory$ObjectManifest",
          "scala.reflect.ClassTag$GenericClassTag",
          "java.util.HashMap",
          "java.util.LinkedHashMap",
          "java.util.TreeMap",
          "java.util.HashSet",
          "java.util.LinkedHashSet",
          "java.util.LinkedList",
          "java.util.ArrayDeque",
          "java.util.Arrays$ArrayList",
          "java.util.CollSer",
          "java.util.Date",
          "java.util.UUID",
          "java.math.BigInteger",
          "java.math.BigDecimal",
          "java.time.Ser",
          "java.sql.Date",
          "java.sql.Timestamp");

  private ClassTable() {}

  /**
   * The table of an application.
   *
   * @throws ClassNotFoundException naming the setting, if a class that it names is missing
   */
  static NumberedClasses of(List<String> named, ClassLoader loader)
      throws IOException, ClassNotFoundException {
    List<Class<?>> found = new ArrayList<>();
    for (String name : BUILT_IN) {
      try {
        found.add(find(name, loader));
      } catch (ClassNotFoundException e) {
        /* Another version of Scala or Spark has no such class: in all JVMs of the application. */
      }
    }
    for (String name : named) {
      try {
        Class<?> type = find(name, loader);
        if (!found.contains(type)) {
          found.add(type);
        }
      } catch (ClassNotFoundException e) {
        throw new ClassNotFoundException(
            name + ", which spark.uka.classes names; is its jar on the class path of this JVM?", e);
      }
    }
    return NumberedClasses.of(found);
  }

  private static Class<?> find(String name, ClassLoader loader) throws ClassNotFoundException {
    if (name.endsWith("[]")) {
      return find(name.substring(0, name.length() - 2), loader).arrayType();
    }
    return LoaderInput.find(name, loader);
  }
}
