package io.karmi.uka.hostile;

import io.karmi.uka.UkaObjectInputStream;
import io.karmi.uka.UkaObjectOutputStream;
import io.karmi.uka.UkaOptions;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;

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
}
