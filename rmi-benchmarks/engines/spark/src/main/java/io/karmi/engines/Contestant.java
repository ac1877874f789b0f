package io.karmi.engines;

import java.util.List;
import java.util.Map;

/** A serializer and how Spark is told to use it. */
public enum Contestant {
  /** What Spark takes unless told otherwise. */
  JAVA("java", Map.of()),
  /** The same under the agent, in UKA's format. */
  AGENT("java+agent", Map.of()),
  /** Kryo as one line switches it on; it names the classes in each stream. */
  KRYO("kryo", Map.of("spark.serializer", Names.KRYO)),
  /** Kryo with all classes registered. */
  KRYO_REGISTERED(
      "kryo-reg",
      Map.of("spark.serializer", Names.KRYO, "spark.kryo.classesToRegister", Names.CLASSES)),
  /** UKA as one line switches it on. */
  UKA("uka", Map.of("spark.serializer", Names.UKA)),
  /** UKA with all classes of records named. */
  UKA_CLASSES(
      "uka-classes", Map.of("spark.serializer", Names.UKA, "spark.uka.classes", Names.CLASSES)),
  /**
   * UKA as one line switches it on, with names and fingerprints of classes. Not among those that
   * run unless named.
   */
  UKA_SLIM("uka-slim", Map.of("spark.serializer", Names.UKA, "spark.uka.types", "slim")),
  /** UKA, and broadcasts of a group of an exchange space. Not among those that run unless named. */
  UKA_EXCHANGE("uka-exchange", Map.of("spark.serializer", Names.UKA));

  /** Names that the constants need before they are made. */
  private static final class Names {
    static final String KRYO = "org.apache.spark.serializer.KryoSerializer";
    static final String UKA = "io.karmi.spark.UkaSerializer";
    private static final String MEDIA = "io.karmi.benchmarks.payloads.MediaContent";
    static final String CLASSES =
        String.join(
            ",",
            MEDIA,
            MEDIA + "$Media",
            MEDIA + "$Image",
            MEDIA + "$Player",
            MEDIA + "$Size",
            "examples.spark.Order",
            "examples.spark.Order$State",
            "examples.spark.Point",
            "java.util.ArrayList",
            "io.karmi.engines.ScalaValue$Line");
  }

  /** What the tables call it. */
  public final String title;

  /** Settings of Spark. */
  final Map<String, String> settings;

  Contestant(String title, Map<String, String> settings) {
    this.title = title;
    this.settings = settings;
  }

  /** Options of its JVM. */
  List<String> jvmOptions(String agentJar) {
    return this == AGENT ? List.of("-javaagent:" + agentJar, "-Duka.format=uka") : List.of();
  }
}
