package io.karmi.benchmarks.serialization;

import io.karmi.uka.UkaOptions;
import java.security.CodeSource;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The contestants: ours first, then the JDK, then the peers. */
public enum SerializationStack {
  UKA("a stream each way; objects are forgotten between messages, types kept") {
    @Override
    Codec open() throws Exception {
      return UkaCodec.asItComes();
    }
  },
  /** With copies of the payloads' classes: what {@link #UKA_WOVEN} is to be compared with. */
  UKA_COPY("the same with copies of the payloads' classes") {
    @Override
    Codec open() throws Exception {
      return UkaCodec.copied();
    }
  },
  UKA_WOVEN("the same with marshalers woven into the copies") {
    @Override
    Codec open() throws Exception {
      return UkaCodec.woven();
    }
  },
  UKA_FRESH("a pair of streams per message") {
    @Override
    Codec open() {
      return new UkaStreamCodec(UkaOptions.fromSystemProperties());
    }
  },
  /** As the agent delivers them, which puts the library onto the boot class path. */
  UKA_JDK_FORMAT("UKA's streams, the JDK's format, a pair per message") {
    @Override
    Codec open() {
      return new UkaStreamCodec(new UkaOptions(UkaOptions.Format.JDK));
    }

    @Override
    List<String> jvmOptions() {
      return Stream.of(io.karmi.uka.UkaObjectInputStream.class, org.objectweb.asm.ClassWriter.class)
          .map(SerializationStack::location)
          .distinct()
          .map(file -> "-Xbootclasspath/a:" + file)
          .toList();
    }
  },
  JDK("a pair of streams per message") {
    @Override
    Codec open() {
      return new JdkCodec(false);
    }
  },
  JDK_RMI("a pair of streams per message, with the overrides of RMI's streams") {
    @Override
    Codec open() {
      return new JdkCodec(true);
    }
  },
  KRYO("references tracked, no registration", com.esotericsoftware.kryo.kryo5.Kryo.class) {
    @Override
    Codec open() {
      return new KryoCodec();
    }
  },
  FORY("references tracked, nothing registered", org.apache.fory.Fory.class) {
    @Override
    Codec open() {
      return ForyCodec.asItComes();
    }
  },
  FORY_BEST(
      "references tracked, every class registered, numbers at fixed width",
      org.apache.fory.Fory.class) {
    @Override
    Codec open() {
      return ForyCodec.atItsBest();
    }
  },
  FST("default configuration", org.nustaq.serialization.FSTConfiguration.class) {
    @Override
    Codec open() {
      return new FstCodec();
    }
  },
  RIVER(
      "River protocol, default configuration",
      org.jboss.marshalling.river.RiverMarshallerFactory.class) {
    @Override
    Codec open() throws Exception {
      return new RiverCodec();
    }
  },
  PROTOSTUFF("graph format, schemas at run time", io.protostuff.runtime.RuntimeSchema.class) {
    @Override
    Codec open() {
      return new ProtostuffCodec();
    }
  };

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
  private final @Nullable Class<?> library;

  SerializationStack(String configuration) {
    this(configuration, null);
  }

  SerializationStack(String configuration, @Nullable Class<?> library) {
    this.configuration = configuration;
    this.library = library;
  }

  /** Options that its JVM needs. */
  List<String> jvmOptions() {
    return this == FST ? OF_FST : List.of();
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
  abstract Codec open() throws Exception;
}
