package stubs;

import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.nio.file.Files;
import java.nio.file.Path;

/** One object in each file. */
final class Streams {
  private Streams() {}

  static void write(Path file, Object object) throws Exception {
    try (ObjectOutputStream out = new ObjectOutputStream(Files.newOutputStream(file))) {
      out.writeObject(object);
    }
  }

  static Object read(Path file) throws Exception {
    try (ObjectInputStream in = new ObjectInputStream(Files.newInputStream(file))) {
      return in.readObject();
    }
  }
}
