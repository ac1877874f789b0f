package io.karmi.kit;

import java.io.IOException;
import java.net.BindException;
import java.net.ServerSocket;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * A port for a JVM that is yet to be started. Each JVM that asks has ports of its own: those with
 * one remainder. It listens at a port that stands for the remainder as long as it runs, so that no
 * other one takes it. Ports of one JVM are not beside each other, as some programs take those, too.
 */
public final class FreePort {
  private static final int FIRST = 20_000;

  /** First ephemeral port of the system: 32768 on Linux, else 49152. */
  private static final int END = 32_768;

  /** Number of remainders: a prime number, as programs add round ones. */
  private static final int REMAINDERS = 61;

  private static final int FIRST_GUARD = FIRST - 2 * REMAINDERS;
  private static final int ATTEMPTS = 100;

  private static final Set<Integer> GIVEN = new HashSet<>();

  /** Keeps other JVMs off the remainder; null before the first one. */
  private static @Nullable ServerSocket guard;

  private FreePort() {}

  /**
   * A free port, another one each time, that neither the system nor this class in another JVM gives
   * to a process that asks for any port.
   */
  public static synchronized int any() throws IOException {
    while (true) {
      ServerSocket own = guard;
      if (own != null) {
        int port = any(FIRST + own.getLocalPort() - FIRST_GUARD);
        if (port != 0) {
          return port;
        }
      }
      guard = anyGuard();
    }
  }

  /** Zero if none was found. */
  private static int any(int first) throws IOException {
    int count = (END - first) / REMAINDERS;
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
      int port = first + ThreadLocalRandom.current().nextInt(count) * REMAINDERS;
      try (ServerSocket socket = new ServerSocket(port)) {
        if (GIVEN.add(port)) {
          return socket.getLocalPort();
        }
      } catch (BindException e) {
        continue; // taken: another one
      }
    }
    return 0;
  }

  private static ServerSocket anyGuard() throws IOException {
    int begin = ThreadLocalRandom.current().nextInt(REMAINDERS);
    for (int i = 0; i < REMAINDERS; i++) {
      try {
        return new ServerSocket(FIRST_GUARD + (begin + i) % REMAINDERS, 1);
      } catch (BindException e) {
        continue; // of another JVM
      }
    }
    throw new IOException(
        "all ports from " + FIRST_GUARD + " on that stand for remainders are in use");
  }
}
