package app;

import java.io.IOException;
import java.io.ObjectOutputStream;
import java.io.OutputStream;

/** Opens its object streams while the JVM ends, as a server that stores its sessions does. */
public final class Closing {
  static final int STREAMS = 20_000;

  private Closing() {}

  public static void main(String[] arguments) {
    Runtime.getRuntime().addShutdownHook(new Thread(Closing::store));
  }

  private static void store() {
    try {
      for (int i = 0; i < STREAMS; i++) {
        new ObjectOutputStream(OutputStream.nullOutputStream()).writeObject("session");
      }
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }
}
