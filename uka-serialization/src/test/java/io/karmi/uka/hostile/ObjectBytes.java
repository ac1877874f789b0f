package io.karmi.uka.hostile;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.karmi.uka.UkaObjectInputStream;
import io.karmi.uka.UkaObjectOutputStream;
import io.karmi.uka.UkaOptions;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InvalidObjectException;
import java.io.ObjectStreamClass;
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

  /** Writes objects of these classes as if they were of the classes with those names. */
  static byte[] writeAs(Map<Class<?>, String> names, Object value) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    UkaOptions options = new UkaOptions(UkaOptions.Format.UKA);
    try (UkaObjectOutputStream out =
        new UkaObjectOutputStream(bytes, options) {
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
        }) {
      out.writeObject(value);
    }
    return bytes.toByteArray();
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
