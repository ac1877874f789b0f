package io.karmi.uka.codec;

import io.karmi.uka.engine.write.ObjectMarshaler;
import io.karmi.uka.type.LocalClass;
import org.jspecify.annotations.Nullable;

/**
 * Writers of classes of a library that is not the platform's, for streams of all formats. The bytes
 * are those that the classes' own methods make by calling the stream. Thread-safe.
 */
public interface LibraryCodec {
  /** The writer of a class; null if it is written as any other. */
  @Nullable ObjectMarshaler marshaler(LocalClass type);

  /** Uses a codec for all classes that no stream has written yet. */
  static void add(LibraryCodec codec) {
    LibraryCodecs.add(codec);
  }
}
