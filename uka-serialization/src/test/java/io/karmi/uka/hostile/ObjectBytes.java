package io.karmi.uka.hostile;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.karmi.uka.UkaObjectInputStream;
import io.karmi.uka.UkaObjectOutputStream;
import io.karmi.uka.UkaOptions;
import io.karmi.uka.buffer.OutputBuffer;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InvalidObjectException;
import java.io.ObjectStreamClass;
import java.io.OutputStream;
import java.util.Arrays;
import java.util.Map;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;

/** Bytes of one object. */
final class ObjectBytes {
  private ObjectBytes() {}

  static byte[] write(Object value, UkaOptions.Format format) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (UkaObjectOutputStream out = new UkaObjectOutputStream(bytes, new UkaOptions(format))) {
      out.writeObject(value);
    }
    return bytes.toByteArray();
  }

  /** Writes objects of some classes as if they were of the classes with other names. */
  private static final class FormsOutput extends UkaObjectOutputStream {
    private static final UkaOptions OPTIONS = new UkaOptions(UkaOptions.Format.UKA);
    private final Map<Class<?>, String> names;

    FormsOutput(OutputStream to, Map<Class<?>, String> names) throws IOException {
      super(to, OPTIONS);
      this.names = names;
    }

    FormsOutput(OutputBuffer to, Map<Class<?>, String> names) throws IOException {
      super(to, OPTIONS);
      this.names = names;
    }

    @Override
    protected void writeClassDescriptor(ObjectStreamClass described) throws IOException {
      String name = names.get(described.forClass());
      try {
        super.writeClassDescriptor(
            name == null ? described : ObjectStreamClass.lookup(Class.forName(name)));
      } catch (ClassNotFoundException e) {
        throw new AssertionError(e);
      }
    }
  }

  /** Writes objects of these classes as if they were of the classes with those names. */
  static byte[] writeAs(Map<Class<?>, String> names, Object value) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (UkaObjectOutputStream out = new FormsOutput(bytes, names)) {
      out.writeObject(value);
    }
    return bytes.toByteArray();
  }

  /** The same for a message in a buffer, as calls have it. */
  static byte[] embedAs(Map<Class<?>, String> names, Object value) throws IOException {
    OutputBuffer bytes = new OutputBuffer(256);
    new FormsOutput(bytes, names).writeObject(value);
    return Arrays.copyOf(bytes.bytes, bytes.position);
  }

  static Object read(byte[] bytes) throws IOException, ClassNotFoundException {
    return new UkaObjectInputStream(new ByteArrayInputStream(bytes)).readObject();
  }

  /** The same by the methods that a program could look at, one value after the other. */
  static Object readByMethods(byte[] bytes) throws IOException, ClassNotFoundException {
    return new UkaObjectInputStream(new ByteArrayInputStream(bytes)) {
      @Override
      public int readInt() throws IOException {
        return super.readInt();
      }
    }.readObject();
  }

  static void assertRefused(Object value) throws IOException {
    assertRefused(value.getClass().getName(), value);
  }

  /** Both ways to read it meet the limit of steps, in each format. */
  static void assertRefused(String what, Object value) throws IOException {
    for (UkaOptions.Format format : UkaOptions.Format.values()) {
      byte[] bytes = write(value, format);
      assertBytesRefused(what, () -> read(bytes));
      assertBytesRefused(what + " by the JDK's methods", () -> readByMethods(bytes));
    }
  }

  static void assertBytesRefused(byte[] bytes) {
    assertBytesRefused("bytes", () -> read(bytes));
  }

  private static void assertBytesRefused(String what, ThrowingCallable reading) {
    assertThatThrownBy(reading)
        .as(what)
        .isInstanceOf(InvalidObjectException.class)
        .hasMessageContaining("steps");
  }
}
