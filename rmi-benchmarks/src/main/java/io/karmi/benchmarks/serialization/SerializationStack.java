package io.karmi.benchmarks.serialization;

import com.esotericsoftware.kryo.kryo5.Kryo;
import io.karmi.uka.RewiredObjectInputStream;
import io.karmi.uka.RewiredObjectOutputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.security.CodeSource;
import java.util.concurrent.Callable;
import org.apache.fory.Fory;
import org.jspecify.annotations.Nullable;

/** The contestants: ours first, then the JDK, then the peers. */
public enum SerializationStack {
  UKA("a stream each way; objects are forgotten between messages, types kept", UkaCodec::new, null),
  UKA_JDK(
      "a pair of streams per message, in the JDK's format, as rewired programs have them",
      () -> new StreamCodec(RewiredObjectOutputStream::new, RewiredObjectInputStream::new),
      null),
  JDK(
      "a pair of streams per message",
      () -> new StreamCodec(ObjectOutputStream::new, ObjectInputStream::new),
      null),
  KRYO("references tracked, no registration", KryoCodec::new, Kryo.class),
  FORY("references tracked, nothing registered", ForyCodec::asItComes, Fory.class),
  FORY_BEST(
      "references tracked, every class registered, numbers at fixed width",
      ForyCodec::atItsBest,
      Fory.class);

  private final String configuration;
  private final Callable<Codec> opening;
  private final @Nullable Class<?> library;

  SerializationStack(String configuration, Callable<Codec> opening, @Nullable Class<?> library) {
    this.configuration = configuration;
    this.opening = opening;
    this.library = library;
  }

  /** The library's file, which names its version, and how it is set up. */
  String description() {
    CodeSource source = library == null ? null : library.getProtectionDomain().getCodeSource();
    String path = source == null ? "" : source.getLocation().getPath() + ": ";
    return path.substring(path.lastIndexOf('/') + 1) + configuration;
  }

  /** A codec that has not seen any class yet. */
  public Codec open() throws Exception {
    return opening.call();
  }
}
