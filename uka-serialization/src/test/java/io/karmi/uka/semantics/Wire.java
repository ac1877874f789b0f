package io.karmi.uka.semantics;

import io.karmi.uka.differential.JdkStreams;
import io.karmi.uka.differential.Observed;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.ObjectStreamClass;
import java.util.HexFormat;

/** The steps that most programs of this package share. */
final class Wire {

  private Wire() {}

  /** A stream's constructor or another use of it. */
  @FunctionalInterface
  interface Writing {
    void to(ObjectOutputStream out) throws IOException;
  }

  static byte[] write(Object... objects) throws IOException {
    return writeBy(
        out -> {
          for (Object object : objects) {
            out.writeObject(object);
          }
        });
  }

  static byte[] writeBy(Writing writing) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      writing.to(out);
    }
    Observed.bytes("written", bytes.toByteArray());
    return bytes.toByteArray();
  }

  /** Notes whether the object could be written, and returns the bytes if so, else null. */
  static byte[] tryToWrite(String label, Object object) {
    byte[][] written = new byte[1][];
    Observed.attemptTo(label, () -> written[0] = write(object));
    return written[0];
  }

  /** The state that an object would write in the JDK's format, whatever the world. */
  static String jdkBytes(Object object) throws IOException {
    return HexFormat.of().formatHex(JdkStreams.write(object));
  }

  /** Writes an object on a stream that replaces what equals {@code from}. */
  static byte[] writeReplacing(Object object, Object from, Object to) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out =
        new ObjectOutputStream(bytes) {
          {
            enableReplaceObject(true);
          }

          @Override
          protected Object replaceObject(Object candidate) {
            Observed.event("asked about " + candidate.getClass().getSimpleName());
            return from.equals(candidate) ? to : candidate;
          }
        }) {
      out.writeObject(object);
    }
    return bytes.toByteArray();
  }

  static ObjectInputStream open(byte[] bytes) throws IOException {
    return new ObjectInputStream(new ByteArrayInputStream(bytes));
  }

  static Object read(byte[] bytes) throws IOException, ClassNotFoundException {
    try (ObjectInputStream in = open(bytes)) {
      return in.readObject();
    }
  }

  static Object[] read(byte[] bytes, int count) throws IOException, ClassNotFoundException {
    Object[] objects = new Object[count];
    try (ObjectInputStream in = open(bytes)) {
      for (int i = 0; i < count; i++) {
        objects[i] = in.readObject();
      }
    }
    return objects;
  }

  @SuppressWarnings("unchecked")
  static <T> T copy(T object) throws IOException, ClassNotFoundException {
    return (T) read(write(object));
  }

  /** A copy whose bytes are not noted: they hold another stream, or come from several threads. */
  static Object copyQuietly(Object object) throws IOException, ClassNotFoundException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      out.writeObject(object);
    }
    return read(bytes.toByteArray());
  }

  /** Reads with the classes of another loader. */
  static Object read(byte[] bytes, ClassLoader loader) throws IOException, ClassNotFoundException {
    try (ObjectInputStream in = open(bytes, loader)) {
      return in.readObject();
    }
  }

  static ObjectInputStream open(byte[] bytes, ClassLoader loader) throws IOException {
    return new LoaderObjectInputStream(new ByteArrayInputStream(bytes), loader);
  }

  /** Resolves classes in a given loader. */
  static class LoaderObjectInputStream extends ObjectInputStream {

    private final ClassLoader loader;

    LoaderObjectInputStream(InputStream in, ClassLoader loader) throws IOException {
      super(in);
      this.loader = loader;
    }

    @Override
    protected Class<?> resolveClass(ObjectStreamClass description)
        throws IOException, ClassNotFoundException {
      try {
        return Class.forName(description.getName(), false, loader);
      } catch (ClassNotFoundException e) {
        return super.resolveClass(description);
      }
    }
  }
}
