package io.karmi.uka.differential;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.ObjectStreamClass;

/** The JDK's own streams, which no world replaces. */
public final class JdkStreams {

  private JdkStreams() {}

  public static byte[] write(Object object) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      out.writeObject(object);
    }
    return bytes.toByteArray();
  }

  /** Reads with the classes of a loader. */
  public static Object read(byte[] bytes, ClassLoader loader)
      throws IOException, ClassNotFoundException {
    try (ObjectInputStream in =
        new ObjectInputStream(new ByteArrayInputStream(bytes)) {
          @Override
          protected Class<?> resolveClass(ObjectStreamClass description)
              throws ClassNotFoundException {
            return Class.forName(description.getName(), false, loader);
          }
        }) {
      return in.readObject();
    }
  }
}
