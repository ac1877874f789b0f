package io.karmi.uka.codec;

import io.karmi.uka.engine.read.ReadType;
import io.karmi.uka.engine.read.Unmarshaler;
import io.karmi.uka.engine.write.ObjectMarshaler;
import io.karmi.uka.type.LocalClass;
import java.io.InvalidClassException;
import org.jspecify.annotations.Nullable;

/**
 * Writers and readers of classes of a library that is not the platform's, for streams of all
 * formats. The bytes are those that the classes' own methods make by calling the stream.
 * Thread-safe.
 */
public interface LibraryCodec {
  /** The writer of a class; null if it is written as any other. */
  @Nullable ObjectMarshaler marshaler(LocalClass type);

  /**
   * The reader of objects of a type; null if they are read as any others.
   *
   * @param type equal to its local class, with numbers of full width
   */
  default @Nullable Unmarshaler reader(ReadType type) throws InvalidClassException {
    return null;
  }

  /** Uses a codec for all classes that no stream has written or read yet. */
  static void add(LibraryCodec codec) {
    LibraryCodecs.add(codec);
  }
}
