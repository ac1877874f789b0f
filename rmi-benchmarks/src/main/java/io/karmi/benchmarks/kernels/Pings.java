package io.karmi.benchmarks.kernels;

import io.karmi.benchmarks.measure.Kernel;
import io.karmi.benchmarks.payloads.Payload;

/** The kernels that call a {@link Ping}, by the names of the paper's tables. */
public final class Pings {
  private Pings() {}

  /**
   * The kernel of this name: {@code ping()}, {@code ping(int, int)}, or {@code ping(X)} with the
   * title of a {@link Payload}.
   *
   * @throws IllegalArgumentException if there is none
   */
  public static Kernel kernel(Ping target, String name) {
    return switch (name) {
      case "ping()" -> new VoidPing(target);
      case "ping(int, int)" -> new IntsPing(target);
      default -> new ObjectPing(target, Payload.ofTitle(argumentOf(name)));
    };
  }

  private static String argumentOf(String name) {
    if (!name.startsWith("ping(") || !name.endsWith(")")) {
      throw new IllegalArgumentException("no kernel is called " + name);
    }
    return name.substring("ping(".length(), name.length() - 1);
  }
}
