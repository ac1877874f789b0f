package io.karmi.benchmarks.serialization;

import io.karmi.uka.UkaObjectInputStream;
import io.karmi.uka.UkaObjectOutputStream;
import io.karmi.uka.UkaOptions;
import java.security.CodeSource;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The contestants: ours first, then the JDK, then the peers. */
public enum SerializationStack {
  UKA("a stream each way; objects are forgotten between messages, types kept", UkaCodec::asItComes),
  /** With copies of the payloads' classes: what {@link #UKA_WOVEN} is to be compared with. */
  UKA_COPY("the same with copies of the payloads' classes", UkaCodec::copied),
  UKA_WOVEN("the same with marshalers woven into the copies", UkaCodec::woven),
  UKA_FRESH("a pair of streams per message", () -> ofUkaStreams(UkaOptions.fromSystemProperties())),
  /** As the agent delivers them, which puts the library onto the boot class path. */
  UKA_JDK_FORMAT(
      "UKA's streams, the JDK's format, a pair per message",
      () -> ofUkaStreams(new UkaOptions(UkaOptions.Format.JDK))),
  JDK("a pair of streams per message", StreamCodec::ofJdk),
  JDK_RMI("a pair of streams per message, with the overrides of RMI's streams", StreamCodec::ofRmi),
  KRYO(
      "references tracked, no registration",
      KryoCodec::new,
      com.esotericsoftware.kryo.kryo5.Kryo.class),
  FORY("references tracked, nothing registered", ForyCodec::asItComes, org.apache.fory.Fory.class),
  FORY_BEST(
      "references tracked, every class registered, numbers at fixed width",
      ForyCodec::atItsBest,
      org.apache.fory.Fory.class),
  FST("default configuration", FstCodec::new, org.nustaq.serialization.FSTConfiguration.class),
  RIVER(
      "River protocol, default configuration",
      RiverCodec::new,
      org.jboss.marshalling.river.RiverMarshallerFactory.class),
  PROTOSTUFF(
      "graph format, schemas at run time",
      ProtostuffCodec::new,
      io.protostuff.runtime.RuntimeSchema.class);

  /** Makes a codec that has not seen any class yet. */
  @FunctionalInterface
  private interface Opening {
    Codec open() throws Exception;
  }

  private static final List<String> OF_FST =
      Stream.of(
              "java.base/java.lang",
              "java.base/java.math",
              "java.base/java.net",
              "java.base/java.text",
              "java.base/java.time",
              "java.base/java.util",
              "java.base/java.util.concurrent",
              "java.sql/java.sql")
          .map(name -> "--add-opens=" + name + "=ALL-UNNAMED")
          .toList();

  private final String configuration;
  private final Opening opening;
  private final @Nullable Class<?> library;

  SerializationStack(String configuration, Opening opening) {
    this(configuration, opening, null);
  }

  SerializationStack(String configuration, Opening opening, @Nullable Class<?> library) {
    this.configuration = configuration;
    this.opening = opening;
    this.library = library;
  }

  private static Codec ofUkaStreams(UkaOptions options) {
    return new StreamCodec(
        out -> new UkaObjectOutputStream(out, options), UkaObjectInputStream::new);
  }

  /** Options that its JVM needs. */
  List<String> jvmOptions() {
    return switch (this) {
      case FST -> OF_FST;
      case UKA_JDK_FORMAT ->
          Stream.of(UkaObjectInputStream.class, org.objectweb.asm.ClassWriter.class)
              .map(SerializationStack::location)
              .distinct()
              .map(file -> "-Xbootclasspath/a:" + file)
              .toList();
      default -> List.of();
    };
  }

  /** The library's file, which names its version, how it is set up, and its JVM's options. */
  String description() {
    String options = jvmOptions().isEmpty() ? "" : "; " + String.join(" ", jvmOptions());
    return (library == null ? "" : file(library) + ": ") + configuration + options;
  }

  private static String location(Class<?> library) {
    CodeSource source = library.getProtectionDomain().getCodeSource();
    return source == null ? "" : source.getLocation().getPath();
  }

  private static String file(Class<?> library) {
    String location = location(library);
    return location.substring(location.lastIndexOf('/') + 1);
  }

  boolean isOurs() {
    return name().startsWith("UKA");
  }

  /** A codec that has not seen any class yet. */
  public Codec open() throws Exception {
    return opening.open();
  }
}
