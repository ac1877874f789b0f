package io.karmi.benchmarks.measure;

import java.io.IOException;
import java.net.ServerSocket;

/** Ports for registries, which have to be told one. */
public final class FreePort {
  private FreePort() {}

  /** One that was free just now. */
  public static int next() throws IOException {
    try (ServerSocket free = new ServerSocket(0)) {
      return free.getLocalPort();
    }
  }
}
