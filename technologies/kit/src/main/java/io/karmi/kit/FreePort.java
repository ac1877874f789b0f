package io.karmi.kit;

import java.io.IOException;
import java.net.BindException;
import java.net.ServerSocket;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * A port for a JVM that is yet to be started. Each JVM that asks has blocks of ports of its own: it
 * listens at the first port of a block as long as it runs, so that no other one takes the block.
 */
public final class FreePort {
  private static final int FIRST = 20_000;

  /** Ports of a block. */
  private static final int BLOCK = 128;

  /** Blocks below the first ephemeral port of the system: 32768 on Linux, else 49152. */
  private static final int BLOCKS = (32_768 - FIRST) / BLOCK;

  /** Keeps others out of the block; null before the first one. */
  private static @Nullable ServerSocket guard;

  /** Ports of the block that were given or found taken, its first one included. */
  private static int used;

  private FreePort() {}

  /**
   * A free port, another one each time, that neither the system nor this class in another JVM gives
   * to a process that asks for any port.
   */
  public static synchronized int any() throws IOException {
    while (true) {
      ServerSocket own = guard;
      if (own == null || used == BLOCK) {
        own = anyBlock();
        guard = own;
        used = 1;
      }
      int port = own.getLocalPort() + used++;
      try (ServerSocket socket = new ServerSocket(port)) {
        return socket.getLocalPort();
      } catch (BindException e) {
        continue; // taken: the next one
      }
    }
  }

  private static ServerSocket anyBlock() throws IOException {
    int begin = ThreadLocalRandom.current().nextInt(BLOCKS);
    for (int i = 0; i < BLOCKS; i++) {
      try {
        return new ServerSocket(FIRST + (begin + i) % BLOCKS * BLOCK, 1);
      } catch (BindException e) {
        continue; // of another JVM
      }
    }
    throw new IOException("all blocks of " + BLOCK + " ports from " + FIRST + " on are in use");
  }
}
