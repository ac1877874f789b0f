package stubs;

import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.rmi.server.RemoteObject;

/** One object in each file. */
final class Streams {
  private Streams() {}

  static void write(Path file, Object object) throws Exception {
    try (ObjectOutputStream out = new ObjectOutputStream(Files.newOutputStream(file))) {
      out.writeObject(object);
    }
  }

  /** Writes the stubs of exported objects in their place, as marshalling streams do. */
  static void writeWithStubs(Path file, Object object) throws Exception {
    try (ObjectOutputStream out = new WithStubs(Files.newOutputStream(file))) {
      out.writeObject(object);
    }
  }

  private static final class WithStubs extends ObjectOutputStream {
    WithStubs(OutputStream out) throws IOException {
      super(out);
      enableReplaceObject(true);
    }

    @Override
    protected Object replaceObject(Object object) throws IOException {
      return object instanceof Server.Wall ? RemoteObject.toStub((Server.Wall) object) : object;
    }
  }

  static Object read(Path file) throws Exception {
    try (ObjectInputStream in = new ObjectInputStream(Files.newInputStream(file))) {
      return in.readObject();
    }
  }
}
