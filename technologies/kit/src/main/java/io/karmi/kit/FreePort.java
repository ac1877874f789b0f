package io.karmi.kit;

import java.io.IOException;
import java.net.BindException;
import java.net.ServerSocket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;

/** A port for a JVM that is yet to be started. */
public final class FreePort {
  private static final int FIRST = 20_000;

  /** First ephemeral port of the system: 32768 on Linux, else 49152. */
  private static final int END = 32_768;

  private static final Set<Integer> GIVEN = ConcurrentHashMap.newKeySet();

  private FreePort() {}

  /**
   * A free port, another one each time, that the system does not give to a process that asks for
   * any port: one of those may be taken before the JVM has started.
   */
  public static int any() throws IOException {
    for (int attempt = 0; attempt < 100; attempt++) {
      int port = ThreadLocalRandom.current().nextInt(FIRST, END);
      try (ServerSocket socket = new ServerSocket(port)) {
        if (GIVEN.add(port)) {
          return socket.getLocalPort();
        }
      } catch (BindException e) {
        continue; // taken: another one
      }
    }
    throw new IOException("100 ports from " + FIRST + " to " + END + " are taken or were given");
  }
}
