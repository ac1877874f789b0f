package io.karmi.benchmarks.kernels;

import io.karmi.benchmarks.measure.Kernel;
import io.karmi.benchmarks.payloads.PayloadFactory;
import io.karmi.benchmarks.payloads.Payloads;

/** The kernels that call a {@link Ping}, by the names of the paper's tables. */
public final class Pings {
  private static final String SPORADIC = "sporadic ";
  private static final String VOID = "void ping(";
  private static final String OBJECT = "ping(";

  private Pings() {}

  /**
   * The kernel of this name: {@code ping()}, {@code ping(int, int)}, {@code ping(int, int, float,
   * float)}; {@code ping(X)}, which gives its argument back, or {@code void ping(X)}, with the
   * title of a payload; and any of them after {@code sporadic}.
   *
   * @throws IllegalArgumentException if there is none
   */
  public static Kernel kernel(Ping target, String name) {
    if (name.startsWith(SPORADIC)) {
      return new Repeated.Sporadic(name, kernel(target, name.substring(SPORADIC.length())));
    }
    NumbersPing.Call numbers = NumbersPing.CALLS.get(name);
    if (numbers != null) {
      return new NumbersPing(name, target, numbers);
    }
    if (name.startsWith(VOID)) {
      return new ObjectKernel(
          name,
          payload(name, VOID),
          argument -> {
            target.take(argument);
            return null;
          },
          target::taken);
    }
    return new ObjectKernel(name, payload(name, OBJECT), target::ping, null);
  }

  /** The payload that {@code name} has behind {@code start}, in parentheses. */
  static PayloadFactory payload(String name, String start) {
    if (!name.startsWith(start) || !name.endsWith(")")) {
      throw new IllegalArgumentException("no kernel is called " + name);
    }
    return Payloads.ofTitle(name.substring(start.length(), name.length() - 1));
  }

  /** What the server adds up for {@code ping(int, int)}. */
  public static long sum(int a, int b) {
    return a + 1_000_003L * b;
  }

  /** What the server adds up for {@code ping(int, int, float, float)}. */
  public static long sum(int a, int b, float c, float d) {
    return sum(a, b) + 31L * sum(Float.floatToIntBits(c), Float.floatToIntBits(d));
  }
}
