package io.karmi.uka.codec;

import io.karmi.uka.engine.read.ReadType;
import io.karmi.uka.engine.read.Unmarshaler;
import io.karmi.uka.engine.write.ObjectMarshaler;
import io.karmi.uka.type.LocalClass;
import java.io.InvalidClassException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/** The codecs of libraries that are in use. Thread-safe. */
final class LibraryCodecs {
  private static final List<LibraryCodec> ALL = new CopyOnWriteArrayList<>();

  private LibraryCodecs() {}

  static void add(LibraryCodec codec) {
    ALL.add(codec);
  }

  static @Nullable ObjectMarshaler marshaler(LocalClass type) {
    for (LibraryCodec codec : ALL) {
      ObjectMarshaler found = codec.marshaler(type);
      if (found != null) {
        return found;
      }
    }
    return null;
  }

  static @Nullable Unmarshaler reader(ReadType type) throws InvalidClassException {
    for (LibraryCodec codec : ALL) {
      Unmarshaler found = codec.reader(type);
      if (found != null) {
        return found;
      }
    }
    return null;
  }
}
